"""Letters and news are read, or refused, whatever bytes a node says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import RemoteProtocolError
from hearts.hosting.handing_on import BeforeTable
from hearts.hosting.table_chat import GameNotice, SeatHolder, SeatMuted
from hearts_server.club.news import SIZE, News
from hearts_server.cluster.letters import Letter, SeatedElsewhere

from .door_node import letter

LETTERS = [letter(3), Letter(7, 3, SeatedElsewhere(1, BeforeTable(b"\0", frames=4)))]
NEWS = News(
    3,
    tables=(),
    gone=(7,),
    networks={"192.0.2.1": 2},
    said=(GameNotice(7, "Ann has left"), SeatHolder(7, 1, 0), SeatMuted(7, 2, 5, muted=True)),
)
DEEP = 100_000
cut = st.tuples(st.integers(0, 400), st.integers(0, 8), st.binary(max_size=4))


def spoiled(data: bytes, at: int, size: int, put: bytes) -> bytes:
    """The same with other bytes in place of some."""
    return data[:at] + put + data[at + size :]


def is_read_or_refused(decode: Callable[[bytes], object], data: bytes) -> None:
    with contextlib.suppress(RemoteProtocolError):
        decode(data)


@given(st.sampled_from(LETTERS), cut)
def test_a_spoiled_letter(letter: Letter, cut: tuple[int, int, bytes]) -> None:
    assert Letter.decode(letter.encode()) == letter
    is_read_or_refused(Letter.decode, spoiled(letter.encode(), *cut))


@given(cut)
def test_spoiled_news(cut: tuple[int, int, bytes]) -> None:
    data = NEWS.encode()[SIZE.size :]
    assert News.decode(data) == NEWS
    is_read_or_refused(News.decode, spoiled(data, *cut))


@pytest.mark.parametrize(
    ("decode", "data"),
    [(Letter.decode, b'{"a":' + b"[" * DEEP), (News.decode, b"\x81\xa1a" + b"\x91" * DEEP)],
)
def test_what_is_nested_too_deeply_is_refused(
    decode: Callable[[bytes], object], data: bytes
) -> None:
    with pytest.raises(RemoteProtocolError):
        decode(data)
