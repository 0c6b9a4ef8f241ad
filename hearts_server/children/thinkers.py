"""The workers that think for computers, and the queue of their questions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import trio
from msgspec import Struct

from hearts.bots.bot_frames import READY, body_of_question, choice_from
from hearts.bots.levels import missing_for_expert
from hearts.errors import MissingExtra
from hearts.game.view import View
from hearts.hosting.ports import Thinker
from hearts.net.asking import ask, receive, thinking_command
from hearts.net.children import child
from hearts.net.logline import EventLog
from hearts.net.system import usable_cores
from hearts.table.inputs import Choice, Question
from hearts_server.children.kept_process import keep_running

log = EventLog(__name__)

THINKING_TIME = 0.3
"""Seconds for a choice; then a worker answers with the best that it has found."""
QUEUE_TIME = 0.05
"""Seconds in which all choices that wait are to be made, each in an equal part of it. While one has
waited for twice as long, no more are taken.
"""
PATIENCE = 1.0
"""Seconds for which a table waits for an answer, with the time in the queue."""
QUEUE_LIMIT = 64
"""Choices that wait for a worker at most."""
MOST_WORKERS = 4
READY_LIMIT = 120.0
"""Seconds until a worker is ready: the search of ``expert`` is compiled the first time."""
HANG_LIMIT = 30.0
"""Seconds without an answer after which a worker is ended. Its priority is low: it may starve."""


class _Waiting(Struct, frozen=True):
    """A choice to think about."""

    question: Question
    view: View
    until: float
    """The time from which nobody waits for it any more."""
    answered: Callable[[Choice | None], None]
    level: str
    """Empty for the only one, or the first."""


class Thinkers:
    """Worker processes of lowest priority, each started again when it ends."""

    def __init__(self, *levels: str, workers: int = 0, patience: float = PATIENCE) -> None:
        """``levels`` are of :data:`~hearts.bots.levels.SEARCHING`; 0 ``workers`` are one less than
        there are cores.

        Raises MissingExtra.
        """
        if "expert" in levels and (missing := missing_for_expert()):
            raise MissingExtra("expert", "the bot expert", missing)
        self._levels = levels
        self._workers = workers or max(1, min(usable_cores() - 1, MOST_WORKERS))
        self._patience = patience
        self._give, self._given = trio.open_memory_channel[_Waiting](QUEUE_LIMIT)
        self.pids: list[int] = []
        """The processes that are ready."""
        self._awaited: dict[int, float] = {}
        """Until when the choice is waited for that a process thinks about."""
        self._waited = 0.0
        """Seconds for which the last choice waited that a worker took up."""
        self.choices = 0
        """The choices that they have made."""

    def at(self, level: str) -> Thinker | None:
        """Return the thinker of a level; None for one that they do not think at."""
        return _LevelThinker(self, level) if level in self._levels else None

    def think(
        self,
        question: Question,
        view: View,
        answered: Callable[[Choice | None], None],
        level: str = "",
    ) -> float | None:
        """See :class:`hearts.hosting.ports.Thinker`; None also if no worker would answer.

        That is so if no worker is ready, if all of them are late with an answer already, or if
        others wait for too long.
        """
        now = trio.current_time()
        if all(self._awaited.get(pid, inf) <= now for pid in self.pids):
            return None
        if self._queued() and self._waited > 2 * QUEUE_TIME:
            return None
        until = now + self._patience
        try:
            self._give.send_nowait(_Waiting(question, view, until, answered, level))
        except trio.WouldBlock:
            return None
        return self._patience

    async def run(self) -> None:
        # Without workers computers play as ``simple`` does.
        keep = partial(keep_running, self._run_once, len, self._not_started, must_start=False)
        async with trio.open_nursery() as nursery:
            for _ in range(self._workers):
                nursery.start_soon(keep)

    def _not_started(self, why: str) -> None:
        log.error("thinker-not-started", why=why)

    async def _run_once(self, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        """Run one process from its start to its end; call ``started`` with "" if it does not get
        ready.
        """
        async with trio.open_nursery() as nursery:
            command = thinking_command(",".join(self._levels), THINKING_TIME)
            process = await nursery.start(child(command, in_our_session=True))
            ready = None
            with trio.move_on_after(READY_LIMIT):
                ready = await receive(process)
            if ready == READY:
                task_status.started("ready")
                log.info("thinker-started", pid=process.pid, bot=",".join(self._levels))
                self.pids.append(process.pid)
                try:
                    nursery.start_soon(self._work, process)
                    log.error("thinker-ended", status=await process.wait())
                finally:
                    self.pids.remove(process.pid)
            else:
                task_status.started("")
            nursery.cancel_scope.cancel()

    async def _work(self, process: trio.Process) -> None:
        while True:
            waiting = await self._given.receive()
            now = trio.current_time()
            self._waited = now + self._patience - waiting.until
            if now >= waiting.until:
                continue
            choice = None
            self._awaited[process.pid] = waiting.until
            try:
                with trio.move_on_after(HANG_LIMIT) as scope:
                    queued = self._queued()
                    seconds = QUEUE_TIME / queued if queued else THINKING_TIME
                    choice = await _choice(process, waiting, seconds)
            finally:
                # If it has died too: the table makes the choice without it.
                del self._awaited[process.pid]
                self.choices += choice is not None
                waiting.answered(choice)
            if scope.cancelled_caught:
                log.error("thinker-hung", pid=process.pid)
            if choice is None:
                process.kill()
                return

    def _queued(self) -> float:
        """Return how many choices wait for each worker."""
        return self._given.statistics().current_buffer_used / self._workers


class _LevelThinker(Struct, frozen=True):
    """The thinker of one level (a :class:`~hearts.hosting.ports.Thinker`)."""

    thinkers: Thinkers
    level: str

    def think(
        self, question: Question, view: View, answered: Callable[[Choice | None], None], /
    ) -> float | None:
        return self.thinkers.think(question, view, answered, self.level)


async def _choice(process: trio.Process, waiting: _Waiting, seconds: float) -> Choice | None:
    question, view = waiting.question, waiting.view
    asked = body_of_question(question, view, seconds=seconds, level=waiting.level)
    body = await ask(process, asked)
    return None if body is None else choice_from(body, question, view)
