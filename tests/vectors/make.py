"""Make the transcripts anew: ``python -m tests.vectors.make``.

To be run when the protocol changes on purpose; look at the difference line by line. The tests only
read the files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio
from trio.testing import MockClock

from . import stories
from .house import House
from .notebook import write
from .scribe import Scribe, Story
from .transcript import PLAIN


def told(title: str, story: Story) -> list[str]:
    """The lines of a case."""
    clock = MockClock()

    async def tell() -> list[str]:
        lines: list[str] = []
        async with trio.open_nursery() as nursery:
            house = House(nursery, clock)
            scribe = Scribe(house, title)
            await story(scribe)
            scribe.finish()
            lines = scribe.lines
            nursery.cancel_scope.cancel()
        return lines

    return trio.run(tell, clock=clock)


def main(files: Sequence[tuple[str, str, Callable[[], dict[str, Story]]]]) -> None:
    PLAIN.mkdir(exist_ok=True)
    for file, heading, cases in files:
        lines = [told(title, story) for title, story in cases().items()]
        write(PLAIN / f"{file}.txt", heading, lines)
        print(f"{file}: {len(lines)} cases, {sum(map(len, lines))} lines")


if __name__ == "__main__":
    main(stories.FILES)
