"""The spool: lines on their way to the journal's thread, in memory that is a file as well.

A line that was copied into it outlives a kill of the server, as a page does that SQLite has
written and not synced. So the loop need not wait for the thread, and the thread stores many lines
at once. What the thread had not stored when the server was killed, the next one finds here.

The file has two halves. While the loop fills one, the thread stores the lines of the other and
then wipes it. The wiping also makes the memory ready to be written to, for the loop must not wait
for a disk: it touches no page before the thread has.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from .items import StoredItem, StoredLine
from .schema import SPOOL_SUFFIX

HALF = 1 << 20
"""Bytes; 25,000 lines, which a server at full speed plays in two seconds."""
_HEAD = Struct("<5I")
"""The size of the record, the check of its line, that of the line before it in its session, the
game's number and the line's. A size of 0 ends the records of a half."""


class SpooledLine(NamedTuple):
    """A line that may be stored by now, or not."""

    game_number: int
    number: int
    line: str
    before: int
    """The check of the line before it in its session; 0 for the first one."""


def line_check(game_number: int, number: int, line: bytes) -> int:
    """A CRC-32 of a line, and of whose line it is and which."""
    return zlib.crc32(line, (game_number * 0x10001 + number) & 0xFFFFFFFF)


def encoded(line: str) -> bytes:
    """A line as bytes; any text is possible."""
    return line.encode("utf-8", "surrogateescape")


def spool_path(journal: Path) -> Path:
    """The file that lies beside a journal."""
    return journal.with_name(journal.name + SPOOL_SUFFIX)


class Spool:
    """The file, open and mapped. The loop keeps lines in it, and the thread settles them."""

    def __init__(self, path: Path, half: int = HALF) -> None:
        """Open the file, or make it; readable for its owner alone. Raises OSError.

        What it holds is to be read (:meth:`lines`) and stored before :meth:`wipe` makes it ready.
        """
        self._path = path
        self._half = half
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while (size := os.fstat(descriptor).st_size) < 2 * half:
                # Real blocks: a disk that is full has to be noticed now.
                os.pwrite(descriptor, bytes(2 * half - size), size)
            os.fchmod(descriptor, 0o600)
            self._map = mmap.mmap(descriptor, 2 * half)
        finally:
            os.close(descriptor)
        self._at = 0
        self._end = 0
        self._kept = 0
        """How many lines were kept; the loop's."""
        self._settled = 0
        """How many of them are settled; the thread's."""
        self._left_at = 0
        """How many lines had been kept when the loop left the other half."""
        self._is_wiped = False
        """Whether the other half is wiped."""
        self.is_open = True
        """Whether lines are kept. They are not while they cannot be stored: then all wait."""
        self.refused: set[int] = set()
        """Games that cannot be stored whatever is tried, of which nothing is kept any more."""

    def lines(self) -> list[SpooledLine]:
        """The lines that are in it, in no order; what is damaged ends those of its half."""
        return [*self._records(0), *self._records(self._half)]

    def _records(self, at: int) -> Iterator[SpooledLine]:
        end = at + self._half
        while at + _HEAD.size <= end:
            size, check, before, game_number, number = _HEAD.unpack_from(self._map, at)
            if size < _HEAD.size or at + size > end:
                return
            line = self._map[at + _HEAD.size : at + size]
            if line_check(game_number, number, line) != check:
                return
            yield SpooledLine(game_number, number, line.decode("utf-8", "surrogateescape"), before)
            at += size

    def wipe(self) -> None:
        """Forget all lines, on the disk as well, and be ready for new ones. Raises OSError."""
        self._clear(0, 2 * self._half)
        self._map.flush()
        self._clear(0, 2 * self._half)
        self._at, self._end = 0, self._half
        self._is_wiped = True

    # On the loop

    def keep(self, game_number: int, number: int, line: bytes, check: int, before: int) -> bool:
        """Keep a line, if there is room; then it is durable, and has to be given to the thread."""
        if not self.is_open or game_number in self.refused:
            return False
        size = _HEAD.size + len(line)
        end = self._at + size
        if end > self._end:
            if not self._is_wiped or size > self._half:
                return False
            self._turn()
            end = self._at + size
        self._map[self._at : end] = _HEAD.pack(size, check, before, game_number, number) + line
        self._at = end
        self._kept += 1
        return True

    def _turn(self) -> None:
        self._left_at = self._kept
        self._at = 2 * self._half - self._end
        self._end = self._at + self._half
        self._is_wiped = False

    # In the thread

    def settle(self, items: Iterable[StoredItem]) -> None:
        """These items are stored, or never will be; they come in the order of :meth:`keep`."""
        self._settled += sum(type(item) is StoredLine and item.durable is None for item in items)
        if not self._is_wiped and self._settled >= self._left_at:
            other = 2 * self._half - self._end
            self._clear(other, other + self._half)
            self._is_wiped = True

    def _clear(self, start: int, end: int) -> None:
        # Zeros are read into the memory by one call of the system that lets go of the
        # interpreter, and not copied: then it is that call which waits, if a page has to be made.
        with open("/dev/zero", "rb", buffering=0) as zeros, memoryview(self._map) as memory:
            while start < end:
                start += zeros.readinto(memory[start:end]) or 0

    def close(self) -> None:
        """Close it; the file goes if it was wiped and all lines since then are settled."""
        self._map.close()
        if self._end and self._settled >= self._kept:
            self._path.unlink(missing_ok=True)


def unstored(
    lines: Iterable[SpooledLine], stored: Callable[[int], tuple[int, str] | None]
) -> list[StoredLine]:
    """The lines that are to be stored still, in order.

    ``stored`` tells of a game how many of its lines are stored, and the last one; None if there is
    nothing to add to. Only what follows that line is taken, so a spool beside another journal, and
    one from which a power cut has taken some lines, adds nothing that was not played.
    """
    found = []
    by_game = attrgetter("game_number")
    for game_number, some in groupby(sorted(lines), by_game):
        if (known := stored(game_number)) is None:
            continue
        following, last = known
        check = line_check(game_number, following - 1, encoded(last)) if following else 0
        for line in some:
            if line.number == following and line.before == check:
                found.append(StoredLine(game_number, following, line.line))
                check = line_check(game_number, following, encoded(line.line))
                following += 1
    return found
