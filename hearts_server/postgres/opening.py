"""Opening a store: its tables are made, brought up to date, or refused; a server begins its life.

Without nodes one server has a store for itself, as it has a data dir. Another one is refused while
the first is connected, and so is a node. What a dead one has left goes to the next.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import psycopg

from hearts_server.cluster.agreement import Declared
from hearts_server.config import ConfigError, TryLater

from .beside import DECLARED_SINCE, check_beside
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
_VERSIONS = VERSION, OLDEST
_LOCK = 0x48525453
"""The advisory lock under which tables are made and changed ("HRTS")."""

MIGRATIONS: Sequence[Sequence[str]] = (
    (
        "ALTER TABLE hearts_store ADD COLUMN oldest int NOT NULL DEFAULT 1",
        "ALTER TABLE nodes ADD COLUMN declared text NOT NULL DEFAULT '{}'",
    ),
    # Lines say whom the host has removed, which older programs cannot read.
    (),
)
"""The statements that lead from each version to the next one, the first from version 1."""


def open_alone(database: Database, name: str) -> tuple[Connection, int]:
    """A connection of a new life that has all sessions which go on. Waits for the database.

    Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            # Of two servers that begin at once, one is the first.
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            bring_up_to_date(connection, database)
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
    database: Database, name: str, address: str, mark: bytes, own: Declared
) -> tuple[Connection, int]:
    """A connection of a new life of a node, which has no session yet. Waits for the database.

    ``address`` is where other nodes reach it, ``mark`` shows which secret it has, and ``own`` is
    what else it declares. Raises ConfigError or TryLater, saying what to do.
    """
    connection = database.open("hearts")
    try:
        with database.clear_errors():
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            # First, for those that are live may be too old for other tables.
            if (stored_version(connection) or 0) >= DECLARED_SINCE:
                # What is hidden in settings cannot be compared under another secret.
                _check_secret(connection, mark)
                check_beside(connection, own)
            bring_up_to_date(connection, database)
            for other in alone_lives(connection):
                _wait_until_gone(connection, database, other)
                fence(connection, other)
            connection.execute("UPDATE club SET secret = %s WHERE secret IS NULL", (mark,))
            _check_secret(connection, mark)
            life = begin_life(connection, name, own.encode())
            connection.execute(
                "INSERT INTO beats (life, address, beat, beaten, live)"
                " VALUES (%s, %s, 0, now(), true)",
                (life, address),
            )
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    except BaseException:
        connection.close()
        raise
    return connection, life


def _check_secret(connection: Connection, mark: bytes) -> None:
    (found,) = connection.execute("SELECT secret FROM club").fetchone() or (None,)
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
            version = stored_version(connection)
            if version is None:
                raise ConfigError(f"--store: the {database} has no games of a hearts-server")
            _refuse_newer(connection, database, version)
            if version < VERSION:
                raise ConfigError(
                    f"--store: the {database} is of an older hearts-server; start this one on it "
                    "once, which brings it up to date"
                )
    except BaseException:
        connection.close()
        raise
    return connection


def bring_up_to_date(connection: Connection, database: Database) -> None:
    """Make the tables, or change those of an older version. Raises ConfigError, psycopg.Error."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = stored_version(connection)
        if version is None:
            try:
                _make(connection)
            except psycopg.errors.DuplicateTable as error:
                raise ConfigError(
                    f"--store: the {database} is used by another program "
                    f"({error.diag.message_primary}); give the games one of their own"
                ) from None
            return
        _refuse_newer(connection, database, version)
        if version >= VERSION:
            return
        for statements in MIGRATIONS[version - 1 :]:
            for statement in statements:
                connection.execute(statement)
        _make_functions(connection)
        connection.execute("UPDATE hearts_store SET version = %s, oldest = %s", _VERSIONS)


def stored_version(connection: Connection) -> int | None:
    """The version of the tables; None without any."""
    if connection.execute("SELECT to_regclass('hearts_store')").fetchone() == (None,):
        return None
    found = connection.execute("SELECT version FROM hearts_store").fetchone()
    return None if found is None else int(found[0])


def is_usable(connection: Connection) -> bool:
    """Whether there are tables that this program can use as they are."""
    version = stored_version(connection)
    return version is not None and version >= VERSION and not _is_too_new(connection, version)


def _is_too_new(connection: Connection, version: int) -> bool:
    if version <= VERSION:
        return False
    # All newer ones have it.
    found = connection.execute("SELECT oldest FROM hearts_store").fetchone()
    return found is None or int(found[0]) > VERSION


def _make(connection: Connection) -> None:
    for statement in TABLES:
        connection.execute(statement)
    _make_functions(connection)
    connection.execute("INSERT INTO hearts_store (version, oldest) VALUES (%s, %s)", _VERSIONS)


def _make_functions(connection: Connection) -> None:
    for statement in FUNCTIONS:
        connection.execute(statement)


def _refuse_newer(connection: Connection, database: Database, version: int) -> None:
    if _is_too_new(connection, version):
        raise ConfigError(
            f"--store: the {database} is of a newer hearts-server (version {version} of the "
            f"tables, and this one knows up to {VERSION}); use the newer one"
        )
