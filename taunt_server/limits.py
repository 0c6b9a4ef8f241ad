"""Limits to how often somebody may speak. No clock: time is handed in."""

from __future__ import annotations

from collections import OrderedDict, deque
from math import inf

from hearts.limits.buckets import put_last
from hearts.limits.tries import Seat

TAUNTS = 15
TAUNT_WINDOW = 30.0
"""At most TAUNTS taunts of one seat in TAUNT_WINDOW seconds (SocketSpec.md section 9)."""


class FloodGate:
    """The taunts of one seat in the last TAUNT_WINDOW seconds, and its latest notice to stop."""

    __slots__ = ("_admitted", "_told")

    def __init__(self) -> None:
        self._admitted: deque[float] = deque(maxlen=TAUNTS)
        self._told = -inf

    def admit(self, now: float) -> bool:
        """Return True if one more may pass; one that may not does not count."""
        if len(self._admitted) == TAUNTS and now - self._admitted[0] < TAUNT_WINDOW:
            return False
        self._admitted.append(now)
        return True

    def allow_notice(self, now: float) -> bool:
        """Return True if a notice is due, at most once in TAUNT_WINDOW; it counts as given."""
        if now - self._told < TAUNT_WINDOW:
            return False
        self._told = now
        return True


Gates = OrderedDict[Seat, tuple[float, FloodGate]]
"""The gates of all seats, each with the time when it spoke last."""


def gate_of(gates: Gates, seat: Seat, now: float) -> FloodGate:
    """Return the gate of a seat that speaks now; it outlives the seat's connections.

    A seat that is silent for TAUNT_WINDOW needs no gate and has none.
    """
    _, gate = gates.get(seat) or (now, FloodGate())
    put_last(gates, seat, (now, gate), inf, lambda kept: now - kept[0] >= TAUNT_WINDOW)
    return gate
