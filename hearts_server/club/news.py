"""News that a node tells each other one: its tables, its connections, its notices for the chat."""

from __future__ import annotations

import struct

import msgspec
from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.hosting.table_chat import Said
from hearts_server.lobby.known_tables import KnownForming, KnownInvitable, KnownTable

SIZE = struct.Struct(">I")
"""Before each piece of news."""
NEWS_LIMIT = 1 << 26
"""Bytes of it at most."""


class News(Struct, frozen=True):
    """The tables and connections of a node, or the changes in them."""

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
    invitable: tuple[KnownInvitable, ...] = ()
    """Those who wait there to be invited, in the order in which they are told of."""
    chat: int = 0
    """The number of times that its taunt server has come, from 1; 0 if it is away."""
    to_end: tuple[int, ...] = ()
    """Games that the lobby wants to end to make room, if nobody plays there."""
    said: tuple[Said, ...] = ()
    """Words and seats for the taunt server of the lobby."""

    def encode(self) -> bytes:
        data = msgspec.msgpack.encode(self)
        return SIZE.pack(len(data)) + data

    @classmethod
    def decode(cls, data: bytes) -> News:
        """Read what followed the size. Raises RemoteProtocolError."""
        try:
            return msgspec.msgpack.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise RemoteProtocolError("not news of a node") from None


def news_size(data: bytes) -> int:
    """The size of news, of the SIZE before them. Raises RemoteProtocolError."""
    (size,) = SIZE.unpack(data)
    if size > NEWS_LIMIT:
        raise RemoteProtocolError(f"news of {size} bytes")
    return int(size)
