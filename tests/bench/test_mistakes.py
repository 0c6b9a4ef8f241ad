"""Blunders are found, and what is none is not asked: the figures of hearts/judging/README.md."""

from __future__ import annotations

import random

import pytest

from hearts.judging.judge import SwiftJudge
from tests.bench.mistakes import Figures, asked, blunders


@pytest.mark.heavy
def test_blunders_are_found_and_no_others_asked() -> None:
    pytest.importorskip("numba")
    judge, truth = SwiftJudge(seed=1), SwiftJudge(300, seed=2)
    made: Figures = blunders(20, random.Random(3), judge, truth)
    # They are few in so few hands; README has the share in 200.
    assert made["blunders"] >= 3
    assert made["found"] >= 0.6 * made["blunders"]
    assert made["asked"] == 0
    found = asked(8, random.Random(4), judge, truth)
    assert found["asked"] >= 2
    assert found["cost nothing or less"] == 0
    assert found["with a reason in words"] >= 0.9 * found["asked"]
