"""Ratings: against a second way to fit them, and where games alone do not decide."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_arena.numbers.ratings import PRIOR_GAMES, Group, Halves, Ratings, rate


def _rated(halves: Halves) -> Ratings:
    return rate([Group(1, halves)])


def _means(halves: Halves) -> list[float]:
    return [entrant.mean for entrant in _rated(halves).entrants]


def _by_iteration(halves: Halves) -> list[float]:
    """The same ratings by the oldest way: E. Zermelo (1929), the MM of D. R. Hunter (2004)."""
    count = len(halves)
    strengths = [1.0] * count
    for _ in range(2000):
        strengths = [
            (sum(halves[i]) / 2 + PRIOR_GAMES / 2)
            / (
                sum(
                    (halves[i][j] + halves[j][i]) / 2 / (strengths[i] + strengths[j])
                    for j in range(count)
                )
                + PRIOR_GAMES / (strengths[i] + 1)
            )
            for i in range(count)
        ]
    ratings = [400 * math.log10(strength) for strength in strengths]
    return [rating - sum(ratings) / count for rating in ratings]


def _tables(size: int) -> st.SearchStrategy[Halves]:
    cells = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    rows = st.lists(cells, min_size=size, max_size=size)
    return rows.map(
        lambda table: [
            [0 if i == j else cell for j, cell in enumerate(row)] for i, row in enumerate(table)
        ]
    )


def test_three_of_four_games_are_191_points() -> None:
    better, worse = _means([[0, 6000], [2000, 0]])
    assert better - worse == pytest.approx(400 * math.log10(3), abs=0.2)
    assert better + worse == pytest.approx(0, abs=1e-9)


def test_equal_places_count_half() -> None:
    assert _means([[0, 50], [50, 0]]) == pytest.approx([0, 0], abs=1e-9)
    only_ties = [Group(1, [[0, 5], [5, 0]])] * 4
    rated = rate(only_ties)
    assert not rated.separated
    assert [entrant.half_width for entrant in rated.entrants] == pytest.approx([0, 0], abs=1e-9)


@given(_tables(4))
def test_the_fit_is_that_of_a_second_way(halves: Halves) -> None:
    assert _means(halves) == pytest.approx(_by_iteration(halves), abs=1e-4)


@given(_tables(5), st.permutations(range(5)))
def test_the_numbers_of_entrants_do_not_matter(halves: Halves, order: list[int]) -> None:
    moved = [[halves[i][j] for j in order] for i in order]
    means = _means(halves)
    assert _means(moved) == pytest.approx([means[i] for i in order], abs=1e-6)


@pytest.mark.parametrize("games", [1, 1000, 10**9])
def test_who_wins_everything_has_a_rating_without_an_interval(games: int) -> None:
    groups = [Group(1, [[0, 2 * games, 2 * games], [0, 0, games], [0, games, 0]])] * 5
    rated = rate(groups)
    best, second, third = rated.entrants
    assert rated.separated
    assert best.mean > second.mean + 100
    assert best.mean < 400 * math.log10(games) + 1000
    assert second.mean == pytest.approx(third.mean, abs=1e-6)
    assert [entrant.se for entrant in rated.entrants] == [None] * 3


@pytest.mark.parametrize(
    ("halves", "separated"),
    [
        ([[0, 2, 0], [0, 0, 2], [2, 0, 0]], False),
        ([[0, 2, 2], [0, 0, 2], [0, 0, 0]], True),
        ([[0, 2, 2], [1, 0, 0], [0, 0, 0]], True),
        ([[0, 0, 0], [2, 0, 2], [2, 2, 0]], True),
        ([[0, 0], [0, 0]], True),
    ],
    ids=["in a circle", "in a line", "one never before", "one never before", "never met"],
)
def test_what_games_alone_do_not_decide(halves: Halves, separated: bool) -> None:
    assert _rated(halves).separated is separated


def test_many_games_of_entrants_far_apart_are_fitted() -> None:
    true = [900.0, 400.0, 0.0, -300.0, -1000.0]
    games = 10**9
    halves = [
        [
            0 if i == j else round(2 * games / (1 + 10 ** ((his - mine) / 400)))
            for j, his in enumerate(true)
        ]
        for i, mine in enumerate(true)
    ]
    assert _means(halves) == pytest.approx(true, abs=0.01)


def test_one_group_has_no_interval() -> None:
    assert _rated([[0, 3], [1, 0]]).entrants[0].se is None


@pytest.mark.parametrize("sizes", [[1] * 120, [1, 2, 3] * 20], ids=["equal", "unequal"])
def test_errors_are_those_that_follow_from_the_share_of_wins(sizes: list[int]) -> None:
    luck = random.Random(3)
    # What a block decides for all its 20 games makes the error larger than that of single games.
    wins = [round(20 * min(max(luck.gauss(0.6, 0.2), 0), 1)) for _ in range(sum(sizes))]
    groups, begin = [], 0
    for size in sizes:
        part = wins[begin : begin + size]
        won, lost = 2 * sum(part), 2 * (20 * size - sum(part))
        groups.append(Group(size, [[0, won], [lost, 0]]))
        begin += size
    shares = [won / 20 for won in wins]
    share = sum(shares) / len(shares)
    spread = sum((one - share) ** 2 for one in shares) / (len(shares) - 1)
    of_share = math.sqrt(spread / len(shares))
    # The rating of either is half the difference, whose slope is 1 / (share * (1 - share)).
    expected = 400 / math.log(10) * of_share / (share * (1 - share)) / 2
    better, worse = rate(groups).entrants
    assert better.blocks == 120
    assert better.se == pytest.approx(worse.se)
    assert better.se == pytest.approx(expected, rel=0.1)
