"""The bot swift: what it sees and says is what is kept; hidden cards change nothing."""

from __future__ import annotations

import random
import statistics

import pytest

from hearts.bots import BOTS
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.game import Game
from hearts.game.rules import PRESETS, STANDARD, Passing, parse_rules
from tests.game.games import deal_by, views_in
from training.matches import difference
from training.vectors import dealt_anew, kept_views


def test_it_sees_and_says_what_is_kept() -> None:
    for kept in kept_views():
        rows = rows_of(kept.view, kept.chosen)
        assert sorted(rows) == kept.rows
        assert len(set(rows)) == len(rows) < 256
        assert shipped_network().costs(rows) == kept.costs


@pytest.mark.parametrize("rules", [*PRESETS, "queen-keeps,notrick"])
def test_hidden_cards_change_nothing(rules: str) -> None:
    source = random.Random(7)
    swift, looked = SwiftBot(shipped_network()), 0
    while looked < 40:
        game = Game(parse_rules(rules).having("passing", Passing.NEVER))
        game.apply(deal_by(source))
        for view in views_in(game, [swift] * 4):
            assert rows_of(dealt_anew(view, game, source)) == rows_of(view)
            looked += 1


@pytest.mark.heavy
def test_the_file_is_as_strong_as_it_says() -> None:
    better = difference(BOTS["swift"], BOTS["simple"], 60, STANDARD, seed=5)
    error = statistics.stdev(better) / len(better) ** 0.5
    assert abs(statistics.mean(better) - shipped_network().recipe.better_than_simple) < 3 * error
