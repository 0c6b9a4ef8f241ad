"""What happens between hands and games: cuts, other rules, and seats that change hands."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hearts.errors import CorruptRecord, Fault
from hearts.game.deal import commitment, deal_code
from hearts.game.events import ChosenBy, Deal, TrickBegun, YourHand
from hearts.game.proof import disclosure_notice
from hearts.game.rules import Rules, parse_rules
from hearts.table import (
    Able,
    Announce,
    AnswerAgain,
    Ask,
    AskBot,
    Change,
    Changed,
    Chosen,
    ClientCameBack,
    ClientCaughtUp,
    ClientLeft,
    Cut,
    DealDisclosed,
    DealPromised,
    Decline,
    Drain,
    GameBegun,
    GamePlayed,
    Granted,
    Kind,
    LeaveSeat,
    OpenSeat,
    Persist,
    ProposeRules,
    Question,
    ReplacePlayer,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    Stopped,
    TakeSeat,
    Tell,
    TellAll,
    Tick,
    Vote,
)
from hearts.table.inputs import Wish
from tests.table.desk import HOLD, SECRET, Desk

CLIENT, COMPUTER = Kind.CLIENT, Kind.COMPUTER
ONE = bytes(range(1, 9))
JACK = parse_rules("jack")


def a_hand_away(**settings: object) -> Desk:
    """A table in the last trick of its first hand: the next card leads to another deal."""
    desk = Desk(HOLD, **settings)  # type: ignore[arg-type]
    play(desk, 51)
    return desk


def play(desk: Desk, cards: int) -> None:
    """So many cards, by whoever is on turn."""
    for _ in range(cards):
        desk.choose(desk.on_turn, Question.CARD)


def game_over(**settings: object) -> Desk:
    """A table at which player 0 is asked about another game."""
    desk = Desk(HOLD, end=1, **settings)  # type: ignore[arg-type]
    play(desk, 52)
    return desk


def able(desk: Desk, *players: int, cuts: bool = False) -> None:
    for player in players:
        desk.give(Able(player, votes=True, wants_to_cut=cuts))


def told_to_all(desk: Desk, kind: type) -> list[object]:
    return [e.event for e in desk.all_of(TellAll) if isinstance(e.event, kind)]


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


class TestRules:
    def proposed(self, desk: Desk) -> None:
        able(desk, 0, 1, 2, 3)
        desk.give(ProposeRules(0, JACK, 50))

    def test_all_others_are_asked(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        asked = [effect for effect in desk.all_of(Tell) if isinstance(effect.event, RulesProposed)]
        assert asked == [Tell(player, RulesProposed(JACK, 50, 60.0)) for player in (1, 2, 3)]

    def test_they_hold_from_the_next_game_on(self) -> None:
        desk = game_over()
        self.proposed(desk)
        for player in (3, 1, 2):
            desk.give(Vote(player, agreed=True))
        assert desk.lines[-1] == "rules jack end 50"
        assert told_to_all(desk, RulesAgreed) == [RulesAgreed(JACK, 50)]
        assert desk.table.game.rules == parse_rules(HOLD)
        desk.give(Chosen(0, AnswerAgain(0, True)))
        begun = told_to_all(desk, GameBegun)[-1]
        assert isinstance(begun, GameBegun)
        assert (begun.setting.rules, begun.setting.end_score) == (JACK, 50)
        assert (desk.table.game.rules, desk.table.game.end_score) == (JACK, 50)

    def test_they_hold_after_a_restart_at_any_line(self) -> None:
        desk = game_over()
        self.proposed(desk)
        for player in (1, 2, 3):
            desk.give(Vote(player, agreed=True))
        agreed_at = len(desk.lines)
        desk.give(Chosen(0, AnswerAgain(0, True)))
        for at in range(agreed_at, len(desk.lines) + 1):
            again = Desk(HOLD, end=1, pause=600, stored=desk.lines[:at])
            if at == agreed_at:
                again.give(ClientCameBack(0))
                again.give(Chosen(0, AnswerAgain(0, True)))
            assert (again.table.game.rules, again.table.game.end_score) == (JACK, 50)

    def test_a_server_that_dies_when_they_are_agreed_on_asks_the_same_player_again(self) -> None:
        desk = Desk(HOLD, pause=600)
        self.proposed(desk)
        play(desk, 5)
        for player in (1, 2, 3):
            desk.give(Vote(player, agreed=True))
        assert desk.lines[-1].startswith("rules ")
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert again.asked() == desk.asked() != []

    def test_the_record_of_a_game_has_its_own_rules(self) -> None:
        desk = Desk(HOLD, end=1)
        self.proposed(desk)
        for player in (1, 2, 3):
            desk.give(Vote(player, agreed=True))
        play(desk, 52)
        first = desk.table.record()
        desk.give(Chosen(0, AnswerAgain(0, True)))
        for player in range(4):
            desk.choose(player, Question.PASS)
        while len(desk.all_of(GamePlayed)) < 2:
            if desk.table.game.waiting_for() == (0, 1, 2, 3):
                for player in range(4):
                    desk.choose(player, Question.PASS)
            else:
                play(desk, 1)
        second = desk.table.record()
        assert (first.rules, first.end_score) == (parse_rules(HOLD), 1)
        assert (second.rules, second.end_score) == (JACK, 50)
        assert second.replay().winners

    def test_one_who_does_not_agree_keeps_the_old_ones(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        desk.give(Vote(1, agreed=True))
        desk.give(Vote(2, agreed=False))
        assert [refused.player for refused in self.refused(desk)] == [2]
        assert desk.give(Vote(3, agreed=True)) == []

    def refused(self, desk: Desk) -> Sequence[RulesRefused]:
        return [e.event for e in desk.all_of(TellAll) if isinstance(e.event, RulesRefused)]

    def test_time_runs_out(self) -> None:
        desk = Desk(HOLD, limit=0)
        self.proposed(desk)
        assert desk.table.wake_at == 60
        desk.now = 60
        desk.give(Tick())
        assert [refused.player for refused in self.refused(desk)] == [-1]
        assert desk.table.wake_at > 60

    def test_who_leaves_does_not_agree(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        desk.give(ClientLeft(1))
        assert [refused.player for refused in self.refused(desk)] == [1]

    def test_a_plain_client_cannot_agree(self) -> None:
        desk = Desk(HOLD)
        able(desk, 0, 1, 3)
        desk.give(ProposeRules(0, JACK, 50))
        assert [refused.player for refused in self.refused(desk)] == [2]
        assert not any(isinstance(effect.event, RulesProposed) for effect in desk.all_of(Tell))

    def test_computers_agree(self) -> None:
        desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER))
        able(desk, 0)
        desk.give(ProposeRules(0, JACK, 50))
        assert desk.lines[-1] == "rules jack end 50"

    def test_only_player_0_and_one_at_a_time(self) -> None:
        desk = Desk(HOLD)
        able(desk, 0, 1, 2, 3)
        wish = ProposeRules(1, JACK, 50)
        assert desk.give(wish) == [Decline(1, wish, Fault.NOT_PLAYER_0)]
        desk.give(ProposeRules(0, JACK, 50))
        second = ProposeRules(0, Rules(), 50)
        assert desk.give(second) == [Decline(0, second, Fault.NOT_NOW)]

    def test_a_game_has_room_for_ten_proposals(self) -> None:
        desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), end=1)
        able(desk, 0)
        for _ in range(10):
            assert not any(isinstance(e, Decline) for e in desk.give(ProposeRules(0, JACK, 50)))
        eleventh = ProposeRules(0, JACK, 50)
        assert desk.give(eleventh) == [Decline(0, eleventh, Fault.NOT_NOW)]
        assert desk.lines.count("rules jack end 50") == 10

    def test_an_agreement_on_its_way_when_the_session_ends_can_be_read_back(self) -> None:
        desk = game_over()
        self.proposed(desk)
        desk.slow_store = True
        desk.give(Chosen(0, AnswerAgain(0, False)))
        for player in (1, 2, 3):
            desk.give(Vote(player, agreed=True))
        stored = [*desk.lines, *desk.pending]
        assert [line.split()[0] for line in stored[-2:]] == ["again", "rules"]
        assert Desk(HOLD, end=1, stored=stored).table.is_complete


class TestSeats:
    def test_a_computer_takes_the_seat_of_one_who_is_away(self) -> None:
        desk = a_hand_away()
        desk.give(ClientLeft(2))
        assert desk.give(ReplacePlayer(0, 2)) == [Granted(0, ReplacePlayer(0, 2))]
        play(desk, 1)
        assert "seat 2 computer 0 Moe" in desk.lines
        assert desk.lines[-1].startswith("deal ")
        assert desk.table.seats[2].kind is COMPUTER
        assert Changed(2, Change.COMPUTER) in desk.effects

    def test_computers_have_names_of_their_own_whatever_people_are_called(self) -> None:
        desk = a_hand_away(names=("Moe", "Larry", "Curly", "Shemp"))
        desk.give(ClientLeft(1))
        desk.give(ClientLeft(2))
        desk.give(ReplacePlayer(0, 2))
        desk.give(ReplacePlayer(0, 1))
        play(desk, 1)
        names = {seat.name for seat in desk.table.seats}
        assert len(names) == 4
        assert [seat.kind for seat in desk.table.seats] == [CLIENT, COMPUTER, COMPUTER, CLIENT]

    def test_computers_are_called_as_the_host_wants(self) -> None:
        desk = a_hand_away(computer_names=("Ann", "R2", "D2", "C3"))
        desk.give(ClientLeft(2))
        desk.give(ReplacePlayer(0, 2))
        play(desk, 1)
        assert "seat 2 computer 0 R2" in desk.lines

    def test_who_is_there_again_in_time_keeps_the_seat(self) -> None:
        desk = a_hand_away()
        desk.give(ClientLeft(2))
        desk.give(ReplacePlayer(0, 2))
        desk.give(ClientCameBack(2))
        play(desk, 1)
        assert desk.table.seats[2].kind is CLIENT

    @pytest.mark.parametrize("seat", [1, 3, -1, 4])
    def test_nobody_else_can_be_replaced(self, seat: int) -> None:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER))
        wish = ReplacePlayer(0, seat)
        assert desk.give(wish) == [Decline(0, wish, Fault.NOT_NOW)]

    @pytest.mark.parametrize("wish", [ReplacePlayer(1, 2), OpenSeat(3, 2)])
    def test_only_player_0_has_a_say(self, wish: ReplacePlayer | OpenSeat) -> None:
        assert Desk(HOLD).give(wish) == [Decline(wish.player, wish, Fault.NOT_PLAYER_0)]

    def test_the_next_client_has_his_say_while_player_0_is_away_but_after_his_grace(self) -> None:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER), grace=60)
        wishes: list[Wish] = [OpenSeat(1, 3), ReplacePlayer(1, 0), ProposeRules(1, JACK, 50)]
        desk.give(ClientLeft(0))
        desk.now = 59
        for wish in wishes:
            assert desk.give(wish)[-1] == Decline(1, wish, Fault.NOT_PLAYER_0)
        desk.now = 60
        other = OpenSeat(2, 3)
        assert desk.give(other)[-1] == Decline(2, other, Fault.NOT_PLAYER_0)
        for wish in wishes:
            desk.give(wish)
        desk.give(ClientCameBack(0))
        back = [effect.wish for effect in desk.all_of(Decline)]
        assert back == [*wishes, other]
        assert told_to_all(desk, RulesRefused), "he is away, and cannot be asked"
        assert desk.give(wishes[0])[-1] == Decline(1, wishes[0], Fault.NOT_PLAYER_0)

    @pytest.mark.parametrize(("seconds", "decider"), [(59, 0), (60, 1)])
    def test_who_decides_about_another_game_while_player_0_is_away(
        self, seconds: int, decider: int
    ) -> None:
        desk = Desk(HOLD, end=1, limit=0, grace=60)
        while not desk.lines[-1].startswith("ask-again"):
            if desk.on_turn != 0 and sum(line.startswith("play") for line in desk.lines) == 51:
                desk.give(ClientLeft(0))
                desk.now = seconds
            desk.choose(desk.on_turn, Question.CARD)
        assert desk.lines[-1] == f"ask-again {decider}"

    def opened(self) -> Desk:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER))
        while desk.table.game.hand_number < 1:
            self.move(desk)
        assert desk.give(OpenSeat(0, 3)) == [Changed(3, Change.OPENED)]
        return desk

    def move(self, desk: Desk) -> None:
        if desk.on_turn == 3 and desk.table.seats[3].kind is COMPUTER:
            desk.answer_bots()
        else:
            desk.choose(desk.on_turn, Question.CARD)

    def next_hand(self, desk: Desk) -> None:
        number = desk.table.game.hand_number
        while desk.table.game.hand_number == number:
            self.move(desk)

    def test_a_person_takes_an_open_seat_with_the_next_hand(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        assert desk.table.seats[3].kind is COMPUTER
        self.next_hand(desk)
        assert "seat 3 client 77 Eve" in desk.lines
        assert Changed(3, Change.TAKEN) in desk.effects
        hands = [
            effect.player for effect in desk.all_of(Tell) if isinstance(effect.event, YourHand)
        ]
        assert hands[-4:] == [0, 1, 2, 3]
        assert desk.table.record().names[3] == "Eve"

    def test_who_leaves_before_that_does_not(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        desk.give(LeaveSeat(3))
        assert desk.table.seats[3].open
        self.next_hand(desk)
        assert desk.table.seats[3].kind is COMPUTER

    def test_a_seat_is_opened_once(self) -> None:
        desk = self.opened()
        for wish in (OpenSeat(0, 3), OpenSeat(0, 1), OpenSeat(0, 9)):
            assert desk.give(wish) == [Decline(0, wish, Fault.NOT_NOW)]

    def test_a_newcomer_counts_hands_from_his_own_first_one(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        self.next_hand(desk)
        play(desk, 5)
        past = desk.table.past
        assert past.hands_scored(3) == 0
        assert past.hands_scored(0) == 2
        for hands in (-1, 0):
            replayed = list(past.replay(3, hands))
            (hand,) = (event for event in replayed if isinstance(event, YourHand))
            assert hand.number == 2
            assert past.decided(3, hands) == sum(
                line.startswith("play 3 ") for line in desk.lines[-5:]
            )
        assert past.standing(3, 0) == past.standing(0, 2)

    def test_seats_are_as_they_were_after_a_restart(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        desk.give(ClientLeft(2))
        desk.give(ReplacePlayer(0, 2))
        self.next_hand(desk)
        kinds = (CLIENT, CLIENT, CLIENT, COMPUTER)
        again = Desk(HOLD, kinds, pause=600, stored=desk.lines)
        assert [seat.kind for seat in again.table.seats] == [CLIENT, CLIENT, COMPUTER, CLIENT]
        assert [seat.name for seat in again.table.seats] == ["Ann", "Bob", "Moe", "Eve"]
        changes = again.table.past.seat_changes
        assert changes[3].process_id == 77
        assert not again.table.seats[3].connected

    def test_a_restart_between_the_change_and_the_deal_deals(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        self.next_hand(desk)
        assert desk.lines[-2].startswith("seat 3 ")
        kinds = (CLIENT, CLIENT, CLIENT, COMPUTER)
        again = Desk(HOLD, kinds, pause=600, stored=desk.lines[:-1])
        (persisted,) = again.all_of(Persist)
        assert persisted.line.startswith("deal ")
        with pytest.raises(CorruptRecord):
            Desk(HOLD, kinds, stored=[*desk.lines, "seat 3 client 1 Fay"])


def test_a_computer_that_took_over_plays_by_itself() -> None:
    desk = a_hand_away()
    desk.give(ClientLeft(2))
    desk.give(ReplacePlayer(0, 2))
    play(desk, 1)
    while desk.on_turn != 2:
        play(desk, 1)
    assert desk.all_of(AskBot)[-1].by is ChosenBy.COMPUTER
    assert any(isinstance(event, TrickBegun) for event in told_to_all(desk, TrickBegun))
