"""The events of the plain dialect's client, in pieces of every size.

What it sends in all other cases the transcripts say (tests/vectors).
"""

from __future__ import annotations

import pytest

from hearts.errors import LocalProtocolError, Reason
from hearts.game.cards import Card
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    PassMade,
    TrickBegun,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.plain.client import PlainSession
from hearts.session.client_events import ChoiceRefused, DealerEvent, SessionEnded, YourChoice
from hearts.session.client_states import LAYOUTS, NEXT, State
from hearts.table.inputs import Question
from tests.plain.script import (
    BEGUN,
    CARDS,
    HAND,
    HAND_CHOICES,
    HAND_SAID,
    HAND_SENT,
    RECEIVED,
    REQUEST,
    SENT_BEGUN,
    SIZES,
    Choice,
    after,
    again,
    card,
    converse,
    feed,
    ints,
    moon,
    passes,
    plays,
    silent,
)

GOT = tuple(Card.from_wire(number) for number in RECEIVED)
PASSED = tuple(card(name) for name in ("KC", "QC", "JD"))
ACK = ints(0)
DEALT = BEGUN + ints(*HAND)
SENT_DEALT = SENT_BEGUN + ACK
PASS_ASKED = YourChoice(Question.PASS)
CARD_ASKED = YourChoice(Question.CARD)

PASSES: dict[str, tuple[bytes, list[Choice], bytes, list[DealerEvent]]] = {
    "accepted": (
        ints(1, 0, *RECEIVED),
        [passes("KC", "QC", "JD")],
        ints(5, 4, 9) + ACK,
        [PASS_ASKED, PassMade(0, PASSED, ChosenBy.PLAYER), CardsReceived(GOT)],
    ),
    "refused, then accepted": (
        ints(1, -1, 0, *RECEIVED),
        [passes("7H", "2C", "3C"), passes("KC", "QC", "JD")],
        ints(0, 1, 2) + ints(5, 4, 9) + ACK,
        [
            PASS_ASKED,
            ChoiceRefused(Question.PASS, Reason.NOT_HELD),
            PassMade(0, PASSED, ChosenBy.PLAYER),
            CardsReceived(GOT),
        ],
    ),
    "forced before our choice": (
        ints(1, 1, 5, 4, 9, *RECEIVED),
        [silent],
        ints(5, 4, 9) + ACK,
        [PASS_ASKED, PassMade(0, PASSED, ChosenBy.CLOCK), CardsReceived(GOT)],
    ),
    "hold": (ints(0), [], ACK, []),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PASSES)
def test_pass(name: str, size: int) -> None:
    said, choices, sent, told = PASSES[name]
    direction = Direction.HOLD if name == "hold" else Direction.LEFT
    events, out = converse(DEALT + said, choices, size=size)
    assert after(events, YourHand) == told
    assert YourHand(0, direction, CARDS) in events
    assert out == SENT_DEALT + sent


HELD = DEALT + ints(0)
SENT_HELD = SENT_DEALT + ACK
OTHERS_LEAD = BEGUN + ints(*(18 if number == 15 else number for number in HAND), 0)
"""The same with the five of clubs for the two."""
PLAYS: dict[str, tuple[bytes, list[Choice], bytes, list[DealerEvent]]] = {
    "we lead": (
        ints(0, 0, 20),
        [plays("2C")],
        ACK + ints(1) + ACK,
        [
            CARD_ASKED,
            CardPlayed(0, card("2C"), ChosenBy.PLAYER),
            CardPlayed(1, card("7C"), ChosenBy.PLAYER),
        ],
    ),
    "refused for each reason, then accepted": (
        ints(0, -6, -2, -1, -4, -5, -7, 0),
        [plays(name) for name in ("JS", "6S", "9S", "3D", "6D", "7H", "2C")],
        ACK + ints(12, 10, 11, 6, 7, 0, 1),
        [
            CARD_ASKED,
            *(ChoiceRefused(Question.CARD, Reason(code)) for code in (-6, -2, -1, -4, -5, -7)),
            CardPlayed(0, card("2C"), ChosenBy.PLAYER),
        ],
    ),
    "forced before our choice": (
        ints(0, 2, 20),
        [silent],
        ACK + ints(1) + ACK,
        [
            CARD_ASKED,
            CardPlayed(0, card("2C"), ChosenBy.CLOCK),
            CardPlayed(1, card("7C"), ChosenBy.PLAYER),
        ],
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PLAYS)
def test_play(name: str, size: int) -> None:
    said, choices, sent, told = PLAYS[name]
    events, out = converse(HELD + said, choices, size=size)
    assert [event for event in events if event in told] == told
    assert events[-len(told) :][-1] == told[-1]
    assert out == SENT_HELD + sent


def test_the_example_hand_of_the_contract() -> None:
    events, out = converse(HAND_SAID, HAND_CHOICES)
    assert out == HAND_SENT
    assert events[-1] == TrickTaken(2, (8, 2, 16, 0))
    played = [event.card for event in events if isinstance(event, CardPlayed)]
    assert len(set(played)) == 52


NO_MOON = ints(-1, 0)
OVER = ints(104, 61, 40, 55)


def test_an_acknowledgement_and_the_choice_after_it_leave_together() -> None:
    session = PlainSession(REQUEST)
    feed(session, DEALT)
    session.feed(ints(1))
    assert session.next_event() == YourHand(0, Direction.LEFT, CARDS)
    assert session.next_event() == PASS_ASKED
    session.pass_cards(PASSED)
    session.feed(ints(0, *RECEIVED, 0))
    while session.next_event() != CARD_ASKED:
        pass
    session.play(card("2C"))
    assert session.bytes_to_send() == ints(5, 4, 9) + ACK + ACK + ints(1)
    assert session.bytes_to_send() == b""


@pytest.mark.parametrize(
    "choice",
    [plays("2C"), moon(True), again(True), passes("KC", "QC"), passes("KC", "KC", "QC")],
)
def test_a_choice_that_is_not_asked_for(choice: Choice) -> None:
    session = PlainSession(REQUEST)
    feed(session, DEALT + ints(1))
    assert session.asked is Question.PASS
    with pytest.raises(LocalProtocolError):
        choice(session)
    assert session.bytes_to_send() == b""
    assert session.asked is Question.PASS


def test_a_card_that_is_not_held() -> None:
    session = PlainSession(REQUEST)
    feed(session, DEALT + ints(1))
    with pytest.raises(LocalProtocolError, match="AS is not in the hand"):
        passes("KC", "QC", "AS")(session)


def test_one_choice_for_one_status() -> None:
    session = PlainSession(REQUEST)
    feed(session, HELD + ints(0), [plays("2C")])
    assert session.asked is None
    with pytest.raises(LocalProtocolError, match="not asked for"):
        session.play(card("3C"))


def test_a_choice_that_the_server_made_meanwhile() -> None:
    session = PlainSession(REQUEST)
    feed(session, HELD + ints(0, 2), [silent])
    with pytest.raises(LocalProtocolError, match="not asked for"):
        session.play(card("2C"))


def test_the_end_of_the_stream() -> None:
    for said, complete in ((HELD, False), (b"", False)):
        session = PlainSession(REQUEST)
        feed(session, said)
        session.feed(b"")
        assert session.next_event() == SessionEnded(complete)
        assert session.closed
        assert session.next_event() is None
    session = PlainSession(REQUEST)
    feed(session, HAND_SAID + NO_MOON + OVER + ints(17, 0), HAND_CHOICES)
    assert not session.closed
    session.feed(b"")
    assert session.next_event() == SessionEnded(complete=True)


def test_bytes_before_the_end_of_the_stream_are_not_lost() -> None:
    session = PlainSession(REQUEST)
    feed(session, OTHERS_LEAD)
    session.feed(ints(3))
    session.feed(b"")
    assert session.next_event() == TrickBegun(3)
    assert session.next_event() == SessionEnded(complete=False)


def test_every_state_but_the_last_three_has_a_layout_and_a_way_on() -> None:
    assert set(LAYOUTS) == set(State) - {State.FRAMES, State.END, State.CLOSED}
    assert set(NEXT) == set(State)
    reached = {State.PLAYER_ID}.union(*NEXT.values())
    assert reached == set(State)
