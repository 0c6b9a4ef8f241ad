"""What a node tells each other one: its tables, its connections, and its notices for the chat."""

from __future__ import annotations

import struct

import msgspec
from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.hosting.table_chat import Said
from hearts_server.lobby.known_tables import KnownForming, KnownTable

SIZE = struct.Struct(">I")
"""Before each piece of news."""
NEWS_LIMIT = 1 << 26
"""Bytes of it at most."""


class News(Struct, frozen=True):
    """What a node has, or how that has changed."""

    life: int
    is_whole: bool = False
    """Whether ``tables`` are all that it has, and not those that are new or have changed."""
    tables: tuple[KnownTable, ...] = ()
    gone: tuple[int, ...] = ()
    """The games that it does not play any more."""
    takes_tables: bool = False
    """Whether it can begin one now."""
    networks: dict[str, int] = {}
    """The narrowest networks of its connections, with their numbers."""
    forming: tuple[KnownForming, ...] = ()
    """The tables that form there."""
    chat: int = 0
    """How many times its taunt server has come back, from 1; 0 if it is away."""
    said: tuple[Said, ...] = ()
    """What the taunt server of the lobby is to know or to tell."""

    def encode(self) -> bytes:
        data = msgspec.msgpack.encode(self)
        return SIZE.pack(len(data)) + data

    @classmethod
    def decode(cls, data: bytes) -> News:
        """Read what followed the size. Raises RemoteProtocolError."""
        try:
            return msgspec.msgpack.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeError):
            raise RemoteProtocolError("not news of a node") from None


def news_size(data: bytes) -> int:
    """The size of news, of the SIZE before them. Raises RemoteProtocolError."""
    (size,) = SIZE.unpack(data)
    if size > NEWS_LIMIT:
        raise RemoteProtocolError(f"news of {size} bytes")
    return int(size)
