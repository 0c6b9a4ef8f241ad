"""The compiled search gives the numbers of the plain one, and both play by the rules."""

from __future__ import annotations

import os
import random
import sys
import time
from collections import deque
from itertools import repeat
from typing import Any

import pytest

from hearts.bots import BOTS
from hearts.bots.levels import expert
from hearts.bots.search.engine import PLAIN, Engine
from hearts.bots.search.playing import BEST, POINTS, SUIT, WINNER
from hearts.bots.search.position import position_of, state_of
from hearts.bots.search.search import SearchBot, Strength
from hearts.bots.search.swift_play import FIGURES, MOST_ROWS, seen_of
from hearts.bots.search.worlds import Worlds
from hearts.errors import MissingExtra
from hearts.game.cards import cards_of
from hearts.game.game import Game
from tests.game.games import deal_by, rules_by, views_in

from .positions import begun_by, late_view, state_of_play, views_by
from .test_playing import differences, expected_points


@pytest.fixture(scope="session")
def compiled() -> Engine:
    """The compiled engine; it is compiled once, and kept beside its module."""
    pytest.importorskip("numba")
    from hearts.bots.search.compiled import compiled_engine

    return compiled_engine()


@pytest.mark.heavy  # To compile takes longer than all other tests of the search.
def test_both_engines_give_the_same_numbers(compiled: Engine) -> None:
    source = random.Random(4)
    strength = Strength(worlds=4, pass_worlds=2, pass_pool=4)
    looks = exact = passes = 0
    for _ in range(12):
        for view, _ in views_by(source):
            # Late positions are cheap, and are solved.
            if len(view.history) < 36 and source.random() < 0.9:
                continue
            seed = source.random()
            plain, fast = (SearchBot(e, repeat(seed).__next__, strength) for e in (PLAIN, compiled))
            if view.legal:
                position = position_of(view)
                assert plain.card_costs(position) == fast.card_costs(position)
                exact += len(view.history) >= 40
                looks += 1
            else:
                assert plain.choose_pass(view) == fast.choose_pass(view)
                passes += 1
    assert looks > 150
    assert exact > 50
    assert passes > 3
    # All was compiled when the engine was made.
    assert {len(function.signatures) for function in _called(compiled)} == {1}


@pytest.mark.heavy
def test_both_engines_play_on_alike(compiled: Engine) -> None:
    view = next(view for view, _ in views_by(random.Random(4)) if len(view.legal_cards) > 1)
    ends = []
    for engine in (PLAIN, compiled):
        swiftly, figures = engine.swiftly(), engine.floats([0.0] * FIGURES)
        state, seen = engine.ints(state_of(view)), engine.ints(seen_of(view))
        state[:4] = engine.ints([*Worlds(position_of(view)).deal(1, 7)[0]])
        room = engine.ints([0] * MOST_ROWS)
        swiftly.finish(
            state, seen, room, swiftly.network, view.player, view.legal_cards[0], figures
        )
        ends.append([*figures])
    assert ends[0] == ends[1]


def _called(engine: Any) -> list[Any]:
    return [
        engine.deal_worlds, engine.keep_best, engine.roll_out, engine.roll_out_passes,
        engine.roll_out_exactly,
    ]  # fmt: skip


def _play_hands(engine: Engine, seed: int, hands: int) -> None:
    """Play under all rules with one world a choice; the game refuses what is not legal."""
    source = random.Random(seed)
    for _ in range(hands):
        game = Game(rules_by(source), source.choice([20, 60, 100]))
        game.hand_number = source.randrange(4) - 1
        game.apply(deal_by(source))
        strength = Strength(1, 1, pass_pool=source.choice([4, 5]))
        bots = [SearchBot(engine, source.random, strength) for _ in range(4)]
        deque(views_in(game, bots), 0)


def test_the_plain_search_plays_by_all_rules() -> None:
    _play_hands(PLAIN, 1, 5)


@pytest.mark.heavy
@pytest.mark.timeout(0)
def test_the_compiled_search_plays_many_hands_by_all_rules(compiled: Engine) -> None:
    """2,000 hands take some 20 s; HEARTS_LEGAL_HANDS says how many else."""
    hands = int(os.environ.get("HEARTS_LEGAL_HANDS", "2000"))
    for seed in range(hands // 1_000):
        _play_hands(compiled, seed, 1_000)


@pytest.mark.heavy
@pytest.mark.timeout(0)
def test_compiled_positions_are_those_of_the_kernel(compiled: Engine) -> None:
    from hearts.bots.search.compiled import compiled_functions

    functions = compiled_functions()
    legal, play, settle = (functions[name] for name in ("legal", "play", "settle"))
    source = random.Random(5)
    for _ in range(8_000):
        hand, rules = begun_by(source)
        state = compiled.ints(state_of_play(hand, rules))
        while not hand.over:
            cards = hand.legal()
            assert legal(state) == cards
            card = source.choice(list(cards_of(cards)))
            hand.play(card)
            play(state, int(card))
            assert not differences(hand, [int(number) for number in state])
        settle(state)
        points = [int(number) for number in state[POINTS : POINTS + 4]]
        assert points == expected_points(hand.taken, rules)
        assert state[SUIT] == state[BEST] == state[WINNER] == -1


@pytest.mark.heavy
@pytest.mark.usefixtures("compiled")
def test_a_bot_by_the_time_of_a_choice_plays() -> None:
    view = late_view(1, 20)
    draw = random.Random(1).random
    bot = expert(draw, 30_000, seconds=0.001, clock=time.process_time, network=False)
    assert bot.choose_card(view) in view.legal_cards


def test_without_numba_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hearts.bots.search.compiled", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match=r"the bot expert needs numba: .*\[expert\]"):
        expert(random.random)


def test_the_bots_by_name() -> None:
    assert list(BOTS) == ["random", "novice", "simple", "strong", "expert", "swift"]
