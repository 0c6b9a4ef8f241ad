"""The figures of a server as Prometheus reads them; needs the extra ``metrics``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from .counting import Family, Histogram

__all__ = ["CONTENT_TYPE", "FiguresCollector", "text_of"]


def text_of(families: Iterable[Family]) -> bytes:
    return generate_latest(FiguresCollector(families))


class FiguresCollector:
    """The collector that the library asks for the figures, each time that somebody looks."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        """Every metric, without those that have no value."""
        for family in self._families:
            made = _metric(family)
            if made.samples:
                yield made


def _metric(family: Family) -> Metric:
    series = family.series
    if isinstance(series, Histogram):
        counts = series.counts()
        buckets = [("+Inf" if bound == inf else str(bound), count) for bound, count in counts]
        return HistogramMetricFamily(family.name, family.text, buckets, series.sum)
    kind = CounterMetricFamily if family.name.endswith("_total") else GaugeMetricFamily
    names = [name for name, _ in next(iter(series))]
    made = kind(family.name, family.text, labels=names)
    for labels, one in series.items():
        value = one.read()
        if value is not None:
            made.add_metric([text for _, text in labels], value)
    return made
