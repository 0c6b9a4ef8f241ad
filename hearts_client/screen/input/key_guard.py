"""Holds back keys that may have been meant for what was on the screen before."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import trio

_REPEAT = 0.15
"""Seconds without a key, after one that did not count; a key that is held down comes more often."""


class KeyGuard:
    """Knows what was drawn last that a key can answer, and since when it is to be seen.

    An *offer* is any value that identifies what a key would do now. A key counts if the offer that
    it would answer is on the screen, and has been there for a while.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        """``seconds`` gives how long an offer has to be seen before keys count."""
        self._seconds = seconds
        self._seen: object = None
        self._counts_at = inf
        self._news = trio.Event()

    def draw(self, offer: object) -> None:
        """An offer is drawn; None where there is nothing to answer."""
        if offer != self._seen or self._counts_at == inf:
            self._seen = offer
            self._counts_at = trio.current_time() + self._seconds()
            self._news.set()

    def forget(self) -> None:
        """Something else had the keys; what is drawn next is new."""
        self._counts_at = inf

    def counts(self, offer: object) -> bool:
        """Say if a key may answer this offer now."""
        return offer == self._seen and trio.current_time() >= self._counts_at

    def refuse(self) -> None:
        """A key did not count; neither does the next one if it comes at once."""
        pause = min(_REPEAT, self._seconds())
        self._counts_at = max(self._counts_at, trio.current_time() + pause)
        self._news.set()

    async def run(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` when keys count again, until cancelled."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            with trio.move_on_at(self._counts_at) as wait:
                await self._news.wait()
            if wait.cancelled_caught:
                changed()
