"""A table with its connections: their input goes in, and the effects of the table are carried out.

There is no input or output here, and no clock. Connections, the store, the clock and the log are
handed in, and the owner calls :meth:`HostedTable.wake` when the alarm rings. Nothing else
interprets what a table says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import assert_never

from hearts.bots import Bot
from hearts.session.table_words import Declined, Introduced, ServerNotice, Taken
from hearts.table import effects as wanted
from hearts.table.effects import Ask, AskBot, Effect, Persist, SendToAll
from hearts.table.inputs import Durable, Input, Tick
from hearts.table.table import Table
from hearts.wire.credentials import SeatCredentials, issue

from .bot_turns import BotTurns
from .hosted_client import HostedClient
from .hosted_seats import HostedSeats
from .ports import Alarm, Clock, Log, NoAlarm, TableCounts, Thinker, Umpire
from .rejoin import Rejoin
from .seated_clients import SeatedClients
from .store import Session, Store
from .table_chat import Said, TableChat
from .waiting_notices import WaitingNotices
from .watchers import Watchers

THOUGHTS_AT_ONCE = 8
"""Choices of computers, some 0.05 ms each, that follow a person's before others have their turn.

With a stand-in each choice takes a turn of its own, in which something may be heard of the player.
"""
_DURABLE = Durable()


class HostedTable:
    """One table: inputs in order, effects in order, one write to each client a turn."""

    def __init__(
        self,
        table: Table,
        session: Session,
        bots: Sequence[Bot],
        *,
        secret: bytes,
        store: Store,
        clock: Clock,
        log: Log,
        bot_pause: float = 0.0,
        watch_delay: float = 0.0,
        counts: TableCounts | None = None,
        voice: Callable[[Said], None] = lambda said: None,
        umpire: Umpire | None = None,
        computers: Sequence[Bot] | None = None,
        thinkers: Sequence[Thinker | None] = (None,) * 4,
    ) -> None:
        """``bots`` are those of seats 0-3; each stands in for its seat, and plays it if it is a
        computer's, unless there are ``computers`` for that. ``thinkers`` think in the place of the
        computers, if they answer in time. ``secret`` proves who has a seat. ``voice`` sends news to
        the chat. If there is an ``umpire``, it is asked in place of the table.
        """
        self.game_number = session.game_number
        self.session = session
        self.clients = SeatedClients(session, table, store)
        self.watchers = Watchers(session, table, self.clients, watch_delay, clock)
        prove = partial(issue, secret, self.game_number)
        self.rejoin = Rejoin(self.game_number, table, self.clients, self, prove, clock, log)
        self.table = table
        """The table, to be looked at only: all that it is given comes from here."""
        self._umpire = umpire or table
        self._clock = clock
        self._log = log
        self._bot_turns = BotTurns(bots, computers or bots, bot_pause, clock, thinkers)
        self._waiting = WaitingNotices(table, self.clients, self.watchers, self.rejoin)
        self._store = store
        self.chat = TableChat(self.game_number, table, voice)
        self.seats = HostedSeats(table, self.clients, self.watchers, self.rejoin, self.chat, log)
        self._counts = counts or TableCounts()
        self._storing: list[tuple[float, str]] = []
        """The lines that the store has not yet, and since when."""
        self._inputs: list[Input] = []
        self._running = False
        self.alarm: Alarm = NoAlarm()
        """Rings when :meth:`wake` is to be called; its deadline is moved when that is sooner."""
        self.is_closed = False
        """True if the table takes no more input."""
        self.has_ended = False
        """True if the session is over for good, and that is durable."""
        self.is_over = False
        """True if everybody was told that the table is over, for good or for now."""

    @property
    def opener(self) -> str:
        """The network of the player who opened the table; empty if it is not known."""
        return self.session.opener

    @property
    def paused_at(self) -> float | None:
        """The time since which no client is connected; None if one is."""
        return self.table.paused_at

    @property
    def client_count(self) -> int:
        return sum(not client.link.ending for client in self.clients)

    def seat_clients(self, seated: Sequence[tuple[HostedClient, SeatCredentials]]) -> None:
        """Seat all clients before the table starts, so that they are there at its first event."""
        for client, credentials in seated:
            self.clients.meet(credentials.player, client)
        give = self.give
        for client, credentials in seated:
            self.clients.sit(client, self.clients.welcome(client, credentials), give)
            if client.ability is not None:
                self._umpire.step(client.ability, self._clock())

    def watch(self, client: HostedClient) -> None:
        """Let a client watch. Raises RegistrationEnded."""
        self.watchers.admit(client)
        self._set_alarm()

    def begin(self, effects: Sequence[Effect]) -> None:
        """Play; ``effects`` are those of the table's start."""
        names = ", ".join(self.clients.names)
        self._log.info("table-started", game=self.game_number, players=names)
        self._turn(effects)
        for player in range(4):
            self.seats.held(player)

    @property
    def due(self) -> float:
        if self.is_closed:
            return -inf if self.is_over else inf
        return min(
            self.table.wake_at,
            self._bot_turns.due,
            self.watchers.due,
            self._waiting.due,
            self.chat.waiting.due,
            self.clients.news.waiting.due,
        )

    def wake(self, now: float) -> None:
        if self._bot_turns.due <= now:
            self._turn(thinks=True)
        elif self.table.wake_at <= now:
            self.give(Tick())
        elif self.watchers.due <= now:
            self.watchers.show(now)
        elif self._waiting.due <= now:
            self._waiting.send_due(now)
        elif self.chat.waiting.due <= now:
            self.chat.send_due(now)
        elif self.clients.news.waiting.due <= now:
            self.seats.send_due(now)
            self._flush()

    def give(self, given: Input | Introduced) -> None:
        """Give the table an input. It is taken up at once, or after earlier inputs.

        A closed table takes none.
        """
        if self.is_closed:
            return
        if type(given) is Introduced:
            given = self.seats.introduce(given, self._clock())
            self._set_alarm()
        self._inputs.append(given)
        if not self._running:
            self._turn()

    def end(self, why: str, *, aloud: bool = False) -> None:
        """End the session: nobody chooses any more, and all are told when that is durable.

        With ``aloud`` the chat is told why as well, for plain clients hear it nowhere else.
        """
        if self.is_closed:
            return
        self._close()
        self._store.end(why, partial(self._ended, why, aloud=aloud))

    def _ended(self, why: str, *, aloud: bool) -> None:
        # It may have been stopped while that was stored.
        if not self.is_over:
            self.has_ended = True
            if aloud:
                self.chat.notice(why)
            self.stop(why)

    def stop(self, why: str) -> None:
        """Stop at once; if there is a journal the table can be taken up again."""
        if self.is_over:
            return
        self._log.info("table-ended", game=self.game_number, over=self.has_ended, why=why)
        later = not self.has_ended
        if not self._umpire.is_complete:
            self.clients.abort(later, why)
            self.watchers.abort(later, why)
        self._close()
        self.is_over = True
        self.alarm.deadline = -inf
        self.clients.dismiss()
        self.rejoin.close(later, why)

    def _close(self) -> None:
        self.is_closed = True
        self._bot_turns.clear()
        self.clients.store_no_more()

    def notice(self, text: str, *, passing: bool = False) -> None:
        """Tell everybody something in words, over the taunt server and in the dealer dialect.

        If it is ``passing``, the chat does not keep it for players who come later.
        """
        self.chat.notice(text, passing=passing)
        self.clients.notify_listening(ServerNotice(text))
        self.clients.flush()
        self.watchers.notice(text)

    def _turn(self, effects: Sequence[Effect] = (), *, thinks: bool = False) -> None:
        # An error in here is the table's: it must not reach the task that happened to be reading.
        self._running = True
        try:
            now = self._clock()
            inputs, bots = self._inputs, self._bot_turns
            left = 1 if thinks else THOUGHTS_AT_ONCE
            if effects:
                self._carry_out(effects, now)
            while inputs or thinks or (left and bots.is_computers_turn):
                if not inputs:
                    left -= 1
                    thinks = False
                    inputs += bots.go_on(now)
                # Others come while these are taken.
                for given in inputs:
                    if effects := self._umpire.step(given, now):
                        self._carry_out(effects, now)
                inputs.clear()
                self.clients.read_early()
            if self._waiting.has_listeners or self._waiting.due < inf:
                self._waiting.look(now)
                self._set_alarm()
        except Exception:
            self._fail()
        finally:
            self._running = False
        self._flush()
        # Whatever else is due has set the alarm when it came up.
        due = min(self.table.clock_ends, self._bot_turns.due)
        if due < self.alarm.deadline:
            self.alarm.deadline = due

    def _set_alarm(self) -> None:
        due = self.due
        if due < self.alarm.deadline:
            self.alarm.deadline = due

    def _flush(self) -> None:
        self.clients.flush()
        if self.watchers.broadcast is not None:
            self.watchers.flush()
            self._set_alarm()

    def _carry_out(self, effects: Sequence[Effect], now: float) -> None:
        clients = self.clients
        for effect in effects:
            # These come with each card; see hearts/README.md.
            if type(effect) is SendToAll:
                clients.notify(effect.event)
                if self.watchers.broadcast is not None:
                    self.watchers.notify(effect.event)
                continue
            if type(effect) is Persist:
                self._storing.append((now, effect.line))
                self._store.append(effect.line, self._durable)
                continue
            if type(effect) is Ask:
                clients.ask(effect, self._inputs)
                continue
            if type(effect) is AskBot:
                self._bot_turns.ask(effect, self._set_alarm)
                continue
            match effect:
                case wanted.SendTo(player, event):
                    clients.notify(event, player)
                case wanted.Refuse(player, reason):
                    self._counts.count_illegal(reason)
                    clients.refuse(player, reason)
                case wanted.Show(event):
                    self.watchers.notify(event)
                case wanted.TellAgain(player):
                    clients.tell_again(player)
                case wanted.Restarted(why):
                    self.rejoin.drop_unfinished(why)
                    self.watchers.let_go(why)
                case wanted.Changed(player, change):
                    self.seats.changed(player, change, now)
                case wanted.Decline(player, wish, fault):
                    clients.notify_beside(player, Declined(type(wish), fault))
                case wanted.Granted(player, wish):
                    clients.notify_beside(player, Taken(type(wish)))
                case wanted.Dismiss(player):
                    clients.let_go(player)
                case wanted.Removed(player):
                    self.seats.removed(player)
                case wanted.Announce(text, about):
                    self.chat.announce(text, about, now)
                case wanted.Notify(text):
                    self.notice(text)
                case wanted.GamePlayed(actions):
                    self._counts.count_game(clients.people)
                    self._log.info("game-over", game=self.game_number, actions=actions)
                case wanted.Ended(why):
                    self.end(why)
                case wanted.Stopped(why):
                    self.stop(why)
                case _:
                    assert_never(effect)
            self._set_alarm()

    def _durable(self) -> None:
        began, line = self._storing.pop(0)
        self._counts.count_stored(line, self._clock() - began)
        self.give(_DURABLE)

    def _fail(self) -> None:
        self._counts.count_failure()
        self._log.exception("table-failed", game=self.game_number)
        self.stop("an internal error")
