"""The bots of one table: their open questions, and the times of their answers."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from math import inf

from msgspec import Struct

from hearts.bots import Bot
from hearts.bots.player import choice_of
from hearts.game.events import BY_COMPUTER, ChosenBy
from hearts.table.effects import AskBot
from hearts.table.inputs import Answered, Choice, Question

from .ports import Clock, Thinker


class _Thought(Struct, frozen=True):
    """A choice that is thought about elsewhere."""

    due: float
    """The earliest time at which it may be made."""
    give_up: float
    """The time at which the computer's own bot makes it if it is not made yet."""
    asked: AskBot


class BotTurns:
    """Lets one bot think at a time, so that other tables get their turn between two.

    What takes longer is thought about elsewhere, by a thinker: the choices of computers.
    """

    def __init__(
        self,
        bots: Sequence[Bot],
        computers: Sequence[Bot],
        pause: float,
        clock: Clock,
        thinkers: Sequence[Thinker | None],
    ) -> None:
        """``bots`` stand in for seats 0-3, ``computers`` play those that are computers', and
        ``thinkers`` think for these.

        ``pause`` is how long a computer waits, in seconds.
        """
        self._bots = bots
        self._computers = computers
        self._pause = pause
        self._clock = clock
        self._thinkers = thinkers
        self._asked: list[tuple[float, AskBot]] = []
        self._thoughts: dict[int, _Thought] = {}
        """By request, in the order in which they are given up."""
        self._answers: list[tuple[float, int, Answered]] = []
        self.due = inf
        """The time at which there is something to do; ``inf`` for never."""

    def ask(self, asked: AskBot, sooner: Callable[[], None]) -> None:
        """Ask a bot; ``sooner`` is called if :attr:`due` becomes sooner later."""
        # A player who let the time pass is not waited for again; only a computer's play is.
        due = self._clock()
        if self._pause and asked.by is not ChosenBy.CLOCK:
            due += self._pause
        if asked.by is BY_COMPUTER:
            thinker = self._thinkers[asked.view.player]
            if thinker is not None and self._give(thinker, due, asked, sooner):
                return
        self._asked.append((due, asked))
        self.due = -inf

    def _give(
        self, thinker: Thinker, due: float, asked: AskBot, sooner: Callable[[], None]
    ) -> bool:
        """Give a question to the thinker; True if it has taken it."""
        view, request = asked.view, asked.request
        if asked.question is Question.CARD and view.legal.bit_count() == 1:
            return False

        def answered(choice: Choice | None) -> None:
            thought = self._thoughts.pop(request, None)
            if thought is None:
                return
            if choice is None:
                self._asked.append((thought.due, thought.asked))
            else:
                answer = Answered(request, choice)
                heapq.heappush(self._answers, (thought.due, request, answer))
            self._settle_due()
            sooner()

        patience = thinker.think(asked.question, view, answered)
        if patience is None:
            return False
        self._thoughts[request] = _Thought(due, self._clock() + patience, asked)
        self._settle_due()
        return True

    @property
    def is_computers_turn(self) -> bool:
        """True if the next to think here is a computer."""
        return bool(self._asked) and self._asked[0][1].by is BY_COMPUTER

    def go_on(self, now: float) -> Sequence[Answered]:
        """Let a bot think; return the answer that is due, if one is."""
        if not self._asked and self._give_up_at() <= now:
            # It has thought for too long.
            thought = self._thoughts.pop(next(iter(self._thoughts)))
            self._asked.append((thought.due, thought.asked))
        answers = self._think() if self._asked else (heapq.heappop(self._answers)[2],)
        self._settle_due()
        return answers

    def _give_up_at(self) -> float:
        return next(iter(self._thoughts.values())).give_up if self._thoughts else inf

    def _settle_due(self) -> None:
        if self._asked:
            self.due = -inf
        else:
            self.due = self._answers[0][0] if self._answers else inf
            if self._thoughts:
                self.due = min(self.due, self._give_up_at())

    def _think(self) -> Sequence[Answered]:
        # It thinks before its pause: how long that takes would tell how many cards are legal.
        due, asked = self._asked.pop(0)
        bots = self._computers if asked.by is BY_COMPUTER else self._bots
        bot = bots[asked.view.player]
        answer = Answered(asked.request, choice_of(bot, asked.question, asked.view, asked.by))
        if due <= self._clock():
            return (answer,)
        heapq.heappush(self._answers, (due, asked.request, answer))
        return ()

    def clear(self) -> None:
        self._asked.clear()
        self._thoughts.clear()
        self._answers.clear()
        self.due = inf
