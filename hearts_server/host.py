"""The host of one table: carries out what the table wants, with real clients, bots and clocks."""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import assert_never

import trio

from hearts.bots import Bot, choose_moon
from hearts.cards import Card
from hearts.credentials import SeatCredentials
from hearts.errors import RemoteProtocolError
from hearts.events import By, ChooseMoon, Pass, Play
from hearts.logline import EventLog
from hearts.plain.messages import Refusal
from hearts.plain.registration import Refused
from hearts.plain.seat import PlainSeat
from hearts.table import (
    Announce,
    Answered,
    Ask,
    AskBot,
    CameBack,
    CaughtUp,
    Choice,
    Durable,
    Effect,
    Ended,
    GameBegun,
    GameRecorded,
    Input,
    Kind,
    Persist,
    Question,
    Refuse,
    Stopped,
    Table,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)

from .client import Client
from .metrics import ConnectionEnd, Metrics
from .store import Session, Store

log = EventLog(__name__)

_DURABLE = Durable()
_RECALLED_AT_ONCE = 1000
"""Events of a replay after which other tables get their turn."""


class Return:
    """A seat that waits for the rest of its owner's registration."""

    __slots__ = ("credentials", "decided", "hands", "host")

    def __init__(self, host: TableHost, credentials: SeatCredentials, hands: int) -> None:
        self.host = host
        self.credentials = credentials
        self.hands = hands
        self.decided = host.decided(credentials.player, hands)
        """Choices of the replay that are decided already."""


class TableHost:
    """Runs one table: inputs in order, effects in order, one write to each client a turn."""

    def __init__(
        self,
        table: Table,
        session: Session,
        bots: Sequence[Bot],
        *,
        store: Store,
        announce: Callable[[int, str], None],
        bot_pause: float,
        metrics: Metrics | None = None,
    ) -> None:
        """``bots`` are those of seats 0-3; each also stands in for its seat."""
        self.game_number = session.game_number
        self.session = session
        self.names = tuple(seat.name for seat in session.seats)
        self._table = table
        self._computers = frozenset(
            player for player, seat in enumerate(session.seats) if seat.kind is Kind.COMPUTER
        )
        self._clients: list[Client | None] = [None] * 4
        self._returns: list[Return | None] = [None] * 4
        self._bots = list(bots)
        self._store = store
        self._announce = announce
        self._bot_pause = bot_pause
        self._metrics = metrics or Metrics()
        self._stored_at: deque[float] = deque()
        self._inputs: deque[Input] = deque()
        self._running = False
        self._asked: deque[tuple[float, AskBot]] = deque()
        """What bots have to think about, and when their answers are due."""
        self._answers: list[tuple[float, int, Answered]] = []
        self._alarm = trio.CancelScope()
        self._over = False
        self.ended = trio.Event()

    @property
    def paused_at(self) -> float | None:
        """Since when no client is connected."""
        return self._table.seats.paused_at

    @property
    def client_count(self) -> int:
        """How many clients are connected."""
        return sum(client is not None and not client.link.ending for client in self._clients)

    @property
    def is_worth_keeping(self) -> bool:
        """Whether the session is over, so that who comes back is to be told how it ended."""
        return self._over

    def seat_client(self, player: int, client: Client, credentials: SeatCredentials) -> None:
        """A client's registration is answered: it has this seat."""
        seat = PlainSeat(player, self._computers)
        client.link.write(seat.welcome(credentials, self.names))
        self._clients[player] = client
        client.attach(self.give, seat)

    async def run(self, effects: Sequence[Effect]) -> None:
        """Play until the table has ended; ``effects`` are those of its start."""
        log.info("table-started", game=self.game_number)
        self._turn(effects)
        while not self.ended.is_set():
            self._alarm = trio.CancelScope(deadline=self._next_time())
            with self._alarm:
                await trio.sleep_forever()
            now = trio.current_time()
            if self._asked:
                self._let_bot_think(*self._asked.popleft())
            elif self._answers and self._answers[0][0] <= now:
                self.give(heapq.heappop(self._answers)[2])
            elif self._table.wake_at <= now:
                self.give(Tick())

    # Coming back (SocketSpec.md section 5.6)

    def decided(self, player: int, hands: int) -> int:
        """How many of a player's choices after so many hands are decided."""
        return self._table.past.decided(player, hands)

    def claim(self, credentials: SeatCredentials, hands: int) -> Return:
        """The seat of these credentials, which are genuine; its connection is closed.

        Raises Refused.
        """
        player = credentials.player
        if self.session.seats[player].kind is not Kind.CLIENT:
            raise Refused(Refusal.NO_SUCH_GAME)
        if not -1 <= hands <= self._table.past.hands_scored:
            raise Refused(
                Refusal.NO_SUCH_GAME,
                f"{self._table.past.hands_scored} hands are scored, not {hands}",
            )
        if self.ended.is_set() and not self._table.is_complete:
            raise Refused(Refusal.TABLE_TAKEN, "the table has ended")
        client = self._clients[player]
        if client is not None and not client.gone:
            client.drop("its player comes back on another connection")
            client.outcome = ConnectionEnd.REPLACED
        self._clients[player] = None
        claimed = self._returns[player] = Return(self, credentials, hands)
        return claimed

    async def come_back(self, claimed: Return, client: Client) -> None:
        """Tell a client what it missed, and let it play on. Raises Refused."""
        credentials = claimed.credentials
        player = credentials.player
        seat = PlainSeat(player, self._computers)
        self._recall(client, seat.welcome(credentials, self.names))
        self._recall(client, seat.tell(GameBegun(self.session.setting)))
        for count, missed in enumerate(self._table.past.replay(player, claimed.hands), 1):
            self._recall(client, seat.recall(missed))
            if not count % _RECALLED_AT_ONCE:
                client.link.flush()
                await trio.lowlevel.checkpoint()
        # From here on nothing else runs until the client has its seat.
        if self._returns[player] is not claimed:
            raise Refused(Refusal.NO_SUCH_GAME, "the seat was claimed on another connection")
        self._returns[player] = None
        log.info("came-back", game=self.game_number, player=player, address=client.who)
        if self.ended.is_set():
            client.link.end()
            return
        if self._table.is_deciding(player):
            seat.made_before()
        self._clients[player] = client
        client.attach(self.give, seat)
        self.give(CameBack(player))

    @staticmethod
    def _recall(client: Client, data: bytes) -> None:
        client.link.allow(len(data))
        client.link.write(data)

    def give(self, given: Input) -> None:
        """Give the table an input. It is taken up at once, or after those that came before."""
        self._inputs.append(given)
        if not self._running:
            self._turn()

    def was_over(self, why: str) -> None:
        """The session was over already when it was read from where it is stored."""
        self._over = True
        self._stop(why)

    def stop(self, why: str) -> None:
        """Stop at once; where there is a journal the table can be taken up again."""
        self._stop(why)
        self._flush()

    def end(self, why: str) -> None:
        """End the session at once."""
        self._end(why)
        self._flush()

    def _next_time(self) -> float:
        if self._asked:
            return -inf
        bot = self._answers[0][0] if self._answers else inf
        return min(bot, self._table.wake_at)

    def _turn(self, effects: Sequence[Effect] = ()) -> None:
        # An error in here is the table's: it must not reach whoever happened to be reading.
        self._running = True
        try:
            now = trio.current_time()
            self._carry_out(effects)
            while self._inputs:
                self._carry_out(self._table.step(self._inputs.popleft(), now))
                if not self._inputs:
                    self._take_early()
        except Exception:
            self._fail()
        finally:
            self._running = False
        self._flush()
        due = self._next_time()
        if due < self._alarm.deadline:
            self._alarm.deadline = due

    def _take_early(self) -> None:
        for client in self._clients:
            if client is not None and client.seat.early:
                client.take_early()

    def _flush(self) -> None:
        for client in self._clients:
            if client is not None:
                client.link.flush()

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellAll(event):
                    for player in range(4):
                        self._tell(player, event)
                case Tell(player, event):
                    self._tell(player, event)
                case Persist(line):
                    self._metrics.count_step(line)
                    self._stored_at.append(time.perf_counter())
                    self._store.append(line, self._durable)
                case Ask(player, question):
                    client = self._clients[player]
                    if client is not None:
                        if client.seat.ask(question):
                            self._inputs.append(CaughtUp(player))
                        client.wake()
                case Refuse(player, reason):
                    self._metrics.illegal_tries[reason].add()
                    client = self._clients[player]
                    if client is not None:
                        client.link.write(client.seat.refuse(reason))
                case AskBot():
                    # Who let the time pass has no wait coming; only a computer's play has.
                    pause = 0.0 if effect.by is By.CLOCK else self._bot_pause
                    due = trio.current_time() + pause
                    self._asked.append((due, effect))
                case Announce(text):
                    self._announce(self.game_number, text)
                case GameRecorded(record):
                    self._metrics.games.add()
                    log.info("game-over", game=self.game_number, actions=len(record.actions))
                case Ended(why):
                    self._end(why)
                case Stopped(why):
                    self._stop(why)
                case _:
                    assert_never(effect)

    def _tell(self, player: int, event: TableEvent) -> None:
        client = self._clients[player]
        if client is None or client.link.ending:
            return
        try:
            client.link.write(client.seat.tell(event))
        except RemoteProtocolError as error:
            client.drop(str(error))

    def _durable(self) -> None:
        seconds = time.perf_counter() - self._stored_at.popleft()
        self._metrics.durable_seconds.observe(seconds)
        self.give(_DURABLE)

    def _end(self, why: str) -> None:
        if not self.ended.is_set():
            self._store.end(why)
            self._over = True
            self._stop(why)

    def _stop(self, why: str) -> None:
        if self.ended.is_set():
            return
        log.info("table-ended", game=self.game_number, over=self._over, why=why)
        self.ended.set()
        self._alarm.cancel()
        self._asked.clear()
        self._answers.clear()
        for player, client in enumerate(self._clients):
            if client is not None:
                client.finish()
                self._clients[player] = None

    def _fail(self) -> None:
        self._metrics.tables_failed.add()
        log.exception("table-failed", game=self.game_number)
        self._stop("an internal error")

    def _let_bot_think(self, due: float, asked: AskBot) -> None:
        # It thinks before its pause: how long that takes would tell how many cards are legal.
        # A bot that fails is an error of its table, and must not reach the others.
        try:
            answer = Answered(asked.request, self._choice(asked))
        except Exception:
            self._fail()
            self._flush()
            return
        if due <= trio.current_time():
            self.give(answer)
        else:
            heapq.heappush(self._answers, (due, asked.request, answer))

    def _choice(self, asked: AskBot) -> Choice:
        view, by = asked.view, asked.by
        bot = self._bots[view.player]
        match asked.question:
            case Question.CARD:
                return Play(view.player, bot.choose_card(view), by)
            case Question.PASS:
                return Pass(view.player, tuple(map(Card, bot.choose_pass(view))), by)
            case Question.MOON:
                return ChooseMoon(view.player, choose_moon(bot, view), by)
            case Question.AGAIN:
                raise AssertionError("a table decides about another game itself")
            case _:
                assert_never(asked.question)
