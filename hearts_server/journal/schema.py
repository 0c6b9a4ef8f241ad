"""The tables of every store, and the numbers that the file of the journal is known by.

The lines of hands that are played lie in ``lines``. Each finished hand becomes one row of
``hands``, in place of its lines. A session that has ended has hands alone.

The types are words of PostgreSQL that mean as much to SQLite. What only one of them has is in
SCHEMA and in :mod:`hearts_server.postgres.schema`.
"""

from __future__ import annotations

APPLICATION_ID = 0x48525453
"""The name of the file in SQLite's header ("HRTS")."""
VERSION = 1
"""The version of the file that this program reads and writes."""
PAGE_SIZE = 2048
"""Bytes. A commit writes whole pages, and has some hundred bytes of lines."""

SESSIONS = (
    "CREATE TABLE sessions ("
    " game_number integer PRIMARY KEY,"
    " life bigint NOT NULL DEFAULT 0,"
    " table_name text NOT NULL,"
    " private integer NOT NULL,"
    " rules text NOT NULL,"
    " end_score integer NOT NULL,"
    " turn_limit integer NOT NULL,"
    " grace double precision NOT NULL,"
    " pause_limit double precision NOT NULL,"
    " begun bigint NOT NULL,"
    " opener text NOT NULL,"
    " seats text NOT NULL,"
    " ended bigint,"
    " why text NOT NULL,"
    " games integer NOT NULL,"
    " hands integer NOT NULL,"
    " lines integer NOT NULL,"
    " bytes bigint NOT NULL,"
    " checksum integer NOT NULL)"
)
"""``life`` is whose the session is in PostgreSQL (:mod:`hearts_server.postgres.connecting`); in a
file it is 0. ``games``, ``hands`` and ``lines`` are counted when it has ended, and 0 before; so are
``bytes``, about how much room it takes. ``seats`` is JSON: for each seat the fields of
:class:`hearts.hosting.store.StoredSeat`. ``checksum`` covers all other columns but ``life``.
"""
SESSIONS_ENDED = "CREATE INDEX sessions_ended ON sessions (ended, bytes) WHERE ended IS NOT NULL"
LINES = (
    "CREATE TABLE lines ("
    " game_number integer NOT NULL,"
    " number integer NOT NULL,"
    " line text NOT NULL,"
    " checksum integer NOT NULL,"
    " PRIMARY KEY (game_number, number))"
)
HANDS = (
    "CREATE TABLE hands ("
    " game_number integer NOT NULL,"
    " first integer NOT NULL,"
    " count integer NOT NULL,"
    " lines bytea NOT NULL,"
    " checksum integer NOT NULL,"
    " PRIMARY KEY (game_number, first))"
)
SCHEMA = (SESSIONS, SESSIONS_ENDED, f"{LINES} WITHOUT ROWID", f"{HANDS} WITHOUT ROWID")
"""The statements that make an empty journal in a file."""
