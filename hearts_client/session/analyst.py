"""Opinions of a bot that searches about positions, found out in a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import trio
from msgspec import Struct

from hearts.bots.bot_frames import READY, body_of_question, choice_from, outlook_from
from hearts.bots.levels import ANALYSIS_WORLDS, missing_for_expert
from hearts.game.cards import Card
from hearts.game.events import Pass
from hearts.game.view import View
from hearts.net.asking import ask, receive, thinking_command
from hearts.net.children import child
from hearts.table.inputs import Question

if TYPE_CHECKING:
    from hearts.bots.search.outlook import Outlook

LOOK_TIME = 1.0
"""Seconds for an answer; then the best that was found counts."""
READY_LIMIT = 120.0
"""Seconds until the process is ready: the search of ``expert`` is compiled the first time."""
HANG_LIMIT = 30.0
"""Seconds without an answer after which the process is ended. Its priority is low: it may starve.
"""


class Opinion(Struct, frozen=True):
    """Thoughts of the bot: of each card, or the cards that it would pass."""

    level: str
    """Which bot it is: ``expert`` or ``strong``."""
    outlook: Outlook | None = None
    passed: tuple[Card, ...] = ()


GiveOpinion = Callable[[Opinion | None], None]
"""Gets an opinion; None if there is none to be had."""
Ask = Callable[[Question, View, GiveOpinion], None]
"""Asks for an opinion about a card or a pass; it comes later, or never if something else is asked.
"""


_Unanswered = tuple[Question, View, GiveOpinion]


class Analyst:
    """One process, started when it is first asked, which looks at one position after the other."""

    def __init__(self, level: str = "") -> None:
        """``level`` is who looks; if nothing is said, ``expert`` where that is installed, and
        ``strong`` where it is not or does not start."""
        self._level = level or ("strong" if missing_for_expert() else "expert")
        self._waiting: _Unanswered | None = None
        self._asked = trio.Event()
        self.pid = 0
        """The process that was started last; 0 for none."""

    def ask(self, question: Question, view: View, give: GiveOpinion) -> None:
        """See :data:`Ask`. It takes the place of a question that was not begun."""
        self._waiting = question, view, give
        self._asked.set()

    def _next(self) -> _Unanswered:
        assert self._waiting is not None
        waiting, self._waiting, self._asked = self._waiting, None, trio.Event()
        return waiting

    async def run(self) -> None:
        """Answer what is asked, until cancelled."""
        while True:
            await self._asked.wait()
            is_ready = False
            try:
                is_ready = await self._run_once()
            except* OSError:
                pass
            if not is_ready and self._level == "strong":
                self._next()[-1](None)
            elif not is_ready:
                self._level = "strong"

    async def _run_once(self) -> bool:
        """Run one process to its end; True if it was ready."""
        level = self._level
        command = thinking_command(level, LOOK_TIME, ANALYSIS_WORLDS[level])
        async with trio.open_nursery() as nursery:
            # What it complains of would lie on the screen.
            thinking = child(command, in_our_session=True, stderr=subprocess.DEVNULL)
            process = await nursery.start(thinking)
            self.pid = process.pid
            ready = None
            with trio.move_on_after(READY_LIMIT):
                ready = await receive(process)
            if ready == READY:
                await self._answer_all(process, level)
            nursery.cancel_scope.cancel()
        return ready == READY

    async def _answer_all(self, process: trio.Process, level: str) -> None:
        """Answer until the process fails."""
        opinion: Opinion | None = Opinion(level)
        while opinion is not None:
            await self._asked.wait()
            question, view, give = self._next()
            opinion = None
            with trio.move_on_after(HANG_LIMIT):
                opinion = await _opinion(process, level, question, view)
            give(opinion)


async def _opinion(
    process: trio.Process, level: str, question: Question, view: View
) -> Opinion | None:
    explains = question is Question.CARD
    body = await ask(process, body_of_question(question, view, explains=explains))
    if body is None:
        return None
    if explains:
        outlook = outlook_from(body)
        return None if outlook is None else Opinion(level, outlook)
    choice = choice_from(body, question, view)
    return Opinion(level, passed=choice.cards) if isinstance(choice, Pass) else None
