"""Worlds are weighed by how likely swift plays so, and doubtful cards are looked at in them."""

from __future__ import annotations

import random
from itertools import count, repeat
from math import exp

import pytest

from hearts.bots.levels import expert
from hearts.bots.search.engine import PLAIN, Engine
from hearts.bots.search.playing import HANDS, SIZE
from hearts.bots.search.position import position_of, state_of
from hearts.bots.search.search import SearchBot, Strength
from hearts.bots.search.swift_play import (
    BLUR,
    MOST_ROWS,
    SEEN,
    SHARP,
    choose_worlds,
    likelihood,
    seen_of,
)
from hearts.bots.search.worlds import Worlds
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.events import Play
from hearts.game.game import Game
from hearts.game.rules import PRESETS, Passing, parse_rules
from hearts.game.scoring import Four
from hearts.game.view import View, view_of
from tests.game.games import deal_by
from training.vectors import dealt_anew

NETWORK = shipped_network()
UNIT = NETWORK.recipe.unit
SWIFT = SwiftBot(NETWORK)


def _played(source: random.Random, rules: str, cards: int) -> tuple[Game, list[View]]:
    """A hand under way, and the view of each choice so far; nothing is passed, and chance chooses
    every third card.
    """
    game = Game(parse_rules(rules).having("passing", Passing.NEVER))
    game.apply(deal_by(source))
    views = []
    for _ in range(cards):
        views.append(_on_turn(game))
        chosen = SWIFT.choose_card(views[-1]), source.choice(views[-1].legal_cards)
        game.apply(Play(views[-1].player, chosen[source.random() < 1 / 3]))
    return game, views


def _on_turn(game: Game) -> View:
    return view_of(game, game.waiting_for()[0])


def _likelihood(view: View, world: Four) -> float:
    state, seen = state_of(view), seen_of(view)
    state[HANDS : HANDS + 4] = world
    return likelihood(state, seen, [0] * MOST_ROWS, NETWORK, view.history, UNIT)


@pytest.mark.parametrize("rules", ["standard", "jack,rotate", "spot"])
def test_a_world_is_as_likely_as_swift_would_have_played_so(rules: str) -> None:
    game, before = _played(random.Random(rules), rules, 22)
    view = _on_turn(game)
    likely = 1.0
    for then, card in zip(before, view.history, strict=True):
        if then.player != view.player and len(then.legal_cards) > 1:
            costs = NETWORK.costs(rows_of(then))
            odds = [exp((costs[card] - costs[other]) * UNIT * SHARP) for other in then.legal_cards]
            likely *= (1 - BLUR) / sum(odds) + BLUR / len(odds)
    hands = game.hand(0), game.hand(1), game.hand(2), game.hand(3)
    assert _likelihood(view, hands) == pytest.approx(likely**0.5)


def test_worlds_are_chosen_as_often_as_they_are_likely() -> None:
    view = _on_turn(_played(random.Random(3), "standard", 26)[0])
    pool = Worlds(position_of(view)).deal(6, 5)
    weights = [_likelihood(view, world) for world in pool]
    chosen = [0] * (4 * 40)
    choose_worlds(
        state_of(view, 9), seen_of(view), [0] * SIZE, [0] * SEEN, [0] * MOST_ROWS, NETWORK,
        view.history, UNIT, [hand for world in pool for hand in world], [0.0] * 6, chosen, 0, 40,
    )  # fmt: skip
    four = iter(chosen)
    worlds = list(zip(four, four, four, four, strict=True))
    assert max(weights) > 2 * min(weights)
    for world, weight in zip(pool, weights, strict=True):
        assert abs(worlds.count(world) - 40 * weight / sum(weights)) < 1


def test_a_look_ends_when_the_time_is_up() -> None:
    source, ticks = random.Random(5), count()
    strength = Strength(1, 0, looks=500, seconds=0.5)
    bot = SearchBot(PLAIN, source.random, strength, lambda: next(ticks), SWIFT)
    while True:
        bot.choose_card(_on_turn(_played(source, "standard", 34)[0]))
        # The clock is asked as a look begins, and after its first worlds.
        if (asked := next(ticks)) != 0:
            break
        ticks = count()
    assert asked == 2


def test_without_looks_it_plays_as_swift() -> None:
    source = random.Random(6)
    bot = SearchBot(PLAIN, source.random, Strength(1, 0, exact_cards=12, looks=0), None, SWIFT)
    for view in _played(source, "standard", 40)[1]:
        assert bot.choose_card(view) == SWIFT.choose_card(view)


@pytest.mark.heavy
@pytest.mark.parametrize("rules", [*PRESETS, "queen-keeps,notrick"])
def test_hidden_cards_do_not_change_a_choice(rules: str) -> None:
    pytest.importorskip("numba")
    source = random.Random(rules)
    for number in range(100):
        game, _ = _played(source, rules, number % 48)
        view = _on_turn(game)
        one, other = (expert(repeat(0.3).__next__, looks=8) for _ in range(2))
        assert one.choose_card(view) == other.choose_card(dealt_anew(view, game, source))


@pytest.mark.heavy
def test_both_engines_look_alike() -> None:
    pytest.importorskip("numba")
    from hearts.bots.search.compiled import compiled_engine

    source = random.Random(8)
    for rules in ("standard", "spot", "jack,notrick", "queen-keeps"):
        view = _on_turn(_played(source, rules, 24)[0])
        found = [_looked(engine, view) for engine in (PLAIN, compiled_engine())]
        assert found[0] == found[1]
        assert len(set(found[0][0])) > 2


def _looked(engine: Engine, view: View) -> tuple[list[float], list[int], list[float]]:
    """The weights of 12 worlds, the hands in 4 chosen ones, and the costs of cards in these."""
    swiftly, cards = engine.swiftly(), engine.ints(view.legal_cards)
    dealt = [hand for world in Worlds(position_of(view)).deal(12, 4) for hand in world]
    state, seen = engine.ints(state_of(view, 7)), engine.ints(seen_of(view))
    work, work_seen = engine.ints([0] * SIZE), engine.ints([0] * SEEN)
    room, worlds = engine.ints([0] * MOST_ROWS), engine.ints([0] * 16)
    weights, costs = engine.floats([0.0] * 12), engine.floats([0.0] * 4 * len(cards))
    swiftly.choose_worlds(
        state, seen, work, work_seen, room, swiftly.network, engine.ints(view.history),
        swiftly.unit, engine.ints(dealt), weights, worlds, 0, 4,
    )  # fmt: skip
    swiftly.roll_out_swiftly(
        state, seen, work, work_seen, room, swiftly.network, worlds, 0, 4, cards,
        engine.ints(range(len(cards))), engine.floats([0.0] * len(cards)), costs,
    )  # fmt: skip
    return [*map(float, weights)], [*map(int, worlds)], [*map(float, costs)]
