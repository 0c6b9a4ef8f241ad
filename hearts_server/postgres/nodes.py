"""Nodes in the database: their beats and fences, and the node that plays.

One thread at a time uses it. A connection that breaks is made again for the next statement.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

import psycopg
from msgspec import Struct

from hearts_server.journal.store import Fenced, StoreTrouble, TryLater
from hearts_server.standby.agreement import Declared
from hearts_server.standby.membership import LEASE, SILENCE, Beaten, Fence, Peer
from hearts_server.standby.node import OVER

from .connecting import (
    Connection,
    Database,
    end_connections,
    fence,
    holders,
    name_connection,
    text_of,
    try_fence,
)
from .opening import open_existing, open_node

SETTLING = 10
"""Seconds for which a node that has taken over from one that was only silent is not fenced for
silence: those who come back all at once may hold it up as well."""
_PEERS = (
    "SELECT b.life, n.name, b.address, b.beat FROM beats AS b JOIN nodes AS n ON n.life = b.life"
    " WHERE n.live AND b.life <> %s ORDER BY n.begun, b.life"
)
"""With those that :func:`end_active` has stopped: if it is cut short, their silence ends them."""
_NOBODY_PLAYS = (
    "SELECT life FROM active"
    " WHERE NOT EXISTS (SELECT FROM nodes WHERE nodes.life = active.life AND live)"
)
_TAKE_OVER = (
    "UPDATE active SET life = %(me)s WHERE life = %(over)s"
    " AND EXISTS (SELECT FROM nodes WHERE nodes.life = %(me)s AND live FOR SHARE)"
)
_SETTLES = "UPDATE active SET settled = now() + make_interval(secs => %s) WHERE life = %s"


_BEATING = (
    "SELECT n.life, n.name, a.life = n.life FROM nodes AS n JOIN beats AS b ON b.life = n.life"
    " CROSS JOIN active AS a WHERE n.live AND b.beaten > now() - make_interval(secs => %s)"
)
_SECONDS = "extract(epoch FROM now() - b.beaten)::float"
_NODES = (
    f"SELECT n.name, n.life, b.address, a.life = n.life, {_SECONDS},"
    f" greatest(0.0, %s - {_SECONDS}),"
    " (SELECT count(*) FROM sessions AS s WHERE s.life = n.life AND s.ended IS NULL),"
    " n.declared::json ->> 'program'"
    " FROM nodes AS n JOIN beats AS b ON b.life = n.life CROSS JOIN active AS a"
    " WHERE n.live ORDER BY n.name, n.life"
)
"""The fields of NodeState."""
_LEFT_TABLES = (
    "SELECT count(*) FROM sessions AS s WHERE s.ended IS NULL"
    " AND NOT EXISTS (SELECT FROM nodes AS n WHERE n.life = s.life AND n.live)"
)
_COPIES = (
    "SELECT application_name, coalesce(sync_state, 'unknown'),"
    " extract(epoch FROM replay_lag)::float FROM pg_stat_replication ORDER BY application_name"
)
_TAKEN_WITHIN = 5.0
_MARGIN = 0.1
"""Seconds by which clocks may differ in the course of a lease."""
_LOOK_EVERY = 0.05


class PostgresNode:
    """The rows of one life of a node: :class:`hearts_server.standby.node.NodeRows`."""

    def __init__(
        self, url: str, name: str, where: tuple[str, int], mark: bytes, own: Declared
    ) -> None:
        """Begin a life; the arguments are those of :func:`~.opening.open_node`.

        Waits for the database. Raises ConfigError or TryLater.
        """
        self._database = Database(url)
        connection, self.life = open_node(self._database, name, where, mark, own)
        self._connection: Connection | None = connection
        self.waits_for = ""
        """The sessions of the database that hold a fence up; empty if none waits."""

    def beat(self, sent: float) -> Beaten:
        with self._connected() as connection:
            statement = "UPDATE beats SET beat = beat + 1, beaten = now() WHERE life = %s AND live"
            if not connection.execute(statement, (self.life,)).rowcount:
                raise Fenced(OVER)
            peers = [Peer(*row) for row in connection.execute(_PEERS, (self.life,)).fetchall()]
            found = connection.execute("SELECT life, settled > now() FROM active").fetchone()
            active, is_settling = found or (0, False)
            return Beaten(sent, peers, active, is_settling)

    def fence(self, act: Fence) -> bool:
        with self._connected() as connection:
            try:
                is_over = try_fence(connection, act.life, act.beat)
            except psycopg.errors.LockNotAvailable:
                # It may have been stopped in the middle of a transaction; it is tried again.
                end_connections(connection, act.life)
                self.waits_for = holders(connection)
                return False
            self.waits_for = ""
            if is_over and not act.refused:
                connection.execute(_SETTLES, (SETTLING, act.life))
            return is_over

    def take_over(self) -> bool:
        with self._connected() as connection:
            over = connection.execute(_NOBODY_PLAYS).fetchone()
            if over is not None:
                # By its number, as in connecting.claim: another node may be taking over as well.
                connection.execute(_TAKE_OVER, {"me": self.life, "over": over[0]})
            found = connection.execute("SELECT life FROM active").fetchone()
            return found is not None and int(found[0]) == self.life

    def end(self) -> None:
        """End the own life, and let go of the database."""
        with self._connected() as connection:
            fence(connection, self.life)
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            if self._connection is None:
                self._connection = self._database.connect()
                name_connection(self._connection, self.life)
            yield self._connection
        except psycopg.Error as error:
            self.close()
            raise StoreTrouble(text_of(error)) from None


class NodeState(Struct, frozen=True):
    """The state of a node, as it is shown to people."""

    name: str
    life: int
    address: str
    plays: bool
    seconds: float
    """Seconds since its last beat, by the clock of the database."""
    lease: float
    """Seconds for which it may tell what is not stored; 0 if that is over."""
    tables: int
    program: str
    """The version of its program."""


class DatabaseCopy(Struct, frozen=True):
    """A copy of the database that follows it."""

    name: str
    how: str
    """``sync`` for one that commits wait for."""
    seconds: float | None
    """The seconds by which it lags; None if it does not, or if this role may not know."""


class NodesState(Struct, frozen=True):
    """The state of all nodes, for people."""

    nodes: list[NodeState]
    """The nodes that are live."""
    left_tables: int
    """Tables that go on, and that no live node has."""
    copies: list[DatabaseCopy]
    waits_for: str
    """The sessions of the database that hold up the end of a silent node; empty if none is."""


def end_active(url: str) -> str:
    """End the life of the node that plays; return the name of the node that takes over.

    Raises ConfigError or TryLater, for example if no node stands by.
    """
    database = Database(url)
    connection = open_existing(database)
    with connection, database.clear_errors():
        found = connection.execute(f"{_BEATING} ORDER BY n.begun", (SILENCE,)).fetchall()
        before = [life for life, _, plays in found if plays]
        if len(found) == len(before):
            raise TryLater("--store: no node stands by that could take over")
        for life in before:
            connection.execute("UPDATE beats SET live = false WHERE life = %s", (life,))
        # It may tell what is not stored until its lease is over, which nothing renews now.
        time.sleep(LEASE + _MARGIN)
        for life in before:
            connection.execute(_SETTLES, (SETTLING, life))
            fence(connection, life)
        deadline = time.monotonic() + _TAKEN_WITHIN
        while time.monotonic() < deadline:
            for life, name, plays in connection.execute(_BEATING, (SILENCE,)).fetchall():
                if plays and life not in before:
                    return str(name)
            time.sleep(_LOOK_EVERY)
    raise TryLater("--store: the node that played has ended, and none has taken over yet")


def read_nodes(url: str) -> NodesState:
    """Return the nodes, and the copies of their database. Raises ConfigError or TryLater."""
    database = Database(url)
    connection = open_existing(database)
    with connection, database.clear_errors():
        nodes = connection.execute(_NODES, (LEASE,)).fetchall()
        left = connection.execute(_LEFT_TABLES).fetchone() or (0,)
        copies = connection.execute(_COPIES).fetchall()
        found = [NodeState(*row) for row in nodes]
        is_silent = any(node.seconds > SILENCE + 1 for node in found)
        held = holders(connection) if is_silent else ""
    return NodesState(found, int(left[0]), [DatabaseCopy(*row) for row in copies], held)
