"""Limits how fast a network may open connections. No clock: time is handed in."""

from __future__ import annotations

from math import inf

from .buckets import Bucket, NetworkBuckets
from .networks import networks_of

REPORT_EVERY = 60.0
"""Seconds between two reports of connections that came too fast, at least."""


class ArrivalLimiter:
    """Lets each network open so many connections at once, and so many a second from then on."""

    def __init__(self, rate: float, burst: float) -> None:
        """``rate`` and ``burst`` are for the narrowest networks. A rate of 0 means no limit."""
        self._buckets = NetworkBuckets(rate, burst) if rate else None
        self._reports = Bucket(1 / REPORT_EVERY, 1, -inf)
        self._reported = 0
        self.closed = 0
        """Connections that were not let in."""

    def admits(self, address: str, now: float) -> bool:
        """Return True if a connection from this address may be served; one that may not costs
        nothing.
        """
        if self._buckets is None:
            return True
        buckets = self._buckets.of(networks_of(address), now)
        if any(bucket.level(now) < 1 for bucket in buckets):
            self.closed += 1
            return False
        for bucket in buckets:
            bucket.take(now)
        return True

    def to_report(self, now: float) -> int:
        """Count those that were closed since the last report; 0 while none is due."""
        count = self.closed - self._reported
        if not count or not self._reports.take(now):
            return 0
        self._reported = self.closed
        return count
