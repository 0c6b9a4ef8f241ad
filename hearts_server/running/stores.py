"""The store of a server's games: the file of its data dir, or PostgreSQL.

The libraries of the store that is not used are not imported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from hearts_server.config import Config, ConfigError
from hearts_server.journal.archive import Archive
from hearts_server.journal.schema import JOURNAL_FILE
from hearts_server.journal.threaded import ThreadedJournal


def open_journal(config: Config) -> ThreadedJournal:
    """The journal that is configured, which waits for its database. Raises ConfigError."""
    if config.store:
        with psycopg_wanted():
            from hearts_server.postgres.journal import PostgresJournal
        return PostgresJournal(config.store)
    from hearts_server.journal.sqlite import SqliteJournal

    return SqliteJournal(config.data_dir / JOURNAL_FILE, config.journal)


def open_archive(data_dir: Path, store: str, *, write: bool = False) -> Archive:
    """The sessions in a store, or without one in a data dir. Raises ConfigError."""
    if store:
        with psycopg_wanted():
            from hearts_server.postgres.journal import database_archive
        return database_archive(store, write=write)
    from hearts_server.journal.sqlite import file_archive

    return file_archive(data_dir / JOURNAL_FILE, write=write)


@contextlib.contextmanager
def psycopg_wanted() -> Iterator[None]:
    """Raise ConfigError if an import in the block needs psycopg and it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise ConfigError(
            "--store needs psycopg: pip install '.[postgres]' in a copy of the repository"
        ) from None
