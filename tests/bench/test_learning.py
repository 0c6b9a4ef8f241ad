"""The odds are fitted to what cards cost, and written so that they can be read again."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from hearts.bots.search import odds
from hearts.bots.search.position import state_of
from hearts.game.cards import cards_of
from tests.bots.search.positions import views_by

np = pytest.importorskip("numpy")
learning = pytest.importorskip("tests.bench.learning")


def test_the_fit_finds_the_card_that_costs_less() -> None:
    source = random.Random(8)
    states: list[list[int]] = []
    costs: list[list[float]] = []
    while len(states) < 700:
        for view, _ in views_by(source):
            cards = list(cards_of(view.legal))
            if len(cards) > 1:
                states.append(state_of(view))
                # The highest card of all is the best one here.
                costs.append([-0.2 * card if card in cards else math.nan for card in range(52)])
    choices = learning.Choices(np.array(states), np.array(costs))
    by_chance = learning.regret(choices, np.zeros(learning.PLACES), 0)
    weights = learning.fitted(choices)
    assert learning.regret(choices, weights, 0) < by_chance / 2


def test_odds_are_written_with_a_letter_for_each(tmp_path: Path) -> None:
    path = tmp_path / "odds.py"
    path.write_text(Path(odds.__file__).read_text())
    weights = [0.0, 0.15, -0.3, 99.0, -99.0]
    learning.write_odds(learning.written(weights), path)
    found: dict[str, object] = {}
    exec(path.read_text(), found)
    highest = odds.STEP * (len(odds.ALPHABET) - 1 - odds.MIDDLE)
    lowest = -odds.STEP * odds.MIDDLE
    assert found["ODDS"] == pytest.approx([math.exp(w) for w in (0, 0.15, -0.3, highest, lowest)])
