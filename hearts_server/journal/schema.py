"""The file of the journal: made, recognized, brought up to date, or refused without a change.

A file is always complete: it is built under another name first. It is in WAL mode from its first
day, so that ``records`` can read while a server writes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from hearts.net.files import sync_folder
from hearts_server.config import ConfigError, TryLater

JOURNAL_FILE = "journal.db"
"""Its name in the data dir."""
APPLICATION_ID = 0x48525453
"""What SQLite's header names the file as ("HRTS")."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What the system says of a disk that takes nothing more for now."""
BUSY_LIMIT = 2.0
"""Seconds to wait for another program that writes to the file."""
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE sessions ("
        " game_number INTEGER PRIMARY KEY,"
        " table_name TEXT NOT NULL,"
        " private INTEGER NOT NULL,"
        " rules TEXT NOT NULL,"
        " end_score INTEGER NOT NULL,"
        " turn_limit INTEGER NOT NULL,"
        " grace REAL NOT NULL,"
        " pause_limit REAL NOT NULL,"
        " begun INTEGER NOT NULL,"
        " ended INTEGER,"
        " why TEXT NOT NULL DEFAULT '')",
        "CREATE INDEX sessions_unfinished ON sessions (game_number) WHERE ended IS NULL",
        "CREATE INDEX sessions_ended ON sessions (ended) WHERE ended IS NOT NULL",
        "CREATE TABLE seats ("
        " game_number INTEGER NOT NULL,"
        " player INTEGER NOT NULL,"
        " name TEXT NOT NULL,"
        " kind TEXT NOT NULL,"
        " process_id INTEGER NOT NULL,"
        " PRIMARY KEY (game_number, player)) WITHOUT ROWID",
        "CREATE TABLE steps ("
        " game_number INTEGER NOT NULL,"
        " number INTEGER NOT NULL,"
        " line TEXT NOT NULL,"
        " PRIMARY KEY (game_number, number)) WITHOUT ROWID",
    ),
    (
        "ALTER TABLE sessions ADD COLUMN opener TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE seats ADD COLUMN network TEXT NOT NULL DEFAULT ''",
    ),
)
"""The statements that lead from each version of the file to the next one; it begins at 0."""

_SQLITE_IOERR, _SQLITE_FULL = 10, 13
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_APPLICATION_ID_AT = 68
_WAL_BYTES_KEPT = 8 << 20
"""To which the log shrinks again after a reader made it grow."""


def open_database(
    path: Path,
    *,
    synchronous: str = "normal",
    busy_limit: float = BUSY_LIMIT,
    migrations: Sequence[Sequence[str]] = MIGRATIONS,
) -> sqlite3.Connection:
    """Open the file to write, made or brought up to date if that is needed.

    Raises ConfigError with one clear line for a file that is not ours, newer than we know, or
    damaged; such a file is not changed by a byte.
    """
    with _clear_errors(path):
        if os.path.lexists(path):
            _inspect(path, len(migrations))
            _keep_private(path)
        else:
            _create(path, migrations)
        connection = _connect(path, "mode=rw", busy_limit)
        try:
            _settle(connection, path, synchronous)
            _migrate(connection, migrations)
        except BaseException:
            connection.close()
            raise
        return connection


def open_existing(path: Path, *, write: bool = False) -> sqlite3.Connection:
    """Open a file that a server made, while that server may be running.

    Without ``write`` it is opened read-only, and all that is read is of one moment. Raises
    ConfigError, saying what to do.
    """
    if not path.is_file():
        raise ConfigError(
            f"there is no journal {path}; --data-dir DIR names the data dir of a server"
        )
    with _clear_errors(path):
        connection = _connect(path, "mode=rw" if write else "mode=ro", 5 * BUSY_LIMIT)
        try:
            if _number(connection, "application_id") != APPLICATION_ID:
                raise ConfigError(f"{path} is not the journal of a hearts-server")
            version = _number(connection, "user_version")
            if version > len(MIGRATIONS):
                raise ConfigError(_newer(path, version, len(MIGRATIONS)))
            if version < len(MIGRATIONS):
                raise ConfigError(
                    f"{path} is of an older hearts-server; start this one on it once, which "
                    "brings it up to date"
                )
            connection.execute("PRAGMA synchronous=NORMAL" if write else "BEGIN")
        except BaseException:
            connection.close()
            raise
        return connection


@contextlib.contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise TryLater(f"cannot write the journal {path}: {error.strerror}") from None
        raise ConfigError(
            f"cannot use the journal {path}: {error.strerror}; see to its dir and its owner"
        ) from None
    except sqlite3.Error as error:
        # The low byte is the kind of error; of those above it there is one for each call.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (_SQLITE_IOERR, _SQLITE_FULL):
            raise TryLater(f"cannot write the journal {path}: {error}") from None
        raise ConfigError(
            f"cannot use the journal {path}: {error}; see to its dir, its disk, and whether "
            "another program uses it"
        ) from None


def _connect(path: Path, how: str, busy_limit: float = BUSY_LIMIT) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=busy_limit,
        isolation_level=None,
        check_same_thread=False,
    )
    # Bytes that are no UTF-8 are to spoil their own row, not the reading of all the others.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    return connection


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


# A file that is there


def _inspect(path: Path, known: int) -> None:
    away = f"move it away, with {path.name}-wal and {path.name}-shm, and a new one is made"
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
        version, damage = _look_into(path)
    except sqlite3.OperationalError:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        # SQLite's own message may quote damaged bytes.
        raise ConfigError(f"{path} is damaged ({error}); {away}") from None
    if version > known:
        raise ConfigError(_newer(path, version, known))
    if version < 1:
        raise ConfigError(f"{path} is damaged (it has no version); {away}")
    if damage != "ok":
        raise ConfigError(f"{path} is damaged ({' '.join(damage.split())[:200]}); {away}")


def _newer(path: Path, version: int, known: int) -> str:
    return (
        f"{path} is of a newer hearts-server (version {version} of the file, and this one knows "
        f"up to {known}); use the newer one, or move the file away"
    )


def _look_into(path: Path) -> tuple[int, str]:
    """The version of the file, and "ok" or what is wrong with it."""
    # Without a log beside it the file is whole, and an immutable one makes SQLite write nothing.
    # With a log it has to be read through that; the log's index is all that may come of it.
    index = _beside(path, "-shm")
    has_log = _beside(path, "-wal").exists() or _beside(path, "-journal").exists()
    had_index = index.exists()
    try:
        with contextlib.closing(
            _connect(path, "mode=ro" if has_log else "immutable=1")
        ) as connection:
            version = _number(connection, "user_version")
            damage = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    finally:
        if has_log and not had_index:
            index.unlink(missing_ok=True)
    return version, damage


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
    # Whether the file can be written is to be known now, and not at the first deal.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]]) -> None:
    version = _number(connection, "user_version")
    for number, statements in enumerate(migrations[version:], version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={number}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


# A file that is not there yet


def _create(path: Path, migrations: Sequence[Sequence[str]]) -> None:
    for suffix in ("-wal", "-journal"):
        if os.path.lexists(orphan := _beside(path, suffix)):
            raise ConfigError(
                f"{orphan} lies there without {path}, whose last lines it may hold; put that one "
                "back, or move it away as well"
            )
    new = _beside(path, ".new")
    _remove(new)
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        with contextlib.closing(_connect(new, "mode=rw")) as connection:
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            _migrate(connection, migrations)
            connection.execute("PRAGMA journal_mode=WAL")
        os.replace(new, path)
    except BaseException:
        _remove(new)
        raise
    sync_folder(path.parent)


def _remove(new: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        _beside(new, suffix).unlink(missing_ok=True)
