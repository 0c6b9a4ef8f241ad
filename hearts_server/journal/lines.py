"""The lines of a session on the disk: each with a checksum, and those of a finished hand packed.

A checksum covers whose line it is and which, so that a line in another's place is noticed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload

from msgspec import Struct

from hearts.errors import CorruptRecord

_HAND_BEGINS = ("deal ", "hands ")
_GAME_ENDS = "ask-again "
_UNSIGNED = 1 << 31
_LEVEL = 6


class UnreadableSession(CorruptRecord):
    """What is stored of a session makes no sense or is damaged; the text says which."""


def checksum(*values: object) -> int:
    """The CRC-32 of values as text, moved into the range that takes SQLite four bytes."""
    return checksum_of(" ".join(map(str, values)).encode("utf-8", "surrogateescape"))


def checksum_of(data: bytes, before: int = 0) -> int:
    """The same of bytes that follow bytes with that CRC-32."""
    return zlib.crc32(data, before) - _UNSIGNED


def line_checksum(game_number: int, number: int, line: str) -> int:
    """What stands beside a line of the log."""
    # As checksum() gives it, for it is called for every card that is played.
    text = f"{game_number} {number} {line}"
    return zlib.crc32(text.encode("utf-8", "surrogateescape")) - _UNSIGNED


def begins_hand(line: str) -> bool:
    """Whether a line is the deal of a hand."""
    return line.startswith(_HAND_BEGINS)


def games_and_hands(lines: Sequence[str]) -> tuple[int, int]:
    """How many games were played to their end, and how many hands were dealt."""
    return _counts("\n".join(lines))


def _counts(text: str) -> tuple[int, int]:
    text = f"\n{text}"
    return text.count(f"\n{_GAME_ENDS}"), sum(text.count(f"\n{word}") for word in _HAND_BEGINS)


class PackedHand(Struct, frozen=True, gc=False):
    """Some lines in a row, mostly those from one deal to the next one."""

    first: int
    """The number that the first line has in its session, from 0."""
    count: int
    lines: bytes

    @classmethod
    def of(cls, first: int, lines: Sequence[str]) -> PackedHand:
        """Pack lines. Raises ValueError for a line of two lines."""
        text = "\n".join(lines)
        if text.count("\n") != len(lines) - 1:
            raise ValueError("a line has a line break")
        # A hand of 650 to 800 bytes becomes one of 230 to 280, in 10 us; unpacking takes 3 us.
        packed = zlib.compress(text.encode("utf-8", "surrogateescape"), _LEVEL)
        return cls(first, len(lines), packed)

    def checksum(self, game_number: int) -> int:
        """What stands beside it."""
        head = f"{game_number} {self.first} {self.count} ".encode()
        return checksum_of(self.lines, zlib.crc32(head))

    def unpack(self) -> list[str]:
        """The lines. Raises UnreadableSession for bytes that :meth:`of` has not made."""
        lines = self._text().split("\n")
        if len(lines) != self.count:
            raise UnreadableSession(f"its lines from {self.first} on are {len(lines)} lines")
        return lines

    def games_and_hands(self) -> tuple[int, int]:
        """What :func:`games_and_hands` says of the lines. Raises UnreadableSession."""
        return _counts(self._text())

    def _text(self) -> str:
        try:
            return zlib.decompress(self.lines).decode("utf-8", "surrogateescape")
        except zlib.error as error:
            why = f"its lines from {self.first} on are damaged: {error}"
            raise UnreadableSession(why) from None


def lines_packed(hands: Sequence[PackedHand]) -> int:
    """How many lines those of a session are."""
    return hands[-1].first + hands[-1].count if hands else 0


class StoredLines(Sequence[str]):
    """The lines of a stored session, whose finished hands are unpacked when they are asked for."""

    __slots__ = ("_hands", "_latest")

    def __init__(self, hands: Sequence[PackedHand], latest: Sequence[str]) -> None:
        """``latest`` are those behind the packed ones."""
        self._hands = tuple(hands)
        self._latest = tuple(latest)

    def __len__(self) -> int:
        return sum(hand.count for hand in self._hands) + len(self._latest)

    def __iter__(self) -> Iterator[str]:
        packed = chain.from_iterable(hand.unpack() for hand in self._hands)
        return chain(packed, self._latest)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if index == -1 and self._latest:
            # Whoever goes on with a session asks for it, and need not unpack all others.
            return self._latest[-1]
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]
