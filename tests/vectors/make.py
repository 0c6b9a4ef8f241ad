"""Records the transcripts anew: ``python -m tests.vectors.make``.

What happens and what the client says stand in the files; what the server says to that is written
again. A line ``<`` takes as many bytes as it has, but all that have come if it has none, as in a
case that was written by hand, or if the server ends the connection behind it.
To be run when the protocol changes on purpose; look at the difference line by line.
"""

from __future__ import annotations

import trio
from trio.testing import MockClock

from .transcript import PLAIN, TranscriptKind, parse
from .vector_house import VectorServer


def recorded(text: str) -> str:
    """Give a file's text with what the server says now."""
    heading, *cases = text.rstrip("\n").split("\n\n")
    return "\n\n".join([heading, *map(_record, cases)]) + "\n"


def _record(case: str) -> str:
    clock = MockClock()

    async def play() -> list[str]:
        async with trio.open_nursery() as nursery:
            house = VectorServer(nursery, clock)
            title, *lines = case.splitlines()
            played = [title]
            for line, following in zip(lines, [*lines[1:], ""], strict=True):
                played.append(await _play(house, line, has_end=following == "< end"))
            assert not house.wire.output, f"{title}: the server has said more"
            nursery.cancel_scope.cancel()
        return played

    return "\n".join(trio.run(play, clock=clock))


async def _play(house: VectorServer, line: str, *, has_end: bool) -> str:
    (case,) = parse("", f"@case\n{line}")
    for read in case.lines:
        match read.kind:
            case TranscriptKind.DIRECTIVE:
                await house.do(read.words)
            case TranscriptKind.SENT | TranscriptKind.CHOSEN:
                await house.send(read.data)
            case TranscriptKind.RECEIVED if line == "< end":
                assert house.wire.ended, "the connection is still open"
            case TranscriptKind.RECEIVED:
                output = house.wire.output
                size = len(output) if has_end or not read.data else len(read.data)
                said, output[:] = output[:size], output[size:]
                return f"< {said.hex(' ')}" + (f" # {read.comment}" if read.comment else "")
    return line


def main() -> None:
    for path in sorted(PLAIN.glob("*.txt")):
        path.write_text(recorded(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
