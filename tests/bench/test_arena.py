"""The parts of the benchmark of tournaments work; no time is judged."""

from __future__ import annotations

import random

import pytest

from hearts_arena.numbers.sequential import Verdict
from tests.bench.arena import Stages, duplicate_figures
from tests.bench.looks import by_direction, covered, pool_of, seen_to_miss, verdicts_of


def test_the_stages_of_a_tournament() -> None:
    stages = Stages("random", 2)
    assert stages.hands == 48
    assert len(stages.seconds) == 6
    assert all(seconds > 0 for seconds in stages.seconds.values())


@pytest.mark.parametrize("duplicate", [False, True])
def test_what_equal_deals_are_worth(duplicate: bool) -> None:
    mean, se, spread = duplicate_figures("simple", 3, duplicate=duplicate)
    assert (mean == 0, se == 0, spread == 0) == (duplicate, duplicate, duplicate)


def test_what_looks_and_intervals_are_worth() -> None:
    pool = pool_of("random", "random", 20, directions=False)
    draw = random.Random(1)
    verdicts, lengths = verdicts_of(pool.differences, -3.0, draw, 4)
    assert (verdicts[Verdict.BETTER], len(lengths)) == (4, 4)
    student, at_any_look = seen_to_miss(pool.differences, draw, 5, 20)
    assert at_any_look <= student <= 5
    assert len(pool.first) == len(pool.second) == 20
    assert all(hands == 12 for _, hands, _ in pool.first)
    assert by_direction(pool)[2] > 0
    hits, ours, wider = covered(pool.first, draw, 10, 8)
    assert hits <= ours <= 10
    assert wider > 1
