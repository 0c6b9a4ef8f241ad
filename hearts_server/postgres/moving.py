"""Sessions from the file of a data dir into a database, and back: all of them, or none.

Rows are copied as they are, with their checksums: a damaged row stays damaged, and is reported when
it is read. Before a copy counts, both sides are counted and their checksums added up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

import psycopg
from msgspec import Struct

from hearts.settings.table import ConfigError
from hearts_server.datadir import KEPT_FILES, KeptBytes
from hearts_server.journal.opening import clear_errors, create_with, open_existing
from hearts_server.journal.rows import COLUMNS
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.standings.kept import TABLES as RESULT_TABLES
from hearts_server.standings.tallies import COLUMNS as RESULTS

from .connecting import Connection, Database, fence
from .journal import PostgresTables
from .opening import open_alone
from .schema import KEEP

Report = Callable[[int, int], None]
"""Takes the number of rows moved so far, and the number of all rows."""
Kept = Callable[[str], KeptBytes]
"""Gives what a data dir keeps beside the journal, by its name."""
Row = TypeVar("Row")

_TABLES = {
    "sessions": f"{', '.join(COLUMNS)}, checksum",
    "hands": "game_number, first, count, lines, checksum",
    "lines": "game_number, number, line, checksum",
}
"""The columns that are moved. The life of a session is not, as if that life were over."""
_RESULTS = {
    "standings_counted": "game_number, is_counted, pars",
    "standings": f"name, since, month, {', '.join(RESULTS)}",
}
"""The same of tables that a store has once somebody has counted the standings."""
_REPORT_EVERY = 5000
_ROWS_AT_ONCE = 2000


class Moved(Struct, frozen=True, gc=False):
    """Rows that were moved."""

    sessions: int
    hands: int
    """Rows of packed hands."""


class _Counts:
    """The rows of one side: the number in each table, and the sums of their checksums."""

    def __init__(
        self, side: sqlite3.Connection | psycopg.Connection, report: Report, has_results: bool
    ) -> None:
        self.tables = {**_TABLES, **(_RESULTS if has_results else {})}
        self._counts = {table: _count(side, table) for table in self.tables}
        self._total = sum(rows for rows, _ in self._counts.values())
        self._report = report
        self._done = count(1)

    def watched(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Give the same rows, and report now and then how many came."""
        for row in rows:
            yield row
            if not (done := next(self._done)) % _REPORT_EVERY:
                self._report(done, self._total)

    def compare(self, other: sqlite3.Connection | psycopg.Connection) -> Moved:
        """Raise ConfigError if the other side has not the same."""
        for table, before in self._counts.items():
            after = _count(other, table)
            if before != after:
                whole = f"{after[0]} of {before[0]} {table} arrived whole"
                raise ConfigError(f"{whole}; nothing was moved")
        return Moved(self._counts["sessions"][0], self._counts["hands"][0])


def _count(side: sqlite3.Connection | psycopg.Connection, table: str) -> tuple[int, int]:
    column = "checksum" if table in _TABLES else "game_number" if "counted" in table else "points"
    statement = f"SELECT count(*), coalesce(sum({column}), 0) FROM {table}"
    row = side.execute(statement).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def import_file(path: Path, database: Database, report: Report, kept: Kept) -> Moved:
    """Copy a journal that no server uses, and what is kept beside it, into a store without
    sessions. Raises ConfigError.
    """
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
        counts = _Counts(file, report, SqliteTables(file, path).has_table("standings"))
        for statement in RESULT_TABLES:
            connection.execute(statement)
        for table, columns in counts.tables.items():
            rows = file.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
            with connection.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in counts.watched(rows):
                    copy.write_row(row)
        for name in KEPT_FILES:
            if stored := kept(name).stored:
                connection.execute(KEEP, (name, stored))
        return counts.compare(connection)


def export_file(database: Database, path: Path, report: Report, kept: Kept) -> Moved:
    """Copy a store that no server uses into a journal that is not there, and what is kept beside
    it. Raises ConfigError and OSError.
    """
    if path.exists():
        raise ConfigError(f"{path} is there already: give a data dir without")
    with _alone(database) as (connection, _), database.clear_errors(), connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        has_results = PostgresTables(database, connection).has_table("standings")
        counts = _Counts(connection, report, has_results)
        for name, stored in connection.execute("SELECT name, data FROM kept").fetchall():
            if name in KEPT_FILES:
                kept(name).keep(stored)

        def fill(new: sqlite3.Connection) -> None:
            new.execute("BEGIN")
            for statement in RESULT_TABLES:
                new.execute(statement)
            for table, columns in counts.tables.items():
                rows = _in_turn(connection, f"SELECT {columns} FROM {table} ORDER BY 1, 2")
                values = ", ".join("?" * len(columns.split(", ")))
                into = f"INSERT INTO {table} ({columns}) VALUES ({values})"
                new.executemany(into, counts.watched(rows))
            counts.compare(new)
            new.execute("COMMIT")

        with clear_errors(path):
            create_with(path, fill)
        return counts.compare(connection)


@contextmanager
def _alone(database: Database) -> Iterator[tuple[Connection, int]]:
    """Open the store for us alone; then nobody has it."""
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
        yield from cursor.execute(statement)
