"""Opening a store: its tables are made, or refused; a server begins its life.

Without nodes one server has a store for itself, as it has a data dir. Another one is refused while
the first is connected, and so is a node. The next server takes over the sessions of a dead one. A
node begins beside those that beat if its name, its version and its settings allow that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from hearts.settings.readers import place_text
from hearts.settings.table import ConfigError
from hearts_server.journal.store import TryLater, closed_on_error
from hearts_server.standby.agreement import Declared, disagreement
from hearts_server.standby.membership import SILENCE

from .connecting import (
    Connection,
    Database,
    begin_life,
    claim,
    fence,
    is_connected,
    live_lives,
    name_connection,
)
from .schema import FUNCTIONS, KEPT, OLDEST, TABLES, VERSION

LEAVE_LIMIT = 3.0
"""Seconds in which the database notices that a killed server has left."""
NODE_LEAVE_LIMIT = SILENCE + 0.5
"""Seconds in which the others notice that a node is dead."""
_LOOK_EVERY = 0.05
_LOCK = 0x48525453
"""The advisory lock under which tables are made and lives begin ("HRTS")."""
_BEATING = (
    "SELECT n.name, n.declared FROM nodes AS n JOIN beats AS b ON b.life = n.life"
    " WHERE n.live AND b.live AND b.beaten > clock_timestamp() - make_interval(secs => %s)"
    " ORDER BY n.begun, n.life"
)
_NAMESAKES = (
    "SELECT n.life FROM nodes AS n JOIN beats AS b ON b.life = n.life WHERE n.live AND n.name = %s"
)


@contextmanager
def _opening(database: Database) -> Iterator[Connection]:
    """Open a connection, which is closed again if the block fails.

    Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open()
    with closed_on_error(connection), database.clear_errors():
        yield connection


@contextmanager
def _beginning(database: Database) -> Iterator[Connection]:
    """Open a connection for a server that begins, with tables made; two that begin at once take
    turns.
    """
    with _opening(database) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        make_tables(connection, database)
        yield connection
        connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def open_alone(database: Database, name: str) -> tuple[Connection, int]:
    """Open a connection of a new life that has all sessions which go on. Waits for the database.

    Raises ConfigError or TryLater, saying what to do.
    """
    with _beginning(database) as connection:
        _end_all(connection, database, live_lives(connection))
        life = begin_life(connection, name)
        claim(connection, life)
    return connection, life


def open_node(
    database: Database, name: str, where: tuple[str, int], mark: bytes, own: Declared
) -> tuple[Connection, int]:
    """Open a connection of a new life of a node, which has no session yet. Waits for the
    database.

    ``where`` is the host and the port of its game, ``mark`` shows which secret it has, and ``own``
    is the rest of its declaration. Raises ConfigError or TryLater, saying what to do.
    """
    with _beginning(database) as connection:
        # This machine's address, as the database sees it.
        asked = connection.execute("SELECT secret, host(inet_client_addr()) FROM active")
        secret, seen_at = asked.fetchone() or (None, None)
        # What is hidden in settings cannot be compared under another secret.
        if secret is not None and bytes(secret) != mark:
            raise ConfigError(
                "--data-dir: the secret in it is not that of the other nodes; copy the file "
                "'secret' from the data dir of one of them"
            )
        _check_beside(connection, name, own)
        _end_all(connection, database, live_lives(connection, alone=True))
        connection.execute("UPDATE active SET secret = %s WHERE secret IS NULL", (mark,))
        life = begin_life(connection, name, own.encode())
        connection.execute(
            "INSERT INTO beats (life, address, beat, beaten, live) VALUES (%s, %s, 0, now(), true)",
            (life, place_text((where[0] or seen_at or "127.0.0.1", where[1]))),
        )
    return connection, life


def open_life(database: Database, life: int) -> Connection:
    """Open one more connection of a life that has begun. If it is over, it cannot store
    anything.

    Raises ConfigError or TryLater.
    """
    with _opening(database) as connection:
        name_connection(connection, life)
    return connection


def _end_all(connection: Connection, database: Database, lives: list[int]) -> None:
    """End the lives of servers, each when it has left. Raises TryLater if one does not."""
    for life in lives:
        deadline = time.monotonic() + LEAVE_LIMIT
        while is_connected(connection, life):
            if time.monotonic() > deadline:
                raise TryLater(
                    f"--store: another hearts-server uses the {database}; stop it, or give this "
                    "one a database of its own"
                )
            time.sleep(_LOOK_EVERY)
        fence(connection, life)


def _check_beside(connection: Connection, name: str, own: Declared) -> None:
    """Wait a moment for nodes to leave beside which this one cannot be; end a silent namesake.

    Raises TryLater: they may be ended, and this one begun again.
    """
    deadline = time.monotonic() + NODE_LEAVE_LIMIT
    while (why := _why_not(connection, name, own)) is not None:
        if time.monotonic() > deadline:
            raise TryLater(f"--node: {why}")
        time.sleep(_LOOK_EVERY)
    for (life,) in connection.execute(_NAMESAKES, (name,)).fetchall():
        fence(connection, life)


def _why_not(connection: Connection, name: str, own: Declared) -> str | None:
    beating = [
        (other, Declared.decode(text))
        for other, text in connection.execute(_BEATING, (SILENCE,)).fetchall()
    ]
    if any(other == name for other, _ in beating):
        return f"another node beats that is called {name} as well; give each a name of its own"
    return disagreement(own, beating)


def open_existing(database: Database) -> Connection:
    """Open a connection to a store that a server made, while that may be running.

    Raises ConfigError or TryLater, saying what to do.
    """
    with _opening(database) as connection:
        versions = _stored_versions(connection)
        if versions is None:
            raise ConfigError(f"--store: the {database} has no games of a hearts-server")
        _refuse_others(database, *versions)
    return connection


def make_tables(connection: Connection, database: Database) -> None:
    """Make the tables if there are none. Raises ConfigError, psycopg.Error."""
    with connection.transaction():
        versions = _stored_versions(connection)
        if versions is not None:
            _refuse_others(database, *versions)
            connection.execute(KEPT)
            return
        try:
            for statement in (*TABLES, KEPT, *FUNCTIONS):
                connection.execute(statement)
        except psycopg.errors.DuplicateTable as error:
            raise ConfigError(
                f"--store: the {database} is used by another program or an earlier hearts-server "
                f"({error.diag.message_primary}); give the games one of their own"
            ) from None
        connection.execute("INSERT INTO hearts_tables VALUES (%s, %s)", (VERSION, OLDEST))


def is_usable(connection: Connection) -> bool:
    """Tell whether there are tables that this program can use."""
    versions = _stored_versions(connection)
    return versions is not None and _fits(*versions)


def _stored_versions(connection: Connection) -> tuple[int, int] | None:
    """Return the version of the tables, and the oldest whose programs can use them; None without
    any.
    """
    if connection.execute("SELECT to_regclass('hearts_tables')").fetchone() == (None,):
        return None
    return connection.execute("SELECT version, oldest FROM hearts_tables").fetchone()


def _fits(version: int, oldest: int) -> bool:
    return oldest <= VERSION <= version


def _refuse_others(database: Database, version: int, oldest: int) -> None:
    if not _fits(version, oldest):
        raise ConfigError(
            f"--store: the {database} is of another hearts-server (version {version} of the "
            f"tables, and this one knows {VERSION}); use that one, or give the games a database of "
            "their own"
        )
