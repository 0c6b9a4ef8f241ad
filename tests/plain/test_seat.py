"""A seated client of the plain dialect: what it owes, and what its bytes mean."""

from __future__ import annotations

from typing import get_args

import pytest

from hearts.errors import Reason, RemoteProtocolError
from hearts.game.cards import Card
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChooseMoon,
    ChosenBy,
    HandBegun,
    HandScored,
    MoonChosen,
    Pass,
    PassMade,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import STANDARD, Direction
from hearts.plain.seat import EARLY_LIMIT, OWED_LIMIT, PlainSeat
from hearts.session.table_words import PlayerInfo, PlayerKind
from hearts.table import effects
from hearts.table.inputs import (
    Abort,
    AnswerAgain,
    CameLate,
    Chosen,
    ClientCaughtUp,
    Question,
    Setting,
)
from hearts.wire.codec import encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials

ME = 2
ACK = encode_ints(ME)
HAND = tuple(Card.from_wire(number) for number in range(27, 40))
"""All the diamonds, as they go over the wire."""


def a_seat(direction: Direction = Direction.HOLD) -> PlainSeat:
    """A seat that was told its hand and owes nothing."""
    seat = PlainSeat(ME, frozenset({1}))
    seat.encode_event(YourHand(0, direction, HAND))
    assert seat.receive(ACK * (2 if direction is Direction.HOLD else 1)) == []
    assert not seat.owes
    return seat


# To the client


PLAYERS = [PlayerInfo(p, PlayerKind.NOT_SAID, name=name) for p, name in enumerate("ABCD")]


def test_welcome_names_game_and_players() -> None:
    seat = PlainSeat(ME, frozenset())
    said = seat.welcome(SeatCredentials(7, 99, ME, 1000), "Table 1", PLAYERS)
    assert said == encode_ints(7, 99) + b"".join(encode_str(name) for name in "ABCD")
    assert seat.owes


SETTING = Setting(STANDARD, 100, 60, 60.0)
TOLD: list[tuple[effects.TableEvent, bytes, int]] = [
    (effects.GameBegun(SETTING), encode_ints(1, 0, 100, 60, 2), 1),
    (YourHand(0, Direction.LEFT, HAND), encode_ints(*range(27, 40), 1), 1),
    (YourHand(0, Direction.HOLD, HAND), encode_ints(*range(27, 40), 0), 2),
    (TrickBegun(3), encode_ints(3), 1),
    (CardPlayed(1, Card.parse("QS"), ChosenBy.COMPUTER), encode_ints(51), 1),
    (TrickTaken(0, (1, -10, 0, 3)), encode_ints(0, 1, -10, 0, 3), 1),
    (TricksDone(None, False), encode_ints(-1, 0), 1),
    (TricksDone(1, True), encode_ints(1, 0), 1),
    (TricksDone(ME, False), encode_ints(ME, 0), 1),
    (TricksDone(ME, True), encode_ints(ME, 1), 0),
    (MoonChosen(1, True, ChosenBy.PLAYER), b"", 0),
    (HandScored((0, 0, 0, 26), (1, -2, 3, 26), ()), encode_ints(1, -2, 3, 26, 0), 1),
    (
        effects.GameScored((0, 0, 0, 0), (1, 2, 3, 100), (0,), 1),
        encode_ints(1, 2, 3, 100, 0b101),
        1,
    ),
    (
        effects.GameScored((0, 0, 0, 0), (1, 1, 3, 100), (0, 1), ME),
        encode_ints(1, 1, 3, 100, 0b1111),
        1,
    ),
    (effects.AgainSettled(0, True, ChosenBy.PLAYER), encode_ints(1), 1),
    (effects.AgainSettled(-1, False, ChosenBy.CLOCK), encode_ints(0), 1),
    (HandBegun(0, Direction.LEFT), b"", 0),
    (effects.DealPromised(1, bytes(32)), b"", 0),
    (effects.CutSettled(2, ChosenBy.CLOCK), b"", 0),
    (effects.DealDisclosed(1, bytes(16), bytes(32)), b"", 0),
    (effects.RulesProposed(STANDARD, 100, 60.0), b"", 0),
    (effects.RulesAgreed(STANDARD, 100), b"", 0),
    (effects.RestClaimed(1, (Card.parse("AS"), Card.parse("KS"))), b"", 0),
    (effects.RulesRefused(1, "no"), b"", 0),
    (effects.SeatWanted(0, False, 60.0), b"", 0),
    (effects.SeatKept(1, "no"), b"", 0),
    (effects.AbortProposed(Abort.HAND, 60.0), b"", 0),
    (effects.AbortRefused(1, "no"), b"", 0),
    (effects.HandAborted(3), b"", 0),
]


@pytest.mark.parametrize(("event", "said", "acks"), TOLD, ids=lambda value: type(value).__name__)
def test_an_event_in_bytes_and_the_acks_that_it_wants(
    event: effects.TableEvent, said: bytes, acks: int
) -> None:
    seat = PlainSeat(ME, frozenset({1}))
    assert seat.encode_event(event) == said
    assert seat.receive(ACK * acks) == []
    assert not seat.owes


def test_every_kind_of_event_is_tried() -> None:
    statuses = {PassMade, CardsReceived, effects.GameAborted}
    assert {type(event) for event, _, _ in TOLD} | statuses >= set(get_args(effects.TableEvent))


def test_there_are_no_words_for_another_game_in_place_of_one_that_is_not_over() -> None:
    with pytest.raises(RemoteProtocolError, match="cannot tell of another game"):
        PlainSeat(ME).encode_event(effects.GameAborted())


# Choices


def test_a_card_that_is_chosen() -> None:
    seat = a_seat()
    assert seat.owe_choice(Question.CARD)
    assert seat.asked
    assert seat.receive(encode_ints(4)) == [Chosen(ME, Play(ME, HAND[4]))]
    assert seat.encode_event(CardPlayed(ME, HAND[4], ChosenBy.PLAYER)) == encode_ints(0)
    assert not seat.asked
    assert not seat.owes


@pytest.mark.parametrize("index", [-1, 13, 2**31 - 1, -(2**31)])
def test_an_index_outside_the_hand_is_a_try_all_the_same(index: int) -> None:
    seat = a_seat()
    seat.owe_choice(Question.CARD)
    assert seat.receive(encode_ints(index)) == [Chosen(ME, None)]
    assert seat.refuse(Reason.NOT_HELD) == encode_ints(-1)
    assert seat.receive(encode_ints(0)) == [Chosen(ME, Play(ME, HAND[0]))]


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_is_its_reason(reason: Reason) -> None:
    seat = a_seat()
    seat.owe_choice(Question.CARD)
    seat.receive(encode_ints(0))
    assert seat.refuse(reason) == encode_ints(reason)
    assert seat.asked


def test_received_cards_take_the_places_of_those_passed() -> None:
    seat = a_seat(Direction.LEFT)
    seat.owe_choice(Question.PASS)
    passed = (HAND[5], HAND[0], HAND[12])
    assert seat.receive(encode_ints(5, 0, 12)) == [Chosen(ME, Pass(ME, passed))]
    assert seat.encode_event(PassMade(ME, passed, ChosenBy.PLAYER)) == encode_ints(0)
    received = tuple(Card.parse(text) for text in ("2H", "3H", "4C"))
    assert seat.encode_event(CardsReceived(received)) == encode_ints(2, 3, 17)
    seat.receive(ACK)
    for index, card in zip((5, 0, 12), received, strict=True):
        seat.owe_choice(Question.CARD)
        assert seat.receive(encode_ints(index)) == [Chosen(ME, Play(ME, card))]
        seat.encode_event(CardPlayed(ME, card, ChosenBy.PLAYER))


@pytest.mark.parametrize("indexes", [(0, 0, 1), (1, 2, 13), (-1, 1, 2), (5, 5, 5)])
def test_a_pass_of_anything_else_is_a_try(indexes: tuple[int, int, int]) -> None:
    seat = a_seat(Direction.ACROSS)
    seat.owe_choice(Question.PASS)
    assert seat.receive(encode_ints(*indexes)) == [Chosen(ME, None)]


def test_a_forced_pass_names_the_indexes() -> None:
    seat = a_seat(Direction.LEFT)
    seat.owe_choice(Question.PASS)
    said = seat.encode_event(PassMade(ME, (HAND[7], HAND[3], HAND[1]), ChosenBy.CLOCK))
    assert said == encode_ints(1, 7, 3, 1)
    assert seat.receive(encode_ints(0, 1, 2)) == [CameLate(ME)]


@pytest.mark.parametrize(
    ("value", "choice"),
    [(0, ChooseMoon(ME, False)), (1, ChooseMoon(ME, True)), (2, None), (-1, None)],
)
def test_a_choice_of_the_moon(value: int, choice: ChooseMoon | None) -> None:
    seat = a_seat()
    seat.owe_choice(Question.MOON)
    assert seat.receive(encode_ints(value)) == [Chosen(ME, choice)]


@pytest.mark.parametrize(("value", "yes"), [(0, False), (1, True), (2, True), (-7, True)])
def test_an_answer_about_another_game(value: int, yes: bool) -> None:
    seat = a_seat()
    seat.owe_choice(Question.AGAIN)
    assert seat.receive(encode_ints(value)) == [Chosen(ME, AnswerAgain(ME, yes))]


@pytest.mark.parametrize(
    ("question", "event", "status"),
    [
        (Question.CARD, CardPlayed(ME, HAND[0], ChosenBy.CLOCK), 1),
        (Question.CARD, CardPlayed(ME, HAND[12], ChosenBy.STAND_IN), 13),
        (Question.MOON, MoonChosen(ME, False, ChosenBy.CLOCK), 1),
        (Question.MOON, MoonChosen(ME, True, ChosenBy.CLOCK), 2),
        (Question.AGAIN, effects.AgainSettled(ME, False, ChosenBy.CLOCK), 1),
        (Question.AGAIN, effects.AgainSettled(ME, True, ChosenBy.CLOCK), 2),
    ],
)
def test_a_status_of_what_the_server_decided(
    question: Question, event: effects.TableEvent, status: int
) -> None:
    seat = a_seat()
    seat.owe_choice(question)
    assert seat.encode_event(event)[:4] == encode_ints(status)


# One choice, one status


def test_a_late_choice_is_thrown_away_and_what_follows_is_read() -> None:
    seat = a_seat()
    seat.owe_choice(Question.CARD)
    seat.encode_event(CardPlayed(ME, HAND[3], ChosenBy.CLOCK))
    seat.encode_event(CardPlayed(3, Card(0), ChosenBy.PLAYER))
    assert seat.receive(encode_ints(99) + ACK) == [CameLate(ME)]
    assert not seat.owes


def test_a_tenth_try_owes_nothing_more() -> None:
    seat = a_seat()
    seat.owe_choice(Question.CARD)
    seat.receive(encode_ints(77))
    assert seat.encode_event(CardPlayed(ME, HAND[3], ChosenBy.CLOCK)) == encode_ints(4)
    assert not seat.owes


def test_a_choice_may_come_before_it_is_asked_for() -> None:
    seat = a_seat()
    seat.encode_event(TrickBegun(ME))
    assert seat.receive(ACK + encode_ints(6)) == []
    assert seat.early
    assert seat.owe_choice(Question.CARD)
    assert seat.receive(b"") == [Chosen(ME, Play(ME, HAND[6]))]
    assert not seat.early


# Acknowledgements


def test_a_client_has_caught_up_when_only_the_choice_is_owed() -> None:
    seat = a_seat()
    seat.encode_event(TrickBegun(1))
    seat.encode_event(CardPlayed(1, Card(0), ChosenBy.PLAYER))
    assert not seat.owe_choice(Question.CARD)
    assert seat.receive(ACK) == []
    assert seat.receive(ACK) == [ClientCaughtUp(ME)]
    assert seat.receive(b"\0") == []


def test_a_client_that_was_late_has_caught_up_with_the_choice_behind_that() -> None:
    seat = a_seat()
    seat.owe_choice(Question.MOON)
    seat.encode_event(MoonChosen(ME, False, ChosenBy.CLOCK))
    assert not seat.owe_choice(Question.CARD)
    assert seat.receive(encode_ints(0)) == [CameLate(ME), ClientCaughtUp(ME)]


def test_a_choice_behind_its_acks_needs_no_word_of_having_caught_up() -> None:
    seat = a_seat()
    seat.encode_event(TrickBegun(ME))
    seat.owe_choice(Question.CARD)
    assert seat.receive(ACK + encode_ints(1)) == [Chosen(ME, Play(ME, HAND[1]))]


@pytest.mark.parametrize(
    ("value", "named"), [(0, "0"), (1, "1"), (3, "3"), (-1, "-1"), (2**31 - 1, "another number")]
)
def test_a_wrong_ack_is_an_error_that_names_both(value: int, named: str) -> None:
    seat = a_seat()
    seat.encode_event(TrickBegun(1))
    with pytest.raises(RemoteProtocolError, match=f"of {named} came where 2 is due"):
        seat.receive(encode_ints(value))


def test_a_thousand_acks_may_be_owed() -> None:
    seat = a_seat()
    for _ in range(2 * OWED_LIMIT):
        seat.recall(TrickBegun(0))  # What was missed does not count.
    for _ in range(OWED_LIMIT - 1):
        seat.encode_event(TrickBegun(0))
    with pytest.raises(RemoteProtocolError, match="more than 1000 acknowledgements are owed"):
        seat.encode_event(TrickBegun(0))


def test_some_bytes_may_come_too_early() -> None:
    seat = a_seat()
    seat.receive(bytes(EARLY_LIMIT))
    with pytest.raises(RemoteProtocolError, match="more than 1024 bytes came before"):
        seat.receive(b"\0")


def test_no_hidden_card_is_in_an_error() -> None:
    seat = a_seat()
    seat.owe_choice(Question.CARD)
    seat.encode_event(CardPlayed(ME, HAND[0], ChosenBy.CLOCK))
    seat.encode_event(TrickBegun(1))
    with pytest.raises(RemoteProtocolError) as caught:
        seat.receive(encode_ints(5, 9))
    assert not any(str(card) in str(caught.value) for card in HAND)


# Any pieces
