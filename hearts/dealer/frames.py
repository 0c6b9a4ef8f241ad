"""Frames: the header, and the buffer that makes frames of bytes (DealerSpec.md section 14.1)."""

from __future__ import annotations

import struct
from typing import NamedTuple

from hearts.errors import LocalProtocolError, RemoteProtocolError

HEADER = struct.Struct(">3i")
"""Type; sequence, or the query that is answered; length of the payload."""
SERVER_PAYLOAD_LIMIT = 4096
"""Bytes of a payload of the server."""
CLIENT_PAYLOAD_LIMIT = 1024
"""Bytes of a payload of a client."""


class Frame(NamedTuple):
    """A frame as it came."""

    type: int
    number: int
    """The sequence of a frame of the server; in a client's, what it is in reply to."""
    payload: bytes


def encode_frame(type: int, number: int, payload: bytes) -> bytes:
    """The bytes of a frame. Raises LocalProtocolError if nobody may send such a payload."""
    if len(payload) > SERVER_PAYLOAD_LIMIT:
        raise LocalProtocolError(f"a payload of {len(payload)} bytes is too long")
    return HEADER.pack(type, number, len(payload)) + payload


class FrameBuffer:
    """Bytes that arrived in any pieces, taken out as whole frames."""

    __slots__ = ("_at", "_data", "_limit")

    def __init__(self, limit: int) -> None:
        """``limit`` is that of the payloads of whoever sends."""
        self._limit = limit
        self._data = b""
        self._at = 0

    def __len__(self) -> int:
        return len(self._data) - self._at

    def feed(self, data: bytes | bytearray) -> None:
        """Add bytes that arrived."""
        rest = self._data[self._at :]
        self._data = rest + data if rest else bytes(data)
        self._at = 0

    def take_rest(self) -> bytes:
        """All that was not taken."""
        rest = self._data[self._at :]
        self._data, self._at = b"", 0
        return rest

    def take(self) -> Frame | None:
        """The next frame; None while it is not there as a whole.

        Raises RemoteProtocolError for a length outside the limit, as soon as the header is there;
        from then on it always does.
        """
        data = self._data
        begin = self._at + HEADER.size
        if len(data) < begin:
            return None
        type, number, length = HEADER.unpack_from(data, self._at)
        if not 0 <= length <= self._limit:
            raise RemoteProtocolError(f"a payload length of {length} is outside 0..{self._limit}")
        end = begin + length
        if len(data) < end:
            return None
        self._at = end
        return Frame(type, number, data[begin:end])
