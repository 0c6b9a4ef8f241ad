"""The host takes a player from the table, in whatever moment."""

from __future__ import annotations

import pytest

from hearts.game.events import ChosenBy
from hearts.game.game import Phase
from hearts.table.effects import AskBot, Change, Changed, Ended, Notify, Persist, Stopped
from hearts.table.inputs import Able, Drain, Question, RemovePlayer, Resign
from tests.table.desk import CLIENT, COMPUTER, HOLD, Desk

TOLD = Notify("the host has removed Cleo; a computer has the seat")


def play_on(desk: Desk, cards: int) -> None:
    """So many cards, by whoever is on turn and by bots."""
    for _ in range(cards):
        desk.play(1)
        desk.answer_bots()


def test_a_stand_in_plays_the_hand_out_and_a_computer_the_next() -> None:
    desk = Desk(HOLD)
    effects = desk.give(RemovePlayer(2))
    assert [effect for effect in effects if isinstance(effect, Changed)] == [
        Changed(2, Change.LEFT), Changed(2, Change.STAND_IN),
    ]  # fmt: skip
    assert TOLD in effects
    desk.answer_bots()
    play_on(desk, 39)
    assert desk.now == 0.0, "nobody waits for them"
    assert "seat 2 computer 0 Moe" in desk.lines
    assert desk.lines[-1].startswith("deal ")
    assert desk.table.seats[2].kind is COMPUTER
    assert not desk.table.seats[2].is_removed


def test_a_choice_that_he_owes_is_made_at_once() -> None:
    desk = Desk("pass=left")
    assert (2, Question.PASS) in desk.asked()
    desk.give(RemovePlayer(2))
    (asked,) = desk.all_of(AskBot)
    assert (asked.question, asked.by) == (Question.PASS, ChosenBy.STAND_IN)


def test_a_cut_that_he_owes_is_none() -> None:
    desk = Desk(HOLD)
    play_on(desk, 51)
    desk.give(Able(2, votes=True, next_hash=bytes(range(32))))
    play_on(desk, 1)
    assert desk.asked() == [(2, Question.CUT)]
    desk.give(RemovePlayer(2))
    assert desk.lines[-1].startswith("deal ")


def test_another_game_is_not_his_to_decide() -> None:
    desk = Desk(HOLD, end=1)
    play_on(desk, 52)
    assert desk.asked() == [(0, Question.AGAIN)]
    desk.give(RemovePlayer(0))
    assert "again 0 yes stand-in" in desk.lines
    assert "seat 0 computer 0 Moe" in desk.lines


def test_player_0_is_the_next_one_at_once() -> None:
    desk = Desk(HOLD)
    assert desk.table.first_client(desk.now) == 0
    desk.give(RemovePlayer(0))
    assert desk.table.first_client(desk.now) == 1


def test_the_last_client_takes_the_table_along() -> None:
    desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), pause=100.0)
    effects = desk.give(RemovePlayer(0))
    assert effects[-1] == Ended("nobody is left at the table")
    # A computer may have chosen before that was durable.
    assert desk.lines[-1] == "removed 0"
    later = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), pause=100.0, stored=desk.lines)
    assert later.effects == [Ended("nobody is left at the table")]


@pytest.mark.parametrize("is_paused", [False, True])
def test_with_others_who_are_away_the_table_waits_for_them(is_paused: bool) -> None:
    desk = Desk(HOLD, (CLIENT, CLIENT, COMPUTER, COMPUTER), pause=100.0)
    desk.leave(0)
    if is_paused:
        desk.leave(1)
    desk.now = 10.0
    desk.give(RemovePlayer(1))
    assert desk.table.paused_at == (0.0 if is_paused else 10.0)
    assert desk.wait_until(100.0 if is_paused else 110.0) == [Ended("nobody came back")]


def test_a_server_that_ends_in_order_has_stored_it() -> None:
    desk = Desk(HOLD)
    desk.give(RemovePlayer(2))
    desk.answer_bots()
    desk.give(Drain())
    play_on(desk, 39)
    assert desk.lines[-1] == "seat 2 computer 0 Moe"
    assert desk.effects[-1] == Stopped("the server shuts down")
    assert Desk(HOLD, stored=desk.lines).table.seats[2].kind is COMPUTER


def test_nothing_happens_before_it_is_durable() -> None:
    desk = Desk(HOLD, slow_store=True)
    while desk.pending:
        desk.durable()
    assert desk.give(RemovePlayer(2)) == [Persist("removed 2")]
    assert desk.table.seats[2].connected
    # They play on meanwhile; then their card stands, and their next one is not asked of them.
    desk.play(1)
    assert TOLD in desk.durable()
    assert desk.table.seats[2].is_removed
    desk.durable()


def test_he_stays_removed_after_a_restart_and_the_hand_goes_on() -> None:
    desk = Desk(HOLD)
    play_on(desk, 5)
    desk.give(RemovePlayer(2))
    later = Desk(HOLD, stored=desk.lines, pause=100.0)
    assert later.table.seats[2].is_removed
    for player in (0, 1, 3):
        later.come_back(player)
    later.answer_bots()
    while later.table.game.phase is Phase.PLAY:
        play_on(later, 1)
    assert later.now == 0.0, "nobody waits for them"
    assert "seat 2 computer 0 Moe" in later.lines
    assert later.table.seats[2].kind is COMPUTER


@pytest.mark.parametrize("cards", [0, 51, 52])
def test_a_choice_on_its_way_does_not_bring_him_back(cards: int) -> None:
    """Whatever is stored behind it, in whatever order the two came."""
    desk = Desk(HOLD, slow_store=True)
    for _ in range(cards):
        while desk.pending:
            desk.durable()
        desk.play(1)
    while cards < 52 and desk.pending:
        desk.durable()
    mover = desk.on_turn if cards < 52 else 1
    desk.give(RemovePlayer(mover))
    if cards < 52:
        desk.choose(mover, Question.CARD)
    while desk.pending:
        desk.durable()
        later = Desk(HOLD, stored=desk.lines, pause=100.0, slow_store=True)
        seat = later.table.seats[mover]
        is_stored = f"removed {mover}" in desk.lines
        assert seat.is_removed == (is_stored and seat.kind is CLIENT)
        assert not is_stored or seat.kind is COMPUTER or seat.silent
        # Whatever comes next is proposed once more, or somebody is asked for it.
        assert later.pending or later.table.waited_for()


def test_a_seat_that_is_a_computer_s_by_then_stays_so() -> None:
    desk = Desk(HOLD, end=100)
    play_on(desk, 51)
    desk.give(Resign(2))
    desk.answer_bots()
    desk.slow_store = True
    desk.play(1)
    desk.durable()
    desk.give(RemovePlayer(2))
    assert list(desk.pending) == ["seat 2 computer 0 Moe", "removed 2"]
    desk.durable()
    assert desk.table.seats[2].kind is COMPUTER
    desk.durable()
    assert not desk.table.seats[2].is_removed
    assert TOLD not in desk.effects
