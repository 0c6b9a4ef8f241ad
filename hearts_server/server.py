"""A running server: its tables, their common parts, and its orderly end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import trio

from hearts.errors import MissingExtra
from hearts.game.events import Deal
from hearts.hosting.hosted_table import HostedTable
from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.work import WorkLimits
from hearts.net import Certificate, Link, Pump, admits_arrival
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.settings.readers import LEVELS
from hearts.settings.table import ConfigError
from hearts.table.inputs import Drain, StoodStill

from .children.chat import Chat
from .children.thinkers import Thinkers
from .config import Config
from .datadir import MODERATION_FILE, NAMES_FILE, DataDir, KeptNetworks
from .days import Days
from .greeting import Greeting
from .journal.store import Journal, StoredSession
from .launching import TableLauncher
from .lobby import arrival
from .lobby.awaited import Read
from .lobby.lobby import Lobby
from .lobby.offer import Reception
from .lobby.open_connections import OpenConnections
from .lobby.passwords import KnownNetworks, PasswordGuard
from .lobby.sessions import Sessions
from .lobby.turns import Budget, IdleTurns, ThoughtsInPass, Turns
from .metrics.figures import ConnectionState, Metrics, TableState
from .moderation.book import Book, Measure, MeasureKind
from .moderation.reach import Reach
from .names.claims import ClaimedNames
from .names.desk import NameOffice

log = EventLog(__name__)

RETURNS = 60.0
"""Seconds after a restart in which most of those who connect come back to a seat."""
SHORTEST_STANDSTILL = 3.0
"""Seconds without a look at the clock in which the server stood still: it was stopped by a signal,
or starved of its processor. They are nobody's fault, and taken off nothing that players have."""
DRAIN_LIMIT = 60.0
"""Seconds after which a server that shuts down stops the hands that still run."""
LAST_WORDS_LIMIT = 2.5
"""Seconds for the last bytes of connections and chat when all tables have stopped."""
HAND_OVER_LIMIT = 0.5
"""The same for one whose standby waits."""
_MOST_THOUGHTS = 60
"""Choices of ``swift`` in one pass of the event loop, some 20 ms; ``simple`` makes the others."""
_LONGEST_REST = 1.0
"""Seconds in which one who is not on turn is read, or mostly, with TLS, found to be gone."""
_WAKING_GROUPS = 10


class Server:
    """A running server."""

    def __init__(
        self,
        config: Config,
        data_dir: DataDir,
        nursery: trio.Nursery,
        journal: Journal | None = None,
        deals: Callable[[], Iterator[Deal]] | None = None,
        chat: Chat | None = None,
        thinkers: Thinkers | None = None,
        kept: KeptNetworks | None = None,
        greeting: Greeting | None = None,
    ) -> None:
        """The nursery owns every task of the server. Without a journal nothing is kept.

        ``deals`` gives the deals of a new table, in place of those that are configured or random;
        ``chat`` is told what happens, in place of a chat of the server's own.
        ``thinkers`` think for computers that are to play better than ``simple``. ``kept`` are the
        networks that outlast the server, if they are not in the data dir. ``greeting`` is shown by
        clients.
        """
        self._nursery = nursery
        self.config = config
        self.metrics = Metrics()
        self.chat = chat or Chat(data_dir.secret, os.getpid(), in_use=config.has_chat)
        self.chat.standing = lambda: (s for t in self.sessions.running for s in t.chat.standing())
        self.chat.kept = lambda: (s for t in self.sessions.running for s in t.chat.kept())
        self.chat.changed = self._chat_changed
        thoughts = ThoughtsInPass(_MOST_THOUGHTS)
        trio.lowlevel.add_instrument(thoughts)
        self._arrival_limiter = ArrivalLimiter(config.accept_rate, config.accept_burst)
        self.sessions = Sessions(data_dir.secret)
        seats_held = self.sessions.seats_held
        if kept is None:
            kept = data_dir.kept_networks()
        self.names = _names(config, data_dir.secret, kept) if config.names else None
        self.book = Book(kept.others(MODERATION_FILE))
        self.reach = Reach(self.book, self.sessions)
        nursery.start_soon(self.reach.run)
        self.connections = OpenConnections(
            config.max_connections, config.connections, seats_held, self._unwelcome
        )
        self.days = Days(data_dir.secret, self.sessions, time.time)
        self.launcher = TableLauncher(
            config,
            data_dir,
            nursery,
            journal,
            self.sessions,
            chat=self.chat,
            metrics=self.metrics,
            deals=deals,
            before_clocks=self._look_for_standstill,
            thinkers=thinkers,
            days=self.days,
            thoughts=thoughts,
        )
        self.lobby = Lobby(
            nursery,
            self.launcher.launch,
            self.sessions,
            setting_of=self.launcher.setting_of,
            max_tables=config.max_tables,
            tables_per_network=config.tables,
            fill_after=config.fill_after,
            computer_names=config.computer_names,
            levels=frozenset(LEVELS[name] for name in config.levels),
        )
        self.lobby.names = names = self.names
        if names is not None:
            names.seats = self.sessions.seats_of
            names.left = self._send_away
            names.measures = self.book.told_to
            self.days.wants_listed = names.claims.wants_listed
            self.metrics.game_over = lambda people: nursery.start_soon(names.game_over, people)
        self.lobby.is_unwelcome = self._why_unwelcome
        self.lobby.guests = config.guests
        known = KnownNetworks(data_dir.secret, config.password.encode(), kept.known.stored)
        passwords = PasswordGuard(config.password, known, kept.known.keep)
        if passwords.is_asked:
            nursery.start_soon(passwords.run)
        self._reception = Reception(
            self.connections, self.lobby, passwords, self.metrics, self.days,
            greeting or Greeting(config.name, config.welcome),
        )  # fmt: skip
        self._show_figures()
        self._to_wake: dict[Link, None] = {}
        self._work = WorkLimits(config.work_per_connection)
        self._turns = Turns(nursery)
        self._idle_turns = IdleTurns(nursery, self._turns, self._work.idle, seats_held)
        self._looked = trio.current_time()
        nursery.start_soon(self._wake_resting)

    def _unwelcome(self, network: str) -> RegistrationEnded | None:
        if ban := self.book.find(MeasureKind.BAN, network):
            return RegistrationEnded(Refusal.BANNED, ban.text)
        return RegistrationEnded(Refusal.STRANGER) if self.config.is_stranger(network) else None

    def _why_unwelcome(self, network: str, name: str) -> str:
        ban = self.book.find(MeasureKind.BAN, network, name)
        return "" if ban is None else ban.text

    def turn_out(self, ban: Measure) -> None:
        """End the connections of those who are banned; they lose their seats for good."""
        self.reach.look_again()
        self._send_away(ban.name)
        for link, theirs in list(self._reception.links.items()):
            if theirs == ban.network:
                link.end()

    def _send_away(self, name: str) -> None:
        """End the connections of people of this name at tables that form."""
        for table in self.lobby.forming:
            for sitter in table.sitters:
                if sitter is not None and name and sitter.name == name:
                    sitter.client.link.end()

    def admits(self, address: str) -> bool:
        """Tell if a connection from this address may be served; else it is closed at once."""
        return admits_arrival(self._arrival_limiter, address)

    async def serve_connection(
        self, pump: Pump, tls: Certificate | None, stream: trio.SocketStream, address: str
    ) -> None:
        """Take a connection over a socket; with a certificate it speaks TLS."""
        try:
            link = pump.link(stream, self._nursery, tls)
        except OSError as error:
            log.info("lost", address=address, why=error)
            return
        await self.serve(link, address)

    async def serve(self, link: Link, address: str) -> None:
        """Take a connection of any kind, which goes on after this; ``address`` is the peer's."""
        link.to_wake = self._to_wake
        try:
            paused = self.metrics.connections_paused.add
            budget = Budget(link, address, self._work, self._turns, self._idle_turns, paused)
            await arrival.serve(self._reception, link, address, budget)
        except Exception:
            log.exception("connection-failed", address=address)

    def let_go(self) -> None:
        """Abort all connections: nobody may be told anything, and another server may play."""
        for link in list(self._reception.links):
            link.abort("the server has lost its lease")

    def _show_figures(self) -> None:
        def of_tables(number: Callable[[HostedTable], int]) -> Callable[[], int]:
            return lambda: sum(map(number, self.sessions.running))

        paused = of_tables(lambda host: host.paused_at is not None)
        watching = of_tables(lambda host: host.watchers.count)
        playing = of_tables(lambda host: host.client_count)
        tables, connections = self.metrics.tables, self.metrics.connections
        tables[TableState.FORMING].read = lambda: len(self.lobby.tables.forming)
        tables[TableState.PLAYING].read = lambda: len(self.sessions.running) - paused()
        tables[TableState.PAUSED].read = paused
        connections[ConnectionState.PLAYING].read = playing
        connections[ConnectionState.WATCHING].read = watching
        connections[ConnectionState.RESERVE].read = lambda: self.connections.reserved
        connections[ConnectionState.REGISTERING].read = lambda: (
            self.connections.count - self.connections.reserved - playing() - watching()
        )
        self.metrics.show(
            connections_too_fast_total=lambda: self._arrival_limiter.closed,
            announcements_total=lambda: self.chat.sent,
            announcements_dropped_total=lambda: self.chat.dropped,
            taunt_server_connected=lambda: self.chat.connected,
        )

    async def _wake_resting(self) -> None:
        # A few at a time, for to read them all at once would hold up the tables for a moment.
        while True:
            links = list(self._to_wake)
            self._to_wake.clear()
            groups = min(max(1, len(links)), _WAKING_GROUPS)
            for left in range(groups, 0, -1):
                await trio.sleep(_LONGEST_REST / 2 / groups)
                self._look_for_standstill()
                for _ in range(-(-len(links) // left)):
                    links.pop().wake()

    def _look_for_standstill(self) -> None:
        now = trio.current_time()
        seconds, self._looked = now - self._looked, now
        if seconds >= SHORTEST_STANDSTILL:
            log.warning("stood-still", seconds=seconds)
            for host in self.sessions.running:
                host.give(StoodStill(seconds))

    # Tables

    async def take_up(
        self, read: Read, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Go on with the sessions that are awaited, while people play; first those that somebody
        wants. It has started when a first part is taken up, which is all of a small server.
        """
        awaited = self.sessions.awaited
        if awaited.count:
            self.lobby.waiting_line.returns_until = trio.current_time() + RETURNS
        is_more = await awaited.take_up(read, self._take_up_one)
        await self.days.take_in()
        task_status.started()
        while is_more:
            is_more = await awaited.take_up(read, self._take_up_one)
        while await self.days.take_in():
            pass

    def _take_up_one(self, session: StoredSession) -> None:
        host = self.launcher.take_up(session)
        if host is not None:
            self.chat.send_standing(host.chat.standing())

    def journal_refused(self, game_number: int) -> None:
        """Stop the table of a session that cannot be stored whatever is tried."""
        host = self.sessions.playing(game_number)
        if host is not None:
            host.stop("its choices cannot be stored")

    def journal_trouble(self, why: str | None) -> None:
        """Tell the tables that nothing can be stored, or (None) that it works again."""
        works = "the server can save again: play goes on"
        failing = "the server cannot save what is played: play pauses until it can"
        self.notify_tables(works if why is None else failing)

    def notify_tables(self, text: str) -> None:
        for host in self.sessions.running:
            host.notice(text)

    def _chat_changed(self, is_back: bool) -> None:
        for host in self.sessions.running:
            text = "the chat is back" if is_back else "the chat is away; play goes on"
            host.notice(text, passing=True)

    # The end

    async def drain(self) -> None:
        """Let nobody new in, and wait until the hands that are played are over, or DRAIN_LIMIT."""
        self.sessions.awaited.forget()
        self._close_doors()
        for host in self.sessions.running:
            host.notice("the server shuts down: the table stops after this hand")
            host.give(Drain())
        with trio.move_on_after(DRAIN_LIMIT):
            await self.sessions.wait_empty()
        await self._stop("the server shuts down", LAST_WORDS_LIMIT)

    async def hand_over(self) -> None:
        """Stop all tables at once, because a standby goes on with them."""
        self._close_doors()
        await self._stop("another server goes on with the table", HAND_OVER_LIMIT)

    def _close_doors(self) -> None:
        tables = len(self.sessions.running) + self.sessions.awaited.count
        log.info("draining", tables=tables)
        self.connections.draining = True
        self.lobby.drain()

    async def _stop(self, why: str, limit: float) -> None:
        self.sessions.awaited.forget()
        for host in self.sessions.running:
            host.stop(why)
        with trio.move_on_after(limit):
            await self.chat.drain()
            await self.connections.wait_empty()


def _names(config: Config, secret: bytes, kept: KeptNetworks) -> NameOffice:
    """Raises ConfigError."""
    claims = ClaimedNames(kept.others(NAMES_FILE), secret, config.computer_names)
    claims.by_invitation = config.by_invitation
    try:
        return NameOffice(secret, claims)
    except MissingExtra as error:
        raise ConfigError(f"--names: {error}") from None
