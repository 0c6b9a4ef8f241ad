"""Refusals that cross with the Process ID of a client of the dealer dialect."""

from __future__ import annotations

import pytest

from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import DealerConnection, WatcherSession
from hearts.session.client_events import SessionEnded
from hearts.session.client_registration import RegistrationRequest
from hearts.session.table_words import Refused
from hearts.wire.codec import encode_int, encode_ints, encode_str
from tests.dealer.payloads import frame

WORDS = "the server is shutting down"


def sessions() -> list[tuple[DealerConnection, int]]:
    """A player and a watcher, each with the number of its blocks."""
    player = DealerSession(RegistrationRequest("Ann", 1000, dealer=True))
    return [(player, 2), (WatcherSession(7), 3)]


def heard(session: DealerConnection, data: bytes, piece: int) -> list[object]:
    events: list[object] = []
    for at in range(0, len(data), piece):
        session.feed(data[at : at + piece])
        events += iter(session.next_event, None)
    session.feed(b"")
    events += iter(session.next_event, None)
    return [event for event in events if isinstance(event, Refused)]


@pytest.mark.parametrize("piece", [1, 3, 100])
@pytest.mark.parametrize("reasons", [True, False])
def test_a_refusal_without_a_frame(piece: int, reasons: bool) -> None:
    refusal = encode_int(-4) + (encode_str(WORDS) if reasons else b"")
    for session, blocks in sessions():
        replies = encode_ints(0, int(reasons), *[1] * (blocks - 1))
        told = heard(session, replies + refusal, piece)
        assert told == [Refused(-4, WORDS if reasons else "")]
        assert session.closed


@pytest.mark.parametrize("piece", [1, 100])
def test_a_refusal_in_a_frame(piece: int) -> None:
    for (session, blocks), number in zip(sessions(), (1, 0), strict=True):
        refused = frame(Refused(-4, WORDS), number)
        replies = encode_ints(0, *[1] * blocks)
        assert heard(session, replies + refused, piece) == [Refused(-4, WORDS)]


def test_a_stream_that_ends_before_the_first_int() -> None:
    for session, blocks in sessions():
        session.feed(encode_ints(0, *[1] * blocks) + b"\xff\xff")
        session.feed(b"")
        events = list(iter(session.next_event, None))
        assert events[-1] == SessionEnded(complete=False)
