"""The networks of people who have seats at tables that play: a crowd must not keep them out."""

from __future__ import annotations

from collections import Counter
from math import inf

import trio

from .sessions import Sessions

_KNOWN = 1.0
"""Seconds for which it is known who has seats, before all tables are looked at again."""


class SeatNetworks:
    """How many seats of running tables the people of each network have, or had last."""

    __slots__ = ("_counted", "_sessions", "_until")

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._counted: Counter[str] = Counter()
        self._until = -inf

    def held(self, network: str) -> int:
        """How many seats one network has."""
        return self.counted()[network]

    def counted(self) -> Counter[str]:
        """How many seats each network has, as it was a second ago at most."""
        # It is asked for each connection beyond the limits, which may be many at once.
        now = trio.current_time()
        if now >= self._until:
            self._counted = self._sessions.seats_by_network()
            self._until = now + _KNOWN
        return self._counted
