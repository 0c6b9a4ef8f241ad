"""Token buckets: so much at once, and so much a second. No clock: time is handed in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from math import inf
from typing import Generic, TypeVar

from .networks import WIDENING

KeyT = TypeVar("KeyT", bound=Hashable)
KeptT = TypeVar("KeptT")


def put_last(
    kept: OrderedDict[KeyT, KeptT],
    key: KeyT,
    value: KeptT,
    most: float,
    is_stale: Callable[[KeptT], bool] = lambda value: False,
) -> None:
    """Put a value last; drop the first ones while they are stale, or more than ``most`` are
    there.
    """
    kept.pop(key, None)
    while kept:
        first, other = next(iter(kept.items()))
        if len(kept) < most and not is_stale(other):
            break
        del kept[first]
    kept[key] = value


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
        """Return the amount that is there; below 0 after :meth:`charge` took more than that."""
        if now > self._at:
            self._level = min(self.burst, self._level + (now - self._at) * self.rate)
            self._at = now
        return self._level

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take this much and return True; if it is not there, take nothing and return False."""
        if self.level(now) < amount:
            return False
        self._level -= amount
        return True

    def charge(self, now: float, amount: float = 1.0) -> float:
        """Take this much, there or not; return the seconds until nothing is owed."""
        if self.rate == inf:
            return 0.0
        self._level = self.level(now) - amount
        return self.owed(now)

    def owed(self, now: float) -> float:
        """Return the seconds until nothing is owed any more."""
        return max(0.0, -self.level(now) / self.rate)

    def is_full(self, now: float) -> bool:
        """Return True if it is as if it had never been used."""
        return self.level(now) >= self.burst


class Buckets(Generic[KeyT]):
    """A bucket for each key. One that is full again is forgotten, and there are never too many."""

    def __init__(self, rate: float, burst: float, most: int = 4096) -> None:
        """``most`` buckets are kept; beyond that the one that was used longest ago goes."""
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[KeyT, Bucket] = OrderedDict()

    def of(self, key: KeyT, now: float) -> Bucket:
        """Return the bucket of a key, which is used now."""
        bucket = self._buckets.get(key) or Bucket(self._rate, self._burst, now)
        put_last(self._buckets, key, bucket, self._most, lambda other: other.is_full(now))
        return bucket


class NetworkBuckets:
    """A bucket for each network, with 2 or 4 times as much for the wider ones."""

    def __init__(self, rate: float, burst: float, most: int = 4096) -> None:
        """``rate`` and ``burst`` are for the narrowest networks; ``most`` of each size are kept."""
        self._buckets: dict[int, Buckets[str]] = {
            multiple: Buckets(rate * multiple, burst * multiple, most) for multiple in WIDENING[3]
        }

    def of(self, networks: tuple[str, ...], now: float) -> list[Bucket]:
        """Return the buckets for what :func:`~hearts.limits.networks.networks_of` gave."""
        counted = zip(networks, WIDENING[len(networks)], strict=True)
        return [self._buckets[multiple].of(network, now) for network, multiple in counted]
