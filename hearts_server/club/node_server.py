"""The server of a node, with all that it has to do with the others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection
from typing import Protocol

import trio

from hearts.hosting.outside import Thinker
from hearts.hosting.store import Session
from hearts.net import Pump, TcpStream, TlsTalk
from hearts.net.logline import EventLog
from hearts_server.cluster.calling import Caller
from hearts_server.cluster.led import Led, LedSocketLink, LedTlsLink
from hearts_server.cluster.letters import Letter
from hearts_server.cluster.membership import OverLives
from hearts_server.cluster.shared import SharedJournal
from hearts_server.config import Config, TryLater
from hearts_server.datadir import DataDir
from hearts_server.derived import has_chat
from hearts_server.lobby.forming import FormingTable
from hearts_server.lobby.known_tables import ClubPart, known
from hearts_server.server import FULL, ROOM_AFTER, Server

from .news import News
from .node_chat import NodeChat
from .owner import Owner, OwnNode
from .placing import Placing
from .tables import ClubTables
from .telling import Neighbours, Teller

log = EventLog(__name__)


class NodeInClub(OwnNode, Neighbours, Protocol):
    """Knows which nodes are live, which is the lobby, and whether the own lease is valid."""


class NodeServer:
    """A server that plays what it owns, and is the lobby if its node is."""

    def __init__(
        self,
        config: Config,
        data_dir: DataDir,
        nursery: trio.Nursery,
        journal: SharedJournal,
        node: NodeInClub,
        caller: Caller,
        thinker: Thinker | None = None,
    ) -> None:
        """The nursery owns every task of it."""
        self._nursery = nursery
        self._journal = journal
        self._node = node
        self._data_dir = data_dir
        self._pump = Pump(node)
        self._over = OverLives()
        self.tables = ClubTables()
        in_use, begins = has_chat(config), not config.no_taunt_server
        self.chat = NodeChat(data_dir.secret, os.getpid(), in_use=in_use, begins=begins)
        self._placing = Placing(node.life, self.tables, journal, self._new_session)
        self.server = Server(
            config,
            data_dir,
            nursery,
            journal,
            chat=self.chat,
            thinker=thinker,
            club=ClubPart(self.tables, self._placing.place, self._placing.lead, self._make_room),
        )
        self.owner = Owner(self.server, journal, node, self.tables, nursery)
        self.teller = Teller(caller, node, self._look, self._hear)
        self.chat.may_tell = lambda: node.is_open
        self.chat.is_lobby = self._is_lobby
        self.chat.pass_on = self.teller.say
        self.chat.take_back = self.teller.take_back
        dropped = self.server.metrics.announcements_dropped
        dropped.read = lambda: self.chat.dropped + self.teller.dropped

    def _new_session(self, forming: FormingTable) -> Session:
        return self.server.launcher.new_session(forming)

    def _is_lobby(self) -> bool:
        lobby = self._node.lobby
        return lobby is not None and lobby.life == self._node.life

    def has_chat(self) -> bool:
        """Whether there is a taunt server, as far as this node knows."""
        return self.chat.connected

    async def run(self) -> None:
        """Play, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pump.run)
            nursery.start_soon(self.owner.run)
            nursery.start_soon(self.teller.run)

    def journal_refused(self, game_number: int) -> None:
        """A session cannot be stored whatever is tried."""
        self._placing.refused(game_number)
        self.server.journal_refused(game_number)

    def lives_changed(self, lives: Collection[int]) -> None:
        """These are live now."""
        self._over.lives_changed(lives)
        self.chat.lives_changed(lives)
        self.owner.lives_changed()
        for life in self.tables.forget_others(lives):
            self.server.connections.count_elsewhere(life, Counter())

    # Clients that nodes lead here

    async def serve_newcomer(self, stream: TcpStream, address: str, door: int) -> None:
        """Own a connection of a client that the door of a life leads to the lobby to its end."""
        link: Led
        if isinstance(stream, TlsTalk):
            link = LedTlsLink(stream.stream, self._nursery, stream)
        else:
            link = LedSocketLink(stream, self._nursery)
        link.gate, link.door = self._node, door
        await self.server.serve(link, address)

    async def take(self, letter: Letter) -> int:
        """The life that has the table of a letter; 0 for none."""
        return await self.owner.owner_of(letter.game_number)

    async def serve_letter(self, stream: TcpStream, address: str, letter: Letter) -> None:
        """Own a connection with a letter to its end."""
        link = self._pump.link(stream, self._nursery)
        await self.owner.take_in(link, address, letter, b"")

    # The lobby

    async def become_lobby(self) -> int:
        """Know all sessions that go on, so that people can be let in; how many there are.

        Raises TryLater if the data dir cannot be written.
        """
        going_on = await self._journal.going_on()
        highest = await self._journal.highest()
        try:
            await trio.to_thread.run_sync(self._data_dir.skip_to, highest + 1)
        except OSError as error:
            raise TryLater(
                f"--data-dir: cannot write {self._data_dir.path}: {error.strerror}"
            ) from None
        self.tables.list_all(going_on, trio.current_time())
        return len(going_on)

    async def hand_over(self, handed_over: Callable[[], None]) -> None:
        """Hand the tables over to other nodes; ``handed_over`` is called before they stop."""

        def stop() -> None:
            self.owner.is_over = True
            handed_over()

        self.owner.is_ending = True
        await self.server.hand_over(stop)

    def _make_room(self) -> bool:
        return self.tables.make_room(trio.current_time() - ROOM_AFTER)

    # News

    def _look(self) -> News:
        server, is_lobby = self.server, self._is_lobby()
        return News(
            self._node.life,
            is_whole=True,
            tables=tuple(known(host) for host in server.sessions.running if not host.is_closed),
            takes_tables=self._node.is_open and not self.owner.is_ending,
            networks=dict(server.connections.networks),
            forming=tuple(server.lobby.known_forming) if is_lobby else (),
            invitable=tuple(server.invitations.listed()) if is_lobby else (),
            chat=self.chat.times_back if is_lobby else 0,
            to_end=tuple(self.tables.to_end) if is_lobby else (),
        )

    def _hear(self, life: int, news: News) -> None:
        if life in self._over:
            # It tells what it has until it finds out.
            return
        if not self.tables.has_heard(life):
            log.info("node-heard", life=life)
        self.tables.hear(life, news, trio.current_time(), is_own=life == self._node.life)
        lobby = self._node.lobby
        is_of_lobby = lobby is not None and lobby.life == life
        if is_of_lobby:
            self._end_left(news.to_end)
        if life == self._node.life:
            return
        self.server.connections.count_elsewhere(life, Counter(news.networks))
        if is_of_lobby:
            self.chat.lobby_has(life, news.chat)
        for said in news.said:
            self.chat.hear(said)

    def _end_left(self, numbers: Collection[int]) -> None:
        for number in numbers:
            host = self.server.sessions.playing(number)
            # Somebody may have come back since the lobby looked.
            if host is not None and host.paused_at is not None:
                host.end(FULL)
