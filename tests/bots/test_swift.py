"""The bot swift: what it sees and says is what is kept; hidden cards change nothing."""

from __future__ import annotations

import statistics

import pytest

from hearts.bots.swift.bot import shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.rules import STANDARD
from tests.bench.bots import difference
from training.vectors import kept_views


def test_it_sees_and_says_what_is_kept() -> None:
    """The page is held to the same file."""
    for kept in kept_views():
        rows = rows_of(kept.view, kept.chosen)
        assert sorted(rows) == kept.rows
        assert len(set(rows)) == len(rows) < 256
        assert shipped_network().costs(rows) == kept.costs


@pytest.mark.heavy
def test_the_file_is_as_strong_as_it_says() -> None:
    better = difference("swift", "simple", 60, STANDARD, seed=5)
    error = statistics.stdev(better) / len(better) ** 0.5
    assert abs(statistics.mean(better) - shipped_network().recipe.better_than_simple) < 3 * error
