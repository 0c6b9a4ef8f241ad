"""A server that is a node: it plays tables of the club, and leads whoever connects to his."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import trio

from hearts.net import Certificate, Pump, TlsError, accept_connections, address_text, mutual_tls
from hearts.net.held import OpenGate
from hearts.net.logline import EventLog
from hearts.net.places import listening_at
from hearts.settings.readers import place_text
from hearts.wire.text import count_of
from hearts_server.club.node_server import NodeServer
from hearts_server.cluster.agreement import declared
from hearts_server.cluster.calling import Caller
from hearts_server.cluster.chat_door import ChatDoor
from hearts_server.cluster.doors import Door
from hearts_server.cluster.handshake import secret_mark
from hearts_server.cluster.node import END_LIMIT, OVER, Club, Node
from hearts_server.cluster.port import NodePort
from hearts_server.config import Config, ConfigError, TryLater
from hearts_server.console.acts import Acts
from hearts_server.console.between_nodes import serve_node
from hearts_server.console.club_acts import ClubActs
from hearts_server.journal.store import Fenced
from hearts_server.own_sockets import NODE_CHAT, own_socket
from hearts_server.server import Server
from hearts_server.upkeep import prune_now_and_then
from hearts_server.version import program_version

from .composition import (
    attach,
    begin_chat,
    begun_thinkers,
    port_of,
    say_page,
    say_where,
)
from .entrances import EntrancePlaces, NodeEntrance, listening_for_chat
from .house import Opened, opened
from .other_programs import web_process
from .stores import psycopg_wanted

if TYPE_CHECKING:
    from hearts_server.postgres.journal import PostgresJournal

log = EventLog(__name__)


class RunningNode:
    """A node that takes connections."""

    def __init__(self, playing: NodeServer, node: Node, port: NodePort, tls: Certificate | None):
        self.tls = tls
        self.playing = playing
        self._node = node
        self._port = port

    @property
    def table_count(self) -> int:
        return len(self.playing.server.sessions.running)

    async def drain(self) -> None:
        """Hand the tables over to other nodes, if there are any."""
        self._node.leave()
        if self._node.has_peers:
            # Whom others lead here from then on waits for the next owner.
            await self.playing.hand_over(self._port.shut)
        else:
            self.playing.owner.is_ending = True
            await self.playing.server.drain()


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
    async with (
        opened(config) as house,
        listening_for_chat(config) as for_chat,
        listening_at(config.node_listen, "--node-listen", ConfigError) as listeners,
    ):
        own_chat = _own_chat(house)
        address = place_text(listeners[0].socket.getsockname()[:2])
        answering, calling = _node_tls(config)
        club = await trio.to_thread.run_sync(_begin_life, house, address)
        caller = Caller(house.data_dir.secret, calling)

        def lives_changed(lives: Collection[int]) -> None:
            door.lives_changed(lives)
            chat_door.lives_changed(lives)
            playing.lives_changed(lives)

        node = Node(club, address, lives_changed=lives_changed)
        port = NodePort(house.data_dir.secret, lambda: node.certain_lives, answering)
        log.info("node", name=config.node, life=club.life, address=address)
        try:
            async with _journal(house.config, club.life) as journal, trio.open_nursery() as nursery:
                thinkers = begun_thinkers(config, nursery)
                playing = NodeServer(
                    house.config, house.data_dir, nursery, journal, node, caller, thinkers
                )
                acts = Acts(playing.server)
                owner_of = playing.owner.owner_of
                club_acts = ClubActs(acts, playing.tables, owner_of, node, caller)
                to_attach = playing.server, journal, config, nursery, say, lines_dropped
                await attach(*to_attach, club_acts)
                journal.on_refused = playing.journal_refused
                pump = Pump(OpenGate())
                door = Door(caller, lambda: node, lambda: playing.owner, pump)
                chat_door = ChatDoor(caller, lambda: node, playing.has_chat, own_chat, pump)
                port.take_letters(playing.take, playing.serve_letter, playing.teller.hear)
                port.take_acts(partial(serve_node, acts))
                nursery.start_soon(node.run)
                nursery.start_soon(pump.run)
                nursery.start_soon(playing.run)
                where = listeners, port.admits, port.serve
                nursery.start_soon(accept_connections, *where, nursery)
                entrance = NodeEntrance(config, house.tls, door.serve, pump, nursery)
                for_game = EntrancePlaces(house.listeners, house.proxied, config.proxy_listen)
                nursery.start_soon(entrance.accept, for_game)
                chat_entrance = NodeEntrance(config, house.tls, chat_door.serve, pump, nursery)
                nursery.start_soon(chat_entrance.accept, for_chat)
                if house.tls is not None:
                    nursery.start_soon(house.tls.watch)
                _begin_page(config, playing.server, entrance, chat_entrance, nursery, say)
                for listener in for_chat.own:
                    say(f"hearts-server leads to the chat at {address_text(listener)}")
                for listener in house.listeners:
                    say(f"hearts-server is node {config.node} at {address_text(listener)}")
                task_status.started(RunningNode(playing, node, port, house.tls))
                await node.became_lobby.wait()
                say(f"hearts-server is the lobby: node {config.node}")
                going_on = await playing.become_lobby()
                if going_on:
                    say(f"hearts-server has {count_of(going_on, 'table')} to go on with")
                nursery.start_soon(prune_now_and_then, journal.prune, config.journal_size)
                port.open(playing.server.admits, playing.serve_newcomer)
                port.take_chat(chat_door.take_in)
                chat_port = await begin_chat(
                    playing.chat, house, own_chat, nursery, _say_nothing, has_port=False
                )
                say_where(house, chat_port or port_of(for_chat.own), say)
        finally:
            node.leave()
            with trio.move_on_after(END_LIMIT, shield=True):
                await node.end()


def _say_nothing(line: str) -> None:
    """The line of a taunt server that nobody but its node reaches."""


def _own_chat(house: Opened) -> str:
    try:
        return own_socket(house.config.data_dir, NODE_CHAT)
    except OSError as error:
        raise ConfigError(f"--data-dir: {error}; choose a shorter one") from None


def _begin_page(
    config: Config,
    server: Server,
    game: NodeEntrance,
    chat: NodeEntrance,
    nursery: trio.Nursery,
    say: Callable[[str], None],
) -> None:
    """Serve the page for browsers, if it is wanted and can be had; it comes in as others do."""
    web = web_process(config, server.seat_networks.counted, say)
    if web is not None:
        to_chat = None if config.no_taunt_server else chat.behind(web.chat_socket)
        say_port = partial(say_page, config, say)
        nursery.start_soon(web.run, game.behind(web.game_socket), say_port, to_chat)


@asynccontextmanager
async def _journal(config: Config, life: int) -> AsyncIterator[PostgresJournal]:
    """The journal of a life, which runs in the block and outlives what is done there."""
    from hearts_server.postgres.journal import PostgresJournal

    journal = await trio.to_thread.run_sync(lambda: PostgresJournal(config.store, life=life))
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        yield journal
        nursery.cancel_scope.cancel()


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
