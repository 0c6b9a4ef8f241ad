"""The example hand of SocketSpec.md section 4, played by the table and a seated client."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import repeat

import pytest

from hearts.errors import Reason
from hearts.game.cards import Card
from hearts.game.deal import parse_deal_code
from hearts.game.events import ChooseMoon, ChosenBy, Deal, MoonChosen, TricksDone
from hearts.game.game import Phase
from hearts.game.rules import STANDARD
from hearts.game.view import View, view_of
from hearts.plain.seat import PlainSeat
from hearts.session.messages import Scores, TableInfo
from hearts.table.effects import AgainSettled, GameScored
from hearts.table.inputs import Chosen, Question
from hearts.wire.codec import encode_ints
from tests.hosting.desk import COMPUTER, PLAIN, DeskBot, TableDesk
from tests.table.desk import SECRET

from .spec import example, numbers, sections, tables

ANN = 0
PASSES, TRICKS = tables("4.10")
LIMIT = 60


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


class ByTheBook(DeskBot):
    """Chooses what the text says; Ann's stand-in, too."""

    def __init__(self, player: int) -> None:
        self._player = player

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return tuple(cards(PASSES[self._player]["passed"]))

    def choose_card(self, view: View) -> Card:
        row = TRICKS[len(view.history) // 4]
        return cards(row["cards"])[(self._player - int(row["leader"])) % 4]


class ExampleHand:
    """The example hand as Ann's client has it: all bytes of both directions."""

    def __init__(self, tries: Mapping[object, Sequence[int]], forced: object = None) -> None:
        """``tries`` are Ann's illegal ones by trick (or "pass"); ``forced`` says where she is
        late."""
        self.pieces: list[bytes] = []
        """The messages that she was told."""
        self.sent = b""
        self._tries = tries
        self._forced = forced
        self._bots = [ByTheBook(player) for player in range(4)]
        self._desk = desk = TableDesk(
            dialects=(PLAIN, COMPUTER, COMPUTER, COMPUTER),
            deals=repeat(Deal.from_secret(SECRET)),
            limit=LIMIT,
            bots=self._bots,
        )
        desk.begin()
        seat = desk.clients[ANN].seat
        assert isinstance(seat, PlainSeat)
        while desk.table.game.hand_number == 0:
            assert not desk.links[ANN].ending
            if seat.has_caught_up:
                self._choose()
            else:
                self._send(encode_ints(ANN))
        self._receive()

    @property
    def said(self) -> bytes:
        return b"".join(self.pieces)

    def _receive(self) -> None:
        link = self._desk.links[ANN]
        self.pieces += link.pieces
        link.take()

    def _send(self, data: bytes) -> None:
        self._receive()
        self.sent += data
        self._desk.send(ANN, data)

    def _choose(self) -> None:
        """Ann makes a choice, after those that are not legal; or she is late with it."""
        game, hand = self._desk.table.game, [Card.parse(PASSES[ANN][str(n)]) for n in range(13)]
        view = view_of(game, ANN)
        if game.phase is Phase.PASS:
            # As it was dealt, before the pass.
            dealt = example("4.1").messages[0].ints
            choice = [dealt.index(card.wire) for card in self._bots[ANN].choose_pass(view)]
            moment: object = "pass"
        else:
            choice = [hand.index(self._bots[ANN].choose_card(view))]
            moment = len(view.history) // 4 + 1
        if self._forced == moment:
            self._desk.wait(LIMIT)
            self._send(encode_ints(0, 1, 2) if moment == "pass" else encode_ints(12))
            return
        tries = self._tries.get(moment, ())
        for start in range(0, len(tries), len(choice)):
            self._send(encode_ints(*tries[start : start + len(choice)]))
        self._send(encode_ints(*choice))


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
    hand = ExampleHand(TRIES)
    holds_in_order(hand.said, [each.received for each in PLAYED])
    holds_in_order(hand.sent, [each.sent for each in PLAYED])


@pytest.mark.parametrize("number", [0, 1])
def test_a_forced_play_in_both_orders(number: int) -> None:
    hand = ExampleHand({}, forced=9)
    shown = example("5.3", number)
    holds_in_order(hand.said, [shown.received])
    holds_in_order(hand.sent, [shown.sent])


def test_a_forced_pass() -> None:
    hand = ExampleHand({}, forced="pass")
    shown = example("4.2", 1)
    holds_in_order(hand.said, [shown.received])
    holds_in_order(hand.sent, [shown.sent])


def test_a_hold_hand() -> None:
    direction, ack = example("4.2", 2).messages
    assert (direction.ints, ack.ints) == ((0,), (ANN,))


def test_the_table_of_tricks() -> None:
    pieces = ExampleHand({}).pieces
    # The Table and the Scores have five ints, too.
    _, *tallies, _ = [index for index, piece in enumerate(pieces) if len(piece) == 5 * 4]
    assert [decode_ints(pieces[index]) for index in tallies] == [
        (int(row["winner"]), *numbers(row["points so far"])) for row in TRICKS
    ]
    leaders = [decode_ints(pieces[index + 1]) for index in tallies[:-1]]
    assert leaders == [(int(row["leader"]),) for row in TRICKS[1:]]


def decode_ints(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(data) // 4}i", data)


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
    assert seat.encode_event(TricksDone(2, True)) == moon.data
    seat.owe_choice(Question.MOON)
    assert seat.receive(nonsense.data) == [Chosen(2, None)]
    assert seat.refuse(Reason.NOT_HELD) == refused.data
    assert seat.receive(choice.data) == [Chosen(2, ChooseMoon(2, True))]
    assert seat.encode_event(MoonChosen(2, True, ChosenBy.PLAYER)) == accepted.data


def test_a_moon_that_the_server_decided() -> None:
    seat = PlainSeat(2, frozenset())
    moon, status, late = example("4.6", 2).messages
    assert seat.encode_event(TricksDone(2, True)) == moon.data
    seat.owe_choice(Question.MOON)
    assert seat.encode_event(MoonChosen(2, False, ChosenBy.CLOCK)) == status.data
    seat.receive(late.data)
    assert not seat.owes


def test_the_end_of_a_game_with_another_one() -> None:
    seat = PlainSeat(0, frozenset({1, 2, 3}))
    scores, _, choice, status, again, _, table, _ = example("4.9", 0).messages
    told = Scores.decode(scores.ints)
    assert told == Scores((104, 61, 55, 40), (3,), you_decide=True)
    assert seat.encode_event(GameScored((0, 0, 0, 0), told.scores, told.winners, 0)) == scores.data
    settled = seat.encode_event(AgainSettled(0, True, ChosenBy.PLAYER))
    assert settled == status.data + again.data
    assert choice.ints == (1,)
    assert TableInfo.decode(table.ints) == TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3}))


def test_the_end_of_a_session() -> None:
    seat = PlainSeat(1, frozenset())
    scores, _, again, _ = example("4.9", 1).messages
    told = Scores.decode(scores.ints)
    assert told == Scores((104, 61, 40, 55), (2,), you_decide=False)
    assert seat.encode_event(GameScored((0, 0, 0, 0), told.scores, told.winners, 0)) == scores.data
    assert seat.encode_event(AgainSettled(0, False, ChosenBy.PLAYER)) == again.data
