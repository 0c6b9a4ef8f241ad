"""The example hand of SocketSpec.md section 4, played by the table and a seated client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hearts.errors import Reason
from hearts.game.cards import Card
from hearts.game.deal import parse_deal_code
from hearts.game.events import (
    ChooseMoon,
    ChosenBy,
    MoonChosen,
    Pass,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
)
from hearts.game.rules import STANDARD
from hearts.plain.seat import PlainSeat
from hearts.session.messages import Scores, TableInfo
from hearts.table import (
    AgainSettled,
    Answered,
    Ask,
    AskBot,
    CaughtUp,
    Chosen,
    Effect,
    GameScored,
    Input,
    Question,
    Refuse,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)
from hearts.wire.codec import encode_ints
from tests.table.desk import SECRET, Desk

from .spec import example, numbers, sections, tables

ANN = 0
PASSES, TRICKS = tables("4.10")
LIMIT = 60


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


class Hand:
    """The example hand as Ann's client has it: all bytes of both directions."""

    def __init__(self, tries: Mapping[object, Sequence[int]], forced: object = None) -> None:
        """``tries`` are Ann's illegal ones by trick (or "pass"); ``forced`` says where she is
        late."""
        self.said = b""
        self.sent = b""
        self._tries = tries
        self._forced = forced
        self._owed = b""
        """The choice that Ann sends when she is told what was decided for her."""
        self._seat = PlainSeat(ANN, frozenset({1, 2, 3}))
        self._desk = Desk(limit=LIMIT)
        self._done = 0
        self._inputs: list[Input] = []
        self._hear()
        self._run()

    @property
    def heard(self) -> list[TableEvent]:
        return self._desk.told(ANN)

    def _hear(self) -> None:
        """Carry out for Ann what the table wants, and send the acks that this asks for."""
        effects = self._desk.effects
        while self._done < len(effects) or self._inputs:
            if self._done < len(effects):
                self._done += 1
                self._hear_one(effects[self._done - 1])
            else:
                self._desk.give(self._inputs.pop(0))

    def _hear_one(self, effect: Effect) -> None:
        seat = self._seat
        match effect:
            case Tell(player=0, event=event) | TellAll(event):
                self.said += seat.tell(event)
            case Refuse(player=0, reason=reason):
                self.said += seat.refuse(reason)
            case Ask(player=0, question=question):
                seat.owe_choice(question)
                self._inputs.append(CaughtUp(ANN))
            case _:
                pass
        if not seat.asked:
            self._send(self._owed)
            self._owed = b""
            while seat.owes:
                self._send(encode_ints(ANN))

    def _send(self, data: bytes) -> None:
        self.sent += data
        self._inputs += self._seat.receive(data)

    def _run(self) -> None:
        for player, row in enumerate(PASSES):
            self._pass(player, cards(row["passed"]))
        for row in TRICKS:
            leader = int(row["leader"])
            for place, card in enumerate(cards(row["cards"])):
                self._play((leader + place) % 4, card, int(row["trick"]))
        assert self._desk.table.game.hand_number == 1, "the hand is over, and the next one dealt"

    def _pass(self, player: int, passed: list[Card]) -> None:
        choice = Pass(player, tuple(passed))
        if player != ANN:
            self._desk.give(Chosen(player, choice))
        elif self._forced == "pass":
            self._late(Pass(player, tuple(passed), ChosenBy.CLOCK), encode_ints(0, 1, 2))
        else:
            indexes = [self._index(card) for card in passed]
            for tried in (self._tries.get("pass", ()), indexes):
                if tried:
                    self._choose(encode_ints(*tried))
        self._hear()

    def _index(self, card: Card) -> int:
        """Ann's hand index of a card: as it was dealt, before the pass."""
        dealt = example("4.1").messages[0].ints
        return dealt.index(card.wire)

    def _play(self, player: int, card: Card, trick: int) -> None:
        if player != ANN:
            self._desk.give(Chosen(player, Play(player, card)))
            self._hear()
            return
        row = PASSES[ANN]
        hand = [Card.parse(row[str(index)]) for index in range(13)]
        if self._forced == trick:
            self._late(Play(player, card, ChosenBy.CLOCK), encode_ints(12))
            return
        for index in (*self._tries.get(trick, ()), hand.index(card)):
            self._choose(encode_ints(index))

    def _choose(self, data: bytes) -> None:
        self._send(data)
        self._hear()

    def _late(self, choice: Pass | Play, owed: bytes) -> None:
        """Ann's time runs out; her choice comes after the status."""
        self._owed = owed
        self._desk.now += LIMIT
        self._desk.give(Tick())
        (asked,) = self._desk.all_of(AskBot)
        self._desk.give(Answered(asked.request, choice))
        self._hear()


def holds_in_order(stream: bytes, pieces: list[bytes]) -> None:
    at = 0
    for piece in pieces:
        found = stream.find(piece, at)
        assert found >= 0, piece.hex(" ")
        at = found + len(piece)


PLAYED = [
    *(example(section) for section in ("4.1", "4.2", "4.3")),
    *(example("4.4"), example("4.5"), example("4.4", 1), example("4.4", 2), example("4.5", 1)),
    *(example("4.6"), example("4.7")),
]
TRIES: dict[object, Sequence[int]] = {"pass": (5, 5, 9), 1: (12,), 2: (2,), 4: (1, 0)}


def test_the_deal_is_that_of_the_text() -> None:
    code = sections()["4"].split("`")[1]
    assert parse_deal_code(code) == SECRET


def test_the_hand_is_played_as_it_is_written() -> None:
    hand = Hand(TRIES)
    holds_in_order(hand.said, [each.received for each in PLAYED])
    holds_in_order(hand.sent, [each.sent for each in PLAYED])


@pytest.mark.parametrize("number", [0, 1])
def test_a_forced_play_in_both_orders(number: int) -> None:
    hand = Hand({}, forced=9)
    shown = example("5.3", number)
    holds_in_order(hand.said, [shown.received])
    holds_in_order(hand.sent, [shown.sent])


def test_a_forced_pass() -> None:
    hand = Hand({}, forced="pass")
    shown = example("4.2", 1)
    holds_in_order(hand.said, [shown.received])
    holds_in_order(hand.sent, [shown.sent])


def test_a_hold_hand() -> None:
    direction, ack = example("4.2", 2).messages
    assert (direction.ints, ack.ints) == ((0,), (ANN,))


def test_the_table_of_tricks() -> None:
    heard = Hand({}).heard
    taken = [(event.winner, *event.points) for event in heard if isinstance(event, TrickTaken)]
    assert taken == [(int(row["winner"]), *numbers(row["points so far"])) for row in TRICKS]
    leaders = [event.leader for event in heard if isinstance(event, TrickBegun)]
    assert leaders == [int(row["leader"]) for row in TRICKS]


def test_the_table_of_hands() -> None:
    played: list[set[Card]] = [set() for _ in range(4)]
    for row in TRICKS:
        for place, card in enumerate(cards(row["cards"])):
            played[(int(row["leader"]) + place) % 4].add(card)
    for row, hand in zip(PASSES, played, strict=True):
        assert {Card.parse(row[str(index)]) for index in range(13)} == hand


# What does not occur in the example hand


def test_a_choice_of_the_moon() -> None:
    seat = PlainSeat(2, frozenset())
    moon, nonsense, refused, choice, accepted = example("4.6", 1).messages
    assert seat.tell(TricksDone(2, True)) == moon.data
    seat.owe_choice(Question.MOON)
    assert seat.receive(nonsense.data) == [Chosen(2, None)]
    assert seat.refuse(Reason.NOT_HELD) == refused.data
    assert seat.receive(choice.data) == [Chosen(2, ChooseMoon(2, True))]
    assert seat.tell(MoonChosen(2, True, ChosenBy.PLAYER)) == accepted.data


def test_a_moon_that_the_server_decided() -> None:
    seat = PlainSeat(2, frozenset())
    moon, status, late = example("4.6", 2).messages
    assert seat.tell(TricksDone(2, True)) == moon.data
    seat.owe_choice(Question.MOON)
    assert seat.tell(MoonChosen(2, False, ChosenBy.CLOCK)) == status.data
    seat.receive(late.data)
    assert not seat.owes


def test_the_end_of_a_game_with_another_one() -> None:
    seat = PlainSeat(0, frozenset({1, 2, 3}))
    scores, _, choice, status, again, _, table, _ = example("4.9", 0).messages
    told = Scores.decode(scores.ints)
    assert told == Scores((104, 61, 55, 40), (3,), you_decide=True)
    assert seat.tell(GameScored((0, 0, 0, 0), told.scores, told.winners, 0)) == scores.data
    settled = seat.tell(AgainSettled(0, True, ChosenBy.PLAYER))
    assert settled == status.data + again.data
    assert choice.ints == (1,)
    assert TableInfo.decode(table.ints) == TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3}))


def test_the_end_of_a_session() -> None:
    seat = PlainSeat(1, frozenset())
    scores, _, again, _ = example("4.9", 1).messages
    told = Scores.decode(scores.ints)
    assert told == Scores((104, 61, 40, 55), (2,), you_decide=False)
    assert seat.tell(GameScored((0, 0, 0, 0), told.scores, told.winners, 0)) == scores.data
    assert seat.tell(AgainSettled(0, False, ChosenBy.PLAYER)) == again.data
