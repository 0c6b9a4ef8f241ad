"""What a host does with stored sessions, while a server may be writing others beside him."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from hearts_server.config import ConfigError

from .keeper import Pruned
from .opening import clear_errors, open_existing
from .pruning import check_deletable, delete_sessions, ended_before
from .reading import SessionReader
from .rows import Value
from .sessions import rows
from .spool import read_spool, spool_path
from .store import StoredSession


class Archive(Protocol):
    """The sessions of a store. All that is read is of one moment.

    Each method raises ConfigError where the store cannot be used.
    """

    def session(self, game_number: int) -> StoredSession:
        """A session. Raises UnreadableSession, also if there is none of this number."""

    def numbers(self) -> list[int]:
        """The numbers of all sessions, in order."""

    def rows(self, first: int, most: int) -> list[Sequence[Value]]:
        """The columns and checksums of at most so many sessions from a number on, in order."""

    def ended_before(self, when: int) -> list[int]:
        """The numbers of the sessions that ended before a Unix time, in order."""

    def check_deletable(self, numbers: Sequence[int]) -> None:
        """Raise NotDeletable for the first session that is not there or has not ended."""

    def delete(self, numbers: Sequence[int]) -> Pruned:
        """Delete those of some sessions that have ended."""

    def close(self) -> None:
        """Let go of the store."""


class SqliteArchive:
    """The sessions in the file of a data dir."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """``write`` is needed to delete. Raises ConfigError, saying what to do."""
        # First the spool: what leaves it afterwards is in the file by then.
        with clear_errors(path):
            spooled = read_spool(spool_path(path))
        self._connection = open_existing(path, write=write)
        self._reader = SessionReader(self._connection, spooled)

    def session(self, game_number: int) -> StoredSession:
        with _clear_errors():
            return self._reader.session(game_number)

    def numbers(self) -> list[int]:
        with _clear_errors():
            return self._reader.numbers()

    def rows(self, first: int, most: int) -> list[Sequence[Value]]:
        which = "WHERE game_number >= ? ORDER BY game_number LIMIT ?"
        with _clear_errors():
            return rows(self._connection, which, first, most)

    def ended_before(self, when: int) -> list[int]:
        with _clear_errors():
            return ended_before(self._connection, when)

    def check_deletable(self, numbers: Sequence[int]) -> None:
        with _clear_errors():
            check_deletable(self._connection, numbers)

    def delete(self, numbers: Sequence[int]) -> Pruned:
        with _clear_errors():
            return delete_sessions(self._connection, numbers)

    def close(self) -> None:
        self._connection.close()


@contextlib.contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise ConfigError(f"cannot use the journal: {error}") from None
