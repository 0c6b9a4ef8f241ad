"""Limits how fast a network may open connections. No clock: time is handed in."""

from __future__ import annotations

from math import inf

from .buckets import Bucket, Buckets
from .counts import PerNetwork
from .networks import networks_of

REPORT_EVERY = 60.0
"""Seconds between two reports of connections that came too fast, at least."""


class ArrivalLimiter:
    """Lets each network open so many connections at once, and so many a second from then on."""

    __slots__ = ("_reported", "_reports", "_rows", "closed")

    def __init__(self, rate: float, burst: float) -> None:
        """Both are for the narrowest networks; wider ones have 2 or 4 times as much. A rate of 0
        means no limit."""
        factors = PerNetwork.widening(1)
        self._rows = {
            len(row): [Buckets[str](rate * factor, burst * factor) for factor in row]
            for row in (factors.ipv4[:1], factors.ipv4, factors.ipv6)
            if rate
        }
        self._reports = Bucket(1 / REPORT_EVERY, 1, -inf)
        self._reported = 0
        self.closed = 0
        """Connections that were not let in."""

    def admits(self, address: str, now: float) -> bool:
        """Whether a connection from this address may be served; one that may not costs nothing."""
        if not self._rows:
            return True
        networks = networks_of(address)
        row = self._rows[len(networks)]
        buckets = [kept.of(network, now) for kept, network in zip(row, networks, strict=True)]
        if any(bucket.level(now) < 1 for bucket in buckets):
            self.closed += 1
            return False
        for bucket in buckets:
            bucket.take(now)
        return True

    def to_report(self, now: float) -> int:
        """How many were closed since the last report; 0 while none is due."""
        count = self.closed - self._reported
        if not count or not self._reports.take(now):
            return 0
        self._reported = self.closed
        return count
