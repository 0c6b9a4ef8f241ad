"""Seats that change hands between two hands of a game."""

from __future__ import annotations

import pytest

from hearts.errors import CorruptRecord, Fault
from hearts.game.events import ChosenBy, TrickBegun, YourHand
from hearts.table import effects
from hearts.table.inputs import (
    AnswerAgain,
    Chosen,
    LeaveSeat,
    OpenSeat,
    ProposeRules,
    ReplacePlayer,
    Resign,
    StoodStill,
    TakeSeat,
    Wish,
)
from tests.table.desk import CLIENT, COMPUTER, HOLD, JACK, Desk, a_hand_away


class TestSeats:
    def test_a_computer_takes_the_seat_of_one_who_is_away(self) -> None:
        desk = a_hand_away()
        desk.out_of_grace(2)
        assert desk.give(ReplacePlayer(0, 2))[-1] == effects.Granted(0, ReplacePlayer(0, 2))
        desk.play(1)
        assert "seat 2 computer 0 Moe" in desk.lines
        assert desk.lines[-1].startswith("deal ")
        assert desk.table.seats[2].kind is COMPUTER
        assert effects.Changed(2, effects.Change.COMPUTER) in desk.effects

    def test_computers_have_names_of_their_own_whatever_people_are_called(self) -> None:
        desk = a_hand_away(names=("Moe", "Larry", "Curly", "Shemp"))
        desk.out_of_grace(1, 2)
        desk.give(ReplacePlayer(0, 2))
        desk.give(ReplacePlayer(0, 1))
        desk.play(1)
        names = {seat.name for seat in desk.table.seats}
        assert len(names) == 4
        assert [seat.kind for seat in desk.table.seats] == [CLIENT, COMPUTER, COMPUTER, CLIENT]

    def test_computers_are_called_as_the_host_wants(self) -> None:
        desk = a_hand_away(computer_names=("Ann", "R2", "D2", "C3"))
        desk.out_of_grace(2)
        desk.give(ReplacePlayer(0, 2))
        desk.play(1)
        assert "seat 2 computer 0 R2" in desk.lines

    def test_who_is_there_again_in_time_keeps_the_seat(self) -> None:
        desk = a_hand_away()
        desk.out_of_grace(2)
        desk.give(ReplacePlayer(0, 2))
        desk.come_back(2)
        desk.play(1)
        assert desk.table.seats[2].kind is CLIENT

    @pytest.mark.parametrize("seat", [1, 3, -1, 4])
    def test_nobody_else_can_be_replaced(self, seat: int) -> None:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER))
        wish = ReplacePlayer(0, seat)
        assert desk.give(wish) == [effects.Decline(0, wish, Fault.NOT_NOW)]

    @pytest.mark.parametrize("wish", [ReplacePlayer(1, 2), OpenSeat(3, 2)])
    def test_only_player_0_has_a_say(self, wish: ReplacePlayer | OpenSeat) -> None:
        assert Desk(HOLD).give(wish) == [effects.Decline(wish.player, wish, Fault.NOT_PLAYER_0)]

    def test_the_next_client_has_his_say_while_player_0_is_away_but_after_his_grace(self) -> None:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER), grace=60)
        wishes: list[Wish] = [OpenSeat(1, 3), ReplacePlayer(1, 0), ProposeRules(1, JACK, 50)]
        desk.leave(0)
        desk.now = 59
        for wish in wishes:
            assert desk.give(wish)[-1] == effects.Decline(1, wish, Fault.NOT_PLAYER_0)
        desk.now = 60
        other = OpenSeat(2, 3)
        assert desk.give(other)[-1] == effects.Decline(2, other, Fault.NOT_PLAYER_0)
        for wish in wishes:
            desk.give(wish)
        desk.come_back(0)
        back = [effect.wish for effect in desk.all_of(effects.Decline)]
        assert back == [*wishes, other]
        assert desk.told_to_all(effects.RulesRefused), "they are away, and cannot be asked"
        assert desk.give(wishes[0])[-1] == effects.Decline(1, wishes[0], Fault.NOT_PLAYER_0)

    @pytest.mark.parametrize(("seconds", "decider"), [(59, 0), (60, 1)])
    def test_who_decides_about_another_game_while_player_0_is_away(
        self, seconds: int, decider: int
    ) -> None:
        desk = Desk(HOLD, end=1, limit=0, grace=60)
        while not desk.lines[-1].startswith("ask-again"):
            if desk.on_turn != 0 and sum(line.startswith("play") for line in desk.lines) == 51:
                desk.leave(0)
                desk.now = seconds
            desk.play(1)
        assert desk.lines[-1] == f"ask-again {decider}"

    def opened(self, limit: int = 60) -> Desk:
        desk = Desk(HOLD, (CLIENT, CLIENT, CLIENT, COMPUTER), limit=limit)
        while desk.table.game.hand_number < 1:
            self.move(desk)
        assert desk.give(OpenSeat(0, 3)) == [effects.Changed(3, effects.Change.OPENED)]
        return desk

    def move(self, desk: Desk) -> None:
        if desk.on_turn == 3 and desk.table.seats[3].kind is COMPUTER:
            desk.answer_bots()
        else:
            desk.play(1)

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
        assert effects.Changed(3, effects.Change.TAKEN) in desk.effects
        hands = [
            effect.player
            for effect in desk.all_of(effects.SendTo)
            if isinstance(effect.event, YourHand)
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
            assert desk.give(wish) == [effects.Decline(0, wish, Fault.NOT_NOW)]

    def test_a_newcomer_counts_hands_from_his_own_first_one(self) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        self.next_hand(desk)
        desk.play(5)
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

    def test_seats_and_clocks_are_as_they_were_after_a_restart(self) -> None:
        """A negative limit waits for one person more."""
        desk = self.opened(limit=-20)
        assert desk.table.setting.limit == 0
        desk.give(TakeSeat(3, "Eve", 77))
        desk.out_of_grace(2)
        desk.give(ReplacePlayer(0, 2))
        self.next_hand(desk)
        kinds = (CLIENT, CLIENT, CLIENT, COMPUTER)
        again = Desk(HOLD, kinds, pause=600, stored=desk.lines, limit=-20)
        for table in (desk.table, again.table):
            assert table.setting.limit == table.past.current_setting.limit == 20
        assert [seat.kind for seat in again.table.seats] == [CLIENT, CLIENT, COMPUTER, CLIENT]
        assert [seat.name for seat in again.table.seats] == ["Ann", "Bob", "Moe", "Eve"]
        changes = again.table.past.seat_changes
        assert changes[3].process_id == 77
        assert not again.table.seats[3].connected

    def test_the_clock_rests_again_once_somebody_is_alone(self) -> None:
        kinds = (CLIENT, COMPUTER, COMPUTER, COMPUTER)
        desk = Desk(HOLD, kinds, limit=-20, pause=600).able(0)
        desk.give(OpenSeat(0, 3))
        desk.give(TakeSeat(3, "Eve", 77))
        for limit in (20, 0):
            hands = desk.table.past.hands_scored()
            while desk.table.past.hands_scored() == hands:
                desk.answer_bots()
                for player, question in desk.asked():
                    if desk.table.seats[player].kind is CLIENT:
                        desk.choose(player, question)
            assert desk.table.setting.limit == desk.table.past.current_setting.limit == limit
            again = Desk(HOLD, kinds, limit=-20, pause=600, stored=desk.lines)
            assert again.table.setting == desk.table.setting
            desk.give(Resign(3))
            desk.answer_bots()
        assert desk.wait(10_000) == []

    @pytest.mark.parametrize("missing", [1, 2])
    def test_a_restart_between_the_changes_and_the_deal_deals(self, missing: int) -> None:
        desk = self.opened()
        desk.give(TakeSeat(3, "Eve", 77))
        desk.out_of_grace(2)
        desk.give(ReplacePlayer(0, 2))
        self.next_hand(desk)
        assert [line[:7] for line in desk.lines[-3:-1]] == ["seat 3 ", "seat 2 "]
        kinds = (CLIENT, CLIENT, CLIENT, COMPUTER)
        again = Desk(HOLD, kinds, pause=600, stored=desk.lines[:-missing])
        assert not again.all_of(effects.Persist), "it waits for the players"
        for player in (0, 1, 2, 3):
            again.come_back(player)
        (persisted,) = again.all_of(effects.Persist)
        assert persisted.line.startswith("deal ")
        with pytest.raises(CorruptRecord):
            Desk(HOLD, kinds, stored=[*desk.lines, "seat 3 client 1 Fay"])


def test_a_computer_that_took_over_plays_by_itself() -> None:
    desk = a_hand_away()
    desk.out_of_grace(2)
    desk.give(ReplacePlayer(0, 2))
    desk.play(1)
    while desk.on_turn != 2:
        desk.play(1)
    assert desk.all_of(effects.AskBot)[-1].by is ChosenBy.COMPUTER
    assert any(isinstance(event, TrickBegun) for event in desk.told_to_all(TrickBegun))


# Who is away (DealerSpec.md section 14.8)


def wishes(desk: Desk, *wished: Wish) -> list[bool]:
    """Tell whether each wish was granted."""
    return [desk.give(wish)[-1] == effects.Granted(wish.player, wish) for wish in wished]


@pytest.mark.parametrize("kind", [ReplacePlayer, OpenSeat])
def test_nobody_is_replaced_within_the_grace(kind: type[ReplacePlayer | OpenSeat]) -> None:
    desk = a_hand_away(grace=60)
    desk.leave(2)
    for seconds in (0, 1.5, 59.9):
        desk.now = seconds
        assert wishes(desk, kind(0, 2)) == [False]
    desk.play(1)
    assert desk.table.seats[2].kind is CLIENT
    desk.now = 60
    assert wishes(desk, kind(0, 2)) == [True]


def test_who_comes_back_and_drops_again_is_in_grace_when_it_would_be_done() -> None:
    desk = a_hand_away(grace=60)
    desk.out_of_grace(2)
    assert wishes(desk, OpenSeat(0, 2)) == [True]
    desk.come_back(2)
    desk.leave(2)
    desk.play(1)
    assert desk.table.seats[2].kind is CLIENT
    assert not desk.table.seats[2].open


def test_the_seat_of_who_is_away_can_be_opened() -> None:
    desk = a_hand_away()
    desk.out_of_grace(2)
    assert wishes(desk, OpenSeat(0, 2)) == [True]
    desk.play(1)
    assert desk.table.seats[2].kind is COMPUTER
    assert desk.table.seats[2].open


def flap(desk: Desk, player: int, seconds: float) -> None:
    """Be away for so long, and there for a second."""
    desk.leave(player)
    desk.now += seconds
    desk.come_back(player)
    desk.now += 1


def test_absence_adds_up_over_a_game() -> None:
    desk = Desk(HOLD, grace=60, end=1)
    for _ in range(3):
        flap(desk, 2, 59)
    desk.leave(2)
    assert (
        desk.all_of(effects.Announce)[-1].text == "Cleo has left; the computer takes over after 3 s"
    )
    desk.now += 2.9
    assert wishes(desk, ReplacePlayer(0, 2)) == [False]
    desk.now += 0.1
    desk.come_back(2)
    desk.leave(2)
    assert wishes(desk, ReplacePlayer(0, 2)) == [True]
    desk.come_back(2)
    desk.play(52)
    desk.give(Chosen(0, AnswerAgain(0, True)))
    desk.leave(2)
    assert wishes(desk, ReplacePlayer(0, 2)) == [False], "the next game has graces of its own"


def test_who_was_given_away_in_a_game_is_not_saved_by_its_end() -> None:
    desk = Desk(HOLD, grace=60, end=1)
    for _ in range(4):
        flap(desk, 2, 59)
    desk.play(51)
    desk.leave(2)
    assert wishes(desk, ReplacePlayer(0, 2)) == [True]
    desk.play(1)
    desk.give(Chosen(0, AnswerAgain(0, True)))
    assert desk.table.seats[2].kind is COMPUTER


def test_a_standstill_is_no_absence() -> None:
    desk = Desk(HOLD, grace=60)
    desk.leave(2)
    desk.now = 1000
    desk.give(StoodStill(990))
    assert wishes(desk, ReplacePlayer(0, 2)) == [False]
    desk.come_back(2)
    assert desk.table.seats[2].absence == 10


def public(*who_can: int) -> Desk:
    """A public table at which player 2 is out of grace, and these can be asked."""
    desk = a_hand_away(public=True)
    desk.able(*who_can)
    desk.out_of_grace(2)
    return desk


def test_at_a_public_table_two_have_to_agree() -> None:
    desk = public(0, 1, 2, 3)
    assert wishes(desk, ReplacePlayer(0, 2)) == [True]
    wanted = [effect.text for effect in desk.all_of(effects.Notify)]
    assert wanted == [
        "Ann wants a computer in place of Cleo, who has been away for long;"
        " so it is if somebody else asks for that too"
    ]
    assert wishes(desk, ReplacePlayer(0, 2), OpenSeat(3, 2)) == [False, True], "another wish"
    desk.play(1)
    assert desk.table.seats[2].kind is CLIENT
    assert wishes(desk, ReplacePlayer(1, 2), ReplacePlayer(1, 2)) == [True, False]
    desk.play(52)
    assert desk.table.seats[2].kind is COMPUTER
    assert not desk.table.seats[2].open


def test_a_wish_is_over_when_its_player_is_gone_or_who_was_away_is_back() -> None:
    desk = public(0, 1, 2, 3)
    wishes(desk, ReplacePlayer(1, 2))
    desk.leave(1)
    desk.able(1)
    desk.come_back(1)
    wishes(desk, ReplacePlayer(0, 2))
    assert desk.all_of(effects.Notify)[-1].text.startswith("Ann wants a computer")
    desk.come_back(2)
    desk.out_of_grace(2)
    wishes(desk, ReplacePlayer(3, 2))
    desk.play(1)
    assert desk.table.seats[2].kind is CLIENT


@pytest.mark.parametrize("others", [(), (2,)])
def test_who_is_the_only_one_that_can_be_asked_agrees_alone(others: tuple[int, ...]) -> None:
    desk = public(0, *others)
    assert wishes(desk, ReplacePlayer(0, 2)) == [True]
    desk.play(1)
    assert desk.table.seats[2].kind is COMPUTER
