"""A table whose clients leave and come back, and one that is taken up from its stored lines."""

from __future__ import annotations

import pytest

from hearts.errors import CorruptRecord
from hearts.game.deal import commitment_notice
from hearts.game.events import ChosenBy, Deal
from hearts.plain.seat import PlainSeat
from hearts.table.effects import Announce, AskBot, Change, Changed, Ended, GameScored
from hearts.table.inputs import (
    Answered,
    Chosen,
    ClientCameBack,
    ClientLeft,
    Question,
    Setting,
    StoodStill,
    Tick,
)
from hearts.table.seat import REPLAY_LIMIT, RETURN_TIME
from hearts.table.table import Table
from hearts.wire.codec import encode_ints
from tests.table.desk import CLIENT, COMPUTER, HOLD, NAMES, SECRET, Desk, choice_for

ALONE = (CLIENT, COMPUTER, COMPUTER, COMPUTER)


def everybody_leaves(desk: Desk) -> None:
    for player in range(4):
        desk.leave(player)


# Pausing


def test_no_clock_runs_at_a_table_without_clients() -> None:
    desk = Desk(HOLD, limit=10, grace=30, pause=600)
    everybody_leaves(desk)
    desk.now = desk.table.wake_at - 1
    assert desk.now == 599
    assert desk.give(Tick()) == []
    assert not desk.table.ended


def test_it_ends_when_nobody_came_back() -> None:
    desk = Desk(HOLD, pause=600)
    everybody_leaves(desk)
    assert desk.wait_until(600) == [Ended("nobody came back")]


def test_after_a_pause_no_alarm_is_overdue() -> None:
    desk = Desk(HOLD, ALONE, limit=10, pause=600)
    while not desk.all_of(AskBot):
        desk.choose(*desk.asked()[0])
    desk.leave(0)
    desk.now = 500
    desk.come_back(0)
    assert desk.asked()[0][0] != 0
    assert desk.table.wake_at > desk.now


def test_the_grace_of_the_others_does_not_run_while_it_is_paused() -> None:
    desk = Desk(HOLD, limit=10, grace=30, pause=600)
    on_turn = desk.on_turn
    everybody_leaves(desk)
    desk.now = 500
    desk.give(ClientCameBack((on_turn + 1) % 4))
    assert desk.table.wake_at == 510
    desk.wait_until(510)
    (asked,) = desk.all_of(AskBot)
    assert asked.by is ChosenBy.CLOCK


def test_a_standstill_is_no_part_of_a_pause() -> None:
    desk = Desk(HOLD, limit=10, grace=30, pause=600)
    on_turn = desk.on_turn
    everybody_leaves(desk)
    desk.now = 1000
    desk.give(StoodStill(900))
    assert desk.table.wake_at == 1500
    assert desk.give(Tick()) == []
    desk.give(ClientCameBack((on_turn + 1) % 4))
    assert desk.table.wake_at == 1010


def test_what_a_bot_thought_before_a_pause_means_nothing() -> None:
    desk = Desk(HOLD, ALONE, pause=600)
    while not desk.all_of(AskBot):
        desk.play(1)
    (asked,) = desk.all_of(AskBot)
    desk.leave(0)
    choice = choice_for(asked.question, asked.view, asked.by)
    assert desk.give(Answered(asked.request, choice)) == []
    desk.come_back(0)
    again = desk.all_of(AskBot)[-1]
    assert again.request != asked.request
    assert again.view == asked.view
    assert desk.answer(again)


def test_the_deal_is_promised_again_after_a_pause() -> None:
    desk = Desk(HOLD, pause=600)
    everybody_leaves(desk)
    effects = desk.come_back(2)
    assert effects == [
        Announce("Cleo is back", about=2),
        Changed(2, Change.BACK),
        Announce(commitment_notice(1, SECRET)),
    ]


# Coming back


def test_the_clock_of_a_choice_goes_on_where_it_stood_and_a_little_more_once() -> None:
    desk = Desk(HOLD, limit=10, grace=300, pause=600)
    player = desk.on_turn
    desk.catch_up(player)
    desk.now = 6
    desk.leave(player)
    assert desk.table.wake_at == 10
    desk.now = 7
    desk.come_back(player)
    desk.catch_up(player)
    assert desk.table.wake_at == 10 + RETURN_TIME
    for _ in range(3):
        desk.now += 1
        desk.leave(player)
        desk.come_back(player)
        assert desk.table.wake_at == 10 + RETURN_TIME


def test_it_is_never_more_than_the_limit() -> None:
    desk = Desk(HOLD, limit=10, grace=300)
    player = desk.on_turn
    desk.leave(player)
    desk.come_back(player)
    desk.catch_up(player)
    assert desk.table.wake_at == 10


def test_the_clock_stands_while_a_client_owes_what_it_owes_for_what_it_missed() -> None:
    desk = Desk(HOLD, limit=10, grace=300, pause=600)
    player = desk.on_turn
    desk.catch_up(player)
    desk.now = 8
    desk.leave(player)
    desk.come_back(player)
    desk.wait_until(28)
    desk.catch_up(player)
    assert desk.table.wake_at == 28 + 2 + RETURN_TIME


def test_who_comes_back_and_owes_it_for_ever_is_not_waited_for() -> None:
    desk = Desk(HOLD, limit=10, grace=300, pause=600)
    player = desk.on_turn
    desk.catch_up(player)
    desk.now = 8
    desk.leave(player)
    desk.come_back(player)
    assert desk.table.wake_at == 8 + REPLAY_LIMIT + 2 + RETURN_TIME


def test_the_grace_period_is_no_end_of_the_clock_of_who_is_back() -> None:
    desk = Desk(HOLD, limit=60, grace=10)
    player = desk.on_turn
    desk.catch_up(player)
    desk.now = 20
    for _ in range(2):
        desk.leave(player)
        assert desk.table.wake_at == desk.now + 10
        desk.now += 3
        desk.come_back(player)
        desk.catch_up(player)
        assert desk.table.wake_at == 60 + RETURN_TIME


def test_who_comes_back_takes_over_from_the_stand_in() -> None:
    desk = Desk(HOLD, limit=10, grace=5)
    player = desk.on_turn
    desk.leave(player)
    desk.wait_until(5)
    assert desk.table.seats[player].stand_in
    (asked,) = desk.all_of(AskBot)
    desk.come_back(player)
    assert desk.give(Answered(asked.request, choice_for(asked.question, asked.view))) == []
    desk.choose(player, Question.CARD)
    assert desk.on_turn == (player + 1) % 4


def test_a_name_cannot_forge_a_notice() -> None:
    setting = Setting(Desk(HOLD).table.setting.rules, 100, 60, 60.0)
    players = [("Bob is back. Ann", CLIENT), *((name, CLIENT) for name in NAMES[1:])]
    table = Table(setting, players, lambda: Deal.from_secret(SECRET))
    table.start(0.0)
    table.step(ClientLeft(0), 0)
    assert table.step(ClientCameBack(0), 0) == [
        Announce('"Bob is back. Ann" is back', about=0),
        Changed(0, Change.BACK),
    ]


# What was missed


def replayed(desk: Desk, player: int, hands: int) -> list[object]:
    return list(desk.table.past.replay(player, hands))


def test_a_replay_is_what_was_told_and_asked() -> None:
    desk = Desk(end=60)
    for _ in range(2):
        desk.play_hand()
    events = [item for item in replayed(desk, 1, 0) if not isinstance(item, Question)]
    assert events == desk.told(1)[1:], "without the Table message"
    assert sum(isinstance(item, Question) for item in replayed(desk, 1, 0)) == 28 + 1
    assert desk.table.past.decided(1, 0) == 28


def test_a_replay_from_the_scores_of_a_game_begins_with_its_question() -> None:
    desk = Desk(HOLD, end=1)
    desk.play_hand()
    hands = desk.table.past.hands_scored()
    assert replayed(desk, 0, hands) == [Question.AGAIN]
    assert replayed(desk, 1, hands) == []
    assert isinstance(desk.told(1)[-1], GameScored)


@pytest.mark.parametrize("answers", [False, True], ids=["silent", "with another card"])
def test_a_choice_of_the_lost_connection_comes_as_a_forced_status(answers: bool) -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    desk.slow_store = True
    desk.choose(player, Question.CARD)
    seat = PlainSeat(player)
    for item in desk.table.past.replay(player, 0):
        seat.recall(item)
    assert desk.table.is_deciding(player)
    seat.made_before()
    if answers:
        other = 12
        acks = len(replayed(desk, player, 0)) - 1 + 1  # the hand has one for its direction too
        (chosen,) = seat.receive(encode_ints(*[player] * acks, other))
        assert isinstance(chosen, Chosen)
        assert desk.give(chosen) == []
    desk.durable()
    played = desk.told(player)[-1]
    status = int.from_bytes(seat.encode_event(played), "big")
    assert status > 0
    assert status != 13


# From the stored lines


def test_a_table_that_was_stored_is_where_it_was() -> None:
    desk = Desk(end=60)
    desk.play_hand()
    for player in (0, 1):
        desk.choose(player, Question.PASS)
    taken_up = Desk(end=60, pause=600, stored=desk.lines)
    assert taken_up.table.record() == desk.table.record()
    assert taken_up.table.paused_at == 0
    assert [player for player, _ in taken_up.asked()] == [2, 3]
    assert replayed(taken_up, 3, 1) == replayed(desk, 3, 1)


def test_who_let_the_clock_choose_is_remembered() -> None:
    desk = Desk(HOLD, limit=10, grace=1000)
    slow = desk.on_turn
    for _ in range(2):
        desk.miss(slow)
        while desk.on_turn != slow:
            desk.play(1)
    taken_up = Desk(HOLD, limit=10, grace=1000, pause=600, stored=desk.lines)
    for player in range(4):
        before, after = desk.table.seats[player], taken_up.table.seats[player]
        assert (after.account, after.self_made) == (before.account, before.self_made), player
        assert after.stand_in is before.stand_in is (player == slow)


def test_a_stand_in_is_remembered() -> None:
    desk = Desk(HOLD, limit=10, grace=5)
    player = desk.on_turn
    desk.leave(player)
    desk.wait_until(5)
    desk.answer_bots()
    taken_up = Desk(HOLD, limit=10, grace=5, pause=600, stored=desk.lines)
    assert [seat.stand_in for seat in taken_up.table.seats] == [
        number == player for number in range(4)
    ]


def test_what_was_about_to_be_stored_is_proposed_again() -> None:
    desk = Desk(HOLD, end=1)
    desk.play_hand()
    lines = desk.lines[: desk.lines.index("ask-again 0")]
    taken_up = Desk(HOLD, end=1, pause=600, stored=lines)
    assert taken_up.lines[len(lines) :] == ["ask-again 0"]


def test_a_session_whose_end_was_not_stored_is_over() -> None:
    desk = Desk(HOLD, end=1)
    desk.play_hand()
    taken_up = Desk(HOLD, end=1, pause=600, stored=[*desk.lines, "again 0 no"])
    assert taken_up.effects == [Ended("the players are done")]
    assert taken_up.table.is_complete


@pytest.mark.parametrize("extra", ["again 0 yes", "ask-again 0", "play 0 2C", "pass 0 2C 3C 4C"])
def test_lines_that_do_not_fit_are_refused(extra: str) -> None:
    desk = Desk(HOLD)
    with pytest.raises(CorruptRecord):
        Desk(HOLD, stored=[*desk.lines, extra, extra])
