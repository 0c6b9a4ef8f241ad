"""Cuts between two hands: who is asked, and what follows from them."""

from __future__ import annotations

import pytest

from hearts.errors import CorruptRecord
from hearts.game.deal import commitment, deal_code
from hearts.game.events import Deal, YourHand
from hearts.game.proof import disclosure_notice
from hearts.table import (
    Announce,
    Ask,
    Chosen,
    ClientCameBack,
    ClientCaughtUp,
    ClientLeft,
    Cut,
    DealDisclosed,
    DealPromised,
    Drain,
    Persist,
    Question,
    Stopped,
    Tick,
)
from tests.table.desk import HOLD, SECRET, Desk

from .between import a_hand_away, able, play, told_to_all

ONE = bytes(range(1, 9))


class TestCuts:
    def test_who_wants_to_cut_is_asked_after_the_commitment(self) -> None:
        desk = a_hand_away()
        able(desk, 2, cuts=True)
        play(desk, 1)
        assert desk.lines[-1] == f"promise {deal_code(SECRET)}"
        assert told_to_all(desk, DealPromised)[-1] == DealPromised(2, commitment(SECRET))
        assert desk.effects[-1] == Ask(2, Question.CUT, 5.0, 0)
        assert len([ask for ask in desk.all_of(Ask) if ask.question is Question.CUT]) == 1

    def test_the_deal_follows_from_the_secret_and_the_cuts(self) -> None:
        desk = a_hand_away()
        able(desk, 0, 2, cuts=True)
        play(desk, 1)
        desk.give(Chosen(2, Cut(2, ONE)))
        assert desk.lines[-1].startswith("promise ")
        desk.give(Chosen(0, Cut(0, ONE)))
        cuts = ONE + bytes(8) + ONE + bytes(8)
        assert desk.lines[-1] == f"deal {deal_code(SECRET)} cuts {cuts.hex()}"
        assert desk.table.game.dealt == Deal.from_secret(SECRET, cuts).hands
        assert desk.table.game.dealt != Deal.from_secret(SECRET).hands

    def test_the_proof_has_the_cuts(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        desk.give(Chosen(1, Cut(1, ONE)))
        play(desk, 52)
        cuts = bytes(8) + ONE + bytes(16)
        assert told_to_all(desk, DealDisclosed)[-1] == DealDisclosed(2, SECRET, cuts)
        assert Announce(disclosure_notice(2, SECRET, cuts)) in desk.all_of(Announce)

    def test_no_answer_is_a_cut_of_zeros_and_no_missed_choice(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        desk.give(ClientCaughtUp(1))
        assert desk.table.wake_at == 5
        desk.now = 5
        desk.give(Tick())
        assert desk.lines[-1] == f"deal {deal_code(SECRET)}"
        assert not desk.table.seats[1].stand_in

    def test_a_short_turn_limit_holds_for_cuts_too(self) -> None:
        desk = a_hand_away(limit=3)
        able(desk, 1, cuts=True)
        play(desk, 1)
        assert desk.all_of(Ask)[-1].left == 3

    def test_who_is_gone_is_not_asked(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        desk.give(ClientLeft(1))
        desk.give(ClientCameBack(1))
        play(desk, 1)
        assert desk.lines[-1].startswith("deal ")

    def test_an_open_cut_is_asked_again_after_coming_back(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        desk.give(ClientLeft(1))
        able(desk, 1)
        desk.give(ClientCameBack(1))
        assert desk.table.turns.open_question(1, desk.now) is None
        able(desk, 1, cuts=True)
        assert desk.effects[-1] == Ask(1, Question.CUT, 5.0, 0)
        desk.give(Chosen(1, Cut(1, ONE)))
        assert desk.lines[-1].startswith("deal ")

    def test_a_promise_is_kept_after_a_restart(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert not again.all_of(Persist), "it waits for the players"
        able(again, 1)
        for player in (1, 2, 3):
            again.give(ClientCameBack(player))
        able(again, 1, cuts=True)
        again.give(ClientCameBack(0))
        assert not again.all_of(Persist)
        again.give(Chosen(1, Cut(1, ONE)))
        cuts = bytes(8) + ONE + bytes(16)
        assert again.lines[-1] == f"deal {deal_code(SECRET)} cuts {cuts.hex()}"
        other = Deal.from_secret(bytes(16))
        with pytest.raises(CorruptRecord, match="does not fit"):
            Desk(HOLD, stored=[*desk.lines, f"deal {deal_code(other.secret or b'')}"])

    def test_a_promise_that_waited_for_cuts_does_not_end_the_pause_after_a_restart(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert again.table.wake_at == again.now + 600

    def test_after_a_restart_who_is_away_has_his_grace_and_who_is_back_his_5_s(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        again = Desk(HOLD, pause=600, grace=60, stored=desk.lines)
        again.now = 100
        able(again, 1)
        again.give(ClientCameBack(1))
        assert again.table.wake_at == 105, "it has not said yet that it cuts"
        again.now = 105
        again.give(Tick())
        assert not again.all_of(Persist)
        assert again.table.wake_at == 160
        again.now = 160
        again.give(Tick())
        assert again.lines[-1] == f"deal {deal_code(SECRET)}"

    def test_who_does_not_answer_twice_is_not_asked_again(self) -> None:
        desk = a_hand_away()
        able(desk, 1, 2, cuts=True)
        play(desk, 1)
        for _ in range(4):
            desk.give(Chosen(2, Cut(2, ONE)))
            desk.now += 5
            desk.give(Tick())
            play(desk, 52)
        asked = [ask.player for ask in desk.all_of(Ask) if ask.question is Question.CUT]
        assert asked == [1, 2, 1, 2, 2, 2, 2]
        desk.give(ClientLeft(1))
        able(desk, 1)
        desk.give(ClientCameBack(1))
        able(desk, 1, cuts=True)
        desk.give(Chosen(2, Cut(2, ONE)))
        play(desk, 52)
        asked = [ask.player for ask in desk.all_of(Ask) if ask.question is Question.CUT]
        assert asked[-2:] == [2, 2]

    def test_the_commitment_belongs_to_the_hand_that_is_told_again(self) -> None:
        desk = a_hand_away()
        able(desk, 1, cuts=True)
        play(desk, 1)
        desk.give(Chosen(1, Cut(1, ONE)))
        play(desk, 3)
        for hands in (-1, 1):
            first, second, *_ = desk.table.past.replay(3, hands)
            assert first == DealPromised(2, commitment(SECRET))
            assert isinstance(second, YourHand)

    def test_a_server_that_shuts_down_does_not_wait_for_a_cut(self) -> None:
        desk = a_hand_away(pause=600)
        able(desk, 1, cuts=True)
        play(desk, 1)
        assert isinstance(desk.give(Drain())[-1], Stopped)
