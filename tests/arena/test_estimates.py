"""Means, intervals and quantiles: against published tables, and against truth that is known."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts_arena.numbers.estimates import (
    Estimate,
    Sums,
    blocks_needed,
    estimate,
    from_squares,
    paired_difference,
    range_of_blocks,
    t_quantile,
)

from .small_tournaments import known, likely


@pytest.mark.parametrize(
    ("degrees", "known"),
    [
        (1, 12.7062047),
        (2, 4.3026527),
        (3, 3.1824463),
        (5, 2.5705818),
        (10, 2.2281389),
        (30, 2.0422725),
        (31, 2.0395134),
        (40, 2.0210754),
        (100, 1.9839715),
        (1000, 1.9623391),
    ],
)
def test_quantiles_that_are_known_to_seven_places(degrees: int, known: float) -> None:
    assert t_quantile(degrees) == pytest.approx(known, abs=1e-6)
    with pytest.raises(ValueError, match="no such quantile"):
        t_quantile(0)


def test_an_interval() -> None:
    found = estimate([5.0, 7.0, 9.0])
    assert found.mean == 7
    assert found.se == pytest.approx(2 / math.sqrt(3))
    half = 4.3026527 * 2 / math.sqrt(3)
    assert (found.low, found.half_width, found.high) == pytest.approx((7 - half, half, 7 + half))
    assert (found.blocks, found.sign) == (3, 1)
    assert (-found).mean == -7
    assert (-found).sign == -1


def test_what_repeats_in_a_cycle_is_no_luck() -> None:
    luck = random.Random(11)
    hits, narrower = 0, 0.0
    for _ in range(200):
        values = [(-9.0, -8.7, -8.8, -5.9)[block % 4] + luck.gauss(0, 1) for block in range(24)]
        plain, by_place = estimate(values), estimate(values, cycle=4)
        assert plain.mean == by_place.mean
        half = known(by_place.half_width)
        hits += abs(by_place.mean + 8.1) <= half
        narrower += half / known(plain.half_width) / 200
    assert hits in likely(200, 0.95, 0.01)
    assert 0.5 < narrower < 0.7


def test_what_an_interval_cannot_tell() -> None:
    assert estimate([5.0]) == Estimate(5.0, None, None, 1)
    assert (estimate([5.0]).low, estimate([5.0]).high, estimate([5.0]).sign) == (None, None, 0)
    assert estimate([-1.0, 2.0]).sign == 0
    with pytest.raises(ValueError, match="no value"):
        estimate([])


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=8), st.randoms())
def test_the_order_of_blocks_does_not_matter(values: list[float], luck: random.Random) -> None:
    shuffled = values.copy()
    luck.shuffle(shuffled)
    assert estimate(values) == estimate(shuffled)


def test_only_blocks_where_both_played_are_pairs() -> None:
    found = paired_difference([3.0, None, 6.0, 9.0], [1.0, 2.0, None, 9.0])
    assert found == estimate([2.0, 0.0])
    assert paired_difference([None, 1.0], [1.0, None]) is None


def test_a_quarter_of_the_width_needs_sixteen_times_the_blocks() -> None:
    pilot = estimate([1.0, 2.0, 4.0, 4.0, 9.0])
    half = known(pilot.half_width)
    assert blocks_needed(pilot, half * 1.001) == blocks_needed(pilot, half * 100) == 5
    assert blocks_needed(pilot, half / 4 * 1.001) == 80
    for values, wanted, why in (([1.0], 0.1, "two blocks"), ([1.0, 2.0], 0.0, "above 0")):
        with pytest.raises(ValueError, match=why):
            blocks_needed(estimate(values), wanted)


def test_the_range_of_blocks_holds_the_truth() -> None:
    # Half of the interval of 98 blocks with a spread of 1 is 0.2.
    luck = random.Random(9)
    hits = 0
    for _ in range(200):
        low, high = range_of_blocks([luck.gauss(6, 1) for _ in range(30)], 0.2)
        hits += low <= 98 <= high
        assert high > 1.5 * low
    assert hits in likely(200, 0.95, 0.01)
    assert range_of_blocks([2.0] * 5, 0.1) == (2, 2)
    with pytest.raises(ValueError, match="five blocks"):
        range_of_blocks([1.0, 2.0], 0.1)
    with pytest.raises(ValueError, match="above 0"):
        range_of_blocks([1.0, 2.0, 3.0, 4.0, 5.0], 0)


def test_the_interval_of_all_looks_may_be_watched() -> None:
    luck = random.Random(10)
    runs, student, all_looks = 150, 0, 0
    for _ in range(runs):
        missed = [False, False]
        sums = Sums()
        for count in range(1, 150):
            sums.add(luck.gauss(0, 3))
            found = from_squares(sums.mean, sums.squares, count)
            missed[0] |= found.sign != 0
            missed[1] |= replace(found, watched=True).sign != 0
        student += missed[0]
        all_looks += missed[1]
    assert student > 0.25 * runs
    assert all_looks <= likely(runs, 0.05, 0.01)[-1]


def test_the_interval_of_all_looks_is_wider_and_needs_some_blocks() -> None:
    assert estimate([1.0]).half_width_at_any_look() is None
    assert estimate([1.0, 2.0, 3.0]).half_width_at_any_look() is None
    found = estimate([float(number % 7) for number in range(160)])
    half = known(found.half_width_at_any_look())
    assert 1.4 < half / known(found.half_width) < 1.7
