"""The lives of servers that store in one database: begun, ended by others, and what they leave."""

from __future__ import annotations

import time
from collections.abc import Sequence

import psycopg

from .connecting import Connection

FENCE_LIMIT = "500ms"
"""How long a commit under way may hold a fence up before its connection is cut."""
_OF = (
    "FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = %s AND pid <> pg_backend_pid()"
)
_IS_LIVE = "EXISTS (SELECT FROM nodes WHERE nodes.life = %(me)s AND live FOR SHARE)"


def connection_name(connection: Connection, life: int) -> str:
    """What the connections of a life are called, by which others know them."""
    # There may be several stores in one database.
    found = connection.execute("SELECT 'nodes'::regclass::oid::bigint").fetchone()
    assert found is not None
    return f"hearts:{found[0]}:{life}"


def begin_life(connection: Connection, name: str, declared: str = "{}") -> int:
    """A new life of a node with this name, whose connection this is from now on.

    ``declared`` is what it says of itself, for other nodes.
    """
    found = connection.execute(
        "INSERT INTO nodes (life, name, begun, live, declared)"
        " VALUES (nextval('lives'), %s, %s, true, %s) RETURNING life",
        (name, int(time.time()), declared),
    ).fetchone()
    assert found is not None
    life = int(found[0])
    name_connection(connection, life)
    return life


def name_connection(connection: Connection, life: int) -> None:
    """Let others know that this connection is of a life."""
    name = connection_name(connection, life)
    connection.execute("SELECT set_config('application_name', %s, false)", (name,))


def live_lives(connection: Connection) -> list[int]:
    """The lives that nobody has ended."""
    found = connection.execute("SELECT life FROM nodes WHERE live ORDER BY life")
    return [life for (life,) in found.fetchall()]


def alone_lives(connection: Connection) -> list[int]:
    """Those of them that are no nodes, but a server that has the store for itself."""
    found = connection.execute(
        "SELECT life FROM nodes WHERE live AND life NOT IN (SELECT life FROM beats) ORDER BY life"
    )
    return [life for (life,) in found.fetchall()]


def is_connected(connection: Connection, life: int) -> bool:
    """Whether a life has other connections than this one."""
    name = connection_name(connection, life)
    found = connection.execute(f"SELECT EXISTS (SELECT {_OF})", (name,)).fetchone()
    return bool(found and found[0])


def end_connections(connection: Connection, life: int, pid: int | None = None) -> None:
    """Cut the connections of a life, but for this one. What they have not committed is undone.

    ``pid`` is the process of the only one that is meant.
    """
    name = connection_name(connection, life)
    only = " AND pid = coalesce(%s, pid)"
    connection.execute(f"SELECT pg_terminate_backend(pid) {_OF}{only}", (name, pid))


def fence(connection: Connection, life: int, beat: int | None = None) -> bool:
    """End a life: when this returns, nothing of it can be stored any more.

    If it has beaten since a ``beat`` that is given, it is left as it is; whether it is over.
    """
    while True:
        try:
            with connection.transaction():
                connection.execute("SELECT set_config('lock_timeout', %s, true)", (FENCE_LIMIT,))
                if not _stop_beats(connection, life, beat):
                    return False
                connection.execute("UPDATE nodes SET live = false WHERE life = %s", (life,))
            return True
        except psycopg.errors.LockNotAvailable:
            # It may have been stopped in the middle of a transaction.
            end_connections(connection, life)


def _stop_beats(connection: Connection, life: int, beat: int | None) -> bool:
    """Let a life beat no more; False if it has beaten since that beat."""
    if beat is None:
        connection.execute("UPDATE beats SET live = false WHERE life = %s", (life,))
        return True
    statement = "UPDATE beats SET live = false WHERE life = %s AND (beat = %s OR NOT live)"
    return connection.execute(statement, (life, beat)).rowcount > 0


def claim(connection: Connection, life: int, numbers: Sequence[int] | None = None) -> None:
    """Let a live life have the sessions that go on and are of one that is over.

    ``numbers`` are those that are meant; None for all.
    """
    connection.execute(
        "UPDATE sessions SET life = %(me)s WHERE ended IS NULL AND life = ANY(%(over)s)"
        " AND (%(numbers)s::int[] IS NULL OR game_number = ANY(%(numbers)s))"
        f" AND {_IS_LIVE}",
        {
            "me": life,
            "over": _lives_over(connection),
            "numbers": None if numbers is None else list(numbers),
        },
    )


def claim_some(connection: Connection, life: int, most: int) -> list[int]:
    """The same with at most so many, which nobody else is just claiming; their numbers."""
    found = connection.execute(
        "UPDATE sessions SET life = %(me)s WHERE game_number IN ("
        "SELECT game_number FROM sessions WHERE ended IS NULL AND life = ANY(%(over)s)"
        " ORDER BY game_number LIMIT %(most)s FOR UPDATE SKIP LOCKED)"
        f" AND {_IS_LIVE} RETURNING game_number",
        {"me": life, "over": _lives_over(connection), "most": most},
    )
    return sorted(number for (number,) in found.fetchall())


def _lives_over(connection: Connection) -> list[int]:
    # Named, for a row that somebody else has just claimed is looked at again, but not whether the
    # life that it has by then is over. That a life is over stays so.
    found = connection.execute(
        "SELECT DISTINCT life FROM sessions WHERE ended IS NULL"
        " AND NOT EXISTS (SELECT FROM nodes WHERE nodes.life = sessions.life AND live)"
    )
    return [each for (each,) in found.fetchall()]
