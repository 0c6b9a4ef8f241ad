"""What happens is shown in its order, and at a pace that can be followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import trio
import trio.testing

from hearts_client.screen.table.timing import PacedQueue


class PacedNumbers:
    """Numbers are shown; those in ``stays`` stay for so many seconds."""

    def __init__(self, stays: dict[int, float]) -> None:
        self.shown: list[int] = []
        self.pace = PacedQueue(self.shown.append, lambda number: stays.get(number, 0.0))

    async def after(self, seconds: float) -> list[int]:
        await trio.sleep(seconds)
        await trio.testing.wait_all_tasks_blocked()
        return self.shown

    def put(self, *numbers: int) -> None:
        for number in numbers:
            self.pace.put(number)


@asynccontextmanager
async def stage(stays: dict[int, float]) -> AsyncIterator[PacedNumbers]:
    made = PacedNumbers(stays)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.pace.run)
        yield made
        nursery.cancel_scope.cancel()


async def test_who_is_far_behind_catches_up(autojump_clock: object) -> None:
    async with stage(dict.fromkeys(range(0, 1000, 7), inf)) as made:
        longest = 0
        for number in range(500):
            made.put(number)
            shown = await made.after(0)
            assert shown == list(range(len(shown)))
            longest = max(longest, number + 1 - len(shown))
        assert 20 < longest <= 60
        while made.pace.is_held:
            made.pace.dismiss()
            await made.after(0)
        assert made.shown == list(range(500))


async def test_what_is_superseded_is_not_waited_for(autojump_clock: object) -> None:
    """However often it is said, what stays is not driven away by it."""
    shown: list[str] = []
    queue = PacedQueue[str](shown.append, lambda item: inf if item == "stays" else 0.0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(queue.run)
        queue.put("stays")
        await trio.testing.wait_all_tasks_blocked()
        queue.put("other")
        for number in range(200):
            queue.put(f"waits {number}", lambda last: last.startswith("waits"))
        await trio.testing.wait_all_tasks_blocked()
        assert shown == ["stays"]
        queue.dismiss()
        await trio.testing.wait_all_tasks_blocked()
        assert shown == ["stays", "other", "waits 199"]
        nursery.cancel_scope.cancel()
