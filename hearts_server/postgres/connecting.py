"""Connections to the database, their errors in words, and the lives of servers that store there.

No error has a text that a line of a session could be in: they go to the log.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterator
from typing import Any

import psycopg
from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from hearts.settings.table import ConfigError
from hearts_server.journal.store import TryLater, closed_on_error

from .schema import LEAST_SERVER, NOT_OWN

Connection = psycopg.Connection[tuple[Any, ...]]

_UNLESS_GIVEN = {
    "connect_timeout": "5",
    # Of a cluster with a standby, the one that may be written.
    "target_session_attrs": "read-write",
    # A connection whose other end is gone is noticed within 12 s.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "12000",
}
_SETTINGS = {
    "client_min_messages": "warning",
    "default_transaction_isolation": "read committed",
    "default_transaction_read_only": "off",
    "idle_in_transaction_session_timeout": "0",
    "idle_session_timeout": "0",
    "jit": "off",
    "lock_timeout": "0",
    "statement_timeout": "0",
    "tcp_keepalives_count": "3",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
}
"""Settings that the host may have made for other programs. We never cut a commit short."""
_SET = (
    "SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) AS s (name, value)"
    " UNION ALL SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)


class Database(Struct, frozen=True):
    """The place of a database."""

    url: str
    """As libpq reads it; it may have a password, and is shown to nobody."""

    def __str__(self) -> str:
        """Give what may be shown of it. Raises psycopg.Error for what libpq cannot read."""
        said = conninfo_to_dict(self.url)
        words = (("at", "host"), ("port", "port"), ("as", "user"))
        where = ", ".join(f"{word} {said[key]}" for word, key in words if said.get(key))
        return f"database {said.get('dbname', '')} ({where})"

    def connect(self) -> Connection:
        """Connect, in autocommit. Raises psycopg.Error."""
        said = conninfo_to_dict(self.url)
        defaults = {key: value for key, value in _UNLESS_GIVEN.items() if key not in said}
        url = make_conninfo(self.url, **defaults)
        connection = psycopg.connect(url, autocommit=True, application_name="hearts")
        with closed_on_error(connection):
            connection.execute(_SET, (list(_SETTINGS), list(_SETTINGS.values())))
        return connection

    def open(self) -> Connection:
        """Connect for a program that begins. Raises ConfigError or TryLater."""
        try:
            str(self)
        except psycopg.Error:
            # libpq's own words would repeat a part of it.
            raise ConfigError("--store: this is no URL that libpq can read") from None
        with self.clear_errors():
            connection = self.connect()
        with closed_on_error(connection):
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise ConfigError(f"--store: the {self} has another encoding than UTF8")
            if connection.info.server_version < LEAST_SERVER * 10_000:
                raise ConfigError(f"--store: {self} is older than PostgreSQL {LEAST_SERVER}")
        return connection

    @contextlib.contextmanager
    def clear_errors(self) -> Iterator[None]:
        """Raise ConfigError or TryLater for an error of the database."""
        try:
            yield
        except psycopg.Error as error:
            what = f"--store: cannot use the {self}: {text_of(error)}"
            raise (TryLater if may_pass(error) else ConfigError)(what) from None


def text_of(error: psycopg.Error) -> str:
    """Give the text of an error, in one line and without values of a row."""
    return " ".join((error.diag.message_primary or str(error)).split())


def may_pass(error: psycopg.Error) -> bool:
    """Tell whether the database is at fault, and not what was to be stored."""
    return not (
        isinstance(error, psycopg.DataError | psycopg.IntegrityError) or error.sqlstate == NOT_OWN
    )


# Lives: their beginning, their end, their sessions

FENCE_LIMIT = "500ms"
"""Time for which a commit under way may hold a fence up before its connection is cut."""
FENCE_PATIENCE = 5.0
"""Seconds for which a fence is tried while others hold it up, an administrator for instance."""
_OF = (
    "FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = %s AND pid <> pg_backend_pid()"
)
_IS_LIVE = "EXISTS (SELECT FROM nodes WHERE nodes.life = %(me)s AND live FOR SHARE)"


def connection_name(connection: Connection, life: int) -> str:
    """Give the name of the connections of a life, by which others know them."""
    # There may be several stores in one database.
    found = connection.execute("SELECT 'nodes'::regclass::oid::bigint").fetchone()
    assert found is not None
    return f"hearts:{found[0]}:{life}"


def begin_life(connection: Connection, name: str, declared: str = "{}") -> int:
    """Begin a life of a node with this name, whose connection this is from now on.

    ``declared`` is what it says of itself, for other nodes.
    """
    # Drawn by chance: a sequence gives a number again if the database fails over to a copy that
    # lacks the last moment.
    life = secrets.randbits(63) or 1
    connection.execute(
        "INSERT INTO nodes (life, name, begun, live, declared) VALUES (%s, %s, %s, true, %s)",
        (life, name, int(time.time()), declared),
    )
    name_connection(connection, life)
    return life


def name_connection(connection: Connection, life: int) -> None:
    """Let others know that this connection is of a life."""
    name = connection_name(connection, life)
    connection.execute("SELECT set_config('application_name', %s, false)", (name,))


def live_lives(connection: Connection, *, alone: bool = False) -> list[int]:
    """Return the lives that nobody has ended.

    ``alone``: only those that are no nodes, but a server that has the store for itself.
    """
    which = "AND life NOT IN (SELECT life FROM beats)" if alone else ""
    found = connection.execute(f"SELECT life FROM nodes WHERE live {which} ORDER BY begun, life")
    return [life for (life,) in found.fetchall()]


def is_connected(connection: Connection, life: int) -> bool:
    """Tell whether a life has other connections than this one."""
    name = connection_name(connection, life)
    found = connection.execute(f"SELECT EXISTS (SELECT {_OF})", (name,)).fetchone()
    return bool(found and found[0])


def end_connections(connection: Connection, life: int, pid: int | None = None) -> None:
    """Cut the connections of a life, except this one. Their uncommitted changes are undone.

    With ``pid``, only the connection of that process is cut.
    """
    name = connection_name(connection, life)
    only = " AND pid = coalesce(%s, pid)"
    connection.execute(f"SELECT pg_terminate_backend(pid) {_OF}{only}", (name, pid))


def fence(connection: Connection, life: int, patience: float = FENCE_PATIENCE) -> None:
    """End a life: when this returns, nothing of it can be stored any more.

    Raises LockNotAvailable, saying who holds its rows, if they still do after so many seconds.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            try_fence(connection, life)
            return
        except psycopg.errors.LockNotAvailable:
            if time.monotonic() > deadline:
                held = f"the rows of a node are held by {holders(connection)}"
                raise psycopg.errors.LockNotAvailable(held) from None
            # It may have been stopped in the middle of a transaction.
            end_connections(connection, life)


def try_fence(connection: Connection, life: int, beat: int | None = None) -> bool:
    """End a life, unless it has beaten since the ``beat``, if that is given; True if it is over.

    Raises LockNotAvailable if somebody holds its rows for FENCE_LIMIT.
    """
    with connection.transaction():
        connection.execute("SELECT set_config('lock_timeout', %s, true)", (FENCE_LIMIT,))
        # It beats no more: of this row no commit has a lock.
        stopped = connection.execute(
            "UPDATE beats SET live = false WHERE life = %s AND (beat = coalesce(%s::bigint, beat)"
            " OR NOT live)",
            (life, beat),
        )
        if beat is not None and not stopped.rowcount:
            return False
        connection.execute("UPDATE nodes SET live = false WHERE life = %s", (life,))
    return True


def holders(connection: Connection) -> str:
    """Return the other sessions of the database that hold rows of lives, by name; empty if none
    does.
    """
    found = connection.execute(
        "SELECT DISTINCT a.usename || ' ' || a.application_name || ' (process ' || a.pid || ')'"
        " FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid"
        " WHERE l.relation IN ('nodes'::regclass, 'beats'::regclass) AND l.granted"
        " AND l.mode <> 'AccessShareLock' AND l.pid <> pg_backend_pid()"
    )
    return ", ".join(sorted(each for (each,) in found.fetchall()))


def claim(connection: Connection, life: int) -> None:
    """Let a live life have the sessions that go on and are of one that is over."""
    connection.execute(
        "UPDATE sessions SET life = %(me)s WHERE ended IS NULL AND life = ANY(%(over)s)"
        f" AND {_IS_LIVE}",
        {"me": life, "over": _lives_over(connection)},
    )


def _lives_over(connection: Connection) -> list[int]:
    # Named, for a row that somebody else has just claimed is looked at again, but not whether the
    # life that it has by then is over. That a life is over stays so.
    found = connection.execute(
        "SELECT DISTINCT life FROM sessions WHERE ended IS NULL"
        " AND NOT EXISTS (SELECT FROM nodes WHERE nodes.life = sessions.life AND live)"
    )
    return [each for (each,) in found.fetchall()]
