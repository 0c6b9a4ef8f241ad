"""The tables in the database, behind a connection that is made again if it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress

import psycopg

from hearts_server.journal.lines import line_checksum
from hearts_server.journal.rows import Row, Value
from hearts_server.journal.store import Fenced, StoredLine, StoreTrouble, closed_on_error

from .connecting import Connection, Database, may_pass, text_of
from .lives import end_connections, fence, name_connection
from .opening import is_usable
from .schema import FENCED

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
    """Numbers as PostgreSQL reads them; psycopg takes six times as long over a list."""
    return f"{{{','.join(map(str, numbers))}}}"
