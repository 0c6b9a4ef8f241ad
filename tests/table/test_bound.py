"""A session ends after so many hands, and its players are told so before."""

from __future__ import annotations

import pytest

from hearts.table.effects import Ended, GameScored, Notify
from hearts.table.games import LAST_HANDS, bound_notice
from hearts.table.inputs import Question
from tests.table.desk import Desk


def notices(desk: Desk) -> list[str]:
    return [effect.text for effect in desk.all_of(Notify)]


def play_on(desk: Desk) -> None:
    """Play as long as the table goes on; games follow each other."""
    while not desk.table.ended:
        desk.play_hand()
        if (0, Question.AGAIN) in desk.asked():
            desk.choose(0, Question.AGAIN)


def test_a_game_that_never_ends_ends_at_the_end_of_a_hand() -> None:
    desk = Desk(end=10_000, most_hands=12)
    play_on(desk)
    assert desk.table.past.hands_scored() == 12
    assert desk.all_of(Ended) == [Ended("a session has at most 12 hands here")]
    assert not desk.table.is_complete
    assert [text.split()[4:7] for text in notices(desk)] == [
        ["12", "more", "hands"],
        ["10", "more", "hands"],
        ["one", "more", "hand"],
    ]


def test_no_game_follows_the_one_that_is_played_near_the_bound() -> None:
    desk = Desk(end=30, most_hands=LAST_HANDS + 1)
    play_on(desk)
    hands = desk.table.past.hands_scored()
    scored = [event for event in desk.told(0) if isinstance(event, GameScored)]
    assert hands < LAST_HANDS
    assert len(scored) == 1
    assert scored[0].decider is None
    assert desk.table.is_complete
    assert len(notices(desk)) == 1


def test_without_a_bound_nobody_hears_of_one() -> None:
    desk = Desk(end=10_000, most_hands=0)
    while desk.table.past.hands_scored() < 3:
        desk.play_hand()
    assert not notices(desk)


@pytest.mark.parametrize("left", [LAST_HANDS, 10, 1])
def test_it_is_told_when_few_hands_are_left(left: int) -> None:
    text = bound_notice(left, is_first=False)
    assert text is not None
    assert ("one more hand" if left == 1 else f"{left} more hands") in text
    assert bound_notice(left + 1, is_first=False) is None


def test_a_session_is_taken_up_under_another_bound() -> None:
    """What was stored is never refused; the hand that was begun is played to its end."""
    lines = played_lines(3)
    assert Desk(end=10_000, most_hands=3, stored=lines[:-1]).table.ended
    desk = Desk(end=10_000, most_hands=2, stored=lines, pause=600)
    assert not desk.table.ended
    longer = Desk(end=10_000, most_hands=4, stored=lines[:-1], pause=600)
    assert not longer.table.ended


def played_lines(hands: int) -> list[str]:
    """The lines of so many hands, and the deal of the next one."""
    desk = Desk(end=10_000)
    while desk.table.past.hands_scored() < hands:
        desk.play_hand()
    return desk.lines
