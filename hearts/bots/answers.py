"""The answer of a bot to a question of a table."""

from __future__ import annotations

from typing import assert_never

from hearts.game.cards import Card
from hearts.game.events import ChooseMoon, ChosenBy, Pass, Play
from hearts.game.view import View
from hearts.table import Choice, Question

from .player import Bot, choose_moon


def choice_of(bot: Bot, question: Question, view: View, by: ChosenBy) -> Choice:
    """The choice of a bot; ``by`` says for whom it is made."""
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
