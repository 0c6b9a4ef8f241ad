"""A seated client of the plain dialect: what it owes, and what is no word of it.

What is said and heard otherwise the transcripts say (tests/vectors).
"""

from __future__ import annotations

import pytest

from hearts.errors import RemoteProtocolError
from hearts.game.cards import Card
from hearts.game.events import (
    CardPlayed,
    ChosenBy,
    HandBegun,
    MoonChosen,
    Play,
    TrickBegun,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.plain.seat import EARLY_LIMIT, OWED_LIMIT, PlainSeat
from hearts.table import effects
from hearts.table.inputs import (
    AnswerAgain,
    CameLate,
    Chosen,
    ClientCaughtUp,
    Question,
)
from hearts.wire.codec import encode_ints

ME = 2
ACK = encode_ints(ME)
HAND = tuple(Card.from_wire(number) for number in range(27, 40))
"""All the diamonds, as they go over the wire."""


def a_seat() -> PlainSeat:
    """A seat that was told its hand and owes nothing."""
    seat = PlainSeat(ME, frozenset({1}))
    seat.encode_event(YourHand(0, Direction.HOLD, HAND))
    assert seat.receive(ACK * 2) == []
    assert not seat.owes
    return seat


# To the client


@pytest.mark.parametrize(
    "event",
    [MoonChosen(1, True, ChosenBy.PLAYER), HandBegun(0, Direction.LEFT), effects.HandAborted(3)],
)
def test_an_event_for_which_it_has_no_bytes(event: effects.TableEvent) -> None:
    seat = PlainSeat(ME)
    assert seat.encode_event(event) == b""
    assert not seat.owes


def test_there_are_no_words_for_another_game_in_place_of_one_that_is_not_over() -> None:
    with pytest.raises(RemoteProtocolError, match="cannot tell of another game"):
        PlainSeat(ME).encode_event(effects.GameAborted())


@pytest.mark.parametrize(("value", "yes"), [(0, False), (1, True), (2, True), (-7, True)])
def test_an_answer_about_another_game(value: int, yes: bool) -> None:
    seat = a_seat()
    seat.owe_choice(Question.AGAIN)
    assert seat.receive(encode_ints(value)) == [Chosen(ME, AnswerAgain(ME, yes))]


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
