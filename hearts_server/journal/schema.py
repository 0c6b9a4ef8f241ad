"""What the file of the journal holds, and the names and numbers that it is known by.

The lines of hands that are played lie in ``log``: each commit adds to its end, whatever tables
they are of, so that few pages of the file are written. It has no index, for that would have a page
to write for every table. Each finished hand becomes one row of ``hands``; its lines stay in the log
until the older part of that is cut off (:mod:`hearts_server.journal.log`). A session that has ended
has no line in the log that counts.
"""

from __future__ import annotations

JOURNAL_FILE = "journal.db"
"""Its name in the data dir."""
SPOOL_SUFFIX = "-spool"
"""What the name of its spool has behind that (:mod:`hearts_server.journal.spool`)."""
APPLICATION_ID = 0x48525453
"""What SQLite's header names the file as ("HRTS")."""
VERSION = 1
"""The version of the file that this program reads and writes."""
PAGE_SIZE = 2048
"""Bytes. A commit writes whole pages, and has some hundred bytes of lines."""
SCHEMA = (
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
    " opener TEXT NOT NULL,"
    " seats TEXT NOT NULL,"
    " ended INTEGER,"
    " why TEXT NOT NULL,"
    " games INTEGER NOT NULL,"
    " hands INTEGER NOT NULL,"
    " lines INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL)",
    "CREATE INDEX sessions_ended ON sessions (ended) WHERE ended IS NOT NULL",
    "CREATE TABLE log ("
    " id INTEGER PRIMARY KEY,"
    " game_number INTEGER NOT NULL,"
    " number INTEGER NOT NULL,"
    " line TEXT NOT NULL,"
    " checksum INTEGER NOT NULL)",
    "CREATE TABLE hands ("
    " game_number INTEGER NOT NULL,"
    " first INTEGER NOT NULL,"
    " count INTEGER NOT NULL,"
    " lines BLOB NOT NULL,"
    " checksum INTEGER NOT NULL,"
    " PRIMARY KEY (game_number, first)) WITHOUT ROWID",
)
"""The statements that make an empty journal.

``games``, ``hands`` and ``lines`` of a session are counted when it has ended; 0 before. ``seats``
is JSON: for each seat a list of name, kind, process ID, network, and what its player says of
himself (kind, level, comment). ``checksum`` covers the other
columns of its row.
"""
