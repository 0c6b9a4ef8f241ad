"""A client that talks to anything has events, needs more, or raises RemoteProtocolError."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.errors import RemoteProtocolError
from hearts.plain.client import PlainSession
from hearts.session.client_events import ChoiceRefused, DealerEvent, YourChoice
from tests.plain.loopback import pieces
from tests.plain.script import (
    BEGUN,
    HAND,
    HAND_CHOICES,
    HAND_SAID,
    REGISTERED,
    REQUEST,
    SEATED,
    SIZES,
    Choice,
    converse,
    ints,
    passes,
    plays,
    silent,
    text,
)

DEALT = BEGUN + ints(*HAND)
HELD = DEALT + ints(0)
PASSED = DEALT + ints(1, 0)
PASS = [passes("KC", "QC", "JD")]
LED = HELD + ints(0, 0)
MOON = HAND_SAID + ints(-1, 0)

BAD: dict[str, tuple[bytes, list[Choice]]] = {
    "Player ID 4": (ints(4), []),
    "Player ID 4 at a named table": (ints(0, 1, 4), []),
    "game number 0": (ints(0) + ints(1, 0), []),
    "Game ID below 0": (ints(0) + ints(1, 7, -1) + SEATED[8:], []),
    "a name of 31 bytes": (ints(0) + ints(1, 7, 9) + text("x" * 31), []),
    "a name length of 0": (ints(0) + ints(1, 7, 9, 0), []),
    "a name length below 0": (ints(0) + ints(1, 7, 9, -1), []),
    "a name without NUL": (ints(0) + ints(1, 7, 9, 2) + b"ab", []),
    "a name that is not UTF-8": (ints(0) + ints(1, 7, 9, 2) + b"\xff\0", []),
    "a name with a control character": (ints(0) + ints(1, 7, 9, 3) + b"\x1b[\0", []),
    "a reason of 1025 bytes": (ints(0) + ints(1, -1, 1025), []),
    "Table version 2": (REGISTERED + ints(2, 0, 100, 60, 14), []),
    "Table with a rule that has no meaning": (REGISTERED + ints(1, 3 << 9, 100, 60, 14), []),
    "Table with bits outside the rules": (REGISTERED + ints(1, 1, 100, 60, 14), []),
    "Table with an end of 0": (REGISTERED + ints(1, 0, 0, 60, 14), []),
    "Table with a negative limit": (REGISTERED + ints(1, 0, 100, -1, 14), []),
    "Table with computer 4": (REGISTERED + ints(1, 0, 100, 60, 16), []),
    "card 0": (BEGUN + ints(0, *HAND[1:]), []),
    "card 53": (BEGUN + ints(*HAND[:-1], 53), []),
    "a card twice": (BEGUN + ints(*HAND[:-1], HAND[0], 0), []),
    "direction 4": (DEALT + ints(4), []),
    "direction -1": (DEALT + ints(-1), []),
    "a pass accepted before it was sent": (PASSED, [silent]),
    "a pass refused before it was sent": (DEALT + ints(1, -1), [silent]),
    "status -2 of a pass": (DEALT + ints(1, -2), PASS),
    "status 2 of a pass": (DEALT + ints(1, 2), PASS),
    "a forced pass of one index twice": (DEALT + ints(1, 1, 5, 5, 6), PASS),
    "a forced pass of index 13": (DEALT + ints(1, 1, 5, 6, 13), PASS),
    "received card 0": (PASSED + ints(0, 27, 39), PASS),
    "a received card that we passed": (PASSED + ints(26, 27, 39), PASS),
    "a received card that we hold": (PASSED + ints(7, 27, 39), PASS),
    "a received card twice": (PASSED + ints(27, 27, 39), PASS),
    "leader 4": (HELD + ints(4), []),
    "leader -1": (HELD + ints(-1), []),
    "a first lead without the two of clubs": (HELD + ints(3), []),
    "another leads the first trick": (HELD + ints(1), []),
    "a play accepted before it was sent": (LED, [silent]),
    "a play refused before it was sent": (HELD + ints(0, -1), [silent]),
    "status -3 of a play": (HELD + ints(0, -3), [plays("2C")]),
    "status -8 of a play": (HELD + ints(0, -8), [plays("2C")]),
    "status 14 of a play": (HELD + ints(0, 14), [plays("2C")]),
    "our own card from another": (LED + ints(15), [plays("2C")]),
    "our own card, still held, from another": (LED + ints(16), [plays("2C")]),
    "a card played twice": (LED + ints(20, 20), [plays("2C")]),
    "card 0 played": (LED + ints(0), [plays("2C")]),
    "winner 4": (LED + ints(20, 19, 14, 4, 0, 0, 0, 0), [plays("2C")]),
    "a winner who did not take it": (LED + ints(20, 19, 14, 1, 0, 0, 0, 0), [plays("2C")]),
    "another than the winner leads": (
        LED + ints(20, 19, 14, 3, 0, 0, 0, 0, 1),
        [plays("2C")],
    ),
    "a card forced twice": (
        LED + ints(20, 19, 14, 3, 0, 0, 0, 0, 3, 28, 2),
        [plays("2C"), plays("3D")],
    ),
    "shooter 4": (HAND_SAID + ints(4, 0), HAND_CHOICES),
    "decide 2": (HAND_SAID + ints(0, 2), HAND_CHOICES),
    "another's moon for us to decide": (HAND_SAID + ints(1, 1), HAND_CHOICES),
    "a moon accepted before it was sent": (HAND_SAID + ints(0, 1, 0), [*HAND_CHOICES, silent]),
    "status 3 of the moon": (HAND_SAID + ints(0, 1, 3), [*HAND_CHOICES, silent]),
    "flag 2": (MOON + ints(1, 1, 1, 1, 2), HAND_CHOICES),
    "flag 1": (MOON + ints(1, 1, 1, 1, 1), HAND_CHOICES),
    "flag 64": (MOON + ints(1, 1, 1, 1, 64), HAND_CHOICES),
    "status -1 of play again": (MOON + ints(1, 1, 1, 1, 7, -1), [*HAND_CHOICES, silent]),
    "status 3 of play again": (MOON + ints(1, 1, 1, 1, 7, 3), [*HAND_CHOICES, silent]),
    "New game 2": (MOON + ints(1, 1, 1, 1, 5, 2), HAND_CHOICES),
}
NAMED_TABLE = replace(REQUEST, table="friends")


def play_along(session: PlainSession, choices: list[Choice]) -> list[DealerEvent]:
    """Take all events, and choose from the list; then say nothing."""
    events = []
    while (event := session.next_event()) is not None:
        events.append(event)
        if isinstance(event, YourChoice | ChoiceRefused) and choices:
            choices.pop(0)(session)
    return events


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", BAD)
def test_bytes_that_no_server_says(name: str, size: int) -> None:
    said, choices = BAD[name]
    request = NAMED_TABLE if "named table" in name else REQUEST
    session, left = PlainSession(request), list(choices)

    def listen() -> None:
        for piece in pieces(said, size):
            session.feed(piece)
            play_along(session, left)

    with pytest.raises(RemoteProtocolError):
        listen()


def test_nothing_follows_an_error() -> None:
    session = PlainSession(REQUEST)
    session.feed(ints(4) + BEGUN)
    with pytest.raises(RemoteProtocolError):
        session.next_event()
    assert session.closed
    assert session.asked is None
    assert session.next_event() is None
    session.feed(b"")
    assert session.next_event() is None


@pytest.mark.parametrize(
    "said",
    [
        ints(101),
        ints(1) + text("T") + ints(-1, 0) + 4 * text("x"),
        ints(1) + text("T") + ints(0, 5) + 4 * text("x"),
        ints(1) + text("T" * 31),
    ],
)
def test_a_list_that_no_server_sends(said: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        converse(ints(0, 1) + said, request=replace(REQUEST, list_only=True))
