"""Who may come in: connections are counted, in all and by address.

Beyond the limits a bounded reserve is left for those who come back to a seat, for their old
connection may be half-open and still count (SocketSpec.md section 3.7).
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto

import trio

from hearts.plain.messages import Refusal

RESERVE = 256
"""Connections beyond the limits that may come back to a seat, and do nothing else."""
RESERVE_PER_ADDRESS = 32
_REFUSED_AT_ONCE = 256
"""Connections beyond the reserve that are still told why; any more are just closed."""


class Way(Enum):
    """What a newcomer may do."""

    IN = auto()
    ONLY_BACK = auto()
    """Come back to a seat; anything else is refused."""
    OUT = auto()
    """Hear why he is refused."""
    CLOSED = auto()
    """Nothing at all."""


class Ticket:
    """One connection that was counted in."""

    __slots__ = ("address", "refusal", "reserved", "way")

    def __init__(self, address: str, way: Way, refusal: Refusal | None) -> None:
        self.address = address
        self.way = way
        self.refusal = refusal
        """Why it is not let in; None where it is."""
        self.reserved = way is Way.ONLY_BACK
        """Whether it takes a place of the reserve."""


class Gate:
    """Counts the open connections of a server."""

    def __init__(self, max_connections: int, max_per_address: int) -> None:
        """``max_per_address`` of 0 means no limit."""
        self._max_connections = max_connections
        self._max_per_address = max_per_address
        self._by_address: Counter[str] = Counter()
        self._reserved: Counter[str] = Counter()
        self._count = 0
        self._empty = trio.Event()
        self.draining = False
        """Whether nobody new is let in."""

    @property
    def count(self) -> int:
        """The open connections."""
        return self._count

    @property
    def reserved(self) -> int:
        """Those of them that are in the reserve."""
        return self._reserved.total()

    def enter(self, address: str) -> Ticket:
        """Count a connection in."""
        refusal = self._why_not(address)
        way = Way.IN if refusal is None else self._way_around(address)
        self._count += 1
        self._by_address[address] += 1
        if way is Way.ONLY_BACK:
            self._reserved[address] += 1
        return Ticket(address, way, refusal)

    def _why_not(self, address: str) -> Refusal | None:
        if self.draining:
            return Refusal.SHUTTING_DOWN
        if self._count >= self._max_connections:
            return Refusal.SERVER_FULL
        if 0 < self._max_per_address <= self._by_address[address]:
            return Refusal.TOO_MANY_FROM_ADDRESS
        return None

    def _way_around(self, address: str) -> Way:
        few = self._reserved[address] < RESERVE_PER_ADDRESS
        if few and self._reserved.total() < RESERVE:
            return Way.ONLY_BACK
        if self._count <= self._max_connections + RESERVE + _REFUSED_AT_ONCE:
            return Way.OUT
        return Way.CLOSED

    def came_back(self, ticket: Ticket) -> None:
        """A connection has its seat again, and takes no place of the reserve any more."""
        if ticket.reserved:
            ticket.reserved = False
            _subtract(self._reserved, ticket.address)

    def leave(self, ticket: Ticket) -> None:
        """Count a connection out."""
        self.came_back(ticket)
        self._count -= 1
        _subtract(self._by_address, ticket.address)
        if not self._count:
            self._empty.set()

    async def wait_empty(self) -> None:
        """Wait until no connection is open."""
        while self._count:
            self._empty = trio.Event()
            await self._empty.wait()


def _subtract(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if not counter[address]:
        del counter[address]
