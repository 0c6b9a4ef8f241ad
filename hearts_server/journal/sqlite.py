"""The journal in SQLite: one file in the data dir of the server, and its spool."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from hearts.net.logline import EventLog
from hearts_server.config import Durability

from .archive import Archive
from .keeper import JournalKeeper
from .lines import UnreadableSession, line_checksum
from .opening import (
    clear_errors,
    connect,
    number,
    open_database,
    open_existing,
    transaction,
)
from .rows import (
    ROWS_AT_ONCE,
    Row,
    StoreTables,
    Value,
    check_whole,
    load_hands,
    read_row,
    session_rows,
)
from .spool import Spool, SpooledLine, following, read_spool, spool_path
from .store import JournalStatistics, StoredLine, StoreTrouble, closed_on_error
from .threaded import ThreadedJournal

log = EventLog(__name__)

_PAGES_AT_ONCE = 100
"""Pages given back in one transaction, so that a server that runs does not wait long."""
_WIPE_LIMIT = 200
"""Milliseconds to wait for somebody who reads, before the log is left as it is."""
_SESSIONS_A_SLICE = 20
"""Sessions that are checked as of one moment; writes in the meantime wait for nothing."""
_REST_AFTER = 9
"""Times as long as a slice of the check is the rest that follows it."""


@cache
def _insert_lines(count: int) -> str:
    # One statement in place of many matters: each is a moment in which the threads of the process
    # fight for the interpreter.
    rows = ", ".join(["(?, ?, ?, ?)"] * count)
    return f"INSERT INTO lines (game_number, number, line, checksum) VALUES {rows}"


class SqliteTables(Struct, eq=False):
    """The tables in a file: :class:`~.rows.StoreTables`."""

    connection: sqlite3.Connection
    path: Path
    life: int = 0

    def rows(self, statement: str, *values: Value) -> list[Row]:
        try:
            return self.connection.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:
                raise
            # A page is damaged: another try does not help, and other sessions lie elsewhere.
            raise UnreadableSession(str(error)) from None

    def change(self, statement: str, *values: Value) -> int:
        return self.connection.execute(statement, values).rowcount

    def change_all(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        self.connection.executemany(statement, rows)

    def has_table(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", name))

    def transaction(self) -> contextlib.AbstractContextManager[None]:
        return transaction(self.connection)

    def append(self, lines: Sequence[StoredLine]) -> None:
        for start in range(0, len(lines), ROWS_AT_ONCE):
            some = lines[start : start + ROWS_AT_ONCE]
            values = [
                value
                for game_number, number, line, _ in some
                for value in (game_number, number, line, line_checksum(game_number, number, line))
            ]
            self.connection.execute(_insert_lines(len(some)), values)

    def size(self) -> int:
        pages = number(self.connection, "page_count") - self._free
        return pages * number(self.connection, "page_size")

    @property
    def _free(self) -> int:
        return number(self.connection, "freelist_count")

    def give_back(self) -> bool:
        free = self._free
        self.connection.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        return 0 < self._free < free

    def wipe(self) -> bool:
        # In the file it is overwritten at once (:func:`.opening.connect`), but not in its log.
        # Nobody else can write while this waits for a reader.
        waits = number(self.connection, "busy_timeout")
        self.connection.execute(f"PRAGMA busy_timeout={_WIPE_LIMIT}")
        (busy, *_), *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.connection.execute(f"PRAGMA busy_timeout={waits}")
        return not busy

    @contextlib.contextmanager
    def connected(self) -> Iterator[bool]:
        try:
            yield False
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
                raise StoreTrouble(str(error)) from error
            raise

    def clear_errors(self) -> contextlib.AbstractContextManager[None]:
        return clear_errors(self.path)

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            # The log goes into the file now, though not at the price of waiting for a reader.
            self.connection.execute("PRAGMA busy_timeout=0")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.connection.close()


def file_archive(path: Path, *, write: bool = False) -> Archive:
    """Open the sessions in the file of a data dir. Raises ConfigError, saying what to do.

    ``write`` is needed to delete.
    """
    # First the spool: what leaves it afterwards is in the file by then.
    with clear_errors(path):
        spooled = read_spool(spool_path(path))
    return Archive(SqliteTables(open_existing(path, write=write), path), spooled)


def take_in(keeper: JournalKeeper, spooled: Mapping[int, Sequence[SpooledLine]]) -> None:
    """Store what a server that was killed had in its spool. Raises StoreTrouble.

    A session that cannot be stored is logged, and stays as it is.
    """
    sessions = []
    for game_number, lines in spooled.items():
        try:
            stored = keeper.load_one(game_number)
        except UnreadableSession:
            continue
        if stored.ended is not None:
            continue
        known = len(stored.lines)
        found = following(lines, game_number, known, "".join(stored.lines[-1:]))
        sessions.append([StoredLine(game_number, n, line) for n, line in enumerate(found, known)])
    # All at once: a commit for each of ten thousand tables takes as long again as the rest.
    count, batches = 0, [[line for lines in sessions for line in lines]]
    for batch in batches:
        try:
            keeper.commit(batch)
        except StoreTrouble:
            raise
        except Exception as error:
            if batch is batches[0]:
                batches += sessions
            else:
                log.error("journal-refused", game=batch[0].game_number, why=str(error))
        else:
            count += len(batch)
    if count:
        log.info("spool-read", lines=count)


def _check_file(path: Path, statistics: JournalStatistics, stop: threading.Event) -> None:
    """Read every finished session of a journal once, beside play: at its start a server reads only
    what it needs, for to read a large journal takes many seconds."""
    began = time.monotonic()
    try:
        with contextlib.closing(connect(path, "mode=ro")) as connection:
            sessions = check_all(SqliteTables(connection, path), statistics, stop)
    except sqlite3.Error as error:
        log.error("journal-not-checked", why=str(error))
    else:
        if sessions and not stop.is_set():
            log.info("journal-checked", sessions=sessions, seconds=time.monotonic() - began)


def check_all(tables: StoreTables, statistics: JournalStatistics, stop: threading.Event) -> int:
    """Look at one session after the other, and rest between; return their number."""
    checked, after = 0, -(1 << 62)
    which = "WHERE game_number > ? ORDER BY game_number LIMIT ?"
    while not stop.is_set():
        began = time.perf_counter()
        found = session_rows(tables, which, after, _SESSIONS_A_SLICE)
        if not found:
            break
        for values in found:
            after = values[0]
            try:
                row = read_row(values)
                # What goes on was read at the start, or is from after it.
                if row.ended is not None:
                    check_whole(row, load_hands(tables, after))
            except (UnreadableSession, sqlite3.DatabaseError) as error:
                statistics.unreadable += 1
                log.error("session-unreadable", game=after, why=str(error))
        checked += len(found)
        stop.wait(_REST_AFTER * (time.perf_counter() - began))
    return checked


class SqliteJournal(ThreadedJournal):
    """The journal of a server, in one file."""

    def __init__(self, path: Path, durability: Durability) -> None:
        """Open the file, which waits for the disk. Raises ConfigError, saying what to do.

        ``durability`` is NORMAL or FULL. NORMAL has a spool, and holds against a killed process; a
        power cut may take the last seconds and leaves the rest whole. FULL waits for the disk each
        time. What is in the spool of a server that was killed is stored now.
        """
        connection = open_database(path, synchronous=durability.value)
        spool = None
        keeper = JournalKeeper(SqliteTables(connection, path))
        with closed_on_error(connection), clear_errors(path):
            take_in(keeper, read_spool(spool_path(path)))
            if durability is Durability.NORMAL:
                spool = Spool(path)
            else:
                spool_path(path).unlink(missing_ok=True)
        super().__init__(keeper, spool=spool, check=partial(_check_file, path, keeper.statistics))
