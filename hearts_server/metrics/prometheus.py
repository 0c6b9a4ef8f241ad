"""Counters, gauges and histograms, and their text for Prometheus (exposition format 0.0.4).

A counter is a plain number in a slot, so counting costs a tenth of a microsecond. Every series
exists from the beginning, under a key that the code knows: no label ever comes from a peer, and
there are never more series than were made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan
from typing import Literal, TypeVar

Key = TypeVar("Key")
Kind = Literal["counter", "gauge", "histogram"]
Labels = tuple[tuple[str, str], ...]
"""Names and values of the labels of one series, in their order."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Counter:
    """A number that only goes up."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: float = 0

    def add(self, amount: float = 1) -> None:
        """Count something."""
        self.value += amount


class Reading:
    """A number that somebody else keeps, asked for when it is looked at."""

    __slots__ = ("read",)

    def __init__(self) -> None:
        self.read: Callable[[], float] = _nothing
        """Gives the number; set by who knows it."""


def _nothing() -> float:
    return 0


class Histogram:
    """How often a number was at most each of some bounds."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """``bounds`` ascend and are finite."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, number: float) -> None:
        """Count a number."""
        self._counts[bisect_left(self._bounds, number)] += 1
        self._sum += number

    def samples(self) -> Iterator[Sample]:
        """The series of this histogram, which add up."""
        count = 0
        for bound, more in zip((*self._bounds, inf), self._counts, strict=True):
            count += more
            yield Sample(count, (("le", _number(bound)),), "_bucket")
        yield Sample(self._sum, (), "_sum")
        yield Sample(count, (), "_count")


@dataclass(frozen=True, slots=True)
class Sample:
    """The value of one series."""

    value: float
    labels: Labels = ()
    suffix: str = ""
    """What follows the name of the metric; for the parts of a histogram."""


@dataclass(frozen=True, slots=True)
class _Metric:
    name: str
    kind: Kind
    text: str
    samples: Callable[[], Iterable[Sample]]

    def lines(self) -> Iterator[str]:
        samples = list(self.samples())
        if samples:
            yield f"# HELP {self.name} {_escaped(self.text)}"
            yield f"# TYPE {self.name} {self.kind}"
        for sample in samples:
            labels = ",".join(f'{name}="{_quoted(value)}"' for name, value in sample.labels)
            where = f"{{{labels}}}" if labels else ""
            yield f"{self.name}{sample.suffix}{where} {_number(sample.value)}"


class Registry:
    """All metrics of a program, in the order of their making."""

    def __init__(self) -> None:
        self._metrics: list[_Metric] = []

    def add(
        self, name: str, kind: Kind, text: str, samples: Callable[[], Iterable[Sample]]
    ) -> None:
        """A metric whose samples are asked for when somebody looks; none at all leave it out."""
        self._metrics.append(_Metric(name, kind, text, samples))

    def counter(self, name: str, text: str) -> Counter:
        """A counter without labels."""
        (counter,) = self.counters(name, text, {(): ()}).values()
        return counter

    def counters(self, name: str, text: str, labels: Mapping[Key, Labels]) -> Mapping[Key, Counter]:
        """A counter for each key, with its labels."""
        made = {key: Counter() for key in labels}
        self.add(
            name, "counter", text,
            lambda: [Sample(counter.value, labels[key]) for key, counter in made.items()],
        )  # fmt: skip
        return made

    def reading(self, name: str, kind: Kind, text: str) -> Reading:
        """A reading without labels."""
        made = Reading()
        self.add(name, kind, text, lambda: [Sample(made.read())])
        return made

    def gauges(self, name: str, text: str, labels: Mapping[Key, Labels]) -> Mapping[Key, Reading]:
        """A gauge for each key, with its labels."""
        made = {key: Reading() for key in labels}
        self.add(
            name, "gauge", text,
            lambda: [Sample(reading.read(), labels[key]) for key, reading in made.items()],
        )  # fmt: skip
        return made

    def histogram(self, name: str, text: str, bounds: Sequence[float]) -> Histogram:
        """A histogram without labels."""
        made = Histogram(bounds)
        self.add(name, "histogram", text, made.samples)
        return made

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        return "".join(f"{line}\n" for metric in self._metrics for line in metric.lines())


def _number(value: float) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isnan(value):
        return "NaN"
    if value in (inf, -inf):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', r"\"")
