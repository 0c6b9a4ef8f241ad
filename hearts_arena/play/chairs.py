"""One player's place in a match: he is asked, timed, checked and counted there.

Whatever a player does, the match goes on as at a server's table: illegal tries are counted, after
ten for one choice the clock decides, and for one who raises a stand-in plays to the end. Clock and
stand-in choose like the simple bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Protocol

from msgspec import Struct

from hearts.bots import Bot, RandomBot, SimpleBot, choose_moon
from hearts.game.cards import Card
from hearts.game.events import ChooseMoon, ChosenBy, Pass
from hearts.game.scoring import Four
from hearts.game.view import View
from hearts.table import MAX_TRIES
from hearts_arena.kept.moves import CARD_MOVES, move_of
from hearts_arena.plan.results import Conduct, TimeTaken
from hearts_client.library.bot_faults import (
    line_of,
    line_of_method,
    message,
    moment,
    raised,
    why_no_card,
)

from .answers import CARD, MOON, OUT_OF_TIME, PASS, Asking, Choice, card_of
from .line_bot import LineBot
from .players import BotMaker


class PlayerFault(Struct, frozen=True):
    """Something that a player has done to himself, in words for his author."""

    method: str
    what: str
    when: str = ""
    """The hand and the trick; empty if he was not asked but told something."""
    line: str = ""
    """His own line of code, if it is known."""
    is_crash: bool = False
    """Whether a stand-in plays from here on."""
    hand: int = -1
    """The hand, from 0 in its game; -1 if he was not asked."""

    def in_words(self, where: str) -> str:
        """One message; ``where`` says which match and which deal it was."""
        when = ", ".join(filter(None, (self.when, where)))
        return message(self.method, self.what, when, self.line)


Complain = Callable[[int, PlayerFault], None]
"""Hears of the faults of the player in a seat: all crashes, and the first illegal try."""


class UnderWay(Protocol):
    """Three numbers for whoever watches from outside.

    That of the match, the seat of whoever was asked or told something last, and how many tricks
    were begun until now. A player who is asked by ``Chair.choose_of`` is left out: he never hangs.
    """

    def __getitem__(self, place: int, /) -> int: ...

    def __setitem__(self, place: int, value: int, /) -> None: ...


FAILURES = (Exception, SystemExit)
"""What a player may raise and be counted out for."""

_STAND_IN = SimpleBot()


class Chair:
    """A seat of one match with its player; it writes his choices down as moves.

    Cards are chosen so often that whoever plays the tricks does what is usual himself: he calls
    :attr:`choose_card`, adds up the time, and takes one of :attr:`card_moves` for a legal card.
    What is not usual comes to :meth:`settle_card` and :meth:`fall`.
    """

    __slots__ = (
        "_bot",
        "_complain",
        "_crashes",
        "_illegal",
        "_moves",
        "_own_pace",
        "_program",
        "_seat",
        "_stood_in",
        "_timeouts",
        "_under_way",
        "card_moves",
        "choices",
        "choose_card",
        "choose_of",
        "hears_tricks",
        "seconds",
        "slowest",
    )

    def __init__(
        self, seat: int, moves: list[str], under_way: UnderWay, complain: Complain
    ) -> None:
        """``moves`` takes his choices. Until he sits down a stand-in plays."""
        self._seat = seat
        self._moves = moves
        self._under_way = under_way
        self._complain = complain
        self._bot: Bot | None = None
        self._program: LineBot | None = None
        """The player, if he is a program, though he has raised."""
        self._own_pace: TimeTaken | None = None
        self._illegal = self._timeouts = self._crashes = self._stood_in = 0
        self.choose_card: Callable[[View], object] = self._stand_in_card
        """Chooses a card, or whatever the player answers; it may raise anything."""
        self.choose_of: Callable[[int], Card] | None = None
        """The same for a player who looks at nothing but the legal cards: he needs no view."""
        self.card_moves = CARD_MOVES[ChosenBy.STAND_IN]
        """The move for each card that is chosen by whoever plays here now."""
        self.choices = 0
        """How often he was asked, by the count of whoever asks."""
        self.seconds = self.slowest = 0.0
        """For all choices, and for the slowest."""
        self.hears_tricks = False
        """Whether he wants to be told of tricks."""

    def sit_down(self, make: BotMaker, seed: int) -> None:
        """Make the player who has this seat."""
        self._under_way[1] = self._seat
        try:
            bot = make(seed)
            self.choose_card = bot.choose_card
            # Of exactly this class: what is derived from it may look at more.
            if type(bot) is RandomBot:
                self.choose_of = bot.choose_of
            self.hears_tricks = hasattr(bot, "trick_taken")
        except FAILURES as error:
            self.fall(error, "__init__")
        else:
            self._bot = bot
            if isinstance(bot, LineBot):
                self._program = bot
            self.card_moves = CARD_MOVES[ChosenBy.PLAYER]

    def count_death(self) -> None:
        """The player is known to end the process that he plays in, so nobody sits down."""
        self._crashes += 1

    @property
    def bot(self) -> Bot | None:
        """The player himself, if he plays; None while a stand-in does."""
        return self._bot

    @property
    def conduct(self) -> Conduct:
        return _conduct(self.choices, self._illegal, self._timeouts, self._crashes, self._stood_in)

    @property
    def pace(self) -> TimeTaken:
        return self._own_pace or TimeTaken(self.seconds, self.slowest)

    def close(self) -> None:
        """Nothing more comes: a program that plays here ends."""
        if self._program is not None:
            self._program.close()

    # What he is told

    def begin_tournament(self, players: int, end_score: int) -> None:
        self._tell("begin_tournament", players, end_score)

    def begin_game(self, names: Sequence[str]) -> None:
        self._tell("begin_game", names, self._seat)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        self._tell("trick_taken", cards, leader, winner)

    def hand_done(self, points: Four, scores: Four) -> None:
        self._tell("hand_done", points, scores)

    def _tell(self, method: str, *what: object) -> None:
        hear = getattr(self._bot, method, None)
        if hear is None:
            return
        self._under_way[1] = self._seat
        begin = perf_counter()
        try:
            hear(*what)
        except FAILURES as error:
            self.fall(error, method)
        else:
            # He can think here as well as when he is asked.
            self.seconds += perf_counter() - begin

    # What he is asked

    def play_card(self, view: View) -> None:
        """Ask for a card and write it down, for whoever does not do what is usual himself."""
        begin = perf_counter()
        try:
            card = self.choose_card(view)
        except FAILURES as error:
            self.fall(error, "choose_card", view)
            card = self.choose_card(view)
        self._note_time(perf_counter() - begin)
        if isinstance(card, Card) and view.legal >> card & 1:
            self._moves.append(self.card_moves[card])
        else:
            self.settle_card(card, view)

    def settle_card(self, answer: object, view: View) -> Card:
        """The card that is played after an answer that is no legal card as it is."""
        card = card_of(answer, view)
        if card is None and answer is not OUT_OF_TIME:
            self._count_illegal("choose_card", why_no_card(answer, view), view)
            card = self._ask(CARD, lambda bot: bot.choose_card(view), view, MAX_TRIES - 1)
        if card is None:
            card = _STAND_IN.choose_card(view)
            self._moves.append(CARD_MOVES[self._proxy()][card])
        else:
            self._moves.append(self.card_moves[card])
        return card

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        """Three different cards of his hand, in his order."""
        cards = self._ask(PASS, lambda bot: bot.choose_pass(view), view)
        by = ChosenBy.PLAYER
        if cards is None:
            cards, by = _STAND_IN.choose_pass(view), self._proxy()
        self._moves.append(move_of(Pass(self._seat, cards, by)))
        return cards

    def choose_moon(self, view: View) -> bool:
        """Whether his moon counts 26 on each of the others."""
        on_others = self._ask(MOON, lambda bot: choose_moon(bot, view), view)
        by = ChosenBy.PLAYER
        if on_others is None:
            on_others, by = _STAND_IN.choose_moon(view), self._proxy()
        self._moves.append(move_of(ChooseMoon(self._seat, on_others, by)))
        return on_others

    def _ask(
        self,
        how: Asking[Choice],
        choose: Callable[[Bot], object],
        view: View,
        tries: int = MAX_TRIES,
    ) -> Choice | None:
        """His choice; None if he made none that is legal, or cannot make any."""
        for _ in range(tries):
            if self._bot is None:
                break
            self._under_way[1] = self._seat
            begin = perf_counter()
            try:
                answer = choose(self._bot)
                if answer is OUT_OF_TIME:
                    self._note_time(perf_counter() - begin)
                    break
                choice = how.read(answer, view)
            except FAILURES as error:
                self.fall(error, how.method, view)
                break
            self._note_time(perf_counter() - begin)
            if choice is not None:
                return choice
            self._count_illegal(how.method, how.why_not(answer, view), view)
        return None

    def _note_time(self, seconds: float) -> None:
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    def _count_illegal(self, method: str, why: str | None, view: View) -> None:
        self._illegal += 1
        if self._illegal == 1:
            line = line_of_method(self._bot, method)
            what = why or "gave what is not legal"
            self._complain(
                self._seat, PlayerFault(method, what, moment(view), line, hand=view.hand_number)
            )

    def fall(self, error: BaseException, method: str, view: View | None = None) -> None:
        """The player has raised: a stand-in plays the rest. ``view`` is what he was asked about."""
        self._own_pace = TimeTaken(self.seconds, self.slowest)
        self._bot = None
        if self._program is not None:
            self._program.kill()
        self._crashes += 1
        self.choose_card = self._stand_in_card
        self.choose_of = None
        self.card_moves = CARD_MOVES[ChosenBy.STAND_IN]
        self.hears_tricks = False
        when, hand = ("", -1) if view is None else (moment(view), view.hand_number)
        fault = PlayerFault(method, raised(error), when, line_of(error), is_crash=True, hand=hand)
        self._complain(self._seat, fault)

    def _stand_in_card(self, view: View) -> Card:
        self._stood_in += 1
        return _STAND_IN.choose_card(view)

    def _proxy(self) -> ChosenBy:
        """Count that somebody else chooses, and say who."""
        if self._bot is None:
            self._stood_in += 1
            return ChosenBy.STAND_IN
        self._timeouts += 1
        return ChosenBy.CLOCK


@lru_cache
def _conduct(*counts: int) -> Conduct:
    """One object for all who behave alike, which most do."""
    return Conduct(*counts)
