"""A budget for work that a connection causes in a server, and that no table waits for.

A choice and an acknowledgement that a table waits for cost nothing. Everything else has a price:
frames without a meaning, pings, registrations, lists of tables. A client that has used up its
budget is not refused; nothing more is read from it until the budget has filled up again.
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
PROOF_WORK = 200
"""For a challenge to the owner of a name, and for a proof, beside the item."""
LIST_WORK = 1500
"""For a list of tables."""

NETWORK_SHARES = (10, 20, 40)
"""Connections at their limit that a network may have, the narrowest network first."""
FREE_SHARE = 50
"""A fiftieth of a connection's limit is free, whatever the rest of its network does."""
FREE_WORK = 1000.0
"""Work at once that is free, so that a client with few pings never waits for a flood of others."""
IDLE_SHARE = 0.2
"""The share of a core that work for nobody at a table may take, for all connections together."""
IDLE_AT_ONCE = 20_000.0
LONGEST_PAUSE = 10.0
"""Seconds after which a connection is read again at the latest."""


class Work:
    """The budget of one connection."""

    __slots__ = ("_free", "_idle", "_networks", "_own", "_shared")

    def __init__(
        self,
        rate: float,
        address: str,
        networks: tuple[Buckets[str], ...],
        idle: Bucket,
        now: float,
    ) -> None:
        self._own = Bucket(rate, rate, now)
        self._idle = idle
        self._free = Bucket(rate / FREE_SHARE, FREE_WORK, now)
        self._networks = networks_of(address)
        self._shared = networks

    def spend(self, amount: float, now: float) -> float:
        """Charge work; return the seconds for which nothing more is to be read."""
        return 0.0 if self._free.take(now, amount) else self._owe(amount, now)

    def spend_idle(self, amount: float, now: float) -> float | None:
        """Charge work that no table waited for, as :meth:`spend` does; return None if it was
        free.
        """
        self._idle.charge(now, amount)
        return None if self._free.take(now, amount) else self._owe(amount, now)

    def _owe(self, amount: float, now: float) -> float:
        pause = self._own.charge(now, amount)
        for network, buckets in zip(self._networks, self._shared, strict=False):
            pause = max(pause, buckets.of(network, now).charge(now, amount))
        return min(pause, LONGEST_PAUSE)

    def is_calm(self, now: float) -> bool:
        """Tell whether the connection has done less for a while than is free."""
        return self._free.is_full(now)


class WorkLimits:
    """The budgets of a server: of each connection, and of the networks that it comes from."""

    def __init__(self, milliseconds: float) -> None:
        """``milliseconds`` of work in a second are a connection's; 0 means no limit."""
        self._rate = 1000.0 * milliseconds
        self.idle = Bucket(1e6 * IDLE_SHARE, IDLE_AT_ONCE, 0.0)
        """The rest of the share for work that no table waits for; below 0 there is none."""
        self._networks = tuple(
            Buckets[str](self._rate * share, self._rate * share) for share in NETWORK_SHARES
        )

    def of(self, address: str, now: float) -> Work | None:
        """Return the budget of a new connection; None for no limit."""
        if not self._rate:
            return None
        return Work(self._rate, address, self._networks, self.idle, now)
