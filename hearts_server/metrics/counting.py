"""Counters, gauges and histograms, and the names under which they are shown.

A counter is a plain number in a slot, so counting costs a tenth of a microsecond. Every series
exists from the beginning, under a key that the code knows: no label ever comes from a peer, and
there are never more series than were made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import inf
from typing import TypeVar

from msgspec import Struct, field

Key = TypeVar("Key")
Labels = tuple[tuple[str, str], ...]
"""Names and values of the labels of one series, in their order."""


class Counter(Struct, eq=False):
    """A number that only goes up."""

    value: float = 0

    def add(self, amount: float = 1) -> None:
        self.value += amount

    def read(self) -> float:
        return self.value


class MetricReading:
    """A number that somebody else keeps, asked for when it is looked at."""

    __slots__ = ("read",)

    def __init__(self) -> None:
        self.read: Callable[[], float | None] = lambda: 0
        """Give the number, or None if it is not known; set by the code that knows it."""


class Histogram:
    """Counts of the numbers that were at most each of some bounds."""

    __slots__ = ("_bounds", "_counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """``bounds`` ascend and are finite."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, number: float) -> None:
        self._counts[bisect_left(self._bounds, number)] += 1
        self.sum += number

    def counts(self) -> list[tuple[float, int]]:
        """Return each bound, the last infinite, with how many numbers were at most that."""
        bounds = (*self._bounds, inf)
        return list(zip(bounds, accumulate(self._counts), strict=True))


class Family(Struct, frozen=True):
    """All series of one name."""

    name: str
    """It ends with ``_total`` if its numbers only go up."""
    text: str
    series: Mapping[Labels, Counter | MetricReading] | Histogram


class Registry(Struct, eq=False):
    """All metrics of a program, in the order of their making."""

    families: list[Family] = field(default_factory=list)

    def counter(self, name: str, text: str) -> Counter:
        return self.counters(name, text, {(): ()})[()]

    def counters(self, name: str, text: str, labels: Mapping[Key, Labels]) -> Mapping[Key, Counter]:
        made = {key: Counter() for key in labels}
        self.families.append(Family(name, text, {labels[key]: made[key] for key in labels}))
        return made

    def reading(self, name: str, text: str, labels: Labels = ()) -> MetricReading:
        return self.readings(name, text, {(): labels})[()]

    def readings(
        self, name: str, text: str, labels: Mapping[Key, Labels]
    ) -> Mapping[Key, MetricReading]:
        made = {key: MetricReading() for key in labels}
        self.families.append(Family(name, text, {labels[key]: made[key] for key in labels}))
        return made

    def histogram(self, name: str, text: str, bounds: Sequence[float]) -> Histogram:
        made = Histogram(bounds)
        self.families.append(Family(name, text, made))
        return made
