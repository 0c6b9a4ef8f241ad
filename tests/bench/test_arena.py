"""The parts of the benchmark of tournaments work; no time is judged."""

from __future__ import annotations

import pytest

from tests.bench.arena import Stages, duplicate_figures


def test_the_stages_of_a_tournament() -> None:
    stages = Stages("random", 2)
    assert stages.hands == 48
    assert len(stages.seconds) == 6
    assert all(seconds > 0 for seconds in stages.seconds.values())


@pytest.mark.parametrize("duplicate", [False, True])
def test_what_equal_deals_are_worth(duplicate: bool) -> None:
    mean, se, spread = duplicate_figures("simple", 3, duplicate=duplicate)
    assert (mean == 0, se == 0, spread == 0) == (duplicate, duplicate, duplicate)
