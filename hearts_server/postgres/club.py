"""What nodes say to each other through the database: beats, fences, and who is the lobby.

One thread at a time uses it. A connection that breaks is made again for the next statement.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
from msgspec import Struct

from hearts_server.cluster.agreement import Declared
from hearts_server.cluster.membership import Beaten, Fence, Peer
from hearts_server.cluster.node import ClubAway, LifeOver

from .connecting import Connection, Database, text_of
from .lives import fence, name_connection
from .opening import open_existing, open_node

_PEERS = (
    "SELECT b.life, n.name, b.address, b.beat FROM beats AS b JOIN nodes AS n ON n.life = b.life"
    " WHERE b.live AND n.live AND b.life <> %s ORDER BY b.life"
)
_NO_LOBBY = (
    "SELECT lobby FROM club"
    " WHERE NOT EXISTS (SELECT FROM nodes WHERE nodes.life = club.lobby AND live)"
)
_TAKE_LOBBY = (
    "UPDATE club SET lobby = %(me)s WHERE lobby = %(over)s"
    " AND EXISTS (SELECT FROM nodes WHERE nodes.life = %(me)s AND live FOR SHARE)"
)


class PostgresClub:
    """The rows of one life of a node."""

    def __init__(self, url: str, name: str, address: str, mark: bytes, own: Declared) -> None:
        """Begin a life; the arguments are those of :func:`~.opening.open_node`.

        Waits for the database. Raises ConfigError or TryLater.
        """
        self._database = Database(url)
        connection, self.life = open_node(self._database, name, address, mark, own)
        self._connection: Connection | None = connection

    def beat(self, sent: float) -> Beaten:
        """Beat, and see who else does. Raises ClubAway or LifeOver."""
        with self._connected() as connection:
            statement = "UPDATE beats SET beat = beat + 1, beaten = now() WHERE life = %s AND live"
            if not connection.execute(statement, (self.life,)).rowcount:
                raise LifeOver
            peers = [Peer(*row) for row in connection.execute(_PEERS, (self.life,)).fetchall()]
            found = connection.execute("SELECT lobby FROM club").fetchone()
            return Beaten(sent, peers, 0 if found is None else int(found[0]))

    def fence(self, act: Fence) -> bool:
        """End the life of another node, unless it has beaten meanwhile; whether it is over.

        Raises ClubAway.
        """
        with self._connected() as connection:
            return fence(connection, act.life, act.beat)

    def take_lobby(self) -> bool:
        """Become the lobby, unless a live node is; whether this one is it. Raises ClubAway."""
        with self._connected() as connection:
            over = connection.execute(_NO_LOBBY).fetchone()
            if over is not None:
                # By its number, as in lives.claim: another node may be taking it as well.
                connection.execute(_TAKE_LOBBY, {"me": self.life, "over": over[0]})
            found = connection.execute("SELECT lobby FROM club").fetchone()
            return found is not None and int(found[0]) == self.life

    def end(self) -> None:
        """End the own life, so that nobody needs to wait for its silence, and let go of the
        database. Raises ClubAway."""
        with self._connected() as connection:
            fence(connection, self.life)
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            if self._connection is None:
                self._connection = self._database.connect("hearts")
                name_connection(self._connection, self.life)
            yield self._connection
        except psycopg.Error as error:
            self.close()
            raise ClubAway(text_of(error)) from None


class NodeState(Struct, frozen=True):
    """What is told of a node to people."""

    name: str
    life: int
    address: str
    is_lobby: bool
    seconds: float
    """Since its last beat, by the clock of the database."""
    tables: int
    program: str
    """Its version."""


class Standby(Struct, frozen=True):
    """A copy of the database that follows it."""

    name: str
    how: str
    """``sync`` for one that commits wait for."""
    seconds: float | None
    """By which it is behind; None if it is not, or if this role may not know."""


class ClubState(Struct, frozen=True):
    """The state of a club, for people."""

    nodes: list[NodeState]
    """Those that are live."""
    left_tables: int
    """Tables that go on, and that no live node has."""
    standbys: list[Standby]


def read_club(url: str) -> ClubState:
    """The nodes, and the standbys of their database. Raises ConfigError or TryLater."""
    database = Database(url)
    connection = open_existing(database)
    with connection, database.clear_errors():
        nodes = connection.execute(
            "SELECT n.name, n.life, b.address, c.lobby = n.life,"
            " extract(epoch FROM now() - b.beaten)::float,"
            " (SELECT count(*) FROM sessions AS s WHERE s.life = n.life AND s.ended IS NULL),"
            " n.declared"
            " FROM nodes AS n JOIN beats AS b ON b.life = n.life CROSS JOIN club AS c"
            " WHERE n.live ORDER BY n.name, n.life"
        ).fetchall()
        left = connection.execute(
            "SELECT count(*) FROM sessions AS s WHERE s.ended IS NULL"
            " AND NOT EXISTS (SELECT FROM nodes AS n WHERE n.life = s.life AND n.live)"
        ).fetchone()
        standbys = connection.execute(
            "SELECT application_name, coalesce(sync_state, 'unknown'),"
            " extract(epoch FROM replay_lag)::float FROM pg_stat_replication"
            " ORDER BY application_name"
        ).fetchall()
    found = [
        NodeState(name, life, address, is_lobby, seconds, tables, Declared.decode(text).program)
        for name, life, address, is_lobby, seconds, tables, text in nodes
    ]
    return ClubState(found, int((left and left[0]) or 0), [Standby(*row) for row in standbys])
