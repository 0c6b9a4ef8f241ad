"""The stored sessions that a command works on: those of a data dir, or of a database."""

from __future__ import annotations

import argparse

from hearts_server.config import JOURNAL_FILE, default_data_dir, psycopg_wanted
from hearts_server.journal.archive import Archive


def opened_archive(given: argparse.Namespace, *, write: bool) -> Archive:
    """Open the sessions in the store that was given, or without one in a data dir.

    Raises ConfigError.
    """
    if "store" in given:
        with psycopg_wanted():
            from hearts_server.postgres.journal import database_archive
        return database_archive(given.store, write=write)
    from hearts_server.journal.sqlite import file_archive

    folder = getattr(given, "data_dir", default_data_dir())
    return file_archive(folder / JOURNAL_FILE, write=write)
