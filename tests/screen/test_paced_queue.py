"""What happens is shown in its order, and at a pace that can be followed."""

from __future__ import annotations

from math import inf

import trio
import trio.testing

from hearts_client.screen.table.timing import PacedQueue


async def test_who_is_far_behind_catches_up(autojump_clock: object) -> None:
    shown: list[int] = []
    pace = PacedQueue(shown.append, lambda number: 0.0 if number % 7 else inf)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pace.run)
        longest = 0
        for number in range(500):
            pace.put(number)
            await trio.testing.wait_all_tasks_blocked()
            assert shown == list(range(len(shown)))
            longest = max(longest, number + 1 - len(shown))
        assert 20 < longest <= 60
        while pace.is_held:
            pace.dismiss()
            await trio.testing.wait_all_tasks_blocked()
        assert shown == list(range(500))
        nursery.cancel_scope.cancel()


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
