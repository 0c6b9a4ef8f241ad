"""Registering: option blocks, their replies, refusals with and without words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.rules import STANDARD, parse_rules
from hearts.plain.client import PlainSession
from hearts.session.client_events import (
    RegistrationRefused,
    Seated,
    TablesListed,
    WaitingForPlayers,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import ListedTable, Options, Refusal, TableInfo
from hearts.session.table_words import Refused, ServerNotice
from hearts.wire.credentials import SeatCredentials
from tests.plain.script import (
    BEGUN,
    REQUEST,
    SEATED,
    SENT_BEGUN,
    SENT_NAME,
    SIZES,
    converse,
    ints,
    text,
)

FULL = RegistrationRequest(
    "Ann",
    1000,
    password="fish",
    table="friends",
    options=Options(frozenset({2}), parse_rules("jack"), 50, 30),
)
PASSWORD = ints(-7) + text("fish")
TABLE = ints(-4) + text("friends")
OPTIONS = ints(-2, 1 << 20 | 1 << 8 | 1 << 4 | 1 << 2, 50, 30)


@pytest.mark.parametrize("size", SIZES)
def test_the_shortest_registration(size: int) -> None:
    events, sent = converse(BEGUN, size=size)
    assert events == [
        WaitingForPlayers(0),
        Seated(SeatCredentials(7, 99, 0, 1000), ("Ann", "Moe", "Larry", "Curly")),
        TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3})),
    ]
    assert sent == SENT_BEGUN


@pytest.mark.parametrize("size", SIZES)
def test_every_block_in_its_order(size: int) -> None:
    events, sent = converse(ints(3) + ints(1, 1, 2) + SEATED, size=size, request=FULL)
    assert sent == SENT_NAME + PASSWORD + TABLE + OPTIONS + ints(1000) + ints(2)
    assert events[0] == WaitingForPlayers(2)
    assert isinstance(events[1], Seated)
    assert events[1].player == 2


def test_a_block_waits_for_the_reply_to_the_one_before() -> None:
    session = PlainSession(FULL)
    for reply, block in (
        (ints(3), SENT_NAME),
        (ints(1), PASSWORD),
        (ints(1), TABLE),
        (ints(2), OPTIONS + ints(1000)),
    ):
        assert session.bytes_to_send() == b""
        session.feed(reply)
        session.next_event()
        assert session.bytes_to_send() == block


NAMES = text("Bob") + text("") + text("Moe") + text("")
LISTED = ListedTable("Table 2", 0, 2, ("Bob", "", "Moe", ""))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("said", "tables"),
    [
        (ints(0), ()),
        (ints(1) + text("Table 2") + ints(0, 2) + NAMES, (LISTED,)),
        (
            ints(2) + 2 * (text("Table 2") + ints(0, 2) + NAMES),
            (LISTED, LISTED),
        ),
    ],
)
def test_the_list_of_tables(said: bytes, tables: tuple[ListedTable, ...], size: int) -> None:
    request = replace(REQUEST, list_only=True)
    events, sent = converse(ints(0) + ints(1) + said, size=size, request=request)
    assert events == [TablesListed(tables)]
    assert sent == SENT_NAME + ints(-8)


GREETING = ints(3) + text("") + text("Hello!") + text("Be <b>kind</b>.")


@pytest.mark.parametrize("size", SIZES)
def test_a_greeting_comes_as_notices_or_with_the_tables(size: int) -> None:
    request = replace(REQUEST, greeting=True)
    events, sent = converse(BEGUN[:8] + GREETING + BEGUN[8:], size=size, request=request)
    assert events[:3] == [
        ServerNotice("Hello!"),
        ServerNotice("Be <b>kind</b>."),
        WaitingForPlayers(0),
    ]
    assert sent == SENT_NAME + ints(-16, 0) + SENT_BEGUN[len(SENT_NAME) :]
    request = replace(request, list_only=True)
    said = ints(0, 1) + GREETING + ints(0b100111, 0)
    events, sent = converse(said, size=size, request=request)
    levels = frozenset({0, 1, 2, 5})
    assert events == [TablesListed((), (), ("", "Hello!", "Be <b>kind</b>."), levels)]
    assert sent == SENT_NAME + ints(-16, 0, -15, 0, -8)


@pytest.mark.parametrize(
    ("allowed", "words"), [(0b100011, " here, but these do: novice, swift;"), (0, " here;")]
)
def test_a_level_that_is_refused_is_no_obstacle(allowed: int, words: str) -> None:
    """The player is told which levels there are; an older server knows of none."""
    options = Options(frozenset({1}), levels=(3, 3, 3, 3))
    said = BEGUN[:8] + ints(0, allowed) + BEGUN[8:]
    events, sent = converse(said, request=replace(REQUEST, options=options))
    assert isinstance(events[0], ServerNotice)
    assert words in events[0].text
    assert events[1] == WaitingForPlayers(0)
    assert ints(-15, 4) + bytes((3, 3, 3, 3)) + ints(-15, 0, -2) in sent


def test_a_greeting_is_bounded() -> None:
    with pytest.raises(RemoteProtocolError, match="texts of 22"):
        converse(ints(0, 1, 22), request=replace(REQUEST, greeting=True))


@pytest.mark.parametrize("size", SIZES)
def test_what_the_listed_tables_are(size: int) -> None:
    """The one that is wanted most is asked about first, and of some the server does not tell."""
    request = replace(REQUEST, list_only=True, details_first="B")
    rows = b"".join(text(name) + ints(0, 2) + NAMES for name in ("A", "B", "C"))
    is_known = ints(2, 0, 0, 2, 0, 50, 60) + text("") + NAMES
    said = ints(0, 1, 3) + rows + is_known + ints(1) + ints(0)
    events, sent = converse(said, size=size, request=request)
    ((_, table),) = events[0].details  # type: ignore[union-attr]  # it is a TablesListed
    assert events == [
        TablesListed(tuple(replace(LISTED, name=name) for name in ("A", "B", "C")), (("B", table),))
    ]
    assert (table.end_score, table.turn_limit, table.players) == (50, 60, LISTED.players)
    looks = b"".join(ints(-12, 1) + name for name in (b"B", b"A", b"C"))
    assert sent == SENT_NAME + ints(-8) + looks


def test_no_more_is_asked_than_a_registration_may() -> None:
    request = replace(REQUEST, list_only=True, details_first="", password="fish")
    rows = b"".join(text(f"{number:02}") + ints(0, 2) + NAMES for number in range(20))
    said = ints(0, 1, 1, 20) + rows + ints(0) * 13
    events, sent = converse(said, size=1 << 16, request=request)
    assert isinstance(events[0], TablesListed)
    assert sent.count(ints(-12, 2)) == 16 - 3


REFUSED_AT = {
    "the Player ID": b"",
    "the reply of -10": ints(3),
    "the reply of -7": ints(3) + ints(1),
    "the reply of -4": ints(3) + ints(1, 1),
    "the Game number": ints(3) + ints(1, 1, 2),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("code", [-1, -104, -999])
@pytest.mark.parametrize("place", REFUSED_AT)
def test_a_refusal_in_every_place(place: str, code: int, size: int) -> None:
    said = REFUSED_AT[place]
    with_words = len(said) > 4
    reason = text("sorry, not today") if with_words else b""
    events, _ = converse(said + ints(code) + reason, size=size, request=FULL)
    assert events[-1] == Refused(code, "sorry, not today" if with_words else "")


def test_no_words_where_they_were_not_granted() -> None:
    session = PlainSession(FULL)
    session.feed(ints(3) + ints(0) + ints(-105))
    assert session.next_event() == Refused(-105, "")
    assert session.closed


@pytest.mark.parametrize(
    ("code", "reason", "expected"),
    [
        (-105, "no, no", "no, no"),
        (-105, "", Refusal.BAD_PASSWORD.text),
        (-999, "", "the server gave no reason"),
    ],
)
def test_the_text_of_a_refusal(code: int, reason: str, expected: str) -> None:
    error = RegistrationRefused(code, reason)
    assert (str(error), error.code) == (expected, code)


@pytest.mark.parametrize(
    "request_",
    [
        replace(REQUEST, name="x" * 31),
        replace(REQUEST, name="a\nb"),
        replace(REQUEST, table="x" * 31),
        replace(REQUEST, password="x" * 1024),
        replace(REQUEST, process_id=1 << 31),
    ],
)
def test_what_cannot_be_sent(request_: RegistrationRequest) -> None:
    with pytest.raises(LocalProtocolError):
        PlainSession(request_)
