"""``hearts-server import`` and ``export``: from a data dir into a database, and back."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hearts.errors import HeartsError
from hearts.settings.table import CommandParser
from hearts.wire.text import count_of
from hearts_server.config import JOURNAL_FILE, Durability, default_data_dir, psycopg_wanted
from hearts_server.datadir import SECRET_FILE, DataDir
from hearts_server.given_settings import add_data_dir, add_store
from hearts_server.journal.spool import spool_path

_REPORT_EVERY = 2.0
"""Seconds between two lines about how far it is."""
_DESCRIPTIONS = {
    "import": "Copy all sessions of a data dir into a PostgreSQL that has none: tables under way, "
    "finished games, names, bans, standings, everything or nothing. The file stays as it is.",
    "export": "Copy all sessions of a PostgreSQL into a data dir without a journal: tables under "
    "way, finished games, names, bans, standings, everything or nothing. The database stays as it "
    "is.",
}


def main(arguments: Sequence[str]) -> int:
    command, *words = arguments
    parser = CommandParser(
        prog=f"hearts-server {command}",
        description=_DESCRIPTIONS[command],
        epilog="No server may use either of the two meanwhile. Exit status: 0 done, 2 nothing was "
        "done.",
    )
    add_data_dir(parser)
    add_store(parser, "the database", required=True)
    given = parser.parse_args(words)
    print(_move(command, getattr(given, "data_dir", default_data_dir()), given.store))
    return 0


def _move(command: str, folder: Path, url: str) -> str:
    with psycopg_wanted():
        from hearts_server.journal.sqlite import SqliteJournal
        from hearts_server.postgres.connecting import Database
        from hearts_server.postgres.moving import export_file, import_file
    path = folder / JOURNAL_FILE
    said = time.monotonic()

    def report(done: int, of: int) -> None:
        nonlocal said
        if time.monotonic() - said >= _REPORT_EVERY:
            said = time.monotonic()
            print(f"{100 * done // of} % of {of} rows", file=sys.stderr)

    if command == "import" and not path.exists():
        raise HeartsError(f"there is no journal {path}; --data-dir DIR names the data dir")
    # No server runs on it meanwhile.
    has_secret = (folder / SECRET_FILE).exists()
    lock = DataDir(folder)
    try:
        if command == "import":
            if spool_path(path).exists():
                # What a server that was killed has left there goes into the file first.
                SqliteJournal(path, Durability.FULL).close()
            moved = import_file(path, Database(url), report, lock.kept_networks().others)
            then = "start the server with this --data-dir and --store from now on, never without"
        else:
            moved = export_file(Database(url), path, report, lock.kept_networks().others)
            then = "start the server with this --data-dir and without --store from now on"
            if not has_secret:
                then += (
                    f". There is no secret in {folder}: copy the file 'secret' of the server there "
                    "first, or nobody can come back to a table under way"
                )
    finally:
        if not has_secret:
            # One that was made just now is nobody's, and would seem to be the right one later.
            lock.secret_file.unlink(missing_ok=True)
        lock.close()
    sessions, hands = count_of(moved.sessions, "session"), count_of(moved.hands, "packed hand")
    return f"{sessions} with {hands}; {then}"
