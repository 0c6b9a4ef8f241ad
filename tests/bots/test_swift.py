"""The bot swift: what it sees and says is what is kept; hidden cards change nothing."""

from __future__ import annotations

import random
import statistics
from operator import or_

import pytest

from hearts.bots.search.position import position_of
from hearts.bots.search.worlds import Worlds
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.cards import four, mask_of
from hearts.game.events import Deal, Play
from hearts.game.game import Game
from hearts.game.rules import PRESETS, STANDARD, Passing, parse_rules
from hearts.game.view import view_of
from tests.bench.bots import difference
from tests.game.games import deal_by, views_in
from training.vectors import kept_views


def test_it_sees_and_says_what_is_kept() -> None:
    """The page is held to the same file."""
    for kept in kept_views():
        rows = rows_of(kept.view, kept.chosen)
        assert sorted(rows) == kept.rows
        assert len(set(rows)) == len(rows) < 256
        assert shipped_network().costs(rows) == kept.costs


@pytest.mark.parametrize("rules", [*PRESETS, "queen-keeps,notrick"])
def test_hidden_cards_change_nothing(rules: str) -> None:
    """In another deal of what is hidden it sees the same, at 100 choices of each set of rules."""
    source = random.Random(7)
    swift, looked = SwiftBot(shipped_network()), 0
    while looked < 100:
        game = Game(parse_rules(rules).having("passing", Passing.NEVER))
        game.apply(deal_by(source))
        for view in views_in(game, [swift] * 4):
            (world,) = Worlds(position_of(view)).deal(1, 1 + source.randrange(2**31))
            played = [mask_of(view.history) & hand for hand in game.dealt]
            other = Game(game.rules)
            other.apply(Deal(four(map(or_, world, played))))
            for card in view.history:
                other.apply(Play(other.waiting_for()[0], card))
            assert rows_of(view_of(other, view.player)) == rows_of(view)
            looked += 1


@pytest.mark.heavy
def test_the_file_is_as_strong_as_it_says() -> None:
    better = difference("swift", "simple", 60, STANDARD, seed=5)
    error = statistics.stdev(better) / len(better) ** 0.5
    assert abs(statistics.mean(better) - shipped_network().recipe.better_than_simple) < 3 * error
