"""What a connection may make a server do that nobody waits for: a budget of work.

A choice and an acknowledgement that a table waits for cost nothing. Everything else has a price:
frames that mean nothing, pings, what is sent to register, lists of tables. A client that has used
up its budget is not refused; nothing more is read from it until the budget has filled up again.
"""

from __future__ import annotations

from .buckets import Bucket, Buckets
from .networks import networks_of

# Prices, about the microseconds that a server takes.
READ_WORK = 40
"""For bytes that arrived, however few."""
FRAME_WORK = 4
"""For a frame that nobody waited for, with the answer that it may get."""
ITEM_WORK = 30
"""For an item of a registration."""
LIST_WORK = 1500
"""For a list of tables."""

NETWORK_SHARES = (10, 20, 40)
"""How many connections at their limit a network may have, the narrowest network first."""
FREE_SHARE = 50
"""A fiftieth of a connection's limit is free, whatever the rest of its network does."""
FREE_WORK = 1000.0
"""So much of it at once: somebody who pings now and then never waits for a flood beside him."""
LONGEST_PAUSE = 10.0
"""Seconds after which a connection is read again at the latest."""


class Work:
    """The budget of one connection."""

    __slots__ = ("_free", "_networks", "_own", "_shared")

    def __init__(
        self, rate: float, address: str, networks: tuple[Buckets[str], ...], now: float
    ) -> None:
        self._own = Bucket(rate, rate, now)
        self._free = Bucket(rate / FREE_SHARE, FREE_WORK, now)
        self._networks = networks_of(address)
        self._shared = networks

    def spend(self, amount: float, now: float) -> float:
        """Work was done; for how many seconds nothing more is to be read."""
        if self._free.take(now, amount):
            return 0.0
        pause = self._own.charge(now, amount)
        for network, buckets in zip(self._networks, self._shared, strict=False):
            pause = max(pause, buckets.of(network, now).charge(now, amount))
        return min(pause, LONGEST_PAUSE)


class WorkLimits:
    """The budgets of a server: of each connection, and of the networks that it comes from."""

    def __init__(self, milliseconds: float) -> None:
        """``milliseconds`` of work in a second are a connection's; 0 means no limit."""
        self._rate = 1000.0 * milliseconds
        self._networks = tuple(
            Buckets[str](self._rate * share, self._rate * share) for share in NETWORK_SHARES
        )

    def of(self, address: str, now: float) -> Work | None:
        """The budget of a new connection; None for no limit."""
        return Work(self._rate, address, self._networks, now) if self._rate else None
