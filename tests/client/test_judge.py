"""Judges: blunders are found, what is good is not, and scores do not count."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from hearts.game.cards import Card, mask_of
from hearts.game.record import parse_record
from hearts.game.rules import STANDARD
from hearts.judging.judge import MadeChoice, SwiftJudge, choices_of
from tests.bots.search.test_swift_play import views_of_hand

from .test_analyse import record_by_chance


@pytest.fixture(scope="module")
def keeps_queen() -> MadeChoice:
    """The choice of somebody who could have put the queen of spades under the king."""
    return next(one for one in choices_of(parse_record(record_by_chance(5))) if one.number == 30)


def test_a_blunder_is_found_and_what_is_good_is_not(keeps_queen: MadeChoice) -> None:
    view, queen = keeps_queen.view, Card.parse("QS")
    judge = SwiftJudge(8, seed=1)
    found = judge.judge(view, keeps_queen.cards)
    assert found is not None
    assert found.best.card == queen
    one = found.of(*keeps_queen.cards)
    assert (one.queen, found.best.queen) == (1.0, 0.0)
    assert one.loss > 10
    assert judge.judge(view, (queen,)) is None


def test_a_blunder_in_a_pass_is_found() -> None:
    view = next(views_of_hand(random.Random(1), STANDARD))
    hand = "QS KS AS 2C 5C 7C 8D 9D 4D 3D 2H 4H 5H"
    view = replace(view, hand=mask_of(map(Card.parse, hand.split())))
    low = tuple(sorted(map(Card.parse, ("2C", "3D", "2H"))))
    outlook = SwiftJudge(8, seed=1).look_beside(view, low)
    assert len(outlook.choices) == 2
    assert Card.parse("QS") in outlook.best.cards
    assert outlook.of(*low).loss > 2


def test_scores_do_not_count(keeps_queen: MadeChoice) -> None:
    near_end = replace(keeps_queen.view, scores=(80, 10, 99, 90))
    one, other = (SwiftJudge(4, seed=1).look_beside(view) for view in (keeps_queen.view, near_end))
    assert one == other
