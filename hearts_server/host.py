"""The host of one table: carries out what the table wants, with real clients, bots and clocks."""

from __future__ import annotations

import heapq
import logging
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import assert_never

import trio

from hearts.bots import Bot, choose_moon
from hearts.deal import deal_code
from hearts.errors import RemoteProtocolError
from hearts.events import By, ChooseMoon, Pass, Play
from hearts.table import (
    Announce,
    Answered,
    Ask,
    AskBot,
    CaughtUp,
    Choice,
    Durable,
    Effect,
    Ended,
    GameRecorded,
    HandDone,
    Input,
    Persist,
    Question,
    Refuse,
    Table,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)

from .client import Client
from .store import Store

log = logging.getLogger(__name__)

_DURABLE = Durable()


class TableHost:
    """Runs one table: inputs in order, effects in order, one write to each client a turn."""

    def __init__(
        self,
        table: Table,
        game_number: int,
        clients: Sequence[Client | None],
        bots: Sequence[Bot],
        *,
        store: Store,
        announce: Callable[[int, str], None],
        bot_pause: float,
        show_deals: bool,
    ) -> None:
        """``clients`` and ``bots`` are those of seats 0-3; a bot also stands in for its seat."""
        self.game_number = game_number
        self._table = table
        self._clients = list(clients)
        self._bots = list(bots)
        self._store = store
        self._announce = announce
        self._bot_pause = bot_pause
        self._show_deals = show_deals
        self._inputs: deque[Input] = deque()
        self._running = False
        self._asked: list[tuple[float, int, AskBot]] = []
        self._alarm = trio.CancelScope()
        self.ended = trio.Event()

    async def run(self) -> None:
        """Play until the table has ended."""
        log.info("table-started game=%d", self.game_number)
        self._turn(self._table.start)
        while not self.ended.is_set():
            self._alarm = trio.CancelScope(deadline=self._next_time())
            with self._alarm:
                await trio.sleep_forever()
            now = trio.current_time()
            if self._asked and self._asked[0][0] <= now:
                self._let_bot_choose(heapq.heappop(self._asked)[2])
            elif self._table.wake_at <= now:
                self.give(Tick())

    def give(self, given: Input) -> None:
        """Give the table an input. It is taken up at once, or after those that came before."""
        self._inputs.append(given)
        if not self._running:
            self._turn()

    def stop(self, why: str) -> None:
        """End the table at once."""
        self._end(why)
        self._flush()

    def _next_time(self) -> float:
        bot = self._asked[0][0] if self._asked else inf
        return min(bot, self._table.wake_at)

    def _turn(self, start: Callable[[], list[Effect]] | None = None) -> None:
        # An error in here is the table's: it must not reach whoever happened to be reading.
        self._running = True
        try:
            now = trio.current_time()
            if start is not None:
                self._carry_out(start())
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
                    self._store.append(line, self._durable)
                case Ask(player, question):
                    client = self._clients[player]
                    if client is not None:
                        if client.seat.ask(question):
                            self._inputs.append(CaughtUp(player))
                        client.wake()
                case Refuse(player, reason):
                    client = self._clients[player]
                    if client is not None:
                        client.link.write(client.seat.refuse(reason))
                case AskBot():
                    # Who let the time pass has no wait coming; only a computer's play has.
                    pause = 0.0 if effect.by is By.CLOCK else self._bot_pause
                    due = trio.current_time() + pause
                    heapq.heappush(self._asked, (due, effect.request, effect))
                case Announce(text):
                    self._announce(self.game_number, text)
                case HandDone(secret):
                    if self._show_deals and secret is not None:
                        self._announce(self.game_number, f"deal: {deal_code(secret)}")
                case GameRecorded(record):
                    log.info("game-over game=%d actions=%d", self.game_number, len(record.actions))
                case Ended(why):
                    self._end(why)
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
        self.give(_DURABLE)

    def _end(self, why: str) -> None:
        if self.ended.is_set():
            return
        log.info("table-ended game=%d why=%r", self.game_number, why)
        self.ended.set()
        self._alarm.cancel()
        for client in self._clients:
            if client is not None:
                client.finish()

    def _fail(self) -> None:
        log.exception("table-failed game=%d", self.game_number)
        self._end("an internal error")

    def _let_bot_choose(self, asked: AskBot) -> None:
        # A bot that fails is an error of its table, and must not reach the others.
        try:
            answer = Answered(asked.request, self._choice(asked))
        except Exception:
            self._fail()
            self._flush()
            return
        self.give(answer)

    def _choice(self, asked: AskBot) -> Choice:
        view, by = asked.view, asked.by
        bot = self._bots[view.player]
        match asked.question:
            case Question.CARD:
                return Play(view.player, bot.choose_card(view), by)
            case Question.PASS:
                return Pass(view.player, tuple(bot.choose_pass(view)), by)
            case Question.MOON:
                return ChooseMoon(view.player, choose_moon(bot, view), by)
            case Question.AGAIN:
                raise AssertionError("a table decides about another game itself")
            case _:
                assert_never(asked.question)
