"""The open connections of a server: who may come in, and whether all have gone."""

from __future__ import annotations

from collections import Counter
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
        self._elsewhere: dict[int, Counter[str]] = {}
        self.draining = False
        """Whether nobody new is let in."""
        self.networks: Counter[str] = Counter()
        """The number that is open of each narrowest network."""

    @property
    def count(self) -> int:
        """The open connections."""
        return self._limits.count - sum(each.total() for each in self._elsewhere.values())

    def count_elsewhere(self, life: int, networks: Counter[str]) -> None:
        """Connections that are open at another node count as well, by their networks."""
        before = self._elsewhere.pop(life, Counter[str]())
        for network in (networks - before).elements():
            self._limits.add(network, None)
        for network in (before - networks).elements():
            self._limits.remove(network)
        if networks:
            self._elsewhere[life] = networks

    @property
    def reserved(self) -> int:
        """Those of them that may only come back."""
        return self._limits.reserved

    def enter(self, address: str) -> Admission:
        """Count a connection in; ``address`` is its narrowest network."""
        refusal = self._why_not(address)
        admit, place = (Admit.IN, None) if refusal is None else self._limits.way_around(address)
        self._add(address, place)
        return Admission(address, admit, refusal, place)

    def let_in(self, address: str) -> Admission:
        """Count a connection in that another node has admitted."""
        self._add(address, None)
        return Admission(address, Admit.IN, None, None)

    def _add(self, address: str, place: Place | None) -> None:
        self._limits.add(address, place)
        self.networks[address] += 1

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
        self.networks[admission.address] -= 1
        if not self.networks[admission.address]:
            del self.networks[admission.address]
        if not self.count:
            self._empty.set()

    async def wait_empty(self) -> None:
        """Wait until no connection is open."""
        while self.count:
            self._empty = trio.Event()
            await self._empty.wait()
