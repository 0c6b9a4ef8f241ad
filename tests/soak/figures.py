"""Figures of a run: whether one stays where it is, and how long answers took.

The latter are counts of steps of 5 %, so that many of them need little room.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression

_STEP = math.log(1.05)
_LEAST = 1e-5


@dataclass(frozen=True, slots=True)
class Trend:
    """How a figure went."""

    first: float
    """Mean of the first tenth of the samples."""
    last: float
    """Mean of the last tenth."""
    growth: float
    """By how much the straight line through all samples rises from the first to the last."""
    allowed: float
    """The growth up to which the figure counts as flat."""

    @property
    def is_flat(self) -> bool:
        return self.growth <= self.allowed


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """That of the straight line of least squares; 0 where there is no such line."""
    return linear_regression(xs, ys).slope if len({*xs}) > 1 else 0.0


def trend(xs: Sequence[float], ys: Sequence[float], part: float, least: float) -> Trend:
    """The trend of samples ``ys`` at the times ``xs``, of which there is at least one.

    A growth by ``part`` of the mean, or by ``least``, counts as flat.
    """
    tenth = max(1, len(ys) // 10)
    growth = slope(xs, ys) * (xs[-1] - xs[0])
    return Trend(fmean(ys[:tenth]), fmean(ys[-tenth:]), growth, max(least, part * fmean(ys)))


def bucket(seconds: float) -> int:
    return round(math.log(max(seconds, _LEAST) / _LEAST) / _STEP)


def percentile(answers: Counter[int], part: float) -> float:
    """The seconds within which so many per cent of the answers came; 0 if there were none."""
    left = part / 100 * answers.total()
    for step in sorted(answers):
        left -= answers[step]
        if left <= 0:
            return _LEAST * math.exp(step * _STEP)
    return 0.0
