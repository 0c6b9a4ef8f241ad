"""What it is worth that the same deals are played in every seating."""

from __future__ import annotations

from .small_tournaments import pair, standings

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
