"""Ints and strings on the wire, their limits, and the buffer that makes values of bytes.

SocketSpec.md section 1. Decoding is total: a value, "not yet" (``None``), or RemoteProtocolError;
sizes are checked before anything is kept.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from hearts.errors import LocalProtocolError, RemoteProtocolError

from .text import is_printable as is_printable

INT_MIN = -(1 << 31)
INT_MAX = (1 << 31) - 1
NAME_LIMIT = 30
"""Bytes of a player's or table's name, without the NUL."""
TEXT_LIMIT = 1023
"""Bytes of any other string, without the NUL."""

_INT = struct.Struct(">i")
_INTS = [struct.Struct(f">{n}i") for n in range(14)]


def encode_int(value: int) -> bytes:
    """Return one int: 4 bytes, network order. Raises LocalProtocolError outside 32 bits."""
    try:
        return _INT.pack(value)
    except struct.error:
        raise LocalProtocolError(f"{value} does not fit into a 32-bit int") from None


def encode_ints(*values: int) -> bytes:
    return b"".join([encode_int(value) for value in values])


def encode_str(text: str, limit: int = TEXT_LIMIT) -> bytes:
    """Return a string: its length with the NUL, UTF-8 bytes, NUL.

    Raises LocalProtocolError if the text is longer than ``limit`` bytes or not printable.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > limit:
        raise LocalProtocolError(f"a text of {len(data)} bytes is above the limit of {limit}")
    if not is_printable(text):
        raise LocalProtocolError("a text on the wire has no control characters")
    return _INT.pack(len(data) + 1) + data + b"\0"


def decode_text(data: bytes) -> str:
    """Return the text of a string's bytes (with the NUL). Raises RemoteProtocolError if it is
    none.
    """
    if not data or data[-1] != 0:
        raise RemoteProtocolError("a string does not end with NUL")
    try:
        text = data[:-1].decode("utf-8")
    except UnicodeDecodeError:
        raise RemoteProtocolError("a string is not UTF-8") from None
    if not is_printable(text):
        raise RemoteProtocolError("a string holds a control character")
    return text


class Buffer:
    """Bytes that arrived in any pieces, taken out as whole ints and strings.

    A ``take`` gives ``None`` and takes nothing while its value is not there as a whole.
    """

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = bytearray()

    def __len__(self) -> int:
        return len(self._data)

    def feed(self, data: bytes | bytearray) -> None:
        self._data += data

    def take_int(self) -> int | None:
        data = self._data
        if len(data) < 4:
            return None
        (value,) = _INT.unpack_from(data)
        del data[:4]
        return int(value)

    def take_ints(self, count: int) -> Sequence[int] | None:
        """Return the next ``count`` ints (at most 13), all or none."""
        data = self._data
        if len(data) < 4 * count:
            return None
        values: tuple[int, ...] = _INTS[count].unpack_from(data)
        del data[: 4 * count]
        return values

    def take_bytes(self, count: int) -> bytes | None:
        if len(self._data) < count:
            return None
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken

    def take_str_bytes(self, limit: int = TEXT_LIMIT) -> bytes | None:
        """Return the bytes of the next string, with the NUL.

        Raises RemoteProtocolError for a length below 1 or above ``limit`` + 1, as soon as the four
        bytes of the length are there.
        """
        data = self._data
        if len(data) < 4:
            return None
        (length,) = _INT.unpack_from(data)
        if not 1 <= length <= limit + 1:
            raise RemoteProtocolError(f"a string length of {length} is outside 1..{limit + 1}")
        if len(data) < 4 + length:
            return None
        taken = bytes(data[4 : 4 + length])
        del data[: 4 + length]
        return taken

    def take_str(self, limit: int = TEXT_LIMIT) -> str | None:
        """Return the next string. Raises RemoteProtocolError for a bad length or bad text."""
        taken = self.take_str_bytes(limit)
        return None if taken is None else decode_text(taken)
