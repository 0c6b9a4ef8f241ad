"""What a replay costs, and that it says the same wherever it begins."""

from __future__ import annotations

from itertools import chain

import pytest

from hearts.game.events import Action, YourHand
from hearts.game.rules import STANDARD
from hearts.table.history import BLOCK_HANDS
from hearts.table.inputs import Question
from tests.table.desk import Desk

HANDS = 8
MOST_STEPS = 57
"""Of a hand: a deal, four passes and 52 cards."""


def played(rules: str, end: int) -> Desk:
    """A table after so many hands, which goes on with a new game whenever one is over."""
    desk = Desk(rules, end=end)
    while desk.table.past.hands_scored() < HANDS:
        desk.play_hand()
        if (0, Question.AGAIN) in desk.asked():
            desk.choose(0, Question.AGAIN)
    return desk


def test_it_takes_the_work_of_the_hands_that_are_asked_for(applied: list[Action]) -> None:
    past = played("standard", 10_000).table.past
    for player in (0, 3):
        for hands in (*range(HANDS + 1), -1):
            applied.clear()
            past.standing(player, hands)
            assert len(applied) < MOST_STEPS * BLOCK_HANDS, "the hands before it in its block"
            applied.clear()
            told = list(past.replay_steps(player, hands))
            missed = HANDS - hands if hands >= 0 else 1
            assert len(applied) <= MOST_STEPS * missed + 1
            assert len(applied) <= len(told) <= len(applied) + 2, "one step for each item"


@pytest.mark.parametrize(
    ("rules", "end"),
    [("standard", 30), ("rotate,jack", 10_000), ("pass=cycle3,moon=choice", 10_000)],
)
def test_it_is_the_end_of_a_longer_one(rules: str, end: int) -> None:
    past = played(rules, end).table.past
    for player in range(4):
        whole = list(chain.from_iterable(past.replay_steps(player, 0)))
        for hands in range(HANDS + 1):
            part = list(past.replay(player, hands))
            assert part
            assert whole[-len(part) :] == part
            choices = [item for item in past.replay(player, hands) if isinstance(item, Question)]
            assert len(choices) - past.decided(player, hands) in (0, 1)


@pytest.mark.parametrize("first_hand", range(5))
def test_the_first_hand_has_the_pass_of_its_number(first_hand: int) -> None:
    desk = Desk(first_hand=first_hand)
    desk.play_hand()
    for player in range(4):
        told = desk.told(player)[1:]
        assert [
            item for item in desk.table.past.replay(player, 0) if not isinstance(item, Question)
        ] == told
        hands = [event for event in told if isinstance(event, YourHand)]
        assert [(hand.number, hand.direction) for hand in hands] == [
            (number, STANDARD.direction(number)) for number in (first_hand, first_hand + 1)
        ]


def test_a_record_has_the_game_under_way() -> None:
    desk = played("standard", 30)
    game = desk.table.record().replay()
    assert (game.scores, game.hand_number) == (desk.table.game.scores, desk.table.game.hand_number)
