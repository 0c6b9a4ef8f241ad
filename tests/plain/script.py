"""Scripted servers: what a server says, in any pieces, and what a client makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hearts.game.cards import Card
from hearts.plain.client import PlainSession
from hearts.session.client_events import ChoiceRefused, DealerEvent, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.resume_token import ResumeToken
from hearts.wire.codec import encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials
from tests.plain.loopback import pieces

ints = encode_ints
text = encode_str

Choice = Callable[[PlainSession], None]
"""What a client does when it is asked."""

SIZES = [1, 3, 0]
"""Byte by byte, in pieces that fit nothing, and all at once."""

REQUEST = RegistrationRequest("Ann", process_id=1000)
SENT_NAME = text("Ann") + ints(-10, 0)
SEATED = ints(7, 99) + text("Ann") + text("Moe") + text("Larry") + text("Curly")
REGISTERED = ints(0) + ints(1) + SEATED
SENT_REGISTRATION = SENT_NAME + ints(1000)
TABLE = ints(1, 0, 100, 60, 14)
BEGUN = REGISTERED + TABLE
SENT_BEGUN = SENT_REGISTRATION + ints(0, 0)

HAND = (7, 15, 16, 17, 25, 26, 29, 32, 35, 37, 45, 48, 50)
"""7H 2C 3C 4C QC KC 3D 6D 9D JD 6S 9S JS, as in SocketSpec.md section 4."""
CARDS = tuple(Card.from_wire(number) for number in HAND)
RECEIVED = (13, 27, 39)
"""KH AD KD."""


def card(name: str) -> Card:
    return Card.parse(name)


def passes(*names: str) -> Choice:
    return lambda session: session.pass_cards([card(name) for name in names])


def plays(name: str) -> Choice:
    return lambda session: session.play(card(name))


def moon(on_others: bool) -> Choice:
    return lambda session: session.choose_moon(on_others)


def again(yes: bool) -> Choice:
    return lambda session: session.play_again(yes)


def silent(session: PlainSession) -> None:
    """Choose nothing; the server decides."""


_TRICKS = """
0 2C 7C 6C AC 3 0 0 0 0
3 2D 3D 5D 4D 1 0 0 0 0
1 5S 4S 3S 6S 0 0 0 0 0
0 3C 8C 5C AH 1 0 1 0 0
1 5H 2H 4H 7H 0 4 1 0 0
0 4C 9C TC JH 2 4 1 1 0
2 TH 8H KH 9H 0 8 1 1 0
0 6D 7D TD 8D 2 8 1 1 0
2 TS 7S 9S 8S 2 8 1 1 0
2 JC 3H AD QC 1 8 2 1 0
1 6H QH AS KD 2 8 2 3 0
2 QD KS 9D JD 2 8 2 3 0
2 QS 2S JS KC 2 8 2 16 0
"""
"""Leader, cards, winner and points of the example hand, SocketSpec.md section 4.10."""


def example_hand(decided: int = 0) -> tuple[bytes, list[Choice], bytes]:
    """What the server says and the client sends in a hand of player 0, up to the last Tallies.

    The first ``decided`` of the 14 choices are decided by the server; the others are given, to be
    made by the client.
    """
    status = (1, 5, 4, 9) if decided else (0,)
    said = ints(*HAND, 1, *status, *RECEIVED)
    choices = [passes("KC", "QC", "JD")]
    sent = ints(0, 5, 4, 9, 0)
    indexes = {Card.from_wire(number): index for index, number in enumerate(HAND)}
    for index, number in zip((5, 4, 9), RECEIVED, strict=True):
        indexes[Card.from_wire(number)] = index
    for line in _TRICKS.split("\n")[1:-1]:
        leader, a, b, c, d, *tallies = line.split()
        said += ints(int(leader))
        sent += ints(0)
        for place, name in enumerate((a, b, c, d)):
            if (int(leader) + place) % 4 == 0:
                index = indexes[card(name)]
                said += ints(index + 1 if len(choices) < decided else 0)
                choices.append(plays(name))
                sent += ints(index)
            else:
                said += ints(card(name).wire)
                sent += ints(0)
        said += ints(*map(int, tallies))
        sent += ints(0)
    return said, choices[decided:], sent


def example_past(decided: int) -> int:
    """How many bytes of such a hand there are when only so much is decided."""
    said, _, _ = example_hand(decided)
    session = PlainSession(back(NEW))
    feed(session, back_said(decided))
    for place in range(0, len(said), 4):
        if session.asked is not None:
            return place
        feed(session, said[place : place + 4])
    return len(said)


def converse(
    said: bytes,
    choices: Iterable[Choice] = (),
    *,
    size: int = 0,
    request: RegistrationRequest = REQUEST,
) -> tuple[list[DealerEvent], bytes]:
    """The events that a client has and the bytes that it sends."""
    session = PlainSession(request)
    events, sent = feed(session, said, choices, size=size)
    return events, sent


def feed(
    session: PlainSession, said: bytes, choices: Iterable[Choice] = (), *, size: int = 0
) -> tuple[list[DealerEvent], bytes]:
    """The same for a session that goes on."""
    to_make = iter(choices)
    events: list[DealerEvent] = []
    sent = b""
    for piece in pieces(said, size):
        session.feed(piece)
        while (event := session.next_event()) is not None:
            events.append(event)
            if isinstance(event, YourChoice | ChoiceRefused):
                next(to_make, silent)(session)
        sent += session.bytes_to_send()
    assert next(to_make, None) is None, "the client was not asked as often as it should be"
    return events, sent


def after(events: Sequence[DealerEvent], kind: type) -> list[DealerEvent]:
    places = [place for place, event in enumerate(events) if isinstance(event, kind)]
    return list(events[places[-1] + 1 :])


_SAID, HAND_CHOICES, _SENT = example_hand()
HAND_SAID, HAND_SENT = BEGUN + _SAID, SENT_BEGUN + _SENT
"""A whole hand of player 0 from the connection on, up to the last Tallies."""

OWN_CHOICES = len(HAND_CHOICES)
NEW = ResumeToken(SeatCredentials(7, 99, 0, 1000), ("Ann", "Moe", "Larry", "Curly"))
"""That of the example before its first Scores."""


def back(progress: ResumeToken) -> RegistrationRequest:
    return RegistrationRequest.to_come_back(progress)


def back_said(decided: int) -> bytes:
    """What the server says to who comes back to seat 0, up to the Table; seat 3 is void."""
    return ints(3, 1, decided + 1) + SEATED + TABLE


def back_sent(progress: ResumeToken) -> bytes:
    return SENT_NAME + ints(-5, 7, 99, 0, 1000, progress.hands) + ints(1000, 0, 0)
