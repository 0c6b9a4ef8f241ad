"""Opening a store: its tables are made, or refused; a server begins its life.

Without nodes one server has a store for itself, as it has a data dir. Another one is refused while
the first is connected, and so is a node. What a dead one has left goes to the next.
"""

from __future__ import annotations

import time

import psycopg

from hearts.settings.readers import place_text
from hearts_server.config import ConfigError, TryLater
from hearts_server.standby.agreement import Declared

from .beside import check_beside
from .connecting import Connection, Database
from .lives import (
    alone_lives,
    begin_life,
    claim,
    fence,
    is_connected,
    live_lives,
    name_connection,
)
from .schema import FUNCTIONS, OLDEST, TABLES, VERSION

LEAVE_LIMIT = 3.0
"""Seconds in which the database notices that a killed server has left."""
_LOOK_EVERY = 0.05
_LOCK = 0x48525453
"""The advisory lock under which tables are made and lives begin ("HRTS")."""


def open_alone(database: Database, name: str) -> tuple[Connection, int]:
    """A connection of a new life that has all sessions which go on. Waits for the database.

    Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            # Of two servers that begin at once, one is the first.
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            make_tables(connection, database)
            for other in live_lives(connection):
                _wait_until_gone(connection, database, other)
                fence(connection, other)
            life = begin_life(connection, name)
            claim(connection, life)
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    except BaseException:
        connection.close()
        raise
    return connection, life


def open_node(
    database: Database, name: str, where: tuple[str, int], mark: bytes, own: Declared
) -> tuple[Connection, int]:
    """A connection of a new life of a node, which has no session yet. Waits for the database.

    ``where`` is the host and the port of its game, ``mark`` shows which secret it has, and ``own``
    is what else it declares. Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            make_tables(connection, database)
            # What is hidden in settings cannot be compared under another secret.
            _check_secret(connection, mark)
            check_beside(connection, name, own)
            for other in alone_lives(connection):
                _wait_until_gone(connection, database, other)
                fence(connection, other)
            connection.execute("UPDATE active SET secret = %s WHERE secret IS NULL", (mark,))
            life = begin_life(connection, name, own.encode())
            connection.execute(
                "INSERT INTO beats (life, address, beat, beaten, live)"
                " VALUES (%s, %s, 0, now(), true)",
                (life, place_text((where[0] or _own_host(connection), where[1]))),
            )
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    except BaseException:
        connection.close()
        raise
    return connection, life


def _own_host(connection: Connection) -> str:
    """The address of this machine as the database sees it."""
    (found,) = connection.execute("SELECT host(inet_client_addr())").fetchone() or (None,)
    return found or "127.0.0.1"


def _check_secret(connection: Connection, mark: bytes) -> None:
    (found,) = connection.execute("SELECT secret FROM active").fetchone() or (None,)
    if found is not None and bytes(found) != mark:
        raise ConfigError(
            "--data-dir: the secret in it is not that of the other nodes; copy the file 'secret' "
            "from the data dir of one of them"
        )


def open_life(database: Database, life: int) -> Connection:
    """One more connection of a life that has begun. If it is over, it cannot store anything.

    Raises ConfigError or TryLater.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            name_connection(connection, life)
    except BaseException:
        connection.close()
        raise
    return connection


def _wait_until_gone(connection: Connection, database: Database, life: int) -> None:
    deadline = time.monotonic() + LEAVE_LIMIT
    while is_connected(connection, life):
        if time.monotonic() > deadline:
            raise TryLater(
                f"--store: another hearts-server uses the {database}; stop it, or give this one a "
                "database of its own"
            )
        time.sleep(_LOOK_EVERY)


def open_existing(database: Database) -> Connection:
    """A connection to a store that a server made, while that may be running.

    Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            versions = _stored_versions(connection)
            if versions is None:
                raise ConfigError(f"--store: the {database} has no games of a hearts-server")
            _refuse_others(database, *versions)
    except BaseException:
        connection.close()
        raise
    return connection


def make_tables(connection: Connection, database: Database) -> None:
    """Make the tables if there are none. Raises ConfigError, psycopg.Error."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        versions = _stored_versions(connection)
        if versions is not None:
            _refuse_others(database, *versions)
            return
        try:
            for statement in (*TABLES, *FUNCTIONS):
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
    """The version of the tables, and the oldest whose programs can use them; None without any."""
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
