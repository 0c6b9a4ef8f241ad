"""Ints, strings and the buffer: whole, in pieces, and with bytes behind them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.wire.codec import (
    INT_MAX,
    INT_MIN,
    NAME_LIMIT,
    TEXT_LIMIT,
    Buffer,
    decode_text,
    encode_int,
    encode_ints,
    encode_str,
    is_printable,
)

ints = st.integers(INT_MIN, INT_MAX)
texts = st.text().filter(
    lambda text: is_printable(text) and len(text.encode("utf-8")) <= TEXT_LIMIT
)

UNPRINTABLE = (
    "\0\n\t\x1b\x7f\x85\x9b\u2028\u2029\u061c\u200e\u200f\u202a\u202e"
    "\u2066\u2069\u00ad\u200b\u2060\u3164\ufeff\ufff9\U000e0041"
)


def filled(data: bytes) -> Buffer:
    buffer = Buffer()
    buffer.feed(data)
    return buffer


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00000000"),
        (1, "00000001"),
        (-1, "ffffffff"),
        (7626, "00001dca"),
        (INT_MAX, "7fffffff"),
        (INT_MIN, "80000000"),
    ],
)
def test_ints_are_four_bytes_in_network_order(value: int, data: str) -> None:
    assert encode_int(value).hex() == data
    assert filled(bytes.fromhex(data)).take_int() == value


@pytest.mark.parametrize("value", [INT_MIN - 1, INT_MAX + 1])
def test_an_int_outside_32_bits_is_our_fault(value: int) -> None:
    with pytest.raises(LocalProtocolError, match=str(value)):
        encode_int(value)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", "00000001 00"),
        ("Ann", "00000004 41 6e 6e 00"),
        ("Zoë ♥", "00000009 5a 6f c3 ab 20 e2 99 a5 00"),
    ],
)
def test_a_string_is_its_length_with_the_nul_its_bytes_and_nul(text: str, data: str) -> None:
    assert encode_str(text) == bytes.fromhex(data)
    assert filled(bytes.fromhex(data)).take_str() == text


@given(st.lists(ints | texts), st.binary(max_size=3), st.integers(1, 64))
def test_values_come_back_from_any_pieces(
    values: list[int | str], behind: bytes, piece: int
) -> None:
    data = b"".join(
        encode_int(value) if isinstance(value, int) else encode_str(value) for value in values
    )
    data += behind
    buffer = Buffer()
    taken: list[int | str] = []
    for at in range(0, len(data), piece):
        buffer.feed(data[at : at + piece])
        while len(taken) < len(values):
            wants_int = isinstance(values[len(taken)], int)
            value = buffer.take_int() if wants_int else buffer.take_str()
            if value is None:
                break
            taken.append(value)
    assert taken == values
    assert len(buffer) == len(behind)


@given(texts.filter(bool))
def test_a_take_takes_nothing_before_its_value_is_whole(text: str) -> None:
    data = encode_str(text)
    buffer = Buffer()
    for at in range(len(data)):
        assert buffer.take_str() is None
        assert len(buffer) == at
        buffer.feed(data[at : at + 1])
    assert buffer.take_str() == text
    assert len(buffer) == 0


@pytest.mark.parametrize("count", [0, 1, 4, 13])
def test_several_ints_come_all_or_none(count: int) -> None:
    values = tuple(range(-1, count - 1))
    data = encode_ints(*values)
    buffer = filled(data[:-1])
    if count:
        assert buffer.take_ints(count) is None
        assert len(buffer) == len(data) - 1
    buffer.feed(data[-1:] + b"more")
    assert tuple(buffer.take_ints(count) or ()) == values
    assert buffer.take_bytes(4) == b"more"


def test_bytes_come_all_or_none() -> None:
    buffer = filled(b"abc")
    assert buffer.take_bytes(4) is None
    assert buffer.take_bytes(2) == b"ab"
    assert buffer.take_bytes(1) == b"c"
    assert buffer.take_bytes(0) == b""


@pytest.mark.parametrize("limit", [NAME_LIMIT, TEXT_LIMIT])
def test_the_limit_counts_bytes_without_the_nul(limit: int) -> None:
    longest = "é" * (limit // 2) + "x" * (limit % 2)
    data = encode_str(longest, limit)
    assert filled(data).take_str(limit) == longest
    with pytest.raises(LocalProtocolError, match=f"limit of {limit}"):
        encode_str(longest + "x", limit)
    with pytest.raises(RemoteProtocolError, match=f"length of {limit + 2} "):
        filled(encode_int(limit + 2)).take_str(limit)


@pytest.mark.parametrize("length", [INT_MIN, -1, 0, TEXT_LIMIT + 2, INT_MAX])
def test_a_bad_length_is_found_as_soon_as_it_is_there(length: int) -> None:
    buffer = filled(encode_int(length)[:3])
    assert buffer.take_str() is None
    buffer.feed(encode_int(length)[3:])
    with pytest.raises(RemoteProtocolError, match=f"length of {length} is outside 1..1024"):
        buffer.take_str()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "NUL"),
        (b"abc", "NUL"),
        (b"a\0b\0", "control"),
        (b"\0\0", "control"),
        (b"Caf\xe9\0", "UTF-8"),
        (b"\xc0\x80\0", "UTF-8"),
        (b"\xed\xa0\x80\0", "UTF-8"),
        (b"\xf4\x90\x80\x80\0", "UTF-8"),
    ],
)
def test_bytes_that_are_no_text_blame_the_peer(data: bytes, why: str) -> None:
    with pytest.raises(RemoteProtocolError, match=why):
        decode_text(data)


@pytest.mark.parametrize("character", UNPRINTABLE)
def test_what_can_repaint_a_terminal_does_not_pass_either_way(character: str) -> None:
    text = f"a{character}b"
    assert not is_printable(text)
    with pytest.raises(LocalProtocolError, match="control characters"):
        encode_str(text)
    with pytest.raises(RemoteProtocolError, match="control character"):
        decode_text(text.encode() + b"\0")


def test_lone_surrogates_are_not_sent() -> None:
    with pytest.raises(LocalProtocolError):
        encode_str("\ud800")


@pytest.mark.parametrize("text", ["", " ", "plain", "Zoë", "♥♠", "日本", "שלום", "👩‍👧"])
def test_ordinary_text_of_any_language_passes(text: str) -> None:
    assert filled(encode_str(text)).take_str() == text
