"""Shows what happens one after the other, at a pace that can be followed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

import trio

_BACKLOG = 60
"""Items by which what is shown may be behind; with more it catches up at once."""

Item = TypeVar("Item")


class PacedQueue(Generic[Item]):
    """A queue of what is to be shown. Some of it stays for a while, and what follows waits."""

    def __init__(self, show: Callable[[Item], None], stays: Callable[[Item], float]) -> None:
        """``show`` puts an item on the screen; ``stays`` then gives for how many seconds."""
        self._show = show
        self._stays = stays
        self._pending: deque[Item] = deque()
        self._arrived = trio.Event()
        self._dismissed: trio.Event | None = None

    @property
    def is_held(self) -> bool:
        """Whether something stays on the screen at the moment."""
        return self._dismissed is not None

    def put(self, item: Item, supersedes: Callable[[Item], bool] = lambda item: False) -> None:
        """Something is to be shown in its turn; it takes the place of the last item that waits if
        it supersedes that."""
        if self._pending and supersedes(self._pending[-1]):
            self._pending.pop()
        self._pending.append(item)
        self._arrived.set()
        if len(self._pending) > _BACKLOG:
            self.dismiss()
            while self._pending:
                self._show(self._pending.popleft())

    def dismiss(self) -> None:
        """What stays has been seen."""
        if self._dismissed is not None:
            self._dismissed.set()

    async def run(self) -> None:
        """Show everything, until cancelled."""
        while True:
            while self._pending:
                item = self._pending.popleft()
                self._show(item)
                seconds = self._stays(item)
                if seconds > 0:
                    self._dismissed = trio.Event()
                    with trio.move_on_after(seconds):
                        await self._dismissed.wait()
                    self._dismissed = None
            self._arrived = trio.Event()
            await self._arrived.wait()
