"""Seats that change hands between two hands of a game."""

from __future__ import annotations

import pytest

from hearts.errors import CorruptRecord, Fault
from hearts.game.events import ChosenBy, TrickBegun, YourHand
from hearts.table import (
    AskBot,
    Change,
    Changed,
    ClientCameBack,
    ClientLeft,
    Decline,
    Granted,
    LeaveSeat,
    OpenSeat,
    Persist,
    ProposeRules,
    Question,
    ReplacePlayer,
    RulesRefused,
    TakeSeat,
    Tell,
)
from hearts.table.inputs import Wish
from tests.table.desk import HOLD, Desk

from .between import CLIENT, COMPUTER, JACK, a_hand_away, play, told_to_all


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
