"""The lines of a session on the disk: each with a checksum, and those of a finished hand packed.

A checksum covers whose line it is and which, so that a line in another's place is noticed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import overload

from msgspec import Struct

from hearts.errors import CorruptRecord

_HAND_BEGINS = ("deal ", "hands ")
_GAME_ENDS = "ask-again "
_UNSIGNED = 1 << 31
_LEVEL = 6
_LONGEST_HAND = 256
"""Lines that are packed together at most: there may be any number between two hands."""


class UnreadableSession(CorruptRecord):
    """A session is stored damaged, or makes no sense; the text says which."""


def checksum(text: str) -> int:
    """Compute the CRC-32 of a text, moved into the range that takes SQLite four bytes."""
    return zlib.crc32(text.encode("utf-8", "surrogateescape")) - _UNSIGNED


def line_checksum(game_number: int, number: int, line: str) -> int:
    """Compute the checksum of a line that is not packed."""
    return checksum(f"{game_number} {number} {line}")


def games_and_hands(lines: Iterable[str]) -> tuple[int, int]:
    """Count the games that were played to their end, and the hands that were dealt."""
    text = "\n".join(("", *lines))
    return text.count(f"\n{_GAME_ENDS}"), sum(text.count(f"\n{word}") for word in _HAND_BEGINS)


class PackedHand(Struct, frozen=True, gc=False):
    """Some lines in a row, mostly those from one deal to the next one."""

    first: int
    """The number that the first line has in its session, from 0."""
    count: int
    lines: bytes

    @classmethod
    def of(cls, first: int, lines: Sequence[str]) -> PackedHand:
        text = "\n".join(lines)
        # A hand of 650 to 800 bytes becomes one of 230 to 280, in 10 us; unpacking takes 3 us.
        packed = zlib.compress(text.encode("utf-8", "surrogateescape"), _LEVEL)
        return cls(first, len(lines), packed)

    def checksum(self, game_number: int) -> int:
        """Compute the checksum that stands beside it."""
        head = f"{game_number} {self.first} {self.count} ".encode()
        return zlib.crc32(self.lines, zlib.crc32(head)) - _UNSIGNED

    def unpack(self) -> list[str]:
        """Read the lines. Raises UnreadableSession for bytes that :meth:`of` has not made."""
        try:
            text = zlib.decompress(self.lines).decode("utf-8", "surrogateescape")
        except zlib.error as error:
            why = f"its lines from {self.first} on are damaged: {error}"
            raise UnreadableSession(why) from None
        lines = text.split("\n")
        if len(lines) != self.count:
            raise UnreadableSession(f"its lines from {self.first} on are {len(lines)} lines")
        return lines


class StoredLines(Sequence[str]):
    """The lines of a stored session, whose finished hands are unpacked when they are asked for."""

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
            # A caller that goes on with a session asks for it, and need not unpack all others.
            return self._latest[-1]
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class UnpackedLines:
    """The lines of a session that goes on which are not packed yet."""

    def __init__(self, first: int) -> None:
        """``first`` is the number of the first of them."""
        self.first = first
        self.lines: list[str] = []
        self._begins: list[int] = []
        """The indexes at which hands begin."""
        self._has_deal = False
        """True if the latest hand has its deal."""

    def add(self, line: str) -> None:
        """Add the line that follows. Raises ValueError for a line of two lines."""
        if "\n" in line:
            raise ValueError("a line has a line break")
        lines, begins = self.lines, self._begins
        is_deal = line.startswith(_HAND_BEGINS)
        if not begins or (is_deal and self._has_deal) or len(lines) - begins[-1] >= _LONGEST_HAND:
            begins.append(len(lines))
            self._has_deal = False
        if is_deal:
            self._has_deal = True
        lines.append(line)

    def cut(self, count: int) -> None:
        """Forget all lines but so many."""
        del self.lines[count:]
        self._begins = [index for index in self._begins if index < count]
        latest = self.lines[self._begins[-1] :] if self._begins else ()
        self._has_deal = any(line.startswith(_HAND_BEGINS) for line in latest)

    @property
    def following(self) -> int:
        """The number that the next line has."""
        return self.first + len(self.lines)

    @property
    def finished(self) -> int:
        """The number of hands that are finished."""
        return max(0, len(self._begins) - 1)

    @property
    def open_from(self) -> int:
        """The number of the first line behind the finished hands."""
        return self.first + self._begins[-1]

    def hands(self, *, whole: bool = False) -> list[PackedHand]:
        """Pack the hands that are finished, and as a ``whole`` what is there of the next one."""
        ends = (*self._begins, len(self.lines)) if whole else self._begins
        return [
            PackedHand.of(self.first + begin, self.lines[begin:end])
            for begin, end in pairwise(ends)
        ]

    def drop_finished(self) -> None:
        """Forget the lines of the hands that are finished."""
        index = self._begins[-1]
        self.first += index
        del self.lines[:index]
        self._begins = [0]
