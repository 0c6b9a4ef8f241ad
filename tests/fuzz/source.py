"""Decisions out of the bytes of a fuzzer: each takes the next byte or bytes, zeros at the end."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

ODD_INTS = (0, 1, -1, 2, 3, 4, 13, 14, 52, 53, 60, 100, 1024, 1025, 10001, 2**31 - 1, -(2**31))
"""Numbers next to some limit of SocketSpec.md."""


class Source:
    """The bytes of one input, from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        value = self._data[self._at] if self else 0
        self._at += 1
        return value

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1; ``limit`` is at most 65536."""
        value = self.byte() if limit <= 256 else self.byte() << 8 | self.byte()
        return value % limit

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken

    def chunk(self) -> bytes:
        return self.take(self.byte())

    def rest(self) -> bytes:
        return self.take(len(self._data))

    def int32(self) -> int:
        """An int of the wire: a small one, one next to a limit, or any."""
        kind = self.byte()
        if kind < 128:
            return kind - 20
        if kind < 200:
            return ODD_INTS[kind % len(ODD_INTS)]
        (value,) = struct.unpack(">i", self.take(4).ljust(4, b"\0"))
        return int(value)

    def cuts(self) -> bytes:
        """Up to 7 sizes, for :func:`pieces`."""
        return self.take(self.byte() % 8)


def pieces(data: bytes, cuts: bytes) -> Iterator[bytes]:
    """The data in pieces of 1 to 256 bytes, whose sizes come round again; whole without sizes."""
    if not cuts:
        if data:
            yield data
        return
    at = turn = 0
    while at < len(data):
        size = cuts[turn % len(cuts)] + 1
        yield data[at : at + size]
        at += size
        turn += 1


def same(payload: bytes, cuts: bytes, feed: Callable[[Iterable[bytes]], T]) -> T:
    """What comes of the payload, which has to be the same however it is cut."""
    whole = feed([payload])
    assert feed(pieces(payload, cuts)) == whole
    return whole


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")
