"""A running server: its tables, and what they share."""

from __future__ import annotations

import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import inf

import trio

from hearts.bots import SimpleBot
from hearts.errors import CorruptRecord
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.store import NoStore, Session, Store, StoredSeat
from hearts.hosting.table_chat import Said
from hearts.limits import ArrivalLimiter, WorkLimits, gives_way, network_of, networks_of
from hearts.net import Certificate, Link, SocketLink, TlsLink, peer_host
from hearts.net.logline import EventLog
from hearts.table import Drain, Effect, Kind, Setting, StoodStill, Table
from hearts.wire.credentials import issue

from .chat import Chat
from .config import Config
from .datadir import DataDir
from .journal.store import Journal, NoJournal, StoredSession
from .lobby.arrival import Reception
from .lobby.budget import Budget
from .lobby.forming import FormingTable, Sitter, turn_limit_of
from .lobby.gate import Gate
from .lobby.known_networks import KnownNetworks
from .lobby.lobby import Lobby
from .lobby.passwords import PasswordGuard
from .lobby.sessions import Sessions
from .lobby.turns import Turns
from .metrics.figures import ConnectionState, Metrics, TableState
from .standstill import Standstill
from .table.running import let_watchers_go, run_table

log = EventLog(__name__)

DRAIN_LIMIT = 60.0
"""Seconds after which a server that shuts down stops the hands that still run."""
RETURNS = 60.0
"""Seconds after a restart in which most of those who connect come back to a seat."""
ROOM_AFTER = 60.0
"""Seconds without anybody after which a table may end to make room for another."""
LAST_WORDS_LIMIT = 2.5
"""Seconds for the last bytes of connections and chat when all tables have stopped."""
_SEATS_KNOWN = 1.0
"""Seconds for which it is known who holds seats, before all tables are looked at again."""
_LONGEST_REST = 1.0
"""Seconds after which it is noticed, mostly, that a player who is not on turn is gone."""
_WAKING_GROUPS = 20
_SPARE_CONNECTIONS = 256
"""Connections beyond four a table: people who watch, list tables, or are about to be refused."""


def max_connections(config: Config) -> int:
    """How many connections a server with these settings serves at the same time."""
    return 4 * config.max_tables + _SPARE_CONNECTIONS


class Server:
    """A running server: its tables, and what they share."""

    def __init__(
        self,
        config: Config,
        data_dir: DataDir,
        nursery: trio.Nursery,
        journal: Journal | None = None,
        deals: Callable[[], Iterator[Deal]] | None = None,
    ) -> None:
        """The nursery owns every task of the server. Without a journal nothing is kept.

        ``deals`` gives the deals of a new table, in place of those that are configured or random.
        """
        self._config = config
        self._data_dir = data_dir
        self._nursery = nursery
        self._journal = journal or NoJournal()
        self._deals = deals or self._own_deals
        self.metrics = Metrics()
        self._quiet = trio.Event()
        self._reserving = False
        has_chat = not config.no_taunt_server
        has_chat = has_chat or bool(config.taunt_port) or config.announce_socket is not None
        self.chat = Chat(data_dir.secret, os.getpid(), in_use=has_chat)
        self.chat.standing = self._chat_standing
        self.chat.changed = self._chat_changed
        self._arrivals = ArrivalLimiter(config.accept_rate, config.accept_burst)
        self._gate = Gate(max_connections(config), config.connections, self._seats_held)
        self._seats: Counter[str] = Counter()
        self._seats_until = -inf
        self._lobby = Lobby(
            nursery,
            self._launch,
            self._make_room,
            max_tables=config.max_tables,
            tables_per_network=config.tables,
            fill_after=config.fill_after,
            computer_names=config.computer_names,
        )
        self.sessions = Sessions(data_dir.secret)
        known = KnownNetworks(
            data_dir.secret, config.password.encode(), data_dir.read_known_networks()
        )
        passwords = PasswordGuard(config.password, known, data_dir.keep_known_networks)
        if passwords.is_asked:
            nursery.start_soon(passwords.run)
        self._reception = Reception(self._gate, self._lobby, self.sessions, passwords, self.metrics)
        self._show_figures()
        self._links: dict[Link, None] = {}
        self._work = WorkLimits(config.work_per_connection)
        self._turns = Turns(nursery)
        self._standstill = Standstill(trio.current_time())
        nursery.start_soon(self._wake_resting)

    def admits(self, address: str) -> bool:
        """Whether a connection from this address may be served; else it is closed at once."""
        now = trio.current_time()
        if self._arrivals.admits(address, now):
            return True
        count = self._arrivals.to_report(now)
        if count:
            log.warning("connections-too-fast", address=address, closed=count)
        return False

    def _seats_held(self, network: str) -> int:
        # Asked only for connections beyond the limits, which may be many at once.
        now = trio.current_time()
        if now >= self._seats_until:
            self._seats = self.sessions.seats_by_network()
            self._seats_until = now + _SEATS_KNOWN
        return self._seats[network]

    async def serve_connection(
        self, stream: trio.SocketStream, tls: Certificate | None = None
    ) -> None:
        """Own one TCP connection to its end; with a certificate it speaks TLS."""
        address = peer_host(stream)
        await self._turns.take(networks_of(address)[-1])
        try:
            if tls is None:
                link = SocketLink(stream, self._nursery)
            else:
                link = TlsLink(stream, self._nursery, tls.context)
        except OSError as error:
            log.info("lost", address=address, why=error)
            return
        await self.serve(link, address)

    async def serve(self, link: Link, address: str) -> None:
        """Own a connection of any kind to its end; ``address`` is the peer's."""
        self._links[link] = None
        try:
            paused = self.metrics.connections_paused.add
            budget = Budget(link, address, self._work, self._turns, paused)
            await self._reception.serve(link, address, budget)
        except Exception:
            log.exception("connection-failed", address=address)
        finally:
            self._links.pop(link, None)

    def _show_figures(self) -> None:
        tables, connections = self.metrics.tables, self.metrics.connections
        tables[TableState.FORMING].read = lambda: self._lobby.forming_count
        tables[TableState.PLAYING].read = lambda: len(self.sessions.running) - self._paused()
        tables[TableState.PAUSED].read = self._paused
        connections[ConnectionState.PLAYING].read = self._playing
        connections[ConnectionState.WATCHING].read = self._watching
        connections[ConnectionState.RESERVE].read = lambda: self._gate.reserved
        connections[ConnectionState.REGISTERING].read = lambda: (
            self._gate.count - self._gate.reserved - self._playing() - self._watching()
        )
        self.metrics.connections_too_fast.read = lambda: self._arrivals.closed
        self.metrics.announcements.read = lambda: self.chat.sent
        self.metrics.announcements_dropped.read = lambda: self.chat.dropped
        self.metrics.taunt_server_connected.read = lambda: self.chat.connected

    def _paused(self) -> int:
        return sum(host.paused_at is not None for host in self.sessions.running)

    def _watching(self) -> int:
        return sum(host.watchers.count for host in self.sessions.running)

    def _playing(self) -> int:
        return sum(host.client_count for host in self.sessions.running)

    async def _wake_resting(self) -> None:
        # A few at a time, for to read them all at once would hold up the tables for a moment.
        while True:
            links = list(self._links)
            for left in range(_WAKING_GROUPS, 0, -1):
                await trio.sleep(_LONGEST_REST / _WAKING_GROUPS)
                self._look_for_standstill()
                for _ in range(-(-len(links) // left)):
                    links.pop().wake()

    def _look_for_standstill(self) -> None:
        seconds = self._standstill.look(trio.current_time())
        if seconds:
            log.warning("stood-still", seconds=seconds)
            for host in self.sessions.running:
                host.give(StoodStill(seconds))

    # Tables

    def _launch(self, forming: FormingTable) -> HostedTable:
        game_number = self._data_dir.new_game_number()
        if self._data_dir.running_low and not self._reserving:
            self._reserving = True
            self._nursery.start_soon(self._reserve_numbers)
        session = self._session(forming, game_number)
        stored = trio.Event()
        table = self._table(session)
        host = self._host(table, session, self._journal.begin(session, stored.set))
        self.sessions.add(host)
        self._nursery.start_soon(self._run_new, host, table, tuple(forming.sitters), stored)
        return host

    def _session(self, forming: FormingTable, game_number: int) -> Session:
        config, options = self._config, forming.options
        setting = Setting(
            config.rules if options.rules is None else options.rules,
            options.end_score or config.end_score,
            turn_limit_of(options.turn_limit, config.turn_limit, public=not forming.private),
            config.grace,
            config.pause_limit,
        )
        a, b, c, d = (
            StoredSeat(name, Kind.CLIENT, sitter.process_id, network_of(sitter.client.who))
            if sitter is not None
            else StoredSeat(name, Kind.COMPUTER, 0)
            for name, sitter in zip(forming.player_names(), forming.sitters, strict=True)
        )
        return Session(
            game_number,
            forming.name,
            forming.private,
            setting,
            (a, b, c, d),
            int(time.time()),
            forming.opener,
        )

    def _table(self, session: Session) -> Table:
        players = [(seat.name, seat.kind) for seat in session.seats]
        config = self._config
        return Table(
            session.setting,
            players,
            self._deals().__next__,
            config.computer_names,
            config.max_hands,
        )

    def _host(self, table: Table, session: Session, store: Store) -> HostedTable:
        return HostedTable(
            table,
            session,
            [SimpleBot() for _ in range(4)],
            secret=self._data_dir.secret,
            store=store,
            announce=self.chat.announce,
            clock=trio.current_time,
            log=log,
            bot_pause=self._config.bot_pause,
            watch_delay=self._config.watch_delay,
            counts=self.metrics,
            seat_in_chat=self.chat.seat,
        )

    def _own_deals(self) -> Iterator[Deal]:
        yield from self._config.deal
        while True:
            yield Deal.from_secret(secrets.token_bytes(SECRET_BYTES))

    async def _run_new(
        self,
        host: HostedTable,
        table: Table,
        sitters: Sequence[Sitter | None],
        stored: trio.Event,
    ) -> None:
        # Nobody hears of a session that a crash could make unheard of.
        await stored.wait()
        secret, number = self._data_dir.secret, host.game_number
        host.seat_clients(
            [
                (sitter.client, issue(secret, number, player, sitter.process_id))
                for player, sitter in enumerate(sitters)
                if sitter is not None
            ]
        )
        await self._run_host(host, table.start())

    async def _run_host(self, host: HostedTable, effects: Sequence[Effect]) -> None:
        try:
            await run_table(host, effects, self._look_for_standstill)
        finally:
            self.sessions.finish(host)
            self._lobby.table_ended(host.session.table_name, host.game_number)
            if self._gate.draining and not self.sessions.has_running:
                self._quiet.set()
        await let_watchers_go(host)

    async def _reserve_numbers(self) -> None:
        try:
            await trio.to_thread.run_sync(self._data_dir.reserve)
        except OSError as error:
            log.error("cannot-reserve-game-numbers", why=error)
        finally:
            self._reserving = False

    def _make_room(self) -> bool:
        # Sooner than that its players may be on their way back, all at once after a restart.
        latest = trio.current_time() - ROOM_AFTER
        host = gives_way(self.sessions.running, latest)
        if host is None:
            return False
        host.end("the server is full, and nobody played at the table")
        self._lobby.table_ended(host.session.table_name, host.game_number)
        return True

    # After a crash or a restart

    async def take_up(self, sessions: Iterable[StoredSession]) -> int:
        """Go on with stored sessions, their players gone for the moment; how many there are.

        One that cannot be read is logged and left as it is stored.
        """
        count = 0
        for stored in sessions:
            try:
                count += self._take_up(stored)
            except CorruptRecord as error:
                log.error("session-unreadable", game=stored.session.game_number, why=error)
            await trio.lowlevel.checkpoint()
        if count:
            self._lobby.returns_until = trio.current_time() + RETURNS
        return count

    def _take_up(self, stored: StoredSession) -> bool:
        session = stored.session
        if stored.ended is not None:
            restore = partial(self._restore_finished, stored)
            self.sessions.keep(session.game_number, session.seats, restore)
            return False
        table = self._table(session)
        effects = table.restore(stored.lines, trio.current_time())
        host = self._host(table, session, self._journal.take_up(stored))
        self.sessions.add(host)
        self._lobby.take_up(host)
        self._nursery.start_soon(self._run_host, host, effects)
        return True

    def _restore_finished(self, stored: StoredSession) -> HostedTable:
        table = self._table(stored.session)
        table.restore(stored.lines, trio.current_time())
        host = self._host(table, stored.session, NoStore())
        host.was_over(stored.why)
        return host

    def journal_refused(self, game_number: int) -> None:
        """A session cannot be stored whatever is tried: its table has to stop."""
        for host in self.sessions.running:
            if host.game_number == game_number:
                host.stop("its choices cannot be stored")

    def journal_trouble(self, why: str | None) -> None:
        """Tell the tables that nothing can be stored, or (None) that it works again."""
        if why is None:
            text = "the server can save again: play goes on"
        else:
            text = "the server cannot save what is played: play pauses until it can"
        self.tell_tables(text)

    def close_to_new_tables(self, why: str) -> None:
        """Let no new table begin, for a reason; "" lets them begin again."""
        self._lobby.close(why)

    def tell_tables(self, text: str) -> None:
        """Tell everybody at every table something in words."""
        for host in self.sessions.running:
            host.notice(text)

    def _chat_standing(self) -> Iterator[Said]:
        for host in self.sessions.running:
            yield from host.chat.standing()

    def _chat_changed(self, is_back: bool) -> None:
        """Tell the tables that there is no chat for now, or that it is back."""
        for host in self.sessions.running:
            host.notice("the chat is back" if is_back else "the chat is away; play goes on")

    async def drain(self) -> None:
        """Let nobody new in, and wait until the hands that are played are over, or DRAIN_LIMIT."""
        hosts = self.sessions.running
        log.info("draining", tables=len(hosts))
        self._gate.draining = True
        self._lobby.drain()
        for host in hosts:
            host.notice("the server shuts down: the table stops after this hand")
            host.give(Drain())
        with trio.move_on_after(DRAIN_LIMIT):
            if self.sessions.has_running:
                await self._quiet.wait()
        for host in self.sessions.running:
            host.stop("the server shuts down")
        with trio.move_on_after(LAST_WORDS_LIMIT):
            await self.chat.drain()
            await self._gate.wait_empty()
