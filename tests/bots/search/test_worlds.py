"""Worlds: all that fit and no others, each equally likely, and the true one among them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from msgspec.structs import replace

from hearts.bots.search.position import Position, position_of
from hearts.bots.search.worlds import NoWorld, Worlds
from hearts.game.scoring import Four
from hearts.game.view import View
from tests.game.games import SEEDS

from .positions import late_view, views_by


def fits(position: Position, world: Four) -> bool:
    """Whether a world agrees with everything that the position says."""
    view = position.view
    others = [player for player in range(4) if player != view.player]
    return (
        world[view.player] == view.hand
        and sum(world) == view.hand + view.unseen
        and all(world[player].bit_count() == position.held[player] for player in others)
        and all(world[player] & ~position.may_hold[player] == 0 for player in others)
    )


@given(SEEDS)
def test_the_true_hands_fit_and_so_does_every_world(seed: int) -> None:
    source = random.Random(seed)
    for view, game in views_by(source):
        if source.random() < 0.7:
            continue
        position = position_of(view)
        a, b, c, d = (game.hand(player) for player in range(4))
        assert fits(position, (a, b, c, d)) or not view.legal
        assert all(fits(position, world) for world in Worlds(position).deal(2, 7))


@pytest.mark.parametrize("seed", range(6))
def test_each_world_is_as_likely_as_the_others(seed: int) -> None:
    position = position_of(_few_worlds(seed))
    fitting = Worlds(position)
    every = list(fitting.all())
    assert len(set(every)) == len(every) == fitting.count
    assert all(fits(position, world) for world in every)
    expected = 40
    counts = Counter(fitting.deal(expected * len(every), 7))
    assert counts.keys() == set(every)
    # Chi-square has a mean of n and a variance of 2 n; five deviations are far out.
    square = sum((counts[world] - expected) ** 2 / expected for world in every)
    freedom = len(every) - 1
    assert abs(square - freedom) < 5 * (2 * freedom) ** 0.5 + 3


def _few_worlds(seed: int) -> View:
    """A late position with voids, in which some dozens of worlds fit."""
    for number in range(1000):
        view = late_view(seed * 1000 + number, 37 + seed % 4)
        position = position_of(view)
        fitting = Worlds(position)
        if 20 <= fitting.count <= 300 and len(fitting.groups) > 2:
            return view
    raise AssertionError("no such position")


def test_every_count_of_small_cases_is_that_of_trying_all_deals() -> None:
    for seed in range(30):
        position = position_of(late_view(seed, 40 + seed % 5))
        every = set(Worlds(position).all())
        assert every == {world for world in _all_deals(position) if fits(position, world)}


def _all_deals(position: Position) -> list[Four]:
    """Every way to give the cards that are out to the others, whatever fits."""
    me = position.view.player
    others = [player for player in range(4) if player != me]
    hands = [[0, 0, 0, 0]]
    out = position.view.unseen
    while out:
        card = out & -out
        out ^= card
        longer = []
        for partial in hands:
            for player in others:
                if partial[player].bit_count() < position.held[player]:
                    more = partial.copy()
                    more[player] |= card
                    longer.append(more)
        hands = longer
    deals = []
    for hand in hands:
        hand[me] = position.view.hand
        a, b, c, d = hand
        deals.append((a, b, c, d))
    return deals


def test_passed_cards_lie_where_they_went() -> None:
    source = random.Random(5)
    seen = 0
    for _ in range(20):
        for view, _ in views_by(source):
            passed = sum(1 << card for card in view.passed) & view.unseen
            if passed and view.legal:
                target = view.direction.target(view.player)
                seen += 1
                assert all(
                    world[target] & passed == passed
                    for world in Worlds(position_of(view)).deal(2, 7)
                )
    assert seen > 100


def test_a_world_is_played_on_by_the_kernel() -> None:
    for view, game in views_by(random.Random(8)):
        if not view.legal:
            continue
        assert game.play is not None
        a, b, c, d = game.play.hands
        play = position_of(view).play_in((a, b, c, d))
        assert (play.turn, play.legal(), play.taken) == (view.player, view.legal, list(view.taken))
        assert (play.hands, play.trick) == (game.play.hands, game.play.trick)
        assert play.broken == view.broken


def test_what_cannot_be_is_said() -> None:
    position = position_of(late_view(1, 41))
    nobody = replace(position, may_hold=(0, 0, 0, 0))
    with pytest.raises(NoWorld, match="nobody may hold"):
        Worlds(nobody)
    other = next(player for player in range(4) if position.held[player])
    held = [position.held[player] + (player == other) for player in range(4)]
    with pytest.raises(NoWorld, match="fits the hands"):
        Worlds(replace(position, held=(held[0], held[1], held[2], held[3])))
