"""The clocks of a table, missed choices, and players who leave."""

from __future__ import annotations

from math import inf

import pytest

from hearts.game.events import ChosenBy
from hearts.table.effects import Announce, Ask, AskBot, Change, Changed, Ended, Persist
from hearts.table.inputs import (
    Answered,
    Chosen,
    ClientLeft,
    Drain,
    Durable,
    GiveTime,
    Question,
    StoodStill,
    Tick,
)
from hearts.table.seat import HURRIED_LIMIT, OWING_LIMITS, REPLAY_LIMIT, RETURN_TIME, Kind
from tests.table.desk import CLIENT, COMPUTER, HOLD, Desk, choice_for

# Clocks


def test_a_clock_runs_from_when_nothing_earlier_is_owed() -> None:
    desk = Desk(HOLD, limit=60)
    player = desk.on_turn
    assert desk.table.wake_at == 120
    desk.now = 20.0
    desk.catch_up(player)
    assert desk.table.wake_at == 80
    assert desk.wait_until(79.9) == []
    (asked,) = desk.wait_until(80.0)
    assert isinstance(asked, AskBot)
    assert asked.by is ChosenBy.CLOCK


def test_a_clock_starts_at_the_latest_one_limit_after_the_question() -> None:
    desk = Desk(HOLD, limit=60)
    desk.now = 110.0
    desk.catch_up(desk.on_turn)
    assert desk.table.wake_at == 60 * (OWING_LIMITS + 1)


def test_without_a_limit_there_is_no_clock() -> None:
    desk = Desk(HOLD, limit=0)
    desk.catch_up(desk.on_turn)
    assert desk.table.wake_at == inf


def test_the_time_that_the_host_gives_runs_at_once() -> None:
    desk = Desk(HOLD, limit=60)
    player = desk.on_turn
    assert desk.give(GiveTime(player, 7.0)) == []
    desk.now = 1.0
    desk.catch_up(player)
    assert desk.table.wake_at == 7
    (asked,) = desk.wait_until(7.0)
    assert isinstance(asked, AskBot)
    assert asked.by is ChosenBy.CLOCK


def test_an_illegal_try_does_not_start_the_clock_anew() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    desk.catch_up(player)
    desk.now = 59.0
    desk.give(Chosen(player, None))
    assert desk.table.wake_at == 60


def test_a_late_answer_of_a_bot_is_ignored() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    desk.catch_up(player)
    (asked,) = desk.wait_until(60.0)
    assert isinstance(asked, AskBot)
    own = desk.choose(player, Question.CARD)
    assert any(isinstance(effect, Persist) for effect in own)
    assert desk.answer(asked) == []
    assert desk.give(Answered(10_000, choice_for(asked.question, asked.view, asked.by))) == []


def to_turn(desk: Desk, player: int) -> None:
    while desk.on_turn != player:
        desk.play(1)


def waits_for_player_0(
    desk: Desk, count: int, *, acks: bool = True
) -> list[tuple[float, ChosenBy]]:
    """How long the table waits for the next choices of player 0, who makes none, and who does."""
    waits: list[tuple[float, ChosenBy]] = []
    while len(waits) < count:
        to_turn(desk, 0)
        if acks:
            desk.catch_up(0)
        begin = desk.now
        while len(desk.all_of(AskBot)) == desk.answered:
            desk.wait_for_clock()
        waits.append((desk.now - begin, desk.all_of(AskBot)[-1].by))
        desk.answer_bots()
    return waits


def changes(desk: Desk) -> list[Change]:
    return [effect.change for effect in desk.all_of(Changed)]


CLOCK, STAND_IN = ChosenBy.CLOCK, ChosenBy.STAND_IN


def test_a_table_may_wait_for_ever_for_who_never_chooses() -> None:
    desk = Desk(HOLD, lost_limits=inf)
    assert waits_for_player_0(desk, 13) == [(60.0, ChosenBy.CLOCK)] * 13
    assert not desk.all_of(Changed)


def test_a_table_loses_two_limits_to_a_player_in_a_hand() -> None:
    desk = Desk(HOLD, limit=60)
    waits = waits_for_player_0(desk, 4)
    assert waits == [(60, CLOCK), (60, CLOCK), (0, STAND_IN), (0, STAND_IN)]
    assert changes(desk) == [Change.STAND_IN]
    assert desk.all_of(Announce)[-1] == Announce("the computer plays for Ann now", about=0)


def test_who_says_nothing_at_all_costs_no_more() -> None:
    desk = Desk(HOLD, limit=60)
    assert waits_for_player_0(desk, 3, acks=False) == [(120, CLOCK), (0, STAND_IN), (0, STAND_IN)]


def test_a_clock_leaves_what_the_earlier_ones_have_not_taken() -> None:
    desk = Desk(HOLD, limit=60)
    to_turn(desk, 0)
    desk.now += 45
    waits = waits_for_player_0(desk, 2)
    assert waits == [(60, CLOCK), (15, CLOCK)]


def test_who_thinks_has_his_limit_for_each_choice() -> None:
    desk = Desk(HOLD, limit=60)
    for _ in range(13):
        to_turn(desk, 0)
        desk.catch_up(0)
        request = desk.table.seats[0].request
        assert request is not None
        assert request.deadline == desk.now + 60
        desk.wait(59)
        desk.choose(0, Question.CARD)
    assert not desk.all_of(AskBot)


def test_a_stand_in_plays_in_the_next_hand_too_until_something_is_heard() -> None:
    desk = Desk(HOLD, limit=60)
    waits = waits_for_player_0(desk, 30)
    assert sum(seconds for seconds, _ in waits) == 120
    desk.come_late(0)
    assert waits_for_player_0(desk, 3) == [(3, CLOCK), (0, STAND_IN), (0, STAND_IN)]
    assert changes(desk) == [Change.STAND_IN]


def to_next_hand(desk: Desk) -> None:
    """The other players choose, and stand-ins, until the next hand is dealt."""
    hand = desk.table.game.hand_number
    while desk.table.game.hand_number == hand:
        desk.answer_bots()
        for player, question in desk.asked():
            desk.choose(player, question)
    desk.answer_bots()


def test_late_choices_alone_cost_the_table_3_s_in_each_later_hand() -> None:
    desk = Desk(HOLD, limit=60, end=10_000)
    lost = [0.0] * 4
    while (hand := desk.table.game.hand_number) < 4:
        ((seconds, _),) = waits_for_player_0(desk, 1)
        lost[hand] += seconds
        desk.come_late(0)
        to_turn(desk, 0)
    assert lost == [123, 3, 3, 3]
    assert changes(desk) == [Change.STAND_IN]


def test_a_choice_in_a_short_limit_gives_two_limits_in_the_next_hand() -> None:
    desk = Desk(HOLD, limit=60)
    waits_for_player_0(desk, 3)
    desk.come_late(0)
    to_turn(desk, 0)
    assert desk.all_of(Ask)[-1].left == HURRIED_LIMIT
    assert changes(desk) == [Change.STAND_IN]
    desk.choose(0, Question.CARD)
    assert changes(desk) == [Change.STAND_IN, Change.BACK]
    assert waits_for_player_0(desk, 1) == [(HURRIED_LIMIT, CLOCK)]
    # No more short limits in this hand, whatever comes; the next one has its own two limits.
    for _ in range(3):
        desk.come_late(0)
        assert waits_for_player_0(desk, 1) == [(0, STAND_IN)]
    assert changes(desk) == [Change.STAND_IN, Change.BACK, Change.STAND_IN]
    desk.come_late(0)
    to_next_hand(desk)
    assert changes(desk)[-1] is Change.BACK
    assert waits_for_player_0(desk, 2) == [(60, CLOCK), (60, CLOCK)]


def test_who_chooses_before_the_stand_in_has_two_limits_in_the_next_hand() -> None:
    desk = Desk(HOLD, limit=60)
    waits_for_player_0(desk, 2)
    desk.come_late(0)
    assert waits_for_player_0(desk, 1) == [(3, CLOCK)]
    to_turn(desk, 0)
    desk.choose(0, Question.CARD)
    desk.answered = len(desk.all_of(AskBot))
    assert waits_for_player_0(desk, 1) == [(0, STAND_IN)]
    desk.come_late(0)
    to_next_hand(desk)
    assert waits_for_player_0(desk, 2) == [(60, CLOCK), (60, CLOCK)]


@pytest.mark.parametrize("tries", [1, 9])
def test_an_illegal_try_is_no_choice_in_time(tries: int) -> None:
    desk = Desk(HOLD, limit=60)
    waits_for_player_0(desk, 3)
    desk.come_late(0)
    to_turn(desk, 0)
    for _ in range(tries):
        desk.give(Chosen(0, None))
    assert waits_for_player_0(desk, 1) == [(3, CLOCK)]
    desk.come_late(0)
    to_next_hand(desk)
    assert waits_for_player_0(desk, 2) == [(3, CLOCK), (0, STAND_IN)]
    assert changes(desk) == [Change.STAND_IN]


def test_who_comes_back_has_two_limits_in_the_next_hand() -> None:
    desk = Desk(HOLD, limit=60)
    waits_for_player_0(desk, 3)
    desk.leave(0)
    desk.come_back(0)
    assert waits_for_player_0(desk, 2) == [(3, CLOCK), (0, STAND_IN)]
    desk.come_late(0)
    to_next_hand(desk)
    assert waits_for_player_0(desk, 2) == [(60, CLOCK), (60, CLOCK)]


@pytest.mark.parametrize("legal", [True, False])
def test_a_try_that_comes_before_the_stand_in_chooses_is_the_players_own(legal: bool) -> None:
    desk = Desk(HOLD, limit=60)
    waits_for_player_0(desk, 2)
    to_turn(desk, 0)
    (ask,) = desk.all_of(Ask)[-1:]
    assert (ask.player, ask.left) == (0, 0)
    asked = desk.all_of(AskBot)[-1]
    if not legal:
        desk.give(Chosen(0, None))
    desk.choose(0, Question.CARD)
    assert desk.answer(asked) == []
    assert changes(desk) == [Change.STAND_IN, Change.BACK]
    assert desk.lines[-1].startswith("play 0 ") or " clock" not in desk.lines[-1]


def test_who_drops_and_comes_back_has_no_second_clock() -> None:
    desk = Desk(HOLD, limit=60)
    to_turn(desk, 0)
    desk.catch_up(0)
    begin = desk.now
    while True:
        desk.wait_until(min(desk.now + 25, desk.table.wake_at))
        if desk.all_of(AskBot):
            break
        desk.leave(0)
        desk.come_back(0)
        desk.catch_up(0)
    assert desk.now == begin + 60 + RETURN_TIME
    desk.answer_bots()
    assert waits_for_player_0(desk, 1) == [(60 - RETURN_TIME, CLOCK)]
    desk.leave(0)
    desk.come_back(0)
    # They have come back, so they are asked; but in this hand the table has waited for them enough.
    to_turn(desk, 0)
    desk.leave(0)
    desk.come_back(0)
    assert waits_for_player_0(desk, 2) == [(HURRIED_LIMIT, CLOCK), (0, STAND_IN)]


def test_who_is_away_has_two_limits_too() -> None:
    desk = Desk(HOLD, limit=60, grace=1000)
    desk.leave(0)
    assert waits_for_player_0(desk, 3) == [(60, CLOCK), (60, CLOCK), (0, STAND_IN)]


def test_who_went_away_after_a_stand_in_began_is_asked_as_usual_when_he_is_back() -> None:
    desk = Desk(HOLD, limit=60)
    to_turn(desk, 0)
    desk.catch_up(0)
    waits_for_player_0(desk, 1)
    desk.leave(0)
    desk.come_back(0)
    assert waits_for_player_0(desk, 1) == [(60, CLOCK)]


def test_a_short_turn_limit_is_not_made_longer_by_haste() -> None:
    desk = Desk(HOLD, limit=1)
    waits_for_player_0(desk, 2)
    desk.come_late(0)
    assert waits_for_player_0(desk, 1) == [(1, CLOCK)]


def test_what_the_clock_has_chosen_counts_after_a_restart() -> None:
    desk = Desk(HOLD, limit=60, pause=600)
    waits_for_player_0(desk, 1)
    again = Desk(HOLD, limit=60, pause=600, stored=desk.lines)
    for player in range(4):
        again.come_back(player)
    assert waits_for_player_0(again, 2) == [(60, CLOCK), (0, STAND_IN)]


def test_after_a_restart_a_late_choice_is_no_proof_and_coming_back_is() -> None:
    desk = Desk(HOLD, limit=60, pause=600)
    waits_for_player_0(desk, 2)
    desk.come_late(0)
    again = Desk(HOLD, limit=60, pause=600, stored=desk.lines)
    for player in (1, 2, 3):
        again.come_back(player)
    to_next_hand(again)
    assert waits_for_player_0(again, 1, acks=False) == [(0, STAND_IN)]
    again.come_back(0)
    to_next_hand(again)
    assert waits_for_player_0(again, 2) == [(60, CLOCK), (60, CLOCK)]


def test_nobody_for_whom_a_stand_in_plays_is_asked_about_another_game() -> None:
    desk = Desk(HOLD, limit=60, end=1)
    waits_for_player_0(desk, 2)
    while not desk.lines[-1].startswith("ask-again"):
        desk.answer_bots()
        desk.play(1)
    assert desk.lines[-1] == "ask-again 1"


# The bank


def think(desk: Desk, seconds: float) -> list[float]:
    """Player 0 takes so long for each card of the hand, or nearly as long as they have, which is
    given."""
    limits: list[float] = []
    for _ in range(13):
        to_turn(desk, 0)
        desk.catch_up(0)
        request = desk.table.seats[0].request
        assert request is not None
        limits.append(round(request.deadline - desk.now, 3))
        desk.now = min(desk.now + seconds, request.deadline - 0.001)
        desk.choose(0, Question.CARD)
    return limits


@pytest.mark.parametrize(
    ("limit", "bank", "emptied", "full"),
    [(15, 120, 8, 12), (30, 120, 10, 6), (60, 240, 20, 6), (600, 2400, 200, 6)],
)
def test_a_bank_is_for_what_is_thought_beyond_a_third(
    limit: int, bank: int, emptied: int, full: int
) -> None:
    desk = Desk(HOLD, limit=limit, public=True)
    to_turn(desk, 0)
    ask = desk.all_of(Ask)[-1]
    assert (ask.left, ask.free, ask.bank) == (limit, limit / 3, bank)
    limits = think(desk, limit)
    assert limits[:full] == [limit] * full
    assert limits[full:] == pytest.approx([emptied] * (13 - full), abs=0.01)
    assert not desk.all_of(AskBot)


def test_who_thinks_a_third_of_the_limit_or_less_never_touches_it() -> None:
    desk = Desk(HOLD, limit=60, public=True)
    assert think(desk, 20) == [60] * 13
    assert desk.all_of(Ask)[-1].bank == 240


def test_each_hand_has_a_bank_of_its_own() -> None:
    desk = Desk(HOLD, limit=60, end=10_000, public=True)
    think(desk, 50)
    account = desk.table.seats[0].account
    assert account.bank == 0
    to_next_hand(desk)
    assert desk.table.seats[0].account.bank == 240


@pytest.mark.parametrize(
    ("kinds", "public", "limit"),
    [
        ((CLIENT,) * 4, False, 60),
        ((CLIENT, COMPUTER, COMPUTER, COMPUTER), True, 60),
        ((CLIENT,) * 4, True, 0),
    ],
    ids=["friends", "alone", "without a clock"],
)
def test_there_is_none_where_nobody_has_to_wait_for_a_stranger(
    kinds: tuple[Kind, ...], public: bool, limit: int
) -> None:
    desk = Desk(HOLD, kinds, limit=limit, public=public)
    for _ in range(13):
        while desk.on_turn != 0:
            desk.answer_bots()
            if desk.on_turn != 0:
                desk.play(1)
        desk.catch_up(0)
        ask = desk.all_of(Ask)[-1]
        assert (ask.left, ask.free, ask.bank) == (limit or inf, inf, inf)
        desk.wait(59)
        desk.choose(0, Question.CARD)
    assert not [asked for asked in desk.all_of(AskBot) if asked.view.player == 0]


def test_dropping_and_coming_back_in_each_choice_costs_no_more_than_the_account() -> None:
    desk = Desk(HOLD, limit=60, end=10_000, public=True)
    lost = 0.0
    for _ in range(13):
        to_turn(desk, 0)
        asked_at = desk.now
        while True:
            # They owe acknowledgements as long as they may, and come back at the last moment.
            ends = desk.table.wake_at
            desk.now = ends - 0.01
            desk.leave(0)
            desk.come_back(0)
            if desk.table.wake_at == ends:
                break
        desk.choose(0, Question.CARD)
        lost += desk.now - asked_at
    assert not desk.all_of(AskBot)
    assert lost <= 240 + 13 * (20 + RETURN_TIME) + REPLAY_LIMIT


def test_a_standstill_and_a_pause_are_taken_from_no_bank() -> None:
    desk = Desk(HOLD, limit=60, pause=600, public=True)
    to_turn(desk, 0)
    desk.catch_up(0)
    desk.now += 100
    desk.give(StoodStill(100))
    for player in range(4):
        desk.leave(player)
    desk.now += 500
    for player in range(4):
        desk.come_back(player)
    desk.now += 30
    desk.choose(0, Question.CARD)
    assert desk.table.seats[0].account.bank == 240 - (30 - 20)


def test_a_tenth_try_is_taken_from_it_too_and_what_a_stand_in_plays_is_not() -> None:
    desk = Desk(HOLD, limit=60, public=True)
    to_turn(desk, 0)
    desk.now += 50
    for _ in range(10):
        desk.give(Chosen(0, None))
    desk.answer_bots()
    account = desk.table.seats[0].account
    assert account.bank == 210
    assert [seconds for seconds, _ in waits_for_player_0(desk, 5)] == [60, 60, 0, 0, 0]
    assert account.bank == 210 - 2 * 40


def test_what_is_asked_again_has_what_is_left_of_it() -> None:
    desk = Desk(HOLD, limit=60, public=True)
    to_turn(desk, 0)
    desk.catch_up(0)
    desk.now += 50
    asked = desk.table.open_question(0, desk.now)
    assert asked is not None
    assert (asked.left, asked.free, asked.bank) == (10, 0, 210)


def test_after_a_restart_each_choice_of_the_clock_has_taken_its_limit() -> None:
    desk = Desk(HOLD, limit=60, pause=600, public=True)
    waits_for_player_0(desk, 1)
    again = Desk(HOLD, limit=60, pause=600, stored=desk.lines, public=True)
    assert [seat.account.bank for seat in again.table.seats] == [200, 240, 240, 240]


def test_a_promised_deal_is_cut_on_the_account_of_its_hand() -> None:
    desk = Desk(limit=60, public=True)
    desk.able(0, cuts=True)
    while (0, Question.CUT) not in desk.asked():
        desk.choose(*desk.asked()[0])
    desk.table.seats[0].account.take(60)
    desk.show(0)
    assert [player for player, _ in desk.asked()] == [0, 1, 2, 3]
    assert desk.table.seats[0].account.bank == 200


# Leaving


def test_a_stand_in_plays_after_the_grace_period() -> None:
    desk = Desk(HOLD, grace=100)
    effects = desk.leave(0)
    assert effects == [
        Changed(0, Change.LEFT),
        Announce("Ann has left; the computer takes over after 100 s", about=0),
    ]
    marks: list[ChosenBy] = []
    while not marks or marks[-1] is not ChosenBy.STAND_IN:
        player = desk.on_turn
        if player != 0:
            desk.choose(player, Question.CARD)
            continue
        desk.wait_for_clock()
        asked = desk.all_of(AskBot)[-1]
        marks.append(asked.by)
        desk.answer(asked)
    assert marks == [ChosenBy.CLOCK, ChosenBy.STAND_IN]
    assert desk.now == 100
    assert desk.all_of(Announce)[-1] == Announce("the computer plays for Ann now", about=0)


def test_a_stand_in_is_asked_at_once_from_then_on() -> None:
    desk = Desk(HOLD, grace=0)
    desk.leave(0)
    stood_in = 0
    while stood_in < 3:
        if desk.on_turn != 0:
            desk.play(1)
            continue
        if not desk.table.seats[0].stand_in:
            assert desk.table.wake_at == desk.now
            desk.give(Tick())
        asked = desk.all_of(AskBot)[-1]
        assert (asked.view.player, asked.by) == (0, ChosenBy.STAND_IN)
        desk.answer(asked)
        stood_in += 1
    assert desk.now == 0


def test_a_client_leaves_once() -> None:
    desk = Desk()
    assert desk.leave(0)
    assert desk.leave(0) == []


def test_a_table_without_clients_ends() -> None:
    desk = Desk(kinds=(CLIENT, COMPUTER, CLIENT, COMPUTER))
    desk.leave(2)
    assert desk.leave(0) == [
        Changed(0, Change.LEFT),
        Ended("nobody is left at the table"),
    ]


def test_an_ended_table_takes_nothing() -> None:
    desk = Desk(slow_store=True)
    desk.durable()
    desk.choose(0, Question.PASS)
    for player in range(4):
        desk.leave(player)
    assert desk.table.ended
    desk.now = 1e6
    for late in (Durable(), Tick(), Chosen(1, None), Drain(), ClientLeft(1)):
        assert desk.give(late) == []
