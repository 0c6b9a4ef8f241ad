"""Make the transcripts anew: ``python -m tests.vectors.make``.

To be run when the protocol changes on purpose; look at the difference line by line. The tests only
read the files.
"""

from __future__ import annotations

from collections.abc import Callable

import trio
from trio.testing import MockClock

from .notebook import write
from .scribe import Scribe, Story
from .stories.clocks import clocks
from .stories.ends import ends
from .stories.faults import faults
from .stories.hands import hands, illegal
from .stories.moons import moons
from .stories.refusals import refusals
from .stories.registration import registration
from .stories.returns import returns
from .transcript import PLAIN
from .vector_house import VectorServer

FILES: list[tuple[str, str, Callable[[], dict[str, Story]]]] = [
    ("registration", "Registration with every option block.", registration),
    ("refusals", "Every refusal, with and without the reason in words.", refusals),
    ("hands", "Whole hands.", hands),
    ("illegal", "Choices that are not legal, with every status.", illegal),
    ("clocks", "Choices that the server makes, crossing late ones.", clocks),
    ("moons", "The moon, with and without a choice.", moons),
    ("ends", "Ends of games, and another game or none.", ends),
    ("faults", "Faults of a client and ends of a table.", faults),
    ("returns", "Coming back to a seat.", returns),
]
"""Name, heading and cases of each file."""


def told(title: str, story: Story) -> list[str]:
    """The lines of a case."""
    clock = MockClock()

    async def tell() -> list[str]:
        lines: list[str] = []
        async with trio.open_nursery() as nursery:
            house = VectorServer(nursery, clock)
            scribe = Scribe(house, title)
            await story(scribe)
            scribe.finish()
            lines = scribe.lines
            nursery.cancel_scope.cancel()
        return lines

    return trio.run(tell, clock=clock)


def main() -> None:
    for file, heading, cases in FILES:
        lines = [told(title, story) for title, story in cases().items()]
        write(PLAIN / f"{file}.txt", heading, lines)
        print(f"{file}: {len(lines)} cases, {sum(map(len, lines))} lines")


if __name__ == "__main__":
    main()
