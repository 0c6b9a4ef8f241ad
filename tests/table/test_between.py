"""What the players agree on: who is asked, and when other rules hold."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest
from msgspec.structs import replace

from hearts.errors import Fault
from hearts.game.rules import Rules, parse_rules
from hearts.table import effects
from hearts.table.inputs import (
    Abort,
    AnswerAgain,
    Chosen,
    ProposeAbort,
    ProposeRules,
    Question,
    StoodStill,
    Vote,
)
from tests.table.desk import CLIENT, COMPUTER, HOLD, JACK, Desk, game_over

OTHER = ProposeRules(0, JACK, 50)
PROPOSALS = pytest.mark.parametrize(
    ("wish", "asked", "refused", "line"),
    [
        (
            ProposeRules(0, JACK, 50),
            effects.RulesProposed(JACK, 50, 60.0),
            effects.RulesRefused,
            "rules jack end 50",
        ),
        (
            ProposeAbort(0, Abort.HAND),
            effects.AbortProposed(Abort.HAND, 60.0),
            effects.AbortRefused,
            "abort",
        ),
        (
            ProposeAbort(0, Abort.GAME),
            effects.AbortProposed(Abort.GAME, 60.0),
            effects.AbortRefused,
            "abort-game",
        ),
    ],
)
Proposal = ProposeRules | ProposeAbort
Refused = effects.RulesRefused | effects.AbortRefused


@PROPOSALS
def test_all_others_are_asked_and_each_can_refuse(
    wish: Proposal, asked: effects.TableEvent, refused: type[Refused], line: str
) -> None:
    desk = Desk(HOLD, limit=0).able(0, 1, 2, 3)

    def time_runs_out() -> None:
        desk.give(StoodStill(5.0))
        desk.wait_for_clock()
        assert desk.now == 65

    refusals: list[tuple[Callable[[], object], int, str]] = [
        (lambda: desk.give(Vote(2, agreed=False)), 2, "a player does not agree"),
        (time_runs_out, -1, "not everybody has answered in time"),
        (lambda: desk.leave(3), 3, "a player has left"),
    ]
    for give, player, why in refusals:
        told = [e for e in desk.give(wish) if isinstance(e, effects.SendTo)]
        assert told == [effects.SendTo(each, asked) for each in (1, 2, 3)]
        assert desk.asked(), "the play goes on"
        desk.agree(1)
        give()
        assert desk.told_to_all(refused)[-1] == refused(player, why)
        assert desk.agree(3) == []
        assert desk.table.votes.deadline == inf
    assert line not in desk.lines


@PROPOSALS
def test_a_plain_client_cannot_agree_and_computers_do(
    wish: Proposal, asked: effects.TableEvent, refused: type[Refused], line: str
) -> None:
    desk = Desk(HOLD).able(0, 1, 3)
    desk.give(wish)
    assert desk.told_to_all(refused) == [refused(2, "a player cannot be asked")]
    assert not any(effect.event == asked for effect in desk.all_of(effects.SendTo))
    desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER)).able(0)
    desk.give(wish)
    assert line in desk.lines


@PROPOSALS
def test_only_player_0_proposes_and_one_thing_at_a_time(
    wish: Proposal, asked: effects.TableEvent, refused: type[Refused], line: str
) -> None:
    desk = Desk(HOLD).able(0, 1, 2, 3)
    other = replace(wish, player=1)
    assert desk.give(other) == [effects.Decline(1, other, Fault.NOT_PLAYER_0)]
    desk.give(wish)
    second = ProposeRules(0, Rules(), 50)
    assert desk.give(second) == [effects.Decline(0, second, Fault.NOT_NOW)]


def proposed(desk: Desk) -> None:
    desk.able(0, 1, 2, 3)
    desk.give(ProposeRules(0, JACK, 50))


def test_they_hold_from_the_next_game_on() -> None:
    desk = game_over()
    proposed(desk)
    desk.agree(3, 1, 2)
    assert desk.lines[-1] == "rules jack end 50"
    assert desk.told_to_all(effects.RulesAgreed) == [effects.RulesAgreed(JACK, 50)]
    assert desk.table.game.rules == parse_rules(HOLD)
    desk.give(Chosen(0, AnswerAgain(0, True)))
    begun = desk.told_to_all(effects.GameBegun)[-1]
    assert isinstance(begun, effects.GameBegun)
    assert (begun.setting.rules, begun.setting.end_score) == (JACK, 50)
    assert (desk.table.game.rules, desk.table.game.end_score) == (JACK, 50)


def test_they_hold_after_a_restart_at_any_line() -> None:
    desk = game_over()
    proposed(desk)
    desk.agree(1, 2, 3)
    agreed_at = len(desk.lines)
    desk.give(Chosen(0, AnswerAgain(0, True)))
    for at in range(agreed_at, len(desk.lines) + 1):
        again = Desk(HOLD, end=1, pause=600, stored=desk.lines[:at])
        if at == agreed_at:
            again.come_back(0)
            again.give(Chosen(0, AnswerAgain(0, True)))
        assert (again.table.game.rules, again.table.game.end_score) == (JACK, 50)


def test_a_server_that_dies_when_they_are_agreed_on_asks_the_same_player_again() -> None:
    desk = Desk(HOLD, pause=600)
    proposed(desk)
    desk.play(5)
    desk.agree(1, 2, 3)
    assert desk.lines[-1].startswith("rules ")
    again = Desk(HOLD, pause=600, stored=desk.lines)
    assert again.asked() == desk.asked() != []


def test_the_record_of_a_game_has_its_own_rules() -> None:
    desk = Desk(HOLD, end=1)
    proposed(desk)
    desk.agree(1, 2, 3)
    desk.play(52)
    first = desk.table.record()
    desk.give(Chosen(0, AnswerAgain(0, True)))
    for player in range(4):
        desk.choose(player, Question.PASS)
    while len(desk.all_of(effects.GamePlayed)) < 2:
        if desk.table.game.waiting_for() == (0, 1, 2, 3):
            for player in range(4):
                desk.choose(player, Question.PASS)
        else:
            desk.play(1)
    second = desk.table.record()
    assert (first.rules, first.end_score) == (parse_rules(HOLD), 1)
    assert (second.rules, second.end_score) == (JACK, 50)
    assert second.replay().winners


def test_a_game_has_room_for_ten_proposals() -> None:
    desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), end=1)
    desk.able(0)
    for _ in range(10):
        assert not any(isinstance(e, effects.Decline) for e in desk.give(ProposeRules(0, JACK, 50)))
    eleventh = ProposeRules(0, JACK, 50)
    assert desk.give(eleventh) == [effects.Decline(0, eleventh, Fault.NOT_NOW)]
    assert desk.lines.count("rules jack end 50") == 10


def test_an_agreement_on_its_way_when_the_session_ends_can_be_read_back() -> None:
    desk = game_over()
    proposed(desk)
    desk.slow_store = True
    desk.give(Chosen(0, AnswerAgain(0, False)))
    desk.agree(1, 2, 3)
    stored = [*desk.lines, *desk.pending]
    assert [line.split()[0] for line in stored[-2:]] == ["again", "rules"]
    assert Desk(HOLD, end=1, stored=stored).table.is_complete
