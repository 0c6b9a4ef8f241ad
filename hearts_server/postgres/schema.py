"""The tables of the database, and the functions in it that keep a server out whose time is over.

A server that stores here has a life, a number of 63 random bits.
A row of ``nodes`` says whether it is still live, and each session says whose it is. Whatever a
server stores, it locks its row in the same transaction and finds it live. So if another server has
changed that row (:mod:`hearts_server.postgres.connecting`), nothing follows from the first one, not
even what was on its way.

``kept`` has what else outlasts a server, such as names, by its name.

The tables ``sessions``, ``lines`` and ``hands`` are those of SQLite's journal
(:mod:`hearts_server.journal.schema`).

Nodes (:mod:`hearts_server.standby`) have two tables more. ``beats`` is one of its own, so that a
beat never waits for the lock that a commit has on ``nodes``. A life that is fenced beats no more:
its row there says so too, and is changed first. ``active`` has one row: the life that plays, until
when it is settling (:mod:`hearts_server.standby.membership`), a mark of the secret that all nodes
share, and the networks that know the password (:mod:`hearts_server.lobby.passwords`). What a
node has declared at its start (:mod:`hearts_server.standby.agreement`) is in its row of ``nodes``.
"""

from __future__ import annotations

from hearts_server.journal.schema import HANDS, LINES, SESSIONS, SESSIONS_ENDED

VERSION = 1
"""The version of the tables that this program reads and writes."""
OLDEST = 1
"""The oldest version whose programs can go on with the tables of this one.

It is raised to VERSION if they could not: if a column is gone or means something else, or if a
session or a hand is stored that they cannot read.
"""
LEAST_SERVER = 14
"""The oldest PostgreSQL that it was written for."""

FENCED = "HF001"
"""The error of a server whose life is over."""
NOT_OWN = "HF002"
"""The error of a session that is another's, is over, or has other lines by now."""

KEPT = "CREATE TABLE IF NOT EXISTS kept (name text PRIMARY KEY, data bytea NOT NULL)"
"""The statement that makes a table which stores of earlier servers do not have."""
KEEP = (
    "INSERT INTO kept (name, data) VALUES (%s, %s)"
    " ON CONFLICT (name) DO UPDATE SET data = excluded.data"
)
TABLES = (
    "CREATE TABLE hearts_tables (version int NOT NULL, oldest int NOT NULL)",
    "CREATE TABLE nodes ("
    " life bigint PRIMARY KEY,"
    " name text NOT NULL,"
    " begun bigint NOT NULL,"
    " live boolean NOT NULL,"
    " declared text NOT NULL DEFAULT '{}')",
    "CREATE TABLE beats ("
    " life bigint PRIMARY KEY,"
    " address text NOT NULL,"
    " beat bigint NOT NULL,"
    " beaten timestamptz NOT NULL,"
    " live boolean NOT NULL)",
    "CREATE TABLE active ("
    " life bigint NOT NULL,"
    " settled timestamptz NOT NULL,"
    " secret bytea,"
    " known_networks bytea NOT NULL DEFAULT '')",
    "INSERT INTO active (life, settled) VALUES (0, now())",
    SESSIONS,
    "CREATE INDEX sessions_going_on ON sessions (life) WHERE ended IS NULL",
    SESSIONS_ENDED,
    LINES,
    # A row lives as long as a hand is played.
    "ALTER TABLE lines SET"
    " (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)",
    HANDS,
    # They are packed already.
    "ALTER TABLE hands ALTER lines SET STORAGE EXTERNAL",
)
"""The statements that make an empty store, before those of FUNCTIONS."""

_HOLD = """
CREATE OR REPLACE FUNCTION hold(me bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM nodes WHERE life = me AND live FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'life % is over', me USING ERRCODE = 'HF001';
    END IF;
END
$$
"""
# FOR SHARE and nothing less: with FOR KEY SHARE, a foreign key, or a look without a lock, lines
# were lost that somebody had been told. It has to raise, for in a pipeline nothing else stops what
# follows.

_APPEND = """
CREATE OR REPLACE FUNCTION append(me bigint, g int[], n int[], l text[], c int[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    done int;
BEGIN
    PERFORM hold(me);
    INSERT INTO lines (game_number, number, line, checksum)
        SELECT u.g, u.n, u.l, u.c FROM unnest(g, n, l, c) AS u (g, n, l, c)
        JOIN sessions AS s ON s.game_number = u.g AND s.life = me AND s.ended IS NULL
        ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS done = ROW_COUNT;
    IF done = cardinality(g) THEN
        RETURN;
    END IF;
    -- They may be there from an earlier try, whose answer was lost.
    SELECT count(*) INTO done FROM unnest(g, n, l) AS u (g, n, l)
        JOIN sessions AS s ON s.game_number = u.g AND s.life = me AND s.ended IS NULL
        JOIN lines AS x ON x.game_number = u.g AND x.number = u.n AND x.line = u.l;
    IF done <> cardinality(g) THEN
        RAISE EXCEPTION 'a session is over, another''s, or has other lines'
            USING ERRCODE = 'HF002';
    END IF;
END
$$
"""

FUNCTIONS = (_HOLD, _APPEND)
"""The statements that make the functions.

``hold`` raises FENCED, and so does ``append``, which raises NOT_OWN as well. What ``append`` has
done already it does not do again, and says nothing of it.
"""
