"""A server that is a node: it leads its connections to the lobby until it is the lobby itself."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import trio

from hearts.arguments import place_text
from hearts.limits import ArrivalLimiter
from hearts.net import (
    Certificate,
    Pump,
    TlsError,
    accept_connections,
    address_text,
    mutual_tls,
)
from hearts.net.logline import EventLog
from hearts.net.places import close_at, open_at
from hearts.net.proxied import Proxied
from hearts_server.cluster.agreement import declared
from hearts_server.cluster.doors import Door, NodePort
from hearts_server.cluster.handshake import secret_mark
from hearts_server.cluster.node import END_LIMIT, OVER, Club, Node
from hearts_server.config import Config, ConfigError, TryLater
from hearts_server.journal.store import Fenced
from hearts_server.version import program_version

from .composition import Nodes, Running, play
from .house import Opened, opened
from .left_sessions import lobby_journal
from .stores import psycopg_wanted

log = EventLog(__name__)


class RunningNode:
    """A node that takes connections; it has the tables of a server while it is the lobby."""

    def __init__(self, node: Node, port: NodePort, tls: Certificate | None) -> None:
        self.tls = tls
        self.playing: Running | None = None
        """Set when it is the lobby."""
        self._node = node
        self._port = port

    @property
    def table_count(self) -> int:
        return 0 if self.playing is None else self.playing.table_count

    async def drain(self) -> None:
        """Hand the tables over to another node, if this one is the lobby and there is another."""
        self._node.leave()
        playing = self.playing
        if playing is not None and self._node.has_peers:
            # Whom others lead here from then on waits for the next lobby.
            await playing.server.hand_over(self._port.shut)
            return
        self._port.shut()
        if playing is not None:
            await playing.server.drain()


async def run_node(  # noqa: ASYNC128  what it calls says that it has started
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int] = int,
    task_status: trio.TaskStatus[RunningNode] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a node until it is cancelled, which ends it at once.

    Raises ConfigError when it cannot begin, and TryLater if others have gone on without it.
    """
    try:
        await _run_life(config, say, lines_dropped, task_status)
    except* Fenced:
        raise TryLater(OVER) from None


async def _run_life(
    config: Config,
    say: Callable[[str], None],
    lines_dropped: Callable[[], int],
    task_status: trio.TaskStatus[RunningNode],
) -> None:
    async with opened(config) as house, _listening(config) as listeners:
        address = place_text(listeners[0].socket.getsockname()[:2])
        answering, calling = _node_tls(config)
        club = await trio.to_thread.run_sync(_begin_life, house, address)
        pump = Pump()
        door = Door(house.data_dir.secret, lambda: node, pump, tls=calling)
        node = Node(club, address, lobby_changed=door.lobby_changed)
        port = NodePort(house.data_dir.secret, lambda: node.known_lobby, answering)
        running = RunningNode(node, port, house.tls)
        log.info("node", name=config.node, life=club.life, address=address)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(node.run)
                nursery.start_soon(pump.run)
                where = listeners, port.admits, port.serve
                nursery.start_soon(accept_connections, *where, nursery)
                accepting = await nursery.start(_lead, house, door, pump, nursery)
                for listener in house.listeners:
                    say(f"hearts-server is node {config.node} at {address_text(listener)}")
                task_status.started(running)
                await node.became_lobby.wait()
                say(f"hearts-server is the lobby: node {config.node}")
                async with lobby_journal(house.config, house.data_dir, club.life) as (
                    journal,
                    left,
                ):
                    accepting.cancel()
                    nodes = Nodes(node, port)
                    begin = partial(play, house, journal, left, say, lines_dropped, nodes)
                    async with trio.open_nursery() as lobby:
                        running.playing = await lobby.start(begin)
        finally:
            node.leave()
            with trio.move_on_after(END_LIMIT, shield=True):
                await node.end()


@asynccontextmanager
async def _listening(config: Config) -> AsyncIterator[list[trio.SocketListener]]:
    where = config.node_listen
    assert where is not None
    try:
        listeners = await open_at(where)
    except OSError as error:
        raise ConfigError(
            f"--node-listen: cannot listen at {place_text(where)} ({error.strerror or error}); "
            "choose another place"
        ) from None
    try:
        yield listeners
    finally:
        close_at(where, listeners)


def _node_tls(config: Config) -> tuple[ssl.SSLContext | None, ssl.SSLContext | None]:
    """What a node answers with and calls with, if nodes speak TLS. Raises ConfigError."""
    certificate, key, ca = config.node_tls_cert, config.node_tls_key, config.node_tls_ca
    if certificate is None or key is None or ca is None:
        return None, None
    try:
        return mutual_tls(certificate, key, ca)
    except TlsError as error:
        raise ConfigError(
            f"{error}; check --node-tls-cert, --node-tls-key and --node-tls-ca"
        ) from None


def _begin_life(house: Opened, address: str) -> Club:
    with psycopg_wanted():
        from hearts_server.postgres.club import PostgresClub
        from hearts_server.postgres.schema import OLDEST, VERSION
    config, secret = house.config, house.data_dir.secret
    own = declared(config, secret, program_version(), VERSION, OLDEST)
    return PostgresClub(config.store, config.node, address, secret_mark(secret), own)


async def _lead(
    house: Opened,
    door: Door,
    pump: Pump,
    nursery: trio.Nursery,
    task_status: trio.TaskStatus[trio.CancelScope] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Lead all connections to the lobby, until it is told to accept no more."""
    config = house.config
    limiter = ArrivalLimiter(config.accept_rate, config.accept_burst)

    def admits(address: str) -> bool:
        return limiter.admits(address, trio.current_time())

    async def serve(tls: Certificate | None, stream: trio.SocketStream, address: str) -> None:
        try:
            if tls is None:
                await door.serve(pump.link(stream, nursery), address)
            else:
                await door.serve(pump.tls_link(stream, nursery, tls.context), address)
        except OSError as error:
            log.info("lost", address=address, why=error)

    proxy_tls = None if isinstance(config.proxy_listen, str) else house.tls
    behind = Proxied(admits, partial(serve, proxy_tls))
    with trio.CancelScope() as scope:
        task_status.started(scope)
        async with trio.open_nursery() as accepting:
            own = house.listeners, admits, partial(serve, house.tls)
            accepting.start_soon(accept_connections, *own, nursery)
            proxied = house.proxied, behind.admits, behind.serve
            accepting.start_soon(accept_connections, *proxied, nursery)
            if house.tls is not None:
                accepting.start_soon(house.tls.watch)
