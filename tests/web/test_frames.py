"""WebSocket frames, without a network."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, Pong

from hearts_web.websocket_frames import IDLE_FRAMES, MESSAGE_LIMIT, Close, Frames

MASK = bytes(4)


def frame(opcode: int, payload: bytes = b"", *, whole: bool = True) -> bytes:
    """A frame of a browser, its mask zero."""
    size = len(payload)
    head = bytes([opcode | (0x80 if whole else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += b"\xfe" + size.to_bytes(2)
    else:
        head += b"\xff" + size.to_bytes(8)
    return head + MASK + payload


def told(frames: Frames, data: bytes) -> tuple[bytes, list[Event]]:
    """What goes to the server, and what the browser hears."""
    browser = Connection(ConnectionType.CLIENT)
    inward = b""
    for to_server, to_browser in frames.receive(data):
        inward += to_server
        browser.receive_data(to_browser)
    return inward, list(browser.events())


def code_of(events: list[Event]) -> int:
    (last,) = events
    assert isinstance(last, CloseConnection)
    return last.code


@given(st.lists(st.tuples(st.binary(max_size=300), st.booleans()), max_size=8), st.data())
def test_bytes_are_carried_however_they_are_cut(
    parts: list[tuple[bytes, bool]], data: st.DataObject
) -> None:
    browser = Connection(ConnectionType.CLIENT)
    sent = b"".join(browser.send(BytesMessage(part, True, whole)) for part, whole in parts)
    frames, got = Frames(), b""
    while sent:
        size = data.draw(st.integers(1, len(sent)))
        inward, events = told(frames, sent[:size])
        assert events == []
        got, sent = got + inward, sent[size:]
    assert got == b"".join(part for part, _ in parts)
    assert not frames.is_closing


@given(st.binary(max_size=200))
def test_what_the_server_says_is_one_message(data: bytes) -> None:
    browser = Connection(ConnectionType.CLIENT)
    browser.receive_data(Frames().carry(data))
    assert list(browser.events()) == [BytesMessage(data)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(1, b"text"), Close.TEXT),
        (frame(1, b"\xff"), 1007),
        (frame(2, bytes(MESSAGE_LIMIT + 1)), Close.TOO_BIG),
        (frame(2, b"x", whole=False) + frame(0, bytes(MESSAGE_LIMIT)), Close.TOO_BIG),
        (frame(9) * (IDLE_FRAMES + 1), Close.TOO_MUCH),
        (frame(2, whole=False) + frame(0, whole=False) * IDLE_FRAMES, Close.TOO_MUCH),
        (b"\x82\x01x", 1002),
        (b"\xc2\x80" + MASK, 1002),
        (b"\x83\x80" + MASK, 1002),
        (frame(0, b"x"), 1002),
        (frame(9, whole=False), 1002),
        (b"\x82\xff" + b"\xff" * 8 + MASK, 1002),
        (b"\x89\xfe\x00\x7e" + MASK, 1002),
        (frame(8, b"\x03"), 1002),
    ],
)
def test_what_is_not_carried_closes(data: bytes, code: int) -> None:
    frames = Frames()
    inward, events = told(frames, data + frame(2, b"nothing after that"))
    answers = [event for event in events if not isinstance(event, Pong)]
    assert code_of(answers) == code
    assert frames.is_closing
    assert b"nothing" not in inward
    assert told(frames, frame(2, b"nor later")) == (b"", [])
    assert frames.carry(b"x") == frames.ping() == frames.close(Close.GOING) == b""


def test_a_size_that_is_announced_costs_nothing() -> None:
    # 2^62 bytes: the first of them are passed on, and the limit holds.
    frames = Frames()
    inward, events = told(frames, b"\x82\xff" + (1 << 62).to_bytes(8) + MASK + b"abc")
    assert (inward, events) == (b"abc", [])
    for _ in range(MESSAGE_LIMIT // 4096):
        assert not frames.is_closing
        _, events = told(frames, bytes(4096))
    assert code_of(events) == Close.TOO_BIG


def test_a_close_is_answered_with_its_code() -> None:
    frames = Frames()
    _, events = told(frames, frame(8, b"\x03\xe9bye"))
    assert code_of(events) == 1001
    assert frames.is_closing


def test_pings_go_both_ways_and_our_own_lets_the_peer_ping_again() -> None:
    frames = Frames()
    browser = Connection(ConnectionType.CLIENT)
    for _ in range(3):
        _, events = told(frames, frame(9, b"hi") * IDLE_FRAMES)
        assert events == [Pong(b"hi")] * IDLE_FRAMES
        browser.receive_data(frames.ping())
        assert list(browser.events()) == [Ping()]
        assert not frames.is_alive
        told(frames, frame(10))
        assert frames.is_alive
