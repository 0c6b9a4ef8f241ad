"""Both ends of the taunt protocol without a socket: limits, blame, and order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.taunt.announcer import NOBODY, Announcer
from hearts.taunt.client import ClientEvent, ClientSession, Registered
from hearts.taunt.messages import (
    TAUNT_LIMIT,
    Status,
    encode_delivery,
    encode_numbers,
    encode_status,
    encode_taunt,
    shorten,
)
from hearts.taunt.server import Register, ServerEvent, ServerSession, Taunt, TooLong, Unreadable
from hearts.wire.codec import INT_MAX, INT_MIN, encode_int
from hearts.wire.credentials import SeatCredentials, are_genuine, issue

ANN = SeatCredentials(game_number=7, game_id=123456, player=0, process_id=4242)


def raw_taunt(body: bytes, length: int | None = None) -> bytes:
    return encode_numbers(ANN) + encode_int(len(body) if length is None else length) + body


def registered_server() -> ServerSession:
    session = ServerSession()
    session.feed(encode_numbers(ANN))
    assert session.next_event() == Register(ANN)
    session.accept()
    return session


def registered_client() -> ClientSession:
    session = ClientSession(ANN)
    session.register()
    session.feed(encode_status(Status.REGISTERED))
    assert session.next_event() == Registered()
    return session


def server_events(session: ServerSession) -> list[ServerEvent]:
    return list(iter(session.next_event, None))


def client_events(session: ClientSession) -> list[ClientEvent]:
    return list(iter(session.next_event, None))


class TestServerSession:
    @pytest.mark.parametrize("size", [0, 1, TAUNT_LIMIT])
    def test_a_taunt_up_to_the_limit_is_read(self, size: int) -> None:
        session = registered_server()
        session.feed(raw_taunt(b"x" * size + b"\0"))
        assert server_events(session) == [Taunt(ANN, "x" * size)]

    @pytest.mark.parametrize("size", [TAUNT_LIMIT + 1, 1023])
    def test_a_longer_taunt_is_read_and_dropped(self, size: int) -> None:
        session = registered_server()
        session.feed(raw_taunt(b"\xff" * size + b"\0") + encode_taunt(ANN, "next"))
        assert server_events(session) == [TooLong(ANN, size), Taunt(ANN, "next")]

    @pytest.mark.parametrize(
        ("body", "why"),
        [
            (b"Caf\xe9\0", "UTF-8"),
            (b"a\0b\0", "control"),
            (b"\x1b[2J\0", "control"),
            (b"\xed\xa0\x80\0", "UTF-8"),
            ("right \u202e left".encode() + b"\0", "control"),
        ],
    )
    def test_a_taunt_that_is_no_text_is_dropped_alone(self, body: bytes, why: str) -> None:
        session = registered_server()
        session.feed(raw_taunt(body) + encode_taunt(ANN, "next"))
        dropped, following = server_events(session)
        assert isinstance(dropped, Unreadable)
        assert why in dropped.why
        assert following == Taunt(ANN, "next")

    def test_a_taunt_without_a_final_nul_ends_the_session(self) -> None:
        session = registered_server()
        session.feed(encode_taunt(ANN, "first") + raw_taunt(b"abc"))
        assert session.next_event() == Taunt(ANN, "first")
        with pytest.raises(RemoteProtocolError, match="NUL"):
            session.next_event()

    def test_too_many_bytes_before_the_verdict_end_the_session(self) -> None:
        session = ServerSession()
        session.feed(encode_numbers(ANN) + bytes(1024))
        assert server_events(session) == [Register(ANN)]
        session.feed(b"\0")
        with pytest.raises(RemoteProtocolError, match="1025 bytes"):
            session.next_event()

    def test_our_own_steps_out_of_order_are_our_fault(self) -> None:
        session = ServerSession()
        with pytest.raises(LocalProtocolError, match="ACCEPT"):
            session.accept()
        session.refuse()
        with pytest.raises(LocalProtocolError, match="REFUSE"):
            session.refuse()
        with pytest.raises(LocalProtocolError, match="REFUSE"):
            registered_server().refuse()


class TestClientSession:
    def test_it_registers_once_and_first(self) -> None:
        session = ClientSession(ANN)
        with pytest.raises(LocalProtocolError, match="before the registration"):
            session.taunt("hello")
        assert session.register() == encode_numbers(ANN)
        with pytest.raises(LocalProtocolError, match="once"):
            session.register()

    @pytest.mark.parametrize("status", [0, 2, -2])
    def test_any_other_status_is_the_servers_fault(self, status: int) -> None:
        session = ClientSession(ANN)
        session.register()
        session.feed(encode_int(status))
        with pytest.raises(RemoteProtocolError, match=f"status of {status} "):
            session.next_event()

    @pytest.mark.parametrize("player", [INT_MIN, -2, 4, INT_MAX])
    def test_a_taunter_outside_the_table_is_the_servers_fault(self, player: int) -> None:
        session = registered_client()
        session.feed(encode_int(player))
        with pytest.raises(RemoteProtocolError, match=r"outside -1\.\.3"):
            session.next_event()
        assert session.next_event() is None

    @pytest.mark.parametrize("text", ["x" * 128, "é" * 64, "a\nb", "a\0b", "\u202e"])
    def test_it_sends_nothing_that_is_no_taunt(self, text: str) -> None:
        with pytest.raises(LocalProtocolError):
            registered_client().taunt(text)


@pytest.mark.parametrize("player", [-2, 4, 17])
def test_a_delivery_never_names_somebody_outside_the_table(player: int) -> None:
    with pytest.raises(LocalProtocolError, match=r"outside -1\.\.3"):
        encode_delivery(player, "boo")


SECRET = bytes(range(32))


def announced(*told: bytes) -> list[ServerEvent]:
    server = registered_server()
    server.feed(b"".join(told))
    return server_events(server)


@pytest.fixture
def announcer() -> Announcer:
    """One that is registered."""
    announcer, server = Announcer(SECRET, process_id=900), ServerSession()
    server.feed(announcer.register())
    assert server.next_event() == Register(issue(SECRET, 0, -1, 900))
    announcer.feed(server.accept())
    assert announcer.next_event() == Registered()
    return announcer


def test_each_announcement_shows_the_numbers_of_its_game(announcer: Announcer) -> None:
    one, two = announced(announcer.announce(7, "one"), announcer.announce(8, "two"))
    assert one == Taunt(issue(SECRET, 7, -1, 900), "one")
    assert two == Taunt(issue(SECRET, 8, -1, 900), "two")
    assert are_genuine(SECRET, two.credentials)


def test_an_announcer_says_nothing_before_it_is_registered() -> None:
    announcer = Announcer(SECRET, process_id=900)
    announcer.register()
    with pytest.raises(LocalProtocolError, match="before the registration"):
        announcer.announce(7, "early")


def test_whose_a_seat_is_shows_the_numbers_of_the_seat_and_no_words(announcer: Announcer) -> None:
    assert announced(announcer.seat(7, 1, 1001), announcer.seat(7, 2, NOBODY)) == [
        Taunt(issue(SECRET, 7, 1, 1001), ""),
        Taunt(issue(SECRET, 7, 2, -1), ""),
    ]


def test_a_long_announcement_is_cut_and_not_lost(announcer: Announcer) -> None:
    told = announced(announcer.announce(7, "é" * 200))
    assert told == [Taunt(issue(SECRET, 7, -1, 900), "é" * 63)]


@given(st.text())
def test_a_shortened_text_is_the_longest_beginning_that_fits(text: str) -> None:
    short = shorten(text)
    assert text.startswith(short) or "?" in short
    assert len(short.encode()) <= TAUNT_LIMIT
    if short != text:
        following = text[len(short)]
        assert len((short + following).encode()) > TAUNT_LIMIT
