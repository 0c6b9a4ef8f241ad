"""Limits on asking for tables that are not there, by network. Time is handed in."""

from __future__ import annotations

from collections import deque

from .networks import networks_of
from .turns import Pace

LOOK_INTERVAL = 2.0
"""After FREE_TRIES names of no table a host may ask for one in LOOK_INTERVAL seconds."""
_KEPT = 4096
NAMES_KNOWN = 8
"""The latest names that a connection has asked for; one of them again is no new question."""


class LookLimiter:
    """Lets nobody try out the names of private tables.

    A network that has used up its budget is told of no table that it asks for by name, there or
    not, so the answer says nothing. No network uses up that of another one.
    """

    __slots__ = ("_pace",)

    def __init__(self) -> None:
        self._pace = Pace(LOOK_INTERVAL, _KEPT)

    def admits(self, address: str, now: float) -> bool:
        """Tell whether somebody at this address may ask for a table."""
        return not self._pace.wait(networks_of(address), now)

    def missed(self, address: str, now: float) -> None:
        """A table that was asked for is not there."""
        self._pace.charge(networks_of(address), now)


class Looks:
    """The tables that one connection asks for, whenever it does; the same again is no new one."""

    __slots__ = ("_address", "_is_new", "_limiter", "_names")

    def __init__(self, limiter: LookLimiter, address: str) -> None:
        self._limiter = limiter
        self._address = address
        self._names: deque[str] = deque(maxlen=NAMES_KNOWN)
        self._is_new = False

    def admits(self, name: str, now: float) -> bool:
        """Tell whether it may ask for the table of this name."""
        self._is_new = name not in self._names
        if not self._is_new:
            return True
        if not self._limiter.admits(self._address, now):
            return False
        self._names.append(name)
        return True

    def missed(self, now: float) -> None:
        """There is none."""
        if self._is_new:
            self._limiter.missed(self._address, now)
