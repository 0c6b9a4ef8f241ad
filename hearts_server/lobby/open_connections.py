"""The open connections of a server: who may come in, and whether all have gone."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.limits import Admit, ConnectionLimits, Excess, PerNetwork, Place
from hearts.session.messages import Refusal

_REFUSALS = {
    Excess.IN_ALL: Refusal.SERVER_FULL,
    Excess.OF_NETWORK: Refusal.TOO_MANY_FROM_ADDRESS,
}


def _no_seats(address: str) -> int:
    return 0


class Admission:
    """One connection that was counted in."""

    __slots__ = ("address", "admit", "place", "refusal")

    def __init__(
        self, address: str, admit: Admit, refusal: Refusal | None, place: Place | None
    ) -> None:
        self.address = address
        self.admit = admit
        self.refusal = refusal
        """Why it is not let in; None if it is."""
        self.place = place
        """Where it counts beyond the limits, until it has its seat again."""


class OpenConnections:
    """Counts the open connections of a server."""

    def __init__(
        self,
        max_connections: int,
        limits: PerNetwork,
        seats_held: Callable[[str], int] = _no_seats,
    ) -> None:
        """``limits`` are those of one network; ``seats_held`` says how many seats of running
        tables an address's narrowest network has."""
        self._limits = ConnectionLimits(max_connections, limits, seats_held)
        self._empty = trio.Event()
        self.draining = False
        """Whether nobody new is let in."""

    @property
    def count(self) -> int:
        """The open connections."""
        return self._limits.count

    @property
    def reserved(self) -> int:
        """Those of them that may only come back."""
        return self._limits.reserved

    def enter(self, address: str) -> Admission:
        """Count a connection in; ``address`` is its narrowest network."""
        refusal = self._why_not(address)
        admit, place = (Admit.IN, None) if refusal is None else self._limits.way_around(address)
        self._limits.add(address, place)
        return Admission(address, admit, refusal, place)

    def _why_not(self, address: str) -> Refusal | None:
        if self.draining:
            return Refusal.SHUTTING_DOWN
        excess = self._limits.excess(address)
        return None if excess is None else _REFUSALS[excess]

    def came_back(self, admission: Admission) -> None:
        """A connection has its seat again, and takes no place of the reserve any more."""
        if admission.place is not None:
            self._limits.came_back(admission.address, admission.place)
            admission.place = None

    def leave(self, admission: Admission) -> None:
        """Count a connection out."""
        self.came_back(admission)
        self._limits.remove(admission.address)
        if not self.count:
            self._empty.set()

    async def wait_empty(self) -> None:
        """Wait until no connection is open."""
        while self.count:
            self._empty = trio.Event()
            await self._empty.wait()
