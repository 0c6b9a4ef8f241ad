"""How long answers took, as counts of steps of 5 %, so that many of them need little room."""

from __future__ import annotations

import math
from collections import Counter

_STEP = math.log(1.05)
_LEAST = 1e-5


def bucket(seconds: float) -> int:
    """The step of a time."""
    return round(math.log(max(seconds, _LEAST) / _LEAST) / _STEP)


def percentile(answers: Counter[int], part: float) -> float:
    """The seconds within which so many per cent of the answers came; 0 if there were none."""
    left = part / 100 * answers.total()
    for step in sorted(answers):
        left -= answers[step]
        if left <= 0:
            return _LEAST * math.exp(step * _STEP)
    return 0.0
