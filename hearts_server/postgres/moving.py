"""Sessions from the file of a data dir into a database, and back: all of them, or none.

Rows are copied as they are, with their checksums: what is damaged stays so, and is reported by
whoever reads it. Before a copy counts, both sides are counted and their checksums added up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
from msgspec import Struct

from hearts_server.config import ConfigError
from hearts_server.journal.opening import clear_errors, create_with, open_existing
from hearts_server.journal.rows import COLUMNS

from .connecting import Connection, Database
from .lives import fence
from .opening import open_alone
from .rows import SESSION_BYTES, room_of_hand

Report = Callable[[int, int], None]
"""Hears how many rows were moved, and of how many."""

_SESSION = f"{', '.join(COLUMNS)}, checksum"
_HAND = "game_number, first, count, lines, checksum"
_LINE = "game_number, number, line, checksum"
_ENDED = COLUMNS.index("ended")
_REPORT_EVERY = 5000
_ROWS_AT_ONCE = 2000
_COUNT = "SELECT count(*), coalesce(sum(checksum), 0) FROM {}"
_UNFINISHED = "game_number IN (SELECT game_number FROM sessions WHERE ended IS NULL)"


Row = TypeVar("Row")


class Moved(Struct, frozen=True, gc=False):
    """What was moved."""

    sessions: int
    hands: int
    """Rows of packed hands."""


class _Progress:
    """Counts rows and reports them now and then."""

    def __init__(self, total: int, report: Report) -> None:
        self._total = total
        self._report = report
        self._done = 0

    def watched(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, counted as they come."""
        for row in rows:
            yield row
            self._done += 1
            if not self._done % _REPORT_EVERY:
                self._report(self._done, self._total)


def import_file(path: Path, database: Database, report: Report) -> Moved:
    """Copy a journal that no server uses into a store without sessions. Raises ConfigError."""
    with (
        clear_errors(path),
        closing(open_existing(path)) as file,
        _alone(database) as (connection, life),
        database.clear_errors(),
        connection.transaction(),
    ):
        connection.execute("SELECT hold(%s)", (life,))
        if connection.execute("SELECT EXISTS (SELECT FROM sessions)").fetchone() != (False,):
            raise ConfigError(f"the {database} has sessions already: give one without")
        sessions, hands = _count(file, "sessions"), _count(file, "hands")
        progress = _Progress(sessions[0] + hands[0], report)
        sizes: dict[object, int] = {}
        with connection.cursor().copy(f"COPY hands ({_HAND}) FROM STDIN") as copy:
            every = file.execute(f"SELECT {_HAND} FROM hands ORDER BY game_number, first")
            for row in progress.watched(every):
                copy.write_row(row)
                sizes[row[0]] = sizes.get(row[0], SESSION_BYTES) + room_of_hand(row[3])
        into = f"COPY sessions ({_SESSION}, life, bytes) FROM STDIN"
        with connection.cursor().copy(into) as copy:
            every = file.execute(f"SELECT {_SESSION} FROM sessions ORDER BY game_number")
            for row in progress.watched(every):
                size = 0 if row[_ENDED] is None else sizes.get(row[0], SESSION_BYTES)
                copy.write_row((*row, life, size))
        with connection.cursor().copy(f"COPY lines ({_LINE}, life) FROM STDIN") as copy:
            for row in _logged(file):
                copy.write_row((*row, life))
        for table, before in (("sessions", sessions), ("hands", hands)):
            _compare(table, before, _count(connection, table))
    return Moved(sessions[0], hands[0])


def export_file(database: Database, path: Path, report: Report) -> Moved:
    """Copy a store that no server uses into a journal that is not there. Raises ConfigError."""
    if path.exists():
        raise ConfigError(f"{path} is there already: give a data dir without")
    with _alone(database) as (connection, _), database.clear_errors(), connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        sessions, hands = _count(connection, "sessions"), _count(connection, "hands")
        progress = _Progress(sessions[0] + hands[0], report)

        def fill(new: sqlite3.Connection) -> None:
            new.execute("BEGIN")
            for table, columns, which in (
                ("sessions", _SESSION, ""),
                ("hands", _HAND, ""),
                ("log", _LINE, f"WHERE {_UNFINISHED}"),
            ):
                source = "lines" if table == "log" else table
                found = _in_turn(connection, f"SELECT {columns} FROM {source} {which}")
                values = ", ".join("?" * len(columns.split(", ")))
                rows = found if table == "log" else progress.watched(found)
                new.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)
            for table, before in (("sessions", sessions), ("hands", hands)):
                _compare(table, before, _count(new, table))
            new.execute("COMMIT")

        with clear_errors(path):
            create_with(path, fill)
    return Moved(sessions[0], hands[0])


@contextmanager
def _alone(database: Database) -> Iterator[tuple[Connection, int]]:
    """The store for us alone; then nobody has it."""
    connection, life = open_alone(database, "moving")
    with connection:
        try:
            yield connection, life
        finally:
            if not connection.closed:
                with database.clear_errors():
                    fence(connection, life)


def _in_turn(connection: Connection, statement: str) -> Iterator[Sequence[object]]:
    """Rows in order, not all of them in memory at once."""
    with connection.cursor(name="moving") as cursor:
        cursor.itersize = _ROWS_AT_ONCE
        yield from cursor.execute(f"{statement} ORDER BY 1, 2")


def _logged(file: sqlite3.Connection) -> list[Sequence[object]]:
    """The lines of unfinished sessions that are not packed, as the log has them last."""
    packed = dict(
        file.execute(
            f"SELECT game_number, max(first + count) FROM hands WHERE {_UNFINISHED}"
            " GROUP BY game_number"
        ).fetchall()
    )
    latest = {
        row[:2]: row
        for row in file.execute(f"SELECT {_LINE} FROM log WHERE {_UNFINISHED} ORDER BY id")
        if row[1] >= packed.get(row[0], 0)
    }
    return list(latest.values())


def _count(connection: sqlite3.Connection | psycopg.Connection, table: str) -> tuple[int, int]:
    """How many rows a table has, and the sum of their checksums."""
    row = connection.execute(_COUNT.format(table)).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def _compare(table: str, before: tuple[int, int], after: tuple[int, int]) -> None:
    if before != after:
        raise ConfigError(f"{after[0]} of {before[0]} {table} arrived whole; nothing was moved")
