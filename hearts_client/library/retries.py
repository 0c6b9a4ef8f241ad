"""When to try again after a connection is lost: soon at first, then less and less often."""

from __future__ import annotations

import random
from collections.abc import Callable

RETRY_LIMIT = 300.0
"""Seconds without success after which a connection is given up."""
_FIRST = 0.2
_LONGEST = 10.0
_STEADY = 30.0
"""Seconds that a connection has to hold before its loss counts as a new one."""
_TAKEN_TIMES = 3
_TAKEN_WITHIN = 10.0
"""Two programs that have the same seat take it from each other. The one that loses it so often in
so many seconds gives it up: that is the one that had it first, and the later one keeps it.
"""


class Retries:
    """The waits of one line. Times are seconds of any one clock."""

    def __init__(
        self,
        limit: float = RETRY_LIMIT,
        draw: Callable[[], float] = random.random,
        *,
        longest: float = _LONGEST,
    ) -> None:
        """``limit`` and the longest wait are in seconds, a limit of 0 means that nothing is tried.

        ``draw`` gives a number from 0 to below 1.
        """
        self._limit = limit
        self._longest = longest
        self._draw = draw
        self._lost_at: float | None = None
        self._up_at: float | None = None
        self._wait = _FIRST
        self._closings: list[float] = []
        self.displaced = False
        """Whether it was given up because another program has the seat."""

    def up(self, now: float) -> None:
        """The connection does what it should."""
        if self._up_at is None:
            self._up_at = now

    def lost(self, now: float, *, in_order: bool = False) -> float | None:
        """The connection is lost, or a try has failed: seconds to wait, or None to give up.

        ``in_order`` says that the server has closed it.
        """
        up_at, self._up_at = self._up_at, None
        # A server that was away is none that gives the seat to somebody else.
        self._closings = [*self._closings, now] if in_order and up_at is not None else []
        if len(self._closings) >= _TAKEN_TIMES:
            self.displaced = now - self._closings.pop(0) <= _TAKEN_WITHIN
            if self.displaced:
                return None
        if self._lost_at is None or (up_at is not None and now - up_at >= _STEADY):
            self._lost_at = now
            self._wait = _FIRST
        # By chance, for many clients may have lost the same server.
        wait = self._wait * (1 - self._draw() / 2)
        self._wait = min(2 * self._wait, self._longest)
        return wait if now + wait <= self._lost_at + self._limit and self._limit else None
