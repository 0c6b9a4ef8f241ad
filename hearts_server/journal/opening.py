"""Opening the file of the journal: made, recognized, or refused unchanged.

A file is always complete: it is built under another name first. It is in WAL mode from its first
day, so that ``records`` can read while a server writes.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from hearts.net.files import FULL_DISK
from hearts.net.system import sync_folder
from hearts.settings.table import ConfigError

from .schema import APPLICATION_ID, PAGE_SIZE, SCHEMA, VERSION
from .spool import SPOOL_SUFFIX
from .store import StoreTrouble, TryLater, closed_on_error

BUSY_LIMIT = 2.0
"""Seconds to wait for another program that writes to the file."""

_SQLITE_IOERR, _SQLITE_FULL = 10, 13
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_APPLICATION_ID_AT = 68
_WAL_BYTES_KEPT = 8 << 20
"""To which SQLite's log shrinks again after a reader made it grow."""
_WAL_PAGES = 2000
"""After which it is written into the file: the more, the more often a page was changed by then."""


def open_database(path: Path, *, synchronous: str = "normal") -> sqlite3.Connection:
    """Open the file to write; it is made if there is none.

    Raises ConfigError with one clear line for a file that is not ours, of another version, or
    damaged in a place that the server has to read at its start. Such a file is not changed at all.
    """
    with clear_errors(path):
        if not os.path.lexists(path):
            create_with(path, lambda new: None)
        else:
            _check(path)
        _keep_private(path)
        connection = connect(path, "mode=rw", BUSY_LIMIT)
        with closed_on_error(connection):
            _settle(connection, path, synchronous)
        return connection


def open_existing(path: Path, *, write: bool = False) -> sqlite3.Connection:
    """Open a file that a server made, while that server may be running.

    Without ``write`` it is opened read-only, and all that is read is of one moment. Raises
    ConfigError, saying what to do.
    """
    if not path.is_file():
        raise ConfigError(
            f"there is no journal {path}; --data-dir DIR names the data dir of a server, "
            "and --store URL its database, if it has one"
        )
    with clear_errors(path):
        connection = connect(path, "mode=rw" if write else "mode=ro", 5 * BUSY_LIMIT)
        with closed_on_error(connection):
            if number(connection, "application_id") != APPLICATION_ID:
                raise ConfigError(f"{path} is not the journal of a hearts-server")
            _check_tables(connection, path)
            connection.execute("PRAGMA synchronous=NORMAL" if write else "BEGIN")
        return connection


@contextlib.contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Raise ConfigError or TryLater, with what to do, for errors of the disk and of SQLite."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL_DISK:
            raise TryLater(f"cannot write the journal {path}: {error.strerror}") from None
        raise ConfigError(
            f"cannot use the journal {path}: {error.strerror}; see to its dir and its owner"
        ) from None
    except (sqlite3.Error, StoreTrouble) as error:
        # The low byte is the kind of error; of those above it there is one for each call.
        code = getattr(error.__cause__ or error, "sqlite_errorcode", 0)
        if code & 0xFF in (_SQLITE_IOERR, _SQLITE_FULL):
            raise TryLater(f"cannot write the journal {path}: {error}") from None
        raise ConfigError(
            f"cannot use the journal {path}: {error}; see to its dir, its disk, and whether "
            "another program uses it"
        ) from None


def connect(path: Path, how: str, busy_limit: float = BUSY_LIMIT) -> sqlite3.Connection:
    """Connect to the file; ``how`` is the query of its SQLite URI."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=busy_limit,
        isolation_level=None,
        check_same_thread=False,
    )
    # Bytes that are no UTF-8 are to spoil their own row, not the reading of all the others.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    # A name that is given up is not to stay in free room.
    connection.execute("PRAGMA secure_delete=ON").fetchall()
    return connection


def number(connection: sqlite3.Connection, pragma: str) -> int:
    """Read the number that a pragma of SQLite says."""
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all of the block or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


# A file that is there


def _check(path: Path) -> None:
    """Raise ConfigError for a file that is not to be used."""
    away = _away(path)
    if not path.is_file():
        raise ConfigError(f"{path} is no file; {away}")
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise ConfigError(f"{path} is no SQLite database; {away}")
    application_id = int.from_bytes(header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4], "big")
    if application_id != APPLICATION_ID:
        raise ConfigError(f"{path} is a database of another program; {away}")
    try:
        with _as_it_is(path) as connection:
            _check_tables(connection, path)
            damage = _damage(connection)
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # SQLite's own message may quote damaged bytes.
        raise ConfigError(f"{path} is damaged ({error}); {away}") from None
    if damage != "ok":
        raise ConfigError(f"{path} is damaged ({' '.join(damage.split())[:200]}); {away}")


def _away(path: Path) -> str:
    return f"move it away, with all files {path.name}-*, and a new one is made"


def _check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Raise ConfigError for a file that has not the tables of this version."""
    version = number(connection, "user_version")
    if version != VERSION:
        raise ConfigError(
            f"{path} is of another hearts-server (version {version} of the file, and this one "
            f"knows {VERSION}); use that one, or {_away(path)}"
        )
    made = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema") if sql}
    if not made.issuperset(SCHEMA):
        raise ConfigError(f"{path} is damaged (it lacks a table); {_away(path)}")


@contextlib.contextmanager
def _as_it_is(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that leaves every byte as it is."""
    # Without a log beside it the file is whole, and an immutable one makes SQLite write nothing.
    # With a log it has to be read through that; the log's index is all that may come of it.
    index = _beside(path, "-shm")
    has_log = _beside(path, "-wal").exists() or _beside(path, "-journal").exists()
    had_index = index.exists()
    try:
        how = "mode=ro" if has_log else "immutable=1"
        with contextlib.closing(connect(path, how)) as connection:
            yield connection
    finally:
        if has_log and not had_index:
            index.unlink(missing_ok=True)


def _damage(connection: sqlite3.Connection) -> str:
    """Find out what is wrong with the tables that are read at the start; "ok" for nothing.

    To look at all of a large file takes many seconds. What nobody needs now is looked at beside
    play (:func:`hearts_server.journal.sqlite.check_all`).
    """
    for table in ("lines", "sessions"):
        (found,) = connection.execute(f"PRAGMA quick_check({table})").fetchone()
        if found != "ok":
            return str(found)
    return "ok"


def _keep_private(path: Path) -> None:
    for file in (path, _beside(path, "-wal"), _beside(path, "-shm")):
        if file.exists() and file.stat().st_mode & 0o077:
            file.chmod(0o600)


def _settle(connection: sqlite3.Connection, path: Path, synchronous: str) -> None:
    mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    if mode != "wal":
        raise ConfigError(
            f"cannot use the journal {path}: its file system has no shared memory (WAL); choose "
            "a --data-dir on a disk of this machine"
        )
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute(f"PRAGMA journal_size_limit={_WAL_BYTES_KEPT}")
    connection.execute(f"PRAGMA wal_autocheckpoint={_WAL_PAGES}")
    # Whether the file can be written is to be known now, and not at the first deal.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


# A file that is not there yet


def create_with(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a file that is not there, and let another function fill its tables.

    Raises ConfigError, sqlite3.Error and OSError, as the function does; then there is no file.
    """
    for suffix in ("-wal", "-journal", SPOOL_SUFFIX):
        if os.path.lexists(orphan := _beside(path, suffix)):
            raise ConfigError(
                f"{orphan} lies there without {path}, whose last lines it may hold; put that one "
                "back, or move it away as well"
            )
    # It is made complete under another name, and then gets its own: safe against any kill.
    new = _beside(path, ".new")
    _remove(new)
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        with contextlib.closing(connect(new, "mode=rw")) as connection:
            connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            # Nobody reads it before it is complete, and then it is synced.
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            for statement in SCHEMA:
                connection.execute(statement)
            fill(connection)
            connection.execute(f"PRAGMA user_version={VERSION}")
            connection.execute("PRAGMA journal_mode=WAL")
        with new.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        _remove(new)
        raise
    sync_folder(path.parent)


def _remove(new: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        _beside(new, suffix).unlink(missing_ok=True)
