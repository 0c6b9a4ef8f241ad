"""The open connections of a server, limited by network, and the wait until all have gone.

Beyond the limits a bounded reserve is left for clients that come back to a seat, because their old
connection may be half-open and still count (SocketSpec.md section 3.7). The reserve is open to
everybody, so a crowd can fill it. A network that holds seats of tables does not depend on it:
besides the reserve there is room for as many of its connections as it holds seats.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

import trio
from msgspec import Struct

from hearts.limits.networks import NetworkCounts, PerNetwork
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded

RESERVE = 256
"""Connections beyond the limits that may come back to a seat, and do nothing else."""
RESERVE_PER_ADDRESS = 32
REFUSED_AT_ONCE = 256
"""Connections beyond the reserve that are still told why; any more are just closed."""


class Admit(Enum):
    """The rights of a newcomer."""

    IN = auto()
    ONLY_BACK = auto()
    """Come back to a seat; anything else is refused."""
    OUT = auto()
    """Hear why they are refused."""
    CLOSED = auto()
    """Nothing at all."""


class Admission(Struct):
    """One connection that was counted in."""

    address: str
    admit: Admit
    refusal: Refusal | None
    """The reason that it is not let in; None if it is."""
    place: NetworkCounts | None
    """The counts that it is in beyond the limits, until it has its seat again."""
    why: str | None = None
    """The reason in words, if it has words of its own."""


class OpenConnections:
    """Counts the open connections of a server, and says what one more may do."""

    def __init__(
        self,
        most: int,
        limits: PerNetwork,
        seats_held: Callable[[str], int] = lambda address: 0,
        unwelcome: Callable[[str], RegistrationEnded | None] = lambda address: None,
    ) -> None:
        """``limits`` are those of one network; ``seats_held`` gives the number of seats of running
        tables that the clients of an address's narrowest network have, or had last; who is
        ``unwelcome`` may only come back."""
        self._most = most
        self._seats_held = seats_held
        self._unwelcome = unwelcome
        self._connections = NetworkCounts(limits)
        self._reserved = NetworkCounts(PerNetwork.widening(RESERVE_PER_ADDRESS))
        self._kept = NetworkCounts(PerNetwork.widening(0))
        """In the room that is kept for networks because they hold seats."""
        self._empty = trio.Event()
        self.draining = False
        """True when nobody new is let in."""

    @property
    def count(self) -> int:
        return self._connections.total

    @property
    def reserved(self) -> int:
        """Count those that may only come back."""
        return self._reserved.total + self._kept.total

    def enter(self, address: str) -> Admission:
        """Count a connection in; ``address`` is its narrowest network."""
        refusal, admit, place, why = self._why_not(address), Admit.IN, None, None
        if refusal is not None:
            admit, place = self._way_around(address)
        elif unwelcome := self._unwelcome(address):
            refusal, why, admit = unwelcome.refusal, str(unwelcome), Admit.ONLY_BACK
        for counts in (self._connections, place):
            if counts is not None:
                counts.add(address)
        return Admission(address, admit, refusal, place, why)

    def _why_not(self, address: str) -> Refusal | None:
        if self.draining:
            return Refusal.SHUTTING_DOWN
        if self.count - self._kept.total >= self._most:
            return Refusal.SERVER_FULL
        if not self._connections.has_room(address):
            return Refusal.TOO_MANY_FROM_ADDRESS
        return None

    def _way_around(self, address: str) -> tuple[Admit, NetworkCounts | None]:
        """Return the rights of a connection that is not let in otherwise, and the counts that it is
        in.
        """
        if self._kept.of(address) < self._seats_held(address):
            return Admit.ONLY_BACK, self._kept
        if self._reserved.total < RESERVE and self._reserved.has_room(address):
            return Admit.ONLY_BACK, self._reserved
        if self.count - self._kept.total <= self._most + RESERVE + REFUSED_AT_ONCE:
            return Admit.OUT, None
        return Admit.CLOSED, None

    def came_back(self, admission: Admission) -> None:
        """Give the place of the reserve back: this connection has its seat again."""
        if admission.place is not None:
            admission.place.remove(admission.address)
            admission.place = None

    def leave(self, admission: Admission) -> None:
        self.came_back(admission)
        self._connections.remove(admission.address)
        if not self.count:
            self._empty.set()

    async def wait_empty(self) -> None:
        while self.count:
            self._empty = trio.Event()
            await self._empty.wait()
