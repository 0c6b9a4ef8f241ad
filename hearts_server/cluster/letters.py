"""A letter: what the lobby gives a door about a client whose table plays, for the owner of that.

Until then the client speaks with the lobby, which puts what it says into frames, so that a letter
can follow. Each frame tells how many of the client's bytes the lobby has taken; the door keeps the
others, and says them to the owner, behind the letter.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import msgspec
from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.hosting.handing_on import BeforeTable
from hearts.hosting.registrar import BegunElsewhere

FRAME = struct.Struct(">?QI")
"""Before what the lobby says: whether it is a letter, the bytes of the client that the lobby has
taken, and the size (:class:`FrameHead`)."""
SIZE = struct.Struct(">I")
"""Before a letter, on its way to the owner."""
ANSWER = struct.Struct(">Q")
"""The answer of a node to a letter: its own life if it takes the client, that of the owner if it is
another one, and 0 if there is none for the moment."""
LETTER_LIMIT = 1 << 17
"""Bytes of a letter at most."""


class SeatedElsewhere(Struct, frozen=True, tag=True):
    """A client that has registered, and whose table has just begun."""

    player: int
    before: BeforeTable


class Letter(Struct, frozen=True):
    """The table and the seat to which a client is led."""

    game_number: int
    owner: int
    """The life that has the session, as far as the lobby knows."""
    client: SeatedElsewhere | BegunElsewhere

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Letter:
        """Raises RemoteProtocolError."""
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise RemoteProtocolError("not a letter") from None


class FrameHead(NamedTuple):
    """The begin of a frame."""

    is_letter: bool
    taken: int
    size: int

    @classmethod
    def decode(cls, data: bytes) -> FrameHead:
        """Read a FRAME. Raises RemoteProtocolError for a letter that is too long."""
        head = cls(*FRAME.unpack(data))
        if head.is_letter:
            _check(head.size)
        return head


def letter_size(data: bytes) -> int:
    """The size of a letter, of the SIZE before it. Raises RemoteProtocolError."""
    (size,) = SIZE.unpack(data)
    _check(size)
    return int(size)


def _check(size: int) -> None:
    if size > LETTER_LIMIT:
        raise RemoteProtocolError(f"a letter of {size} bytes")
