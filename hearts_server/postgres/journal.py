"""The journal in PostgreSQL: its tables, behind a connection that is made again if it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress

import psycopg
from msgspec import Struct

from hearts.hosting.store import Session
from hearts_server.journal.archive import Archive
from hearts_server.journal.keeper import GOING_ON, LATELY_OVER, JournalKeeper
from hearts_server.journal.lines import line_checksum
from hearts_server.journal.rows import Row, Value, highest_number
from hearts_server.journal.store import (
    Fenced,
    StoredLine,
    StoreTrouble,
    closed_on_error,
)
from hearts_server.journal.threaded import ThreadedJournal

from .connecting import (
    Connection,
    Database,
    claim,
    end_connections,
    fence,
    may_pass,
    name_connection,
    text_of,
)
from .opening import is_usable, open_alone, open_existing, open_life
from .schema import FENCED, KEEP

_PACK_AT = 16
"""Finished hands that are packed together."""
_HOLD = "SELECT hold(%s::bigint)"
_APPEND = (
    "SELECT append(%s::bigint, %s::int[], %s::int[], (string_to_array(%s, E'\\n'))[2:], %s::int[])"
)
"""The lines stand behind line breaks: an empty text would be no line, and not an empty one."""
_SIZE = "SELECT coalesce(sum(bytes), 0)::bigint FROM sessions WHERE ended IS NOT NULL"


class PostgresTables:
    """The tables of a store: :class:`hearts_server.journal.rows.StoreTables`."""

    def __init__(self, database: Database, connection: Connection, life: int = 0) -> None:
        """``connection`` is of that life, if one is given."""
        self.life = life
        self._database = database
        self._warnings: list[str] = []
        """The warnings of the database since the latest call of :meth:`connected`."""
        self._pid = 0
        """The process that the database has, or had, for the connection."""
        self._connection: Connection | None = None
        self._use(connection)

    @property
    def connection(self) -> Connection:
        assert self._connection is not None
        return self._connection

    def rows(self, statement: str, *values: Value) -> list[Row]:
        return self.connection.execute(statement.replace("?", "%s"), values).fetchall()

    def change(self, statement: str, *values: Value) -> int:
        return self.connection.execute(statement.replace("?", "%s"), values).rowcount

    def change_all(self, statement: str, rows: Iterable[Sequence[Value]]) -> None:
        self.connection.cursor().executemany(statement.replace("?", "%s"), rows)

    def has_table(self, name: str) -> bool:
        return self.rows("SELECT to_regclass(?)", name) != [(None,)]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.connection.transaction():
            if self.life:
                self.connection.execute(_HOLD, (self.life,))
            yield

    def append(self, lines: Sequence[StoredLine]) -> None:
        if lines:
            games, numbers, texts, _ = zip(*lines, strict=True)
            checksums = _array(line_checksum(*line[:3]) for line in lines)
            text = "\n".join(("", *texts))
            values = (self.life, _array(games), _array(numbers), text, checksums)
            self.connection.execute(_APPEND, values)

    def size(self) -> int:
        ((size,),) = self.rows(_SIZE)
        return int(size)

    def give_back(self) -> bool:
        # The room is used again after the next vacuum.
        return False

    def wipe(self) -> bool:
        # What is still in the database's own log and backups is not ours.
        self.connection.execute("VACUUM sessions, hands, lines, standings")
        return True

    def clear_errors(self) -> AbstractContextManager[None]:
        return self._database.clear_errors()

    def close(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                if self.life:
                    # So that the next server needs not wait for this one to be gone.
                    fence(self._connection, self.life)
            self._disconnect()

    @contextmanager
    def connected(self) -> Iterator[bool]:
        self._warnings.clear()
        is_another = self._connection is None
        try:
            if is_another:
                self._use(self._reconnected())
            yield is_another
        except psycopg.Error as error:
            if error.sqlstate == FENCED:
                raise self._fenced() from None
            if not may_pass(error):
                raise ValueError(text_of(error)) from None
            self._disconnect()
            raise StoreTrouble(text_of(error)) from None
        if self._warnings:
            # It is committed here, and perhaps on no standby. Another try waits for that.
            raise StoreTrouble(f"a commit is not certain: {self._warnings[0]}")

    def _use(self, connection: Connection) -> None:
        connection.add_notice_handler(self._noticed)
        self._pid = connection.info.backend_pid
        self._connection = connection

    def _reconnected(self) -> Connection:
        connection = self._database.connect()
        with closed_on_error(connection):
            if not is_usable(connection):
                raise self._fenced()
            name_connection(connection, self.life)
            # What the broken one has not committed must not come later.
            end_connections(connection, self.life, self._pid)
            connection.execute(_HOLD, (self.life,))
        return connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(" ".join((notice.message_primary or "").split()))

    def _fenced(self) -> Fenced:
        return Fenced(
            f"--store: another hearts-server has taken over the {self._database}; this one has "
            "ended, and what it has told is stored"
        )


def _array(numbers: Iterable[int]) -> str:
    """Return numbers as PostgreSQL reads them; psycopg takes six times as long over a list."""
    return f"{{{','.join(map(str, numbers))}}}"


class ClaimedSessions(Struct, frozen=True):
    """The sessions that a life has claimed, without their lines."""

    going_on: list[Session]
    over: list[Session]
    """The sessions that ended lately, the latest first."""
    highest: int
    """The highest game number that a stored session has; 0 without any."""
    known_networks: bytes
    """The networks that know the password, as the last node has kept them."""
    others: dict[str, bytes]
    """Everything else that the last node has kept, by its name."""


class PostgresJournal(ThreadedJournal):
    """The journal of a server that has its database for itself, or of the node that plays.

    What is durable is committed. A server whose life another one has ended
    (:mod:`hearts_server.postgres.connecting`) tells nobody anything more: its :meth:`run` raises
    Fenced.
    """

    def __init__(self, url: str, *, life: int | None = None) -> None:
        """Connect and begin a life, which waits for the database. Raises ConfigError or TryLater.

        ``url`` is what libpq takes, such as ``postgresql://user@host/database``. ``life`` is that
        of a node, which has begun.
        """
        database = Database(url)
        if life is None:
            connection, life = open_alone(database, "alone")
        else:
            connection = open_life(database, life)
        self._tables = PostgresTables(database, connection, life)
        super().__init__(JournalKeeper(self._tables, _PACK_AT))

    async def claim_left(self, finished_since: int, most_finished: int) -> ClaimedSessions:
        """Claim all sessions whose life is over; only the life that plays may do that.

        Of those that ended at a Unix time or later at most so many are told. It waits until the
        database answers; if the own life is over, :meth:`run` raises Fenced.
        """
        tables = self._tables

        def claimed() -> ClaimedSessions:
            with tables.transaction():
                claim(tables.connection, tables.life)
            # Not before the claim is committed: only then nobody else adds to them.
            ((known,),) = tables.rows("SELECT known_networks FROM active")
            return ClaimedSessions(
                self.keeper.left(GOING_ON),
                self.keeper.left(LATELY_OVER, finished_since, most_finished),
                highest_number(tables),
                known,
                {row[0]: row[1] for row in tables.rows("SELECT name, data FROM kept")},
            )

        return await self.in_thread(claimed)

    async def keep_other(self, name: str, data: bytes) -> None:
        """Keep something else under a name."""

        def kept() -> None:
            with self._tables.transaction():
                self._tables.change(KEEP, name, data)

        await self.in_thread(kept)

    async def keep_known(self, data: bytes) -> None:
        """Keep the networks that know the password for the next node that plays."""

        def kept() -> None:
            with self._tables.transaction():
                self._tables.change("UPDATE active SET known_networks = ?", data)

        await self.in_thread(kept)


def database_archive(url: str, *, write: bool = False) -> Archive:
    """Open the sessions in a database. Raises ConfigError, saying what to do.

    ``write`` is needed to delete.
    """
    database = Database(url)
    connection = open_existing(database)
    if not write:
        with database.clear_errors():
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return Archive(PostgresTables(database, connection), {})
