"""Who may come in: connections are counted, in all and by network. No clock.

Beyond the limits a bounded reserve is left for those who come back to a seat, for their old
connection may be half-open and still count (SocketSpec.md section 3.7).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from .counts import NetworkCounts, PerNetwork

RESERVE = 256
"""Connections beyond the limits that may come back to a seat, and do nothing else."""
RESERVE_PER_ADDRESS = 32
REFUSED_AT_ONCE = 256
"""Connections beyond the reserve that are still told why; any more are just closed."""


class Admit(Enum):
    """What a newcomer may do."""

    IN = auto()
    ONLY_BACK = auto()
    """Come back to a seat; anything else is refused."""
    OUT = auto()
    """Hear why he is refused."""
    CLOSED = auto()
    """Nothing at all."""


class Excess(Enum):
    """Which limit a connection is beyond."""

    IN_ALL = auto()
    OF_NETWORK = auto()


class Place(Enum):
    """Where a connection beyond the limits counts."""

    RESERVE = auto()
    KEPT = auto()
    """The room that is kept for a network because it holds seats."""


class ConnectionLimits:
    """Counts connections, and says what one more may do.

    The reserve is open to everybody, so a crowd can fill it. A network that holds seats of tables
    needs no luck: besides the reserve there is room for as many of its connections as it holds
    seats.
    """

    __slots__ = ("_connections", "_kept", "_most", "_reserved", "_seats_held")

    def __init__(self, most: int, limits: PerNetwork, seats_held: Callable[[str], int]) -> None:
        """``seats_held`` says how many seats of running tables the clients of an address's
        network have, or had last."""
        self._most = most
        self._seats_held = seats_held
        self._connections = NetworkCounts(limits)
        self._reserved = NetworkCounts(PerNetwork.widening(RESERVE_PER_ADDRESS))
        self._kept = NetworkCounts(PerNetwork.widening(0))

    @property
    def count(self) -> int:
        """The open connections."""
        return self._connections.total

    @property
    def reserved(self) -> int:
        """Those of them that may only come back."""
        return self._reserved.total + self._kept.total

    def excess(self, address: str) -> Excess | None:
        """The limit that one more connection would be beyond."""
        if self.count - self._kept.total >= self._most:
            return Excess.IN_ALL
        if not self._connections.has_room(address):
            return Excess.OF_NETWORK
        return None

    def way_around(self, address: str) -> tuple[Admit, Place | None]:
        """What a connection may do that is not let in otherwise."""
        if self._kept.of(address) < self._seats_held(address):
            return Admit.ONLY_BACK, Place.KEPT
        if self._reserved.total < RESERVE and self._reserved.has_room(address):
            return Admit.ONLY_BACK, Place.RESERVE
        if self.count - self._kept.total <= self._most + RESERVE + REFUSED_AT_ONCE:
            return Admit.OUT, None
        return Admit.CLOSED, None

    def add(self, address: str, place: Place | None) -> None:
        """Count a connection in."""
        self._connections.add(address)
        if place is not None:
            self._counts(place).add(address)

    def came_back(self, address: str, place: Place) -> None:
        """A connection has its seat again, and takes no place of the reserve any more."""
        self._counts(place).remove(address)

    def remove(self, address: str) -> None:
        """Count a connection out, which takes no place of the reserve any more."""
        self._connections.remove(address)

    def _counts(self, place: Place) -> NetworkCounts:
        return self._reserved if place is Place.RESERVE else self._kept
