"""A player who is there is asked to give up their seat, and agrees or keeps it."""

from __future__ import annotations

import pytest

from hearts.errors import Fault
from hearts.table.effects import (
    Change,
    Changed,
    Decline,
    Dismiss,
    Granted,
    SeatKept,
    SeatWanted,
    SendTo,
)
from hearts.table.inputs import (
    AnswerAgain,
    Chosen,
    GiveSeat,
    OpenSeat,
    Question,
    RemovePlayer,
    ReplacePlayer,
    Resign,
    StoodStill,
)
from hearts.table.seat import Kind
from tests.table.desk import CLIENT, COMPUTER, HOLD, Desk, a_hand_away, game_over

WISH = ReplacePlayer(0, 2)


def asked(desk: Desk, wish: ReplacePlayer | OpenSeat = WISH) -> Desk:
    """The same table, with player 2 asked for their seat."""
    desk.able(0, 1, 2)
    opens = isinstance(wish, OpenSeat)
    assert desk.give(wish) == [SendTo(2, SeatWanted(0, opens, 60.0)), Granted(0, wish)]
    return desk


def kept(why: str) -> list[SendTo]:
    return [SendTo(player, SeatKept(2, why)) for player in (2, 0)]


def is_refused(desk: Desk, wish: ReplacePlayer | OpenSeat = WISH) -> bool:
    return desk.give(wish) == [Decline(wish.player, wish, Fault.NOT_NOW)]


def test_who_agrees_leaves_for_good() -> None:
    desk = asked(a_hand_away())
    effects = desk.give(GiveSeat(2, True))
    assert effects[:2] == [Granted(2, Resign(2)), Dismiss(2)]
    assert Changed(2, Change.STAND_IN) in effects
    assert not desk.table.seats[2].connected
    desk.play(1)
    assert "seat 2 computer 0 Moe" in desk.lines
    assert not desk.table.seats[2].open


def test_the_seat_is_open_if_that_was_asked_for() -> None:
    desk = asked(a_hand_away(), OpenSeat(0, 2))
    desk.give(GiveSeat(2, True))
    assert Changed(2, Change.OPENED) not in desk.effects
    desk.play(1)
    changes = [e.change for e in desk.all_of(Changed) if e.player == 2]
    assert changes[-2:] == [Change.COMPUTER, Change.OPENED]
    assert desk.table.seats[2].open


def test_who_comes_back_before_the_next_hand_has_changed_his_mind() -> None:
    desk = asked(a_hand_away(), OpenSeat(0, 2))
    desk.give(GiveSeat(2, True))
    desk.come_back(2)
    desk.play(1)
    assert desk.table.seats[2].kind is CLIENT
    # What was asked for once is not asked for when they leave in another hand.
    desk.give(Resign(2))
    desk.play(52)
    assert desk.table.seats[2].kind is COMPUTER
    assert not desk.table.seats[2].open


def test_who_does_not_agree_keeps_it_and_is_asked_again_in_the_next_game_only() -> None:
    desk = asked(Desk(HOLD, end=1))
    assert desk.give(GiveSeat(2, False)) == kept("the player does not agree")
    assert is_refused(desk)
    assert is_refused(desk, OpenSeat(0, 2))
    assert desk.give(GiveSeat(2, True)) == []
    desk.play(52)
    desk.give(Chosen(0, AnswerAgain(0, True)))
    asked(desk)


def test_no_answer_is_a_no() -> None:
    desk = asked(a_hand_away(limit=0))
    desk.now = 50
    desk.give(StoodStill(5.0))
    assert desk.table.wake_at == 65
    assert desk.wait_until(65)[:2] == kept("the player has not answered in time")
    assert desk.give(GiveSeat(2, True)) == []
    assert is_refused(desk)


def test_who_is_gone_is_replaced_as_before() -> None:
    desk = asked(a_hand_away())
    effects = desk.leave(2)
    assert [effect for effect in effects if isinstance(effect, SendTo)] == kept(
        "the player has left"
    )
    desk.come_back(2)
    # That was no answer.
    asked(desk)
    desk.out_of_grace(2)
    assert desk.give(WISH)[-1] == Granted(0, WISH)


@pytest.mark.parametrize("given", [Resign(2), RemovePlayer(2)])
def test_who_loses_his_seat_otherwise_is_asked_no_more(given: Resign | RemovePlayer) -> None:
    desk = asked(a_hand_away())
    effects = desk.give(given)
    assert not any(isinstance(effect, SendTo) for effect in effects)
    assert desk.give(GiveSeat(2, True)) == []
    assert desk.give(ReplacePlayer(0, 1))[-1] == Granted(0, ReplacePlayer(0, 1))


def test_who_cannot_be_asked() -> None:
    desk = Desk(HOLD, (Kind.CLIENT, Kind.CLIENT, Kind.CLIENT, Kind.COMPUTER))
    assert is_refused(desk), "their client has no word for it"
    desk.able(0, 1, 2)
    assert is_refused(desk, ReplacePlayer(0, 0)), "they can leave"
    assert is_refused(desk, ReplacePlayer(0, 3)), "a computer is there already"
    asked(desk)
    assert is_refused(desk, ReplacePlayer(0, 1)), "one at a time"
    assert desk.give(GiveSeat(1, True)) == [], "another one is asked"


def test_the_question_ends_with_the_session() -> None:
    desk = asked(game_over())
    desk.choose(0, Question.AGAIN)
    desk.give(GiveSeat(2, False))
    assert kept("the player does not agree")[0] in desk.effects
