"""The stored sessions that a command works on: those of a data dir, or of a database."""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec import MsgspecError, json

from hearts.settings.table import ConfigError
from hearts_server.config import JOURNAL_FILE, default_data_dir, psycopg_wanted
from hearts_server.datadir import NAMES_FILE
from hearts_server.journal.archive import Archive
from hearts_server.journal.rows import StoreTables
from hearts_server.names.stored import Stored


def opened_archive(given: argparse.Namespace, *, write: bool) -> Archive:
    """Open the sessions in the store that was given, or without one in a data dir.

    Raises ConfigError.
    """
    if "store" in given:
        with psycopg_wanted():
            from hearts_server.postgres.journal import database_archive
        return database_archive(given.store, write=write)
    from hearts_server.journal.sqlite import file_archive

    return file_archive(_folder(given) / JOURNAL_FILE, write=write)


def _folder(given: argparse.Namespace) -> Path:
    return Path(getattr(given, "data_dir", default_data_dir()))


def names_in(given: argparse.Namespace, tables: StoreTables) -> Stored | None:
    """Read the names of the server of a store; None if it never had names.

    Raises ConfigError.
    """
    try:
        if "store" in given:
            found = []
            if tables.has_table("kept"):
                found = tables.rows("SELECT data FROM kept WHERE name = ?", NAMES_FILE)
            data = found[0][0] if found else None
        else:
            file = _folder(given) / NAMES_FILE
            data = file.read_bytes() if file.exists() else None
        return None if data is None else json.decode(data, type=Stored)
    except (OSError, MsgspecError) as error:
        raise ConfigError(f"cannot read the names that are claimed: {error}") from None
