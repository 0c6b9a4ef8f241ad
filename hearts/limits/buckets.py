"""Token buckets: so much at once, and so much a second. No clock: time is handed in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from math import inf
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)


class Bucket:
    """An allowance that fills up again by ``rate`` a second, to ``burst`` at most."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """It begins full. A rate of ``inf`` never runs out."""
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def level(self, now: float) -> float:
        """What is there; below 0 after :meth:`charge` took more than that."""
        if now > self._at:
            self._level = min(self.burst, self._level + (now - self._at) * self.rate)
            self._at = now
        return self._level

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take so much if it is there; otherwise take nothing and say so."""
        if self.level(now) < amount:
            return False
        self._level -= amount
        return True

    def charge(self, now: float, amount: float = 1.0) -> float:
        """Take so much whether it is there or not; seconds until nothing is owed any more."""
        if self.rate == inf:
            return 0.0
        self._level = self.level(now) - amount
        return self.owed(now)

    def owed(self, now: float) -> float:
        """Seconds until nothing is owed any more."""
        return max(0.0, -self.level(now) / self.rate)

    def is_full(self, now: float) -> bool:
        """Whether it is as if it had never been used."""
        return self.level(now) >= self.burst


class Buckets(Generic[KeyT]):
    """A bucket for each key. One that is full again is forgotten, and there are never too many."""

    __slots__ = ("_buckets", "_burst", "_most", "_rate")

    def __init__(self, rate: float, burst: float, most: int = 4096) -> None:
        """``most`` buckets are kept; beyond that the one that was used longest ago goes."""
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[KeyT, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, key: KeyT, now: float) -> Bucket:
        """The bucket of a key, which is used now."""
        bucket = self._buckets.pop(key, None)
        if bucket is None:
            self._forget(now)
            bucket = Bucket(self._rate, self._burst, now)
        self._buckets[key] = bucket
        return bucket

    def _forget(self, now: float) -> None:
        while self._buckets:
            key, bucket = next(iter(self._buckets.items()))
            if len(self._buckets) < self._most and not bucket.is_full(now):
                break
            del self._buckets[key]
