"""Begins the sessions of tables that are complete, and goes on with those that were stored."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf

import trio
from msgspec import Struct
from msgspec.structs import replace

from hearts.bots import BOTS, Bot, SimpleBot
from hearts.bots.hurried import HurriedBot
from hearts.bots.levels import SEARCHING
from hearts.errors import CorruptRecord
from hearts.game.cards import four
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.game.rules import DEFAULT_END_SCORE, named_end
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.store import NoStore, Session, Store, StoredSeat
from hearts.limits.networks import network_of
from hearts.names.guests import MARK
from hearts.net.logline import EventLog
from hearts.session.messages import NO_CLOCK_ALONE
from hearts.session.table_words import description
from hearts.settings.readers import LEVELS
from hearts.table.effects import Effect
from hearts.table.history import SessionHistory
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import issue
from hearts.wire.day_chain import HANDS

from .children.chat import Chat
from .children.thinkers import Thinkers
from .config import Config, Guests
from .datadir import DataDir
from .days import DAY_LEVEL, Days, day_setting, is_day_table
from .journal.store import Journal, StoredSession
from .lobby.forming import FormingTable, Sitter
from .lobby.sessions import Sessions
from .lobby.turns import ThoughtsInPass
from .metrics.figures import Metrics

log = EventLog(__name__)


class TableLauncher(Struct, eq=False):
    """Makes tables with all that a server has for them, and runs them to their end."""

    config: Config
    data_dir: DataDir
    nursery: trio.Nursery
    journal: Journal | None
    """None if nothing is kept."""
    sessions: Sessions
    chat: Chat
    metrics: Metrics
    deals: Callable[[], Iterator[Deal]] | None
    """Gives the deals of a new table, in place of configured or random ones."""
    before_clocks: Callable[[], None]
    """Called before time is up for anybody."""
    thinkers: Thinkers | None
    days: Days
    thoughts: ThoughtsInPass
    """Those of computers that think in the event loop for longer than ``simple``."""
    is_reserving: bool = False

    def launch(self, forming: FormingTable) -> HostedTable:
        session = self._session(forming, self._new_game_number())
        stored = trio.Event()
        table = self._table(session)
        if self.journal is None:
            stored.set()
            store: Store = NoStore()
        else:
            store = self.journal.begin(session, stored.set)
        host = self._host(table, session, store)
        self.sessions.add(host)
        self.nursery.start_soon(self._run_new, host, table, tuple(forming.sitters), stored)
        return host

    def _new_game_number(self) -> int:
        game_number = self.data_dir.new_game_number()
        if self.data_dir.running_low and not self.is_reserving:
            self.is_reserving = True
            self.nursery.start_soon(self._reserve_numbers)
        return game_number

    def setting_of(self, forming: FormingTable) -> Setting:
        if is_day_table(forming.name):
            return day_setting(self.config.grace)
        config, options = self.config, forming.options
        rules = config.rules if options.rules is None else options.rules
        limit, own = options.turn_limit, config.turn_limit
        if limit == NO_CLOCK_ALONE:
            is_alone = forming.private and len(forming.computers) == 3
            limit = -own if is_alone else own
        # At a public table a stranger's wish is at most the host's own; 0 is no limit.
        if limit is None or (own and limit > own and not forming.private):
            limit = own
        return Setting(
            rules,
            options.end_score or config.end_score or named_end(rules) or DEFAULT_END_SCORE,
            limit,
            config.grace,
            config.pause_limit,
            not forming.private,
        )

    def _session(self, forming: FormingTable, game_number: int) -> Session:
        seats = four(
            StoredSeat(
                name,
                Kind.CLIENT,
                sitter.process_id,
                network_of(sitter.client.who),
                description(sitter.client.introduced),
                level=level,
            )
            if sitter is not None
            else StoredSeat(name, Kind.COMPUTER, 0, level=level)
            for name, sitter, level in zip(
                forming.player_names(), forming.sitters, forming.levels, strict=True
            )
        )
        return Session(
            game_number,
            forming.name,
            forming.private,
            self.setting_of(forming),
            seats,
            int(time.time()),
            forming.opener,
        )

    def _table(self, session: Session) -> Table:
        players = [(seat.name, seat.kind) for seat in session.seats]
        config, setting, name = self.config, session.setting, session.table_name
        if is_of_day := is_day_table(name):
            setting = replace(setting, is_fixed=True)
        if config.guests is Guests.ALONE and any(
            seat.name.startswith(MARK) for seat in session.seats
        ):
            setting = replace(setting, is_closed=True)
        most = HANDS if is_of_day else config.max_hands
        table = Table(setting, players, lambda: next(deals), config.computer_names, most)
        given = self.days.deals(name) if is_of_day else None
        deals = self._deals(table.past, given)
        return table

    def _host(self, table: Table, session: Session, store: Store) -> HostedTable:
        levels = [self._level(seat.level) for seat in session.seats]
        is_of_day = is_day_table(session.table_name)
        # What one remembers is what everybody has seen.
        stand_in, thinkers = SimpleBot(), self.thinkers
        return HostedTable(
            table,
            session,
            [stand_in] * 4,
            secret=self.data_dir.secret,
            store=store,
            clock=trio.lowlevel.current_clock().current_time,
            log=log,
            bot_pause=self.config.bot_pause,
            watch_delay=self.config.watch_delay,
            counts=self.metrics,
            voice=self.chat.send,
            computers=[
                BOTS[DAY_LEVEL](random.random) if is_of_day else self._computer(level, stand_in)
                for level in levels
            ],
            thinkers=[
                None if thinkers is None or is_of_day else thinkers.at(level) for level in levels
            ],
        )

    def _computer(self, level: str, stand_in: SimpleBot) -> Bot:
        if level in SEARCHING:
            return stand_in
        bot = BOTS[level](random.random)
        return HurriedBot(bot, stand_in, self.thoughts.has_one_more) if level == "swift" else bot

    def _level(self, number: int) -> str:
        """Return the level of a number; the host's own if there is none, or it may not be any
        more.
        """
        names = (name for name in self.config.levels if LEVELS[name] == number)
        return next(names, self.config.computers)

    def _deals(self, past: SessionHistory, given: Iterator[Deal] | None) -> Iterator[Deal]:
        """Give the deals of a table from the first that is asked for; others may be stored."""
        deals: Iterable[Deal] = given or (self.config.deal if self.deals is None else self.deals())
        yield from islice(deals, past.deals_over, None)
        while True:
            yield Deal.from_secret(secrets.token_bytes(SECRET_BYTES))

    async def _run_new(
        self, host: HostedTable, table: Table, sitters: Sequence[Sitter | None], stored: trio.Event
    ) -> None:
        # Nobody hears of a session that a crash could make unheard of.
        await stored.wait()
        secret, number = self.data_dir.secret, host.game_number
        host.seat_clients(
            [
                (sitter.client, issue(secret, number, player, sitter.process_id))
                for player, sitter in enumerate(sitters)
                if sitter is not None
            ]
        )
        # At once: what a client says now follows on this.
        host.begin(table.start(trio.current_time()))
        self.nursery.start_soon(self._run_host, host)

    async def _run_host(self, host: HostedTable, effects: Sequence[Effect] | None = None) -> None:
        try:
            if effects is not None:
                host.begin(effects)
            await run_table(host, self.before_clocks)
        finally:
            self.sessions.finish(host)
            if host.has_ended and is_day_table(host.session.table_name):
                self.days.add(host.session, host.table.past.steps())
        await let_watchers_go(host)

    async def _reserve_numbers(self) -> None:
        try:
            await trio.to_thread.run_sync(self.data_dir.reserve)
        except OSError as error:
            log.error("cannot-reserve-game-numbers", why=error)
        finally:
            self.is_reserving = False

    def take_up(self, stored: StoredSession) -> HostedTable | None:
        """Go on with a stored session, its players gone for the moment; None for none to go on.

        One that is over is kept for those who come back; one that cannot be read is logged.
        """
        try:
            return self._take_up(stored)
        except CorruptRecord as error:
            log.error("session-unreadable", game=stored.session.game_number, why=error)
        except Exception as error:
            # All others go on. Its text may be of hidden cards.
            why = f"an error of the program: {type(error).__name__}"
            log.error("session-unreadable", game=stored.session.game_number, why=why)
        return None

    def _take_up(self, stored: StoredSession) -> HostedTable | None:
        session = stored.session
        if stored.ended is not None:
            restore = partial(self._restore_finished, stored)
            self.sessions.keep(session.game_number, session.seats, restore)
            return None
        table = self._table(session)
        effects = table.restore(stored.lines, trio.current_time())
        store = NoStore() if self.journal is None else self.journal.take_up(stored)
        host = self._host(table, session, store)
        self.sessions.add(host)
        self.nursery.start_soon(self._run_host, host, effects)
        return host

    def _restore_finished(self, stored: StoredSession) -> HostedTable:
        table = self._table(stored.session)
        table.restore(stored.lines, trio.current_time())
        host = self._host(table, stored.session, NoStore())
        host.end(stored.why)
        return host


async def run_table(table: HostedTable, before_clocks: Callable[[], None] = lambda: None) -> None:
    """Let a table that has begun play until it is over.

    ``before_clocks`` is called before time is up for anybody. When the table is over, watchers may
    have something to see for a while still.
    """
    while not table.is_over:
        with trio.CancelScope(deadline=table.due) as table.alarm:
            await trio.sleep_forever()
        before_clocks()
        if not table.is_over:
            table.wake(trio.current_time())


async def let_watchers_go(table: HostedTable) -> None:
    """Show those who watch what is still to come, and let them go."""
    watchers = table.watchers
    watchers.close()
    while watchers.due < inf:
        await trio.sleep_until(watchers.due)
        watchers.show(trio.current_time())
    watchers.dismiss()
