"""Par: the games that swifts play of a deal; Python and the page are held to the same vectors."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from hearts.bots.swift.par import dealt_game, games_from, has_par, par_of
from hearts.game.rules import STANDARD, parse_rules
from tests.bots.par_vectors import kept_vectors
from tests.game.games import deal_by


def test_games_go_as_it_is_kept() -> None:
    vectors = kept_vectors()
    assert {vector.direction for vector in vectors} == {0, 1, 2, 3}
    for number, vector in enumerate(vectors):
        some = vector.games[: 2 if number % 3 else 1]
        assert list(games_from(vector.begin, len(some))) == some


def test_a_game_does_not_depend_on_those_before_it() -> None:
    begin = dealt_game(deal_by(random.Random(4)).hands, STANDARD, 3)
    few = list(games_from(begin, 2))
    assert few == list(islice(games_from(begin, 5), 2))
    assert few[0] != few[1]


def test_a_par_is_a_mean_with_its_spread() -> None:
    par = par_of([(26, 0, 0, 0), (0, 26, 0, 0), (1, 0, 25, 0), (1, 0, 0, 25)])
    assert (par.games, par.sums, par.squares) == (4, (28, 26, 25, 25), (678, 676, 625, 625))
    assert par.mean(0) == 7
    assert par.spread(0) == pytest.approx(12.6754, abs=1e-4)
    assert par_of([(26, 0, 0, 0)]).spread(0) == 0


@pytest.mark.parametrize(
    ("rules", "scores", "there"),
    [
        ("standard", (99, 0, 0, 0), True),
        ("exact=wins", (73, 0, 0, 0), True),
        ("exact=wins", (74, 0, 0, 0), False),
        ("exact=zero", (99, 0, 0, 0), False),
        ("exact=zero,jack", (110, 0, 0, 0), False),
        ("exact=zero", None, False),
    ],
)
def test_a_hand_that_may_end_exactly_has_none(
    rules: str, scores: tuple[int, int, int, int] | None, there: bool
) -> None:
    assert has_par(parse_rules(rules), 100, scores) is there
