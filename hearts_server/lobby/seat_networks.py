"""The networks of people who have seats at tables that play: a crowd must not keep them out."""

from __future__ import annotations

from collections import Counter
from math import inf

import trio

from .sessions import Sessions

_KNOWN = 1.0
"""Seconds for which it is known who has seats, before all tables are looked at again."""


class SeatNetworks:
    """Counts of the seats of running tables by network, of the people who have or had them."""

    __slots__ = ("_counted", "_sessions", "_until")

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._counted: Counter[str] = Counter()
        self._until = -inf

    def held(self, network: str) -> int:
        """Count the seats of one network."""
        return self.counted()[network]

    def counted(self) -> Counter[str]:
        """Count the seats of each network, as they were a second ago at most."""
        # It is asked for each connection beyond the limits, which may be many at once.
        now = trio.current_time()
        if now >= self._until:
            self._counted = self._sessions.seats_by_network()
            self._until = now + _KNOWN
        return self._counted
