"""A table with its connections: what they send goes in, and what the table wants is carried out.

There is no input or output here, and no clock. Connections, the store, the clock and the log are
handed in, and the owner calls :meth:`HostedTable.wake` when the alarm rings. Nothing else
interprets what a table says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import assert_never

from hearts.bots import Bot
from hearts.dealer.seat import Introduced
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.table import (
    Announce,
    Ask,
    AskBot,
    Change,
    Changed,
    ClientCaughtUp,
    Decline,
    Dismiss,
    Durable,
    Effect,
    Ended,
    GamePlayed,
    Granted,
    Input,
    Kind,
    Notify,
    Persist,
    Refuse,
    RemovePlayer,
    Restarted,
    Setting,
    Show,
    Stopped,
    Table,
    Tell,
    TellAll,
    Tick,
)
from hearts.wire.credentials import SeatCredentials, issue

from .bot_turns import BotTurns
from .client import HostedClient
from .outside import Alarm, Clock, Log, NoAlarm, TableCounts, Thinker, Umpire, Uncounted
from .rejoin import Rejoin
from .seat_news import Told
from .seated_clients import SeatedClients
from .seats import Given
from .store import Session, Store, StoredSeat
from .table_chat import SeatMuted, TableChat
from .waiting_notices import WaitingNotices
from .watchers import Watchers

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
        announce: Callable[[int, str], None],
        clock: Clock,
        log: Log,
        bot_pause: float = 0.0,
        watch_delay: float = 0.0,
        counts: TableCounts | None = None,
        seat_in_chat: Callable[[int, int, int], None] | None = None,
        mute_in_chat: Callable[[SeatMuted], None] | None = None,
        umpire: Umpire | None = None,
        computers: Sequence[Bot] | None = None,
        thinker: Thinker | None = None,
    ) -> None:
        """``bots`` are those of seats 0-3; each stands in for its seat, and plays it where it is a
        computer's, unless there are ``computers`` for that.

        ``thinker`` thinks in the place of a computer, if it answers in time.

        ``secret`` proves who has a seat. ``seat_in_chat`` tells the chat whose a seat is now, and
        ``mute_in_chat`` whether its player may speak.
        ``umpire`` is asked in place of the table, if there is one.
        """
        self.game_number = session.game_number
        self.session = session
        self.clients = SeatedClients(session, table, store)
        self.watchers = Watchers(session, table, self.clients, watch_delay, clock)
        self.rejoin = Rejoin(
            self.game_number,
            table,
            self.clients,
            self,
            partial(issue, secret, self.game_number),
            clock,
            log,
        )
        self._table = table
        self._umpire = umpire or table
        self._clock = clock
        self._log = log
        self._bot_turns = BotTurns(bots, computers or bots, bot_pause, clock, thinker)
        self._waiting = WaitingNotices(table, self.clients, self.watchers, self.rejoin)
        self._store = store
        self.chat = TableChat(self.game_number, table, announce, seat_in_chat, mute_in_chat)
        self._counts = counts or Uncounted()
        self._storing: deque[tuple[float, str]] = deque()
        """The lines that the store has not yet, and since when."""
        self._inputs: deque[Input] = deque()
        self._running = False
        self.alarm: Alarm = NoAlarm()
        """Rings when :meth:`wake` is to be called; its deadline is moved when that is sooner."""
        self.is_closed = False
        """Whether the table takes no more input."""
        self.has_ended = False
        """Whether the session is over for good, and that is durable."""
        self.is_over = False
        """Whether everybody was told that the table is over, for good or for now."""

    @property
    def setting(self) -> Setting:
        """What is played, and how long anybody has."""
        return self._table.setting

    @property
    def opener(self) -> str:
        """The network of whoever opened the table; empty if it is not known."""
        return self.session.opener

    @property
    def paused_at(self) -> float | None:
        """Since when no client is connected."""
        return self._table.seats.paused_at

    @property
    def is_at_rest(self) -> bool:
        """Whether it was given a ``HandOver``, and no hand is under way that is waited for."""
        return self._table.is_at_rest

    @property
    def client_count(self) -> int:
        """How many clients are connected."""
        return sum(not client.link.ending for client in self.clients)

    @property
    def progress(self) -> tuple[int, int]:
        """The hand of the game and the trick of the hand, from 1; 0 before the first."""
        game = self._table.game
        if game.play is None:
            return game.hand_number + 1, 0
        # Who has not played to the trick holds a card more than the others.
        held = max(hand.bit_count() for hand in game.play.hands)
        return game.hand_number + 1, 14 - max(held, 1)

    def is_played_for(self, player: int) -> bool:
        """Whether a stand-in plays for a client."""
        return self._table.seats[player].is_played_for

    def seat_clients(self, seated: Sequence[tuple[HostedClient, SeatCredentials]]) -> None:
        """Registrations are answered: each of these clients has its seat.

        For the time before the table starts, so that its first event finds everybody there.
        """
        for client, credentials in seated:
            self.clients.meet(credentials.player, client)
        for client, credentials in seated:
            seat = self.clients.welcome(client, credentials)
            self.clients.sit(client, seat, self.give)
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

    @property
    def due(self) -> float:
        """When :meth:`wake` is to be called."""
        if self.is_closed:
            return -inf if self.is_over else inf
        return min(
            self._umpire.wake_at,
            self._bot_turns.due,
            self.watchers.due,
            self._waiting.due,
            self.chat.waiting.due,
            self.clients.news.waiting.due,
        )

    def wake(self, now: float) -> None:
        """Do what is due."""
        if self._bot_turns.due <= now:
            self._think(now)
        elif self._umpire.wake_at <= now:
            self.give(Tick())
        elif self.watchers.due <= now:
            self.watchers.show(now)
        elif self._waiting.due <= now:
            self._waiting.tell(now)
        elif self.chat.waiting.due <= now:
            self.chat.tell_due(now)
        elif self.clients.news.waiting.due <= now:
            self._tell_of_seats(self.clients.news.take(now))
            self._flush()

    def give(self, given: Given) -> None:
        """Give the table an input. It is taken up at once, or after those that came before.

        A table that is closed takes none.
        """
        if self.is_closed:
            return
        if isinstance(given, Introduced):
            self.clients.introduce(given)
            self._change(given.player, Change.INTRODUCED)
            client = self.clients.client(given.player)
            assert client is not None
            client.introduced = given
            able = client.ability
            assert able is not None
            given = able
        self._inputs.append(given)
        if not self._running:
            self._turn()

    def was_over(self, why: str) -> None:
        """The session was over already when it was read from where it is stored."""
        self.has_ended = True
        self._stop(why)

    def stop(self, why: str) -> None:
        """Stop at once; if there is a journal the table can be taken up again."""
        self._stop(why)
        self._flush()

    def end(self, why: str) -> None:
        """End the session: nobody chooses any more, and all are told when that is durable."""
        # Plain clients hear no reason but in the chat.
        self._end(why, partial(self.chat.notice, why))
        self._flush()

    def remove(self, player: int) -> bool:
        """Take a player (0-3) from the table for good; whether a person had the seat.

        A stand-in plays for him until the hand is over; then the seat is a computer's.
        """
        seat = self._table.seats[player]
        if self.is_closed or seat.kind is not Kind.CLIENT or seat.is_removed:
            return False
        self._log.info(
            "removed", game=self.game_number, player=player, name=self.clients.names[player]
        )
        # First, so that the loss of his connection is no news.
        self.give(RemovePlayer(player))
        self.chat.shut_out(player)
        self.rejoin.remove(player)
        return True

    def mute(self, player: int, *, muted: bool) -> bool:
        """Let nobody hear what a player says in the chat, or let it be heard again.

        Whether a person has the seat.
        """
        seat = self.clients.seats[player]
        if self.is_closed or seat.kind is not Kind.CLIENT:
            return False
        self.chat.mute(player, seat.process_id, muted=muted)
        return True

    def notice(self, text: str) -> None:
        """Tell everybody something in words, over the taunt server and in the dealer dialect."""
        self.chat.notice(text)
        self.clients.notice(text)
        self.watchers.notice(text)

    def _turn(self, effects: Sequence[Effect] = ()) -> None:
        # An error in here is the table's: it must not reach whoever happened to be reading.
        self._running = True
        try:
            now = self._clock()
            inputs = self._inputs
            if effects:
                self._carry_out(effects, now)
            while inputs:
                if effects := self._umpire.step(inputs.popleft(), now):
                    self._carry_out(effects, now)
                if not inputs:
                    self.clients.take_early()
            if self._waiting.is_heard or self._waiting.due < inf:
                self._waiting.look(now)
        except Exception:
            self._fail()
        finally:
            self._running = False
        self._flush()
        self._set_alarm()

    def _set_alarm(self) -> None:
        due = self.due
        if due < self.alarm.deadline:
            self.alarm.deadline = due

    def _flush(self) -> None:
        self.clients.flush()
        if self.watchers.broadcast is not None:
            self.watchers.flush()

    def _carry_out(self, effects: Sequence[Effect], now: float) -> None:
        clients = self.clients
        for effect in effects:
            # These come with each card; see "Values" in ARCHITECTURE.md.
            if type(effect) is TellAll:
                clients.tell_all(effect.event)
                if self.watchers.broadcast is not None:
                    self.watchers.tell(effect.event)
                continue
            if type(effect) is Persist:
                self._storing.append((now, effect.line))
                self._store.append(effect.line, self._durable)
                continue
            if type(effect) is Ask:
                if clients.ask(effect):
                    self._inputs.append(ClientCaughtUp(effect.player))
                clients.wake(effect.player)
                continue
            match effect:
                case Tell(player, event):
                    clients.tell(player, event)
                case Refuse(player, reason):
                    self._counts.count_illegal(reason)
                    clients.refuse(player, reason)
                case AskBot():
                    self._bot_turns.ask(effect, self._set_alarm)
                case Show(event):
                    self.watchers.tell(event)
                case Restarted(why):
                    self.rejoin.start_anew(why)
                    self.watchers.let_go(why)
                case Changed(player, change):
                    self._change(player, change)
                case Decline():
                    clients.decline(effect)
                case Granted():
                    clients.granted(effect)
                case Dismiss(player):
                    clients.let_go(player)
                case Announce(text, about):
                    self.chat.announce(text, about, now)
                case Notify(text):
                    self.notice(text)
                case GamePlayed(actions):
                    self._counts.count_game()
                    self._log.info("game-over", game=self.game_number, actions=actions)
                case Ended(why):
                    self._end(why)
                case Stopped(why):
                    self._stop(why)
                case _:
                    assert_never(effect)

    def _change(self, player: int, change: Change) -> None:
        news = self.clients.news
        if change in (Change.COMPUTER, Change.TAKEN):
            self._tell_of_seats(news.settle(player))
            made = self._table.past.seat_changes[player]
            self.clients.change_seat(player, StoredSeat(made.name, made.kind, made.process_id))
            self.chat.seat_changed(player)
            if change is Change.TAKEN:
                self.rejoin.seat_newcomer(player)
        elif change is Change.LEFT:
            name = self.clients.names[player]
            self._log.info("left", game=self.game_number, player=player, name=name)
        info = self.clients.info(player)
        self._tell_of_seats(news.happened(info, change, self._clock()))

    def _tell_of_seats(self, told: Sequence[Told]) -> None:
        for change, info in told:
            self.clients.changed(change, info)
            self.watchers.changed(change, info)

    def _durable(self) -> None:
        began, line = self._storing.popleft()
        self._counts.count_stored(line, self._clock() - began)
        self.give(_DURABLE)

    def _end(self, why: str, before_told: Callable[[], None] = lambda: None) -> None:
        if self.is_closed:
            return
        self._close()

        def durable() -> None:
            # It may have been stopped while it waited.
            if not self.is_over:
                self.has_ended = True
                before_told()
                self._stop(why)
                self._flush()

        self._store.end(why, durable)

    def _close(self) -> None:
        self.is_closed = True
        self._bot_turns.clear()
        self.clients.store_no_more()

    def _stop(self, why: str) -> None:
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
        self.rejoin.close(
            RegistrationEnded(Refusal.SHUTTING_DOWN if later else Refusal.TABLE_TAKEN, why)
        )

    def _fail(self) -> None:
        self._counts.count_failure()
        self._log.exception("table-failed", game=self.game_number)
        self._stop("an internal error")

    def _think(self, now: float) -> None:
        # A bot that fails is an error of its table, and must not reach the others.
        try:
            answer = self._bot_turns.go_on(now)
        except Exception:
            self._fail()
            self._flush()
            return
        if answer is not None:
            self.give(answer)
