"""A running server: its tables, and what they share."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator

import trio

from hearts.bots import SimpleBot
from hearts.credentials import issue
from hearts.deal import SECRET_BYTES
from hearts.net import Link, SocketLink, peer_host
from hearts.plain.seat import PlainSeat
from hearts.table import Drain, Kind, Setting, Table

from .arrival import Reception
from .chat import Chat
from .client import Client
from .config import Config
from .datadir import DataDir
from .gate import Gate
from .host import TableHost
from .lobby import FormingTable, Lobby, RunningTable
from .store import NoStore

log = logging.getLogger(__name__)

DRAIN_LIMIT = 60.0
"""Seconds after which a server that shuts down ends the hands that still run."""
LAST_WORDS_LIMIT = 2.5
"""Seconds for the last bytes of connections and chat when all tables have ended."""
_LONGEST_REST = 1.0
"""Seconds after which it is noticed, mostly, that a player who is not on turn is gone."""
_WAKING_GROUPS = 20
_SPARE_CONNECTIONS = 64
"""Connections beyond four a table: people who list tables, or are about to be refused."""


def max_connections(config: Config) -> int:
    """How many connections a server with these settings serves at the same time."""
    return 4 * config.max_tables + _SPARE_CONNECTIONS


class Server:
    """A running server: its tables, and what they share."""

    def __init__(self, config: Config, data_dir: DataDir, nursery: trio.Nursery) -> None:
        """The nursery owns every task of the server."""
        self._config = config
        self._data_dir = data_dir
        self._nursery = nursery
        self._hosts: set[TableHost] = set()
        self._quiet = trio.Event()
        self._reserving = False
        self.chat = Chat(data_dir.secret, os.getpid())
        self._gate = Gate(max_connections(config), config.max_per_address)
        self._lobby = Lobby(
            nursery, self._launch, max_tables=config.max_tables, fill_after=config.fill_after
        )
        self._reception = Reception(self._gate, self._lobby, config.password)
        self._links: set[Link] = set()
        nursery.start_soon(self._wake_resting)

    async def serve_connection(self, stream: trio.SocketStream) -> None:
        """Own one TCP connection to its end."""
        address = peer_host(stream)
        try:
            link = SocketLink(stream, self._nursery)
        except OSError as error:
            log.info("lost who=%s why=%r", address, str(error))
            return
        await self.serve(link, address)

    async def serve(self, link: Link, address: str) -> None:
        """Own a connection of any kind to its end; ``address`` is the peer's."""
        self._links.add(link)
        try:
            await self._reception.serve(Client(link, address), address)
        except Exception:
            log.exception("connection-failed who=%s", address)
        finally:
            self._links.discard(link)

    async def _wake_resting(self) -> None:
        # A few at a time, for to read them all at once would hold up the tables for a moment.
        while True:
            links = tuple(self._links)
            for first in range(_WAKING_GROUPS):
                await trio.sleep(_LONGEST_REST / _WAKING_GROUPS)
                for link in links[first::_WAKING_GROUPS]:
                    link.wake()

    def _launch(self, forming: FormingTable) -> RunningTable:
        config, options = self._config, forming.options
        setting = Setting(
            config.rules if options.rules is None else options.rules,
            options.end_score or config.end_score,
            options.turn_limit or config.turn_limit,
            config.grace,
        )
        names = forming.player_names()
        kinds = [Kind.CLIENT if sitter else Kind.COMPUTER for sitter in forming.sitters]
        game_number = self._data_dir.new_game_number()
        if self._data_dir.running_low and not self._reserving:
            self._reserving = True
            self._nursery.start_soon(self._reserve_numbers)
        host = TableHost(
            Table(setting, list(zip(names, kinds, strict=True)), self._secrets().__next__),
            game_number,
            [sitter.client if sitter else None for sitter in forming.sitters],
            [SimpleBot() for _ in range(4)],
            store=NoStore(),
            announce=self.chat.announce,
            bot_pause=config.bot_pause,
            show_deals=config.show_deals,
        )
        computers = frozenset(forming.computers)
        for player, sitter in enumerate(forming.sitters):
            if sitter is not None:
                credentials = issue(self._data_dir.secret, game_number, player, sitter.process_id)
                sitter.client.attach(host.give, PlainSeat(player, computers), credentials, names)
        self._hosts.add(host)
        self._nursery.start_soon(self._run_host, host, forming.name)
        return RunningTable(forming.name, forming.private, game_number, names)

    async def _reserve_numbers(self) -> None:
        try:
            await trio.to_thread.run_sync(self._data_dir.reserve)
        except OSError as error:
            log.error("cannot-reserve-game-numbers why=%r", str(error))
        finally:
            self._reserving = False

    def _secrets(self) -> Iterator[bytes]:
        yield from self._config.deal
        while True:
            yield secrets.token_bytes(SECRET_BYTES)

    async def _run_host(self, host: TableHost, name: str) -> None:
        try:
            await host.run()
        finally:
            self._hosts.discard(host)
            self._lobby.table_ended(name)
            if self._gate.draining and not self._hosts:
                self._quiet.set()

    async def drain(self) -> None:
        """Let nobody new in, and wait until the hands that are played are over, or DRAIN_LIMIT."""
        log.info("draining tables=%d", len(self._hosts))
        self._gate.draining = True
        self._lobby.drain()
        for host in list(self._hosts):
            self.chat.announce(
                host.game_number, "the server shuts down: the table ends after this hand"
            )
            host.give(Drain())
        with trio.move_on_after(DRAIN_LIMIT):
            if self._hosts:
                await self._quiet.wait()
        for host in list(self._hosts):
            host.stop("the server shuts down")
        with trio.move_on_after(LAST_WORDS_LIMIT):
            await self.chat.drain()
            await self._gate.wait_empty()
