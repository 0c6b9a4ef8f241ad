"""A seat of a match whose player is asked by a call: it asks, times, checks and counts.

Whatever a player does, the match goes on as at a server's table: illegal tries are counted, after
ten for one choice the clock decides, and a stand-in plays to the end for a player that raises.
Clock and stand-in choose like the simple bot.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from time import perf_counter
from typing import Any, Generic, TypeVar

from msgspec import Struct

from hearts.bots import Bot, RandomBot, SimpleBot, choose_moon
from hearts.game.cards import Card
from hearts.game.events import ChooseMoon, ChosenBy, Pass
from hearts.game.game import PASS_SIZE
from hearts.game.view import View
from hearts.table.seat import MAX_TRIES
from hearts_arena.kept.moves import CARD_MOVES, move_of
from hearts_arena.plan.results import SeatCounts
from hearts_client.library import bot_faults

from .faults import PlayerFault, fault_of
from .line_bot import LineBot, OutOfTime, ToldFault
from .line_process import LineFault
from .players import BotMaker

FAILURES = (Exception, SystemExit)
"""Errors for which a player is counted out."""

_OWN_CARD_MOVES = CARD_MOVES[ChosenBy.PLAYER]
_STAND_IN = SimpleBot()
Choice = TypeVar("Choice")


class Asking(Struct, Generic[Choice], frozen=True):
    method: str
    ask: Callable[[Bot, View], Any]
    why_not: Callable[[Any, View], str | None]
    value: Callable[[Any], Choice | None]
    """The choice that a legal answer is."""
    move: Callable[[int, Choice, ChosenBy], str]
    """Writes down a choice; it takes the seat, the choice and the role that made it."""

    def read(self, answer: Any, view: View) -> Choice | None:
        return self.value(answer) if self.why_not(answer, view) is None else None

    def fault(self, bot: Bot, answer: object, view: View) -> PlayerFault:
        why = self.why_not(answer, view) or "gave what is not legal"
        return fault_of(self.method, why, bot_faults.line_of_method(bot, self.method), view)


def _listed(answer: Any) -> Any:
    """Return a pass as a tuple, whatever it comes in; as it is, if nothing comes in it."""
    with suppress(TypeError):
        return tuple(islice(answer, 2 * PASS_SIZE))
    return answer


def _cards_of(answer: tuple[object, ...]) -> tuple[Card, ...]:
    return tuple(card for each in answer if (card := bot_faults.card_of(each)) is not None)


CARD = Asking(
    "choose_card",
    lambda bot, view: bot.choose_card(view),
    bot_faults.why_no_card,
    bot_faults.card_of,
    lambda seat, card, by: CARD_MOVES[by][card],
)
PASS = Asking(
    "choose_pass",
    lambda bot, view: _listed(bot.choose_pass(view)),
    bot_faults.why_no_pass,
    _cards_of,
    lambda seat, cards, by: move_of(Pass(seat, cards, by)),
)
MOON = Asking(
    "choose_moon",
    choose_moon,
    lambda answer, view: None,
    lambda answer: None if answer is None else bool(answer),
    lambda seat, on_others, by: move_of(ChooseMoon(seat, on_others, by)),
)


UnderWay = list[int] | memoryview
"""Three numbers for a process that watches from outside.

The number of the match, the seat that was asked or told something last, and how many tricks were
begun until now. A player that needs no view is left out: it never hangs.
"""


class CalledSeat(SeatCounts):
    """A seat of one match with its player; it writes the choices down as moves."""

    def __init__(
        self,
        number: int,
        moves: list[str],
        under_way: UnderWay,
        complain: Callable[[PlayerFault], None],
    ) -> None:
        """``moves`` takes the choices, and ``complain`` all crashes and the first illegal try.

        Until the player sits down a stand-in plays.
        """
        super().__init__()
        self.bot: Bot | None = None
        """The player itself; None while a stand-in plays."""
        self.choose_of: Callable[[int], Card] | None = None
        """Chooses for a player that looks at nothing but the legal cards, and needs no view."""
        self._number = number
        self._moves = moves
        self._under_way = under_way
        self._complain = complain
        self._program: LineBot | None = None
        """The player, if it is a program, even after it has failed."""
        self._is_killed = False

    def sit_down(self, make: BotMaker, seed: int, kept: Bot | None = None) -> None:
        """Let the player play, made with a seed or as it is ``kept`` from the match before."""
        self._under_way[1] = self._number
        try:
            bot = make(seed) if kept is None else kept
            if isinstance(bot, LineBot):
                self._program = bot
                if self._is_killed:
                    bot.kill()
                bot.begin(self._complain)
            # Of exactly this class: a derived one may look at more.
            elif type(bot) is RandomBot:
                self.choose_of = bot.choose_of
        except FAILURES as error:
            self._fall(error, "__init__")
        else:
            self.bot = bot

    def count_death(self) -> None:
        """Count a crash of a player that is known to end its process, so that none sits down."""
        self.crashes += 1

    def close(self) -> None:
        if self._program is not None:
            self._program.close()

    def kill(self) -> None:
        """End a program that plays here, whatever it is at; another thread may wait for it."""
        self._is_killed = True
        if self._program is not None:
            self._program.kill()

    def notify(self, method: str, *what: object) -> None:
        receive = getattr(self.bot, method, None)
        if receive is None:
            return
        self._under_way[1] = self._number
        begin = perf_counter()
        try:
            receive(*what)
        except FAILURES as error:
            self._fall(error, method)
        else:
            # It can think here as well as when it is asked.
            self.seconds += perf_counter() - begin

    def choose_card_of(self, legal: int, choose: Callable[[int], Card]) -> Card:
        begin = perf_counter()
        card = choose(legal)
        seconds = perf_counter() - begin
        self.seconds += seconds
        if seconds > self.slowest:
            self.slowest = seconds
        self.choices += 1
        self._moves.append(_OWN_CARD_MOVES[card])
        return card

    def choose(self, asking: Asking[Choice], view: View) -> Choice:
        """Ask the player, and write down its choice, or that of the clock or the stand-in."""
        self.choices += 1
        by = ChosenBy.PLAYER
        choice = self._ask(asking, view)
        if choice is None:
            by = ChosenBy.STAND_IN if self.bot is None else ChosenBy.CLOCK
            self.stood_in += self.bot is None
            self.timeouts += self.bot is not None
            choice = asking.read(asking.ask(_STAND_IN, view), view)
            assert choice is not None
        elif self._program is not None and self._program.info:
            self.info.append((self.choices - 1, self._program.info))
        self._moves.append(asking.move(self._number, choice, by))
        return choice

    def _ask(self, asking: Asking[Choice], view: View) -> Choice | None:
        """Return the choice of the player; None if it made none that is legal, or cannot make
        any.
        """
        self._under_way[1] = self._number
        for _ in range(MAX_TRIES):
            if self.bot is None:
                return None
            begin = perf_counter()
            try:
                answer = asking.ask(self.bot, view)
                choice = asking.read(answer, view)
            except OutOfTime:
                self.take_time(perf_counter() - begin)
                return None
            except FAILURES as error:
                self._fall(error, asking.method, view)
                return None
            self.take_time(perf_counter() - begin)
            if choice is not None:
                return choice
            self.illegal += 1
            if self.illegal == 1:
                self._complain(asking.fault(self.bot, answer, view))
        return None

    def _fall(self, error: BaseException, method: str, view: View | None = None) -> None:
        """Let a stand-in play the rest after an error of the player."""
        self.bot = self.choose_of = None
        if self._program is not None:
            self._program.close(0)
        self.crashes += 1
        match error:
            case ToldFault(fault=fault):
                self._complain(fault)
            case LineFault():
                self._complain(fault_of(method, str(error), "", view, is_crash=True))
            case _:
                what, line = bot_faults.raised(error), bot_faults.line_of(error)
                self._complain(fault_of(method, what, line, view, is_crash=True))
