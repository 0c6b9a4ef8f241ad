"""What it is worth that the same deals are played in every seating."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import stdev

from hearts_arena.plan.plan import Plan

from .small_tournaments import pair, played, standings

DEALS = 12


def spread(first: str, second: str, *, duplicate: bool) -> float:
    """The standard error of the difference of two players, in 288 hands."""
    plan = pair(first, second, deals=DEALS, seed=1, directions=True, duplicate=duplicate)
    duel = standings(plan).head_to_head[0][1]
    assert duel is not None
    assert duel.se is not None
    return duel.se


def test_the_luck_of_the_cards_cancels_for_players_of_about_the_same_strength() -> None:
    same = spread("simple", "simple,blunder=0.02", duplicate=True)
    other = spread("simple", "simple,blunder=0.02", duplicate=False)
    # As many hands are worth so many times as much.
    assert (other / same) ** 2 > 4


def test_nothing_is_left_of_it_for_players_who_are_the_same() -> None:
    assert spread("simple", "simple", duplicate=True) == 0
    assert spread("simple", "simple", duplicate=False) > 0


def test_two_deals_of_their_own_spread_by_six_points() -> None:
    plan = pair("simple", "simple", deals=DEALS, seed=2, directions=True, duplicate=False)
    assert 5 < stdev(deal_pairs(plan)) < 7


def deal_pairs(plan: Plan) -> Iterator[float]:
    """Points per player that the first has more, in two matches whose seats are exchanged."""
    differences = {}
    for match, result in played(plan):
        ((a, b, c, d),) = result.points
        signs = [1 - 2 * entrant for entrant in match.seats]
        points = zip(signs, (a, b, c, d), strict=True)
        total = sum(sign * taken for sign, taken in points) / 2
        differences[match.block, match.seats, match.first_hand] = total
    for (block, seats, hand), difference in differences.items():
        if seats[0] == 0:
            p, q, r, s = (1 - entrant for entrant in seats)
            yield (difference + differences[block, (p, q, r, s), hand]) / 2
