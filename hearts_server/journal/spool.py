"""The spool: lines on their way to the journal's thread, in memory that is a file as well.

A line that was copied into it outlives a kill of the server, as a page does that SQLite has
written and not synced. So the loop need not wait for the thread, and the thread stores many lines
at once. What the thread had not stored when the server was killed, the next one finds here.

The file has two halves. While the loop fills one, the thread stores the lines of the other and
then wipes it. The wiping also makes the memory ready to be written to, for the loop must not wait
for a disk: it touches no page before the thread has.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from hearts.errors import CorruptRecord

from .items import StoredLine
from .schema import SPOOL_SUFFIX

HALF = 1 << 21
"""Bytes; 60,000 lines, which a server at full speed plays in five seconds."""
_HEAD = Struct("<5I")
"""The size of the record, the check of its line, that of the line before it in its session, the
game's number and the line's. A size of 0 ends the records of a half."""


class SpooledLine(NamedTuple):
    """A line of a session that may be stored by now, or not."""

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


def read_spool(path: Path, half: int = HALF) -> dict[int, list[SpooledLine]]:
    """The lines that are in a spool, by game; a server may be writing to it. Raises OSError.

    What is damaged ends the lines of its half. Where there is no file there are no lines.
    """
    found: dict[int, list[SpooledLine]] = defaultdict(list)
    with contextlib.suppress(FileNotFoundError):
        data = path.read_bytes()
        halves = _records(data, 0, half), _records(data, half, 2 * half)
        for _, line, before in chain(*halves):
            found[line.game_number].append(SpooledLine(line.number, line.line, before))
    return found


def _records(memory: bytes | mmap.mmap, at: int, end: int) -> Iterator[tuple[int, StoredLine, int]]:
    """The records between two places: where each ends, its line, and the check before that."""
    end = min(end, len(memory))
    while at + _HEAD.size <= end:
        size, check, before, game_number, number = _HEAD.unpack_from(memory, at)
        line = memory[at + _HEAD.size : min(at + size, end)]
        if _HEAD.size + len(line) != size or line_check(game_number, number, line) != check:
            return
        at += size
        text = line.decode("utf-8", "surrogateescape")
        yield at, StoredLine(game_number, number, text), before


def following(lines: Iterable[SpooledLine], game_number: int, count: int, last: str) -> list[str]:
    """The lines of a session that follow those which are stored, as far as they are there.

    ``count`` lines are stored, and ``last`` is the last of them. Each line in a spool knows the one
    before it. So a spool beside another journal, and one from which a power cut has taken some
    lines, adds nothing that was not played.
    """
    check = line_check(game_number, count - 1, encoded(last)) if count else 0
    found: list[str] = []
    for number, line, before in sorted(lines):
        if number == count + len(found) and before == check:
            check = line_check(game_number, number, encoded(line))
            found.append(line)
    return found


class Spool:
    """The file, open and mapped. The loop keeps lines in it, and the thread settles them."""

    def __init__(self, path: Path, half: int = HALF) -> None:
        """Open the file, or make it, readable for its owner alone, and wipe it. Raises OSError."""
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
        self._clear(0, 2 * half)
        # Neither are old lines to come back after a power cut, nor is a page to be made when it
        # is written to.
        self._map.flush()
        self._clear(0, 2 * half)
        self._at = 0
        self._end = half
        self._kept = 0
        """How many lines were kept; the loop's."""
        self._read_at = 0
        self._read_end = half
        self._taken = 0
        """How many of them the thread has taken."""
        self._settled = 0
        """How many of those are settled."""
        self._is_wiped = True
        """Whether the other half is wiped."""
        self.is_open = True
        """Whether lines are kept. They are not while they cannot be stored: then all wait."""
        self.refused: set[int] = set()
        """Games that cannot be stored whatever is tried, of which nothing is kept any more."""

    # On the loop

    def keep(self, game_number: int, number: int, line: bytes, check: int, before: int) -> bool:
        """Keep a line, if there is room; then it is durable."""
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
        other = 2 * self._half - self._end
        # In this order, for the thread looks at both.
        self._end = other + self._half
        self._at = other
        self._is_wiped = False

    # In the thread

    @property
    def waiting(self) -> int:
        """How many lines the thread has not taken yet."""
        return self._kept - self._taken

    def take(self, most: int) -> list[StoredLine]:
        """The next lines that were kept, in order, at most so many.

        Raises CorruptRecord if somebody else has written to the file.
        """
        wanted = min(most, self._kept - self._taken)
        lines = self._read(wanted)
        if len(lines) < wanted:
            # There the loop went on.
            self._read_at = 2 * self._half - self._read_end
            self._read_end = self._read_at + self._half
            lines += self._read(wanted - len(lines))
        if len(lines) < wanted:
            raise CorruptRecord(f"{self._path} is not as it was written")
        self._taken += wanted
        return lines

    def _read(self, most: int) -> list[StoredLine]:
        written = self._at
        # If the loop has gone on in the other half, this one is read to its end.
        end = written if self._read_end == self._end else self._read_end
        records = list(islice(_records(self._map, self._read_at, end), most))
        if records:
            self._read_at = records[-1][0]
        return [line for _, line, _ in records]

    def settle(self) -> None:
        """What was taken is stored, or never will be."""
        self._settled = self._taken
        if not self._is_wiped and self._read_end == self._end:
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
        """Close it; the file goes if all lines are settled."""
        self._map.close()
        if self._settled >= self._kept:
            self._path.unlink(missing_ok=True)
