"""The interface of a bot: it gets the view of its seat, and answers with cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, assert_never

from hearts.game.cards import Card
from hearts.game.events import ChooseMoon, ChosenBy, Pass, Play
from hearts.game.view import View
from hearts.table.inputs import Choice, Question

Draw = Callable[[], float]
"""The source of randomness of a bot: a call gives a number from 0 up to, and without, 1.

``random.Random(seed).random`` fits.
"""


class Bot(Protocol):
    """A player that is a program. A bot may keep state: each seat of each table has its own."""

    def choose_pass(self, view: View) -> Sequence[Card]:
        """Return three different cards of ``view.hand`` to pass in ``view.direction``."""
        ...

    def choose_card(self, view: View) -> Card:
        """Return a card of ``view.legal`` to play."""
        ...


class MoonBot(Bot, Protocol):
    """A bot that also chooses how its moon counts, if the rules let the shooter choose."""

    def choose_moon(self, view: View) -> bool:
        """Return True for 26 on each of the others, False for 26 off its own score."""
        ...


BotFactory = Callable[[Draw], Bot]
"""Makes a bot for one seat."""


def choose_moon(bot: Bot, view: View) -> bool:
    """Let a bot choose after a moon; one without ``choose_moon`` gives the others 26 points."""
    choose = getattr(bot, "choose_moon", None)
    return True if choose is None else bool(choose(view))


def choice_of(bot: Bot, question: Question, view: View, by: ChosenBy) -> Choice:
    """Return the choice of a bot; ``by`` is the role in which it chooses."""
    match question:
        case Question.CARD:
            return Play(view.player, bot.choose_card(view), by)
        case Question.PASS:
            return Pass(view.player, tuple(map(Card, bot.choose_pass(view))), by)
        case Question.MOON:
            return ChooseMoon(view.player, choose_moon(bot, view), by)
        case Question.AGAIN | Question.CUT:
            raise AssertionError("a table decides that itself")
        case _:
            assert_never(question)
