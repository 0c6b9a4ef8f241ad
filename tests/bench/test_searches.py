"""The measures of searches, on a few hands: what chance costs, and what is expected of a hand."""

from __future__ import annotations

import pytest

from hearts.bots import BOTS
from hearts.bots.levels import strong
from tests.bench.chance import lost_to_chance
from tests.bench.choice_times import choice_times
from tests.bench.hopes import hopes, shooter


@pytest.mark.heavy
def test_fewer_worlds_lose_more_to_chance() -> None:
    pytest.importorskip("numba")
    few, many = lost_to_chance(6, 1, (5, 300), 600)
    assert few.lost > many.lost >= 0.0
    assert few.error > 0.0
    assert few.ms > 0.0


def test_every_hand_is_of_one_kind_and_every_choice_in_one_row() -> None:
    found = hopes(1, 1, lambda draw: strong(draw, worlds=2), BOTS["simple"])
    assert found.hands == 6
    assert sum(kind.in_100 for kind in found.kinds) == pytest.approx(100.0)
    assert sum(kind.brings for kind in found.kinds) == pytest.approx(found.better)
    assert {row.plan for row in found.rows} <= {"duck", "shoot"}
    # Two players choose from at most nine tricks each, in which they mostly have a choice.
    assert 50 < sum(row.choices for row in found.rows) <= 6 * 2 * 9
    for row in found.rows:
        assert all(0.0 <= chance <= 1.0 for chance in (*row.moon, *row.other_moon))


def test_every_card_and_pass_is_timed() -> None:
    cards, passes = choice_times("simple", 8, 1)
    assert (cards.choice, passes.choice) == ("card", "pass")
    # Four players; two of eight hands are without a pass.
    assert passes.choices == 6 * 4
    assert 4 * 8 * 6 < cards.choices < 4 * 8 * 13
    for times in (cards, passes):
        assert 0.0 <= max(times.mean, times.p99) <= times.most


def test_who_shot_the_moon_is_read_from_the_points() -> None:
    assert shooter((26, 0, 26, 26)) == 1
    assert shooter((0, 13, 13, 0)) == -1
