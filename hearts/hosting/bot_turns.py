"""The bots of one table: what they have to think about, and when they answer."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from math import inf
from typing import assert_never

from hearts.bots import Bot, choose_moon
from hearts.game.cards import Card
from hearts.game.events import ChooseMoon, ChosenBy, Pass, Play
from hearts.game.view import View
from hearts.table import Answered, AskBot, Choice, Question

from .outside import Clock


def choice_of(bot: Bot, question: Question, view: View, by: ChosenBy) -> Choice:
    """What a bot chooses; ``by`` says for whom."""
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


class BotTurns:
    """Lets one bot think at a time, so that other tables get their turn between two."""

    def __init__(self, bots: Sequence[Bot], pause: float, clock: Clock) -> None:
        """``bots`` are those of seats 0-3; ``pause`` is how long a computer waits, in seconds."""
        self._bots = list(bots)
        self._pause = pause
        self._clock = clock
        self._asked: deque[tuple[float, AskBot]] = deque()
        self._answers: list[tuple[float, int, Answered]] = []
        self.due = inf
        """When there is something to do."""

    def ask(self, asked: AskBot) -> None:
        """A bot is asked."""
        # A player who let the time pass is not waited for again; only a computer's play is.
        pause = 0.0 if asked.by is ChosenBy.CLOCK else self._pause
        self._asked.append((self._clock() + pause, asked))
        self.due = -inf

    def go_on(self, now: float) -> Answered | None:
        """Let a bot think, or give an answer that is due."""
        answer = self._think() if self._asked else heapq.heappop(self._answers)[2]
        if not self._asked:
            self.due = self._answers[0][0] if self._answers else inf
        return answer

    def _think(self) -> Answered | None:
        # It thinks before its pause: how long that takes would tell how many cards are legal.
        due, asked = self._asked.popleft()
        bot = self._bots[asked.view.player]
        answer = Answered(asked.request, choice_of(bot, asked.question, asked.view, asked.by))
        if due <= self._clock():
            return answer
        heapq.heappush(self._answers, (due, asked.request, answer))
        return None

    def clear(self) -> None:
        """Forget everything."""
        self._asked.clear()
        self._answers.clear()
        self.due = inf
