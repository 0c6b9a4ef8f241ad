"""Cuts between two hands: who is asked, who is waited for, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest

from hearts.errors import CorruptRecord, Reason
from hearts.game.cuts import NO_HASHES, ShownCuts, hash_of, shown_cuts
from hearts.game.deal import commitment, deal_code, disclosure_notice
from hearts.game.events import Deal, YourHand
from hearts.game.game import Phase
from hearts.game.record import format_action
from hearts.table.effects import (
    Announce,
    Ask,
    DealDisclosed,
    DealPromised,
    Persist,
    Refuse,
    Stopped,
)
from hearts.table.inputs import Able, Chosen, Cut, Drain, Question, Tick
from tests.table.desk import HOLD, NUMBERS, SECRET, Desk, a_hand_away

HASHES = tuple(map(hash_of, NUMBERS))
PROMISE = f"promise {deal_code(SECRET)}"


def hashes(*players: int) -> tuple[bytes, bytes, bytes, bytes]:
    a, b, c, d = (HASHES[player] if player in players else b"" for player in range(4))
    return a, b, c, d


def shown(*players: int, missing: tuple[int, ...] = ()) -> ShownCuts:
    values = [NUMBERS[player] if player in players else b"" for player in range(4)]
    return shown_cuts(hashes(*players, *missing), values)


def deal_line(cuts: ShownCuts) -> str:
    return format_action(Deal.from_shown(SECRET, cuts))


def asked(desk: Desk) -> list[int]:
    return [ask.player for ask in desk.all_of(Ask) if ask.question is Question.CUT]


def comes_after(desk: Desk, seconds: float, cuts: ShownCuts) -> None:
    """The deal comes when nothing else happens for so long, and no sooner."""
    desk.wait(seconds - 0.1)
    assert desk.lines[-1].startswith("promise ")
    desk.now += 0.1
    assert desk.table.wake_at <= desk.now
    desk.give(Tick())
    assert desk.lines[-1] == deal_line(cuts)


def promised(*players: int, **settings: Any) -> Desk:
    """A table that has promised its second deal to players who cut."""
    desk = a_hand_away(**settings)
    desk.able(*players, cuts=True)
    desk.play(1)
    return desk


class TestThePromise:
    def test_it_has_the_hashes_and_their_players_are_asked(self) -> None:
        desk = promised(2)
        assert desk.lines[-1] == f"{PROMISE} - - {HASHES[2].hex()} -"
        told = desk.told_to_all(DealPromised)[-1]
        assert told == DealPromised(2, commitment(SECRET), hashes(2))
        assert asked(desk) == [2]

    def test_without_a_hash_there_is_none(self) -> None:
        desk = a_hand_away()
        desk.able(1, 2)
        desk.play(1)
        assert desk.lines[-1] == f"deal {deal_code(SECRET)}"
        told = desk.told_to_all(DealPromised)[-1]
        assert told == DealPromised(2, commitment(SECRET), NO_HASHES)

    def test_a_hash_holds_for_one_promise(self) -> None:
        desk = promised(1, 2)
        value = bytes(31) + b"1"
        desk.give(Chosen(1, Cut(1, NUMBERS[1], hash_of(value))))
        desk.give(Chosen(2, Cut(2, NUMBERS[2], b"")))
        desk.play(52)
        assert desk.lines[-1] == f"{PROMISE} - {hash_of(value).hex()} - -"

    def test_a_hash_that_is_said_while_the_promise_is_stored_is_for_the_next_one(self) -> None:
        desk = a_hand_away()
        desk.slow_store = True
        desk.able(1, cuts=True)
        desk.play(1)
        desk.durable()
        later = bytes(31) + b"2"
        desk.give(Able(1, votes=True, next_hash=hash_of(later)))
        desk.durable()
        assert desk.told_to_all(DealPromised)[-1] == DealPromised(2, commitment(SECRET), hashes(1))
        assert desk.table.seats[1].next_hash == hash_of(later)

    def test_who_is_away_for_a_moment_is_in_it(self) -> None:
        desk = a_hand_away()
        desk.able(1, cuts=True)
        desk.leave(1)
        desk.play(1)
        assert desk.told_to_all(DealPromised)[-1] == DealPromised(2, commitment(SECRET), hashes(1))
        desk.give(Able(1, votes=True, next_hash=None))
        desk.come_back(1)
        assert desk.table.open_question(1, desk.now) is not None
        desk.show(1)
        assert desk.lines[-1] == deal_line(shown(1))


class TestValues:
    def test_the_deal_follows_from_the_secret_and_the_values(self) -> None:
        desk = promised(0, 2)
        desk.show(2)
        assert desk.lines[-1].startswith("promise ")
        desk.show(0)
        assert desk.lines[-1] == deal_line(shown(0, 2))
        cuts = NUMBERS[0][:8] + bytes(8) + NUMBERS[2][:8] + bytes(8)
        assert desk.table.game.dealt == Deal.from_secret(SECRET, cuts).hands
        assert desk.table.game.dealt != Deal.from_secret(SECRET).hands

    def test_the_proof_has_them(self) -> None:
        desk = promised(1)
        desk.show(1)
        desk.play(52)
        cuts = bytes(8) + NUMBERS[1][:8] + bytes(16)
        told = desk.told_to_all(DealDisclosed)[-1]
        assert told == DealDisclosed(2, SECRET, cuts, shown(1))
        assert Announce(disclosure_notice(2, SECRET, cuts)) in desk.all_of(Announce)

    def test_one_that_does_not_fit_its_hash_is_refused(self) -> None:
        desk = promised(1)
        desk.give(Chosen(1, Cut(1, NUMBERS[2], HASHES[1])))
        assert desk.effects[-1] == Refuse(1, Reason.NOT_HELD)
        desk.show(1)
        assert desk.lines[-1] == deal_line(shown(1))

    def test_no_value_fits_no_hash(self) -> None:
        desk = a_hand_away()
        desk.give(Able(1, votes=True, next_hash=hash_of(b"")))
        desk.play(1)
        desk.give(Chosen(1, Cut(1, b"", HASHES[1])))
        assert desk.effects[-1] == Refuse(1, Reason.NOT_HELD)

    @pytest.mark.parametrize(("limit", "waited"), [(30, 30), (0, 100)])
    def test_ten_that_do_not_fit_leave_it_missing_no_sooner_than_the_clock(
        self, limit: int, waited: float
    ) -> None:
        """Without a turn limit that is a grace period."""
        desk = promised(1, limit=limit)
        desk.catch_up(1)
        for _ in range(12):
            desk.give(Chosen(1, Cut(1, NUMBERS[2], HASHES[1])))
        assert len(desk.all_of(Refuse)) == 9
        comes_after(desk, waited, shown(missing=(1,)))
        assert desk.table.seats[1].stand_in


class TestTheClock:
    def test_a_value_is_waited_for_as_a_choice_and_then_a_stand_in_has_the_seat(self) -> None:
        desk = promised(1, 2)
        desk.show(2)
        desk.catch_up(1)
        desk.wait_until(59)
        assert desk.lines[-1].startswith("promise ")
        desk.wait_until(60)
        assert desk.lines[-1] == deal_line(shown(2, missing=(1,)))
        assert desk.table.seats[1].stand_in
        said = [effect.text for effect in desk.all_of(Announce)]
        assert "Bob has not shown a number for deal 2" in said

    def test_a_connection_that_is_lost_is_waited_for_as_long(self) -> None:
        desk = promised(1, limit=30, grace=60)
        desk.leave(1)
        desk.wait_until(29)
        assert desk.lines[-1].startswith("promise ")
        desk.wait_until(30)
        assert desk.lines[-1] == deal_line(shown(missing=(1,)))
        assert desk.table.seats[1].stand_in

    def test_time_for_a_value_is_taken_from_that_of_the_hand(self) -> None:
        desk = promised(1)
        before = desk.table.seats[1].account.patience
        desk.catch_up(1)
        desk.wait_until(60)
        assert desk.table.seats[1].account.patience == before - 60

    def test_nobody_loses_the_right_to_cut(self) -> None:
        desk = promised(1)
        desk.catch_up(1)
        desk.wait_until(60)
        later = hash_of(bytes(31) + b"1")
        desk.give(Able(1, votes=True, next_hash=later))
        desk.answer_bots()
        while not asked(desk)[1:]:
            desk.play(1)
            desk.answer_bots()
        promise = DealPromised(3, commitment(SECRET), (b"", later, b"", b""))
        assert desk.told_to_all(DealPromised)[-1] == promise

    def test_who_has_never_said_a_hash_is_asked_for_none(self) -> None:
        desk = promised(1)
        desk.show(1)
        desk.play(52)
        desk.show(1)
        assert asked(desk) == [1, 1]

    def test_a_server_that_shuts_down_does_not_wait_for_a_value(self) -> None:
        desk = promised(1, pause=600)
        assert isinstance(desk.give(Drain())[-1], Stopped)


class TestThePlainDialect:
    """Its clients cannot show a value: it is waited for by the clock, or for a grace period."""

    @pytest.mark.parametrize(("limit", "waited"), [(30, 60), (0, 100)])
    def test_who_comes_back_in_it_shows_none(self, limit: int, waited: float) -> None:
        desk = promised(1, 2, limit=limit)
        desk.show(2)
        desk.leave(1)
        desk.come_back(1)
        comes_after(desk, waited, shown(2, missing=(1,)))
        assert desk.table.seats[1].stand_in

    def test_who_comes_back_in_it_while_the_promise_is_stored_is_not_asked(self) -> None:
        desk = a_hand_away(limit=0)
        desk.slow_store = True
        desk.able(1, 2, cuts=True)
        desk.play(1)
        desk.durable()
        desk.leave(1)
        desk.come_back(1)
        desk.durable()
        assert asked(desk) == [2]
        desk.show(2)
        desk.slow_store = False
        comes_after(desk, 100, shown(2, missing=(1,)))


class TestTheStandIn:
    """Whoever has not shown a value does not pass either, so nobody withholds one for nothing."""

    def passing(self) -> Desk:
        desk = Desk("standard", limit=30)
        for player in range(4):
            desk.choose(player, Question.PASS)
        desk.play(51)
        desk.able(1, cuts=True)
        desk.play(1)
        desk.catch_up(1)
        desk.wait(30)
        assert desk.lines[-1] == deal_line(shown(missing=(1,)))
        return desk

    def test_it_passes_whatever_comes_meanwhile(self) -> None:
        desk = self.passing()
        desk.choose(1, Question.PASS)
        desk.answer_bots()
        assert desk.lines[-1].startswith("pass 1 ")
        assert desk.lines[-1].endswith(" stand-in")

    def test_it_passes_also_for_who_has_come_back(self) -> None:
        desk = self.passing()
        desk.leave(1)
        desk.able(1)
        desk.come_back(1)
        desk.choose(1, Question.PASS)
        desk.answer_bots()
        assert desk.lines[-1].endswith(" stand-in")

    def test_in_the_next_hand_the_player_passes(self) -> None:
        desk = self.passing()
        desk.answer_bots()
        for player in (0, 2, 3):
            desk.choose(player, Question.PASS)
        desk.come_late(1)
        while desk.table.game.phase is not Phase.PASS:
            desk.play(1)
            desk.answer_bots()
        desk.choose(1, Question.PASS)
        assert desk.lines[-1].startswith("pass 1 ")
        assert not desk.lines[-1].endswith(" stand-in")


class TestWhoHasJustCome:
    def fresh(self) -> Desk:
        desk = a_hand_away()
        desk.give(Able(1, votes=True, next_hash=None))
        desk.play(1)
        return desk

    def test_the_promise_waits_until_it_says_that_it_cuts(self) -> None:
        desk = self.fresh()
        assert desk.lines[-1].startswith("play ")
        desk.able(1, cuts=True)
        assert desk.lines[-1].startswith(PROMISE)

    def test_or_that_it_does_not(self) -> None:
        desk = self.fresh()
        desk.able(1)
        assert desk.lines[-1] == f"deal {deal_code(SECRET)}"

    def test_but_for_two_seconds_only(self) -> None:
        desk = self.fresh()
        assert desk.table.wake_at == desk.now + 2
        desk.wait(2)
        assert desk.lines[-1] == f"deal {deal_code(SECRET)}"

    def test_dropping_meanwhile_costs_no_cut(self) -> None:
        desk = self.fresh()
        desk.leave(1)
        desk.wait(10)
        assert desk.lines[-1].startswith("play ")
        desk.give(Able(1, votes=True, next_hash=None))
        desk.come_back(1)
        desk.able(1, cuts=True)
        assert desk.lines[-1].startswith(PROMISE)

    def test_a_hash_of_an_older_promise_counts_again_for_who_never_heard_of_that(self) -> None:
        desk = promised(1, 2)
        desk.show(2)
        desk.leave(1)
        desk.wait_until(200)
        assert desk.lines[-1] == deal_line(shown(2, missing=(1,)))
        desk.answer_bots()
        while len(desk.told_to_all(DealPromised)) < 3:
            desk.play(1)
            desk.answer_bots()
        desk.able(1, cuts=True)
        assert desk.table.seats[1].next_hash == HASHES[1]

    def test_a_hash_that_is_used_up_is_waited_for_as_none(self) -> None:
        """Who comes back says it before hearing of the promise with it."""
        desk = promised(1)
        desk.show(1)
        desk.able(1)
        desk.leave(1)
        desk.able(1, cuts=True)
        desk.come_back(1)
        desk.play(52)
        assert desk.lines[-1].startswith("play ")
        later = hash_of(bytes(31) + b"1")
        desk.give(Able(1, votes=True, next_hash=later))
        assert desk.lines[-1] == f"{PROMISE} - {later.hex()} - -"


class TestRestarts:
    def test_a_promise_is_kept_and_the_values_are_asked_for_again(self) -> None:
        desk = promised(1, 2)
        desk.show(2)
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert not again.all_of(Persist), "it waits for the players"
        for player in (0, 1, 2, 3):
            again.able(player)
            again.come_back(player)
        again.show(1)
        assert not again.all_of(Persist)
        again.show(2)
        assert again.lines[-1] == deal_line(shown(1, 2))

    def test_who_was_played_for_last_is_waited_for_as_well(self) -> None:
        """They may have come back since, which is not stored."""
        desk = a_hand_away(limit=90, pause=600, cards=48)
        victim = desk.on_turn
        desk.leave(victim)
        desk.wait(100)
        desk.answer_bots()
        desk.come_back(victim)
        desk.able(victim, cuts=True)
        while not desk.lines[-1].startswith("promise "):
            desk.play(1)
        again = Desk(HOLD, limit=90, pause=600, stored=desk.lines)
        assert again.lines == desk.lines
        again.able(victim)
        again.come_back(victim)
        again.show(victim)
        assert again.lines[-1] == deal_line(shown(victim))

    def test_behind_the_deal_no_value_is_asked_for(self) -> None:
        desk = promised(1, 2)
        desk.show(1, 2)
        again = Desk(HOLD, pause=600, stored=desk.lines)
        questions = [again.table.open_question(player, again.now) for player in range(4)]
        assert [ask.question for ask in questions if ask is not None] == [Question.CARD]

    @pytest.mark.parametrize(
        "line",
        [
            f"deal {deal_code(bytes(16))}",
            f"deal {deal_code(SECRET)}",
            deal_line(shown(1, 2)),
            deal_line(shown(2)),
        ],
    )
    def test_a_deal_that_breaks_the_promise_is_no_line_of_ours(self, line: str) -> None:
        with pytest.raises(CorruptRecord, match="does not fit"):
            Desk(HOLD, stored=[*promised(1).lines, line])

    @pytest.mark.parametrize("hashes", ["", " -", " - - - -", f" {HASHES[1].hex()}"])
    def test_a_promise_to_nobody_is_no_line_of_ours(self, hashes: str) -> None:
        with pytest.raises(CorruptRecord, match="cannot be read"):
            Desk(HOLD, stored=[*a_hand_away().lines, f"{PROMISE}{hashes}"])

    def test_a_promise_that_waited_does_not_end_the_pause(self) -> None:
        again = Desk(HOLD, pause=600, stored=promised(1).lines)
        assert again.table.wake_at == again.now + 600

    def test_who_is_away_is_waited_for_by_the_clock(self) -> None:
        again = Desk(HOLD, pause=600, limit=30, grace=60, stored=promised(1, 2).lines)
        again.now = 100
        again.able(2)
        again.come_back(2)
        again.show(2)
        assert again.table.wake_at <= 130
        again.wait_until(130)
        assert again.lines[-1] == deal_line(shown(2, missing=(1,)))

    @staticmethod
    def _between_two_hands(**settings: Any) -> Desk:
        """A table that is taken up there, at which all but player 1 are back."""
        desk = a_hand_away()
        desk.able(1, cuts=True)
        lines = list(desk.lines)
        desk.play(1)
        scored = next(line for line in desk.lines[len(lines) :] if line.startswith("play "))
        again = Desk(HOLD, pause=600, grace=60, stored=[*lines, scored], **settings)
        assert not again.all_of(Persist)
        for player in (0, 2, 3):
            again.able(player)
            again.come_back(player)
        return again

    def test_who_is_not_back_by_then_is_waited_for_as_long_as_a_grace(self) -> None:
        desk = self._between_two_hands(limit=15)
        desk.wait_until(59.9)
        assert not desk.all_of(Persist)
        desk.wait_until(60)
        assert desk.lines[-1] == f"deal {deal_code(SECRET)}"

    def test_between_two_hands_the_hashes_are_waited_for(self) -> None:
        again = self._between_two_hands()
        again.give(Able(1, votes=True, next_hash=None))
        again.come_back(1)
        assert not again.all_of(Persist)
        again.able(1, cuts=True)
        assert again.lines[-1].startswith(PROMISE)

    def test_the_promise_belongs_to_the_hand_that_is_told_again(self) -> None:
        desk = promised(1, 2)
        desk.show(1, 2)
        desk.play(52)
        desk.show(1, 2)
        for hands in (-1, 1, 2):
            first, second, *_ = desk.table.past.replay(3, hands)
            assert first == DealPromised(2 + (hands != 1), commitment(SECRET), hashes(1, 2))
            assert isinstance(second, YourHand)
        told = [e for e in desk.table.past.replay(3, 1) if isinstance(e, DealDisclosed)]
        assert [each.shown for each in told] == [shown(1, 2)]

    def test_a_deal_that_was_cut_is_not_cut_again(self) -> None:
        desk = promised(1)
        desk.show(1)
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert again.lines == desk.lines
        assert again.table.open_question(1, again.now) is None
        on_turn = again.table.open_question(again.on_turn, again.now)
        assert on_turn is not None
        assert on_turn.question is Question.CARD
