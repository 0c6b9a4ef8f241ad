"""The clocks of a table, missed choices, and players who leave."""

from __future__ import annotations

from math import inf

import pytest

from hearts.events import (
    By,
)
from hearts.table import (
    Announce,
    Answered,
    AskBot,
    CameLate,
    CaughtUp,
    Change,
    Changed,
    Chosen,
    Drain,
    Durable,
    Ended,
    Kind,
    Left,
    Persist,
    Question,
    Tick,
)
from hearts.table.seat import HURRIED_LIMIT, OWING_LIMITS

from .desk import HOLD, Desk, choice_for

COMPUTER, CLIENT = Kind.COMPUTER, Kind.CLIENT


# Clocks


def test_a_clock_runs_from_when_nothing_earlier_is_owed() -> None:
    desk = Desk(HOLD, limit=60)
    player = desk.on_turn
    assert desk.table.wake_at == 180
    desk.now = 20.0
    desk.give(CaughtUp(player))
    assert desk.table.wake_at == 80
    desk.now = 79.9
    assert desk.give(Tick()) == []
    desk.now = 80.0
    (asked,) = desk.give(Tick())
    assert isinstance(asked, AskBot)
    assert asked.by is By.CLOCK


def test_a_clock_starts_at_the_latest_after_two_limits() -> None:
    desk = Desk(HOLD, limit=60)
    desk.now = 170.0
    desk.give(CaughtUp(desk.on_turn))
    assert desk.table.wake_at == 180


def test_without_a_limit_there_is_no_clock() -> None:
    desk = Desk(HOLD, limit=0)
    desk.give(CaughtUp(desk.on_turn))
    assert desk.table.wake_at == inf


def test_an_illegal_try_does_not_start_the_clock_anew() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    desk.give(CaughtUp(player))
    desk.now = 59.0
    desk.give(Chosen(player, None))
    assert desk.table.wake_at == 60


def test_a_late_answer_of_a_bot_is_ignored() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    desk.give(CaughtUp(player))
    desk.now = 60.0
    (asked,) = desk.give(Tick())
    assert isinstance(asked, AskBot)
    own = desk.choose(player, Question.CARD)
    assert any(isinstance(effect, Persist) for effect in own)
    assert desk.answer(asked) == []
    assert desk.give(Answered(10_000, choice_for(asked.question, asked.view, asked.by))) == []


def limits_of_player_0(desk: Desk, count: int) -> list[float]:
    """How long the clock of player 0 runs for his next choices, which he misses."""
    limits: list[float] = []
    while len(limits) < count:
        player = desk.on_turn
        if player == 0:
            limits.append(desk.miss(player))
        else:
            desk.choose(player, Question.CARD)
    return limits


def test_after_two_missed_choices_the_limit_is_short() -> None:
    desk = Desk(HOLD, limit=60)
    assert limits_of_player_0(desk, 4) == [60, 60, HURRIED_LIMIT, HURRIED_LIMIT]


def test_a_late_choice_gives_the_full_limit_back() -> None:
    desk = Desk(HOLD, limit=60)
    limits_of_player_0(desk, 2)
    desk.give(CameLate(0))
    assert limits_of_player_0(desk, 3) == [60, 60, HURRIED_LIMIT]


@pytest.mark.parametrize("legal", [True, False])
def test_a_try_gives_the_full_limit_back(legal: bool) -> None:
    desk = Desk(HOLD, limit=60)
    limits_of_player_0(desk, 2)
    while desk.on_turn != 0:
        desk.choose(desk.on_turn, Question.CARD)
    if not legal:
        desk.give(Chosen(0, None))
        assert desk.table.seats[0].misses == 0
    desk.choose(0, Question.CARD)
    assert limits_of_player_0(desk, 3) == [60, 60, HURRIED_LIMIT]


def test_a_late_choice_gives_the_open_request_its_full_limit() -> None:
    desk = Desk(HOLD, limit=60)
    limits_of_player_0(desk, 2)
    while desk.on_turn != 0:
        desk.choose(desk.on_turn, Question.CARD)
    request = desk.table.seats[0].request
    assert request is not None
    assert request.deadline == desk.now + (1 + OWING_LIMITS) * HURRIED_LIMIT
    desk.give(CameLate(0))
    desk.give(CaughtUp(0))
    assert request.deadline == desk.now + 60


def test_a_short_turn_limit_is_not_made_longer_by_haste() -> None:
    desk = Desk(HOLD, limit=1)
    assert limits_of_player_0(desk, 3) == [1, 1, 1]


# Leaving


def test_a_stand_in_plays_after_the_grace_period() -> None:
    desk = Desk(HOLD, grace=100)
    effects = desk.give(Left(0))
    assert effects == [
        Changed(0, Change.LEFT),
        Announce("Ann has left; the computer takes over after 100 s", about=0),
    ]
    marks: list[By] = []
    while not marks or marks[-1] is not By.STAND_IN:
        player = desk.on_turn
        if player != 0:
            desk.choose(player, Question.CARD)
            continue
        desk.now = desk.table.wake_at
        desk.give(Tick())
        asked = desk.all_of(AskBot)[-1]
        marks.append(asked.by)
        desk.answer(asked)
    assert marks == [By.CLOCK, By.STAND_IN]
    assert desk.now == 100
    assert desk.all_of(Announce)[-1] == Announce("the computer plays for Ann now", about=0)


def test_a_stand_in_is_asked_at_once_from_then_on() -> None:
    desk = Desk(HOLD, grace=0)
    desk.give(Left(0))
    stood_in = 0
    while stood_in < 3:
        if desk.on_turn != 0:
            desk.choose(desk.on_turn, Question.CARD)
            continue
        if not desk.table.seats[0].stand_in:
            assert desk.table.wake_at == desk.now
            desk.give(Tick())
        asked = desk.all_of(AskBot)[-1]
        assert (asked.view.player, asked.by) == (0, By.STAND_IN)
        desk.answer(asked)
        stood_in += 1
    assert desk.now == 0


def test_a_client_leaves_once() -> None:
    desk = Desk()
    assert desk.give(Left(0))
    assert desk.give(Left(0)) == []


def test_a_table_without_clients_ends() -> None:
    desk = Desk(kinds=(CLIENT, COMPUTER, CLIENT, COMPUTER))
    desk.give(Left(2))
    assert desk.give(Left(0)) == [Changed(0, Change.LEFT), Ended("nobody is left at the table")]


def test_an_ended_table_takes_nothing() -> None:
    desk = Desk(slow_store=True)
    desk.durable()
    desk.choose(0, Question.PASS)
    for player in range(4):
        desk.give(Left(player))
    assert desk.table.ended
    desk.now = 1e6
    for late in (Durable(), Tick(), Chosen(1, None), Drain(), Left(1)):
        assert desk.give(late) == []
