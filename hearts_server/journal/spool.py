"""The spool: lines on their way to the journal's thread, in a file as well.

A line that was written there outlives a kill of the server, as a page does that SQLite has
written and not synced. So the loop need not wait for the thread, and the thread stores many lines
at once. What the thread had not stored when the server was killed, the next one finds here.

The file has two halves. As soon as all lines of one are stored, and some of the other, the loop
begins at its start again. What is behind its latest line is stored, so it does not count.
"""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from hearts.hosting.store import Done, StoredSeat
from hearts.net.logline import EventLog

from .store import ChangeSeat, End, StoredItem, StoredLine

log = EventLog(__name__)

SPOOL_SUFFIX = "-spool"
"""The end of its name, behind that of the journal."""
HALF = 1 << 21
"""Bytes; 60,000 lines, which a server at full speed plays in five seconds."""
_HEAD = Struct("<5I")
"""The size of the record, the check of its line, that of the line before it in its session, the
game's number and the line's. Whatever is none ends the records of a half."""


KeptLines = tuple[list[int], list[int], list[str]]
"""The games, the numbers and the texts of lines: the collector does not look at each line."""


class SpooledLine(NamedTuple):
    """A line of a session that may be stored by now, or not."""

    number: int
    line: str
    before: int
    """The check of the line before it in its session; 0 for the first one."""


def line_check(game_number: int, number: int, line: bytes) -> int:
    """Compute a CRC-32 of a line, and of whose line it is and which."""
    return zlib.crc32(line, (game_number * 0x10001 + number) & 0xFFFFFFFF)


def encoded(line: str) -> bytes:
    """Encode a line, which may be any text."""
    return line.encode("utf-8", "surrogateescape")


def record_of(game_number: int, number: int, line: str, before: int) -> tuple[bytes, int]:
    """Return the record of a line, and its check; ``before`` is that of the line before it."""
    data = encoded(line)
    check = line_check(game_number, number, data)
    return _HEAD.pack(_HEAD.size + len(data), check, before, game_number, number) + data, check


def spool_path(journal: Path) -> Path:
    """Return the file that lies beside a journal."""
    return journal.with_name(journal.name + SPOOL_SUFFIX)


def read_spool(path: Path, half: int = HALF) -> dict[int, list[SpooledLine]]:
    """Read the lines that are in a spool, by game; a server may write to it. Raises OSError.

    What is damaged ends the lines of its half. Where there is no file there are no lines.
    """
    found: dict[int, list[SpooledLine]] = defaultdict(list)
    with contextlib.suppress(FileNotFoundError):
        data = path.read_bytes()
        for game_number, line in chain(_records(data[:half]), _records(data[half:])):
            found[game_number].append(line)
    return found


def _records(half: bytes) -> Iterator[tuple[int, SpooledLine]]:
    """Return the lines of a half, each behind the number of its game."""
    at = 0
    while at + _HEAD.size <= len(half):
        size, check, before, game_number, number = _HEAD.unpack_from(half, at)
        line = half[at + _HEAD.size : at + size]
        if _HEAD.size + len(line) != size or line_check(game_number, number, line) != check:
            return
        at += size
        yield game_number, SpooledLine(number, line.decode("utf-8", "surrogateescape"), before)


def following(lines: Iterable[SpooledLine], game_number: int, count: int, last: str) -> list[str]:
    """Find the lines of a session that follow those which are stored, as far as they are there.

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
    """The file, open. The loop keeps lines in it, and the thread settles them.

    Lines that are not settled are in memory too, so nothing is lost if the file is. But then
    nothing is kept until the thread has settled them and made another file.
    """

    def __init__(self, journal: Path, half: int = HALF) -> None:
        """Make the file beside a journal, in place of one that was read. Raises OSError."""
        self._journal = journal
        self._path = spool_path(journal)
        self._half = half
        self._waiting: KeptLines = [], [], []
        """The lines that the thread has not taken yet."""
        self._taken = 0
        """The number of lines that the thread has taken."""
        self._kept = 0
        """The number of lines that were kept; the loop's."""
        self._kept_before = 0
        """Number of them before those in the half that is written; the loop's."""
        self._settled = 0
        """Number of them that are settled; the thread's."""
        self.fault = ""
        """Fate of the file; set on the loop, taken away in the thread."""
        self.is_open = True
        """False while lines cannot be stored: then none is kept, and all wait."""
        self.refused: set[int] = set()
        """Games that cannot be stored at all; nothing of them is kept any more."""
        self._descriptor = -1
        self._make()

    def _make(self) -> None:
        self._path.unlink(missing_ok=True)
        made = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._let_go()
        self._descriptor = made
        self._inode = _inode(os.fstat(made))
        self._begin(0)

    def _begin(self, start: int) -> None:
        self._at = start
        self._end = start + self._half
        self._kept_before = self._kept

    def _let_go(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    # On the loop

    def keep(self, record: bytes, game_number: int, number: int, line: str) -> bool:
        """Keep a line and its record, if there is room; then it is durable."""
        if not self.is_open or self.fault or game_number in self.refused:
            return False
        is_full = self._at + len(record) > self._end
        # A line that is settled is of this half, so there is none of the other one.
        if self._settled > self._kept_before or (is_full and self._settled == self._kept_before):
            self._begin(2 * self._half - self._end)
        if self._at + len(record) > self._end:
            return False
        try:
            size = os.pwrite(self._descriptor, record, self._at)
        except OSError as error:
            self.lose(str(error))
            return False
        if size < len(record):
            self.lose("it takes only a part of a line")
            return False
        self._at += size
        self._kept += 1
        games, numbers, lines = self._waiting
        games.append(game_number)
        numbers.append(number)
        lines.append(line)
        return True

    def lose(self, why: str) -> None:
        """Stop keeping lines, until there is another file."""
        if not self.fault:
            log.error("spool-lost", file=self._path, why=why)
        self.fault = why

    def renew(self) -> None:
        """Keep nothing until the thread has made another file."""
        self.fault = self.fault or "what was stored is to leave it"

    # In any thread

    def look(self) -> str:
        """Tell the fate of the file; "" if nothing happened."""
        if self.fault:
            return ""  # The thread that stores may be making another one.
        written = self._at
        try:
            found = self._path.stat()
        except OSError as error:
            return str(error)
        if _inode(found) != self._inode:
            return "it is another file"
        return "it was cut short" if found.st_size < written else ""

    # In the thread that stores

    @property
    def waiting(self) -> int:
        """The number of lines that the thread has not taken yet."""
        return self._kept - self._taken

    def take(self) -> KeptLines:
        """Return the lines that were kept since the last time."""
        # The loop only ever adds at the end, a line behind its numbers.
        games, numbers, lines = self._waiting
        count = len(lines)
        taken = games[:count], numbers[:count], lines[:count]
        del games[:count], numbers[:count], lines[:count]
        self._taken += count
        return taken

    def settle(self) -> None:
        """Settle what was taken: it is stored, or never will be."""
        self._settled = self._taken
        # Without its journal the file would be in the way of a new one.
        if self.fault and self._settled == self._kept and self._journal.exists():
            with contextlib.suppress(OSError):
                self._make()
                log.warning("spool-renewed", file=self._path)
                self.fault = ""

    def close(self) -> None:
        """Close it; the file goes if all lines are settled."""
        self._let_go()
        if self._settled == self._kept:
            with contextlib.suppress(OSError):
                self._path.unlink()


def _inode(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


class QueuedStore:
    """The lines of one session on their way into the journal.

    If there is a spool, it makes lines durable at once, before the thread has them.
    """

    def __init__(
        self,
        put: Callable[[StoredItem], None],
        spool: Spool | None,
        game_number: int,
        number: int = 0,
        last: str = "",
    ) -> None:
        """``last`` is the line before ``number``."""
        self._put = put
        self._spool = spool
        self._game_number = game_number
        self._number = number
        self._before = line_check(game_number, number - 1, encoded(last)) if number else 0
        self._unsure = 0
        """The number of callbacks that wait for the thread; no line goes before them."""

    def append(self, line: str, durable: Done) -> None:
        number = self._number
        self._number = number + 1
        if self._spool is not None:
            record, self._before = record_of(self._game_number, number, line, self._before)
            if not self._unsure and self._spool.keep(record, self._game_number, number, line):
                durable()
                return
        self._put(StoredLine(self._game_number, number, line, self.waiting(durable)))

    def waiting(self, durable: Done) -> Done:
        """Return what to call in place of ``durable``, because the session has to wait for the
        thread.
        """
        self._unsure += 1

        def done() -> None:
            self._unsure -= 1
            durable()

        return done

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        self._put(ChangeSeat(self._game_number, player, seat))

    def end(self, why: str, durable: Done) -> None:
        self._put(End(self._game_number, int(time.time()), why, durable))
