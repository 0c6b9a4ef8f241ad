"""Who may come in: connections are counted, in all and by address."""

from __future__ import annotations

from collections import Counter

import trio

from hearts.plain.messages import Refusal

_REFUSED_AT_ONCE = 256
"""Connections beyond the limit that are still told why; any more are just closed."""


class Gate:
    """Counts the open connections of a server."""

    def __init__(self, max_connections: int, max_per_address: int) -> None:
        """``max_per_address`` of 0 means no limit."""
        self._max_connections = max_connections
        self._max_per_address = max_per_address
        self._by_address: Counter[str] = Counter()
        self._count = 0
        self._empty = trio.Event()
        self.draining = False
        """Whether nobody new is let in."""

    @property
    def overrun(self) -> bool:
        """Whether so many connections are open that a newcomer gets no answer at all."""
        return self._count > self._max_connections + _REFUSED_AT_ONCE

    def enter(self, address: str) -> Refusal | None:
        """Count a connection in; why it is refused, if it is."""
        full = self._count >= self._max_connections
        self._count += 1
        self._by_address[address] += 1
        if self.draining:
            return Refusal.SHUTTING_DOWN
        if full:
            return Refusal.SERVER_FULL
        if 0 < self._max_per_address < self._by_address[address]:
            return Refusal.TOO_MANY_FROM_ADDRESS
        return None

    def leave(self, address: str) -> None:
        """Count a connection out."""
        self._count -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
        if not self._count:
            self._empty.set()

    async def wait_empty(self) -> None:
        """Wait until no connection is open."""
        while self._count:
            self._empty = trio.Event()
            await self._empty.wait()
