"""Opinions about choices, found out by playing on in a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Protocol

import trio

from hearts.bots.bot_frames import READY
from hearts.game.cards import Card
from hearts.game.view import View
from hearts.judging.outlook import Outlook
from hearts.judging.process import COMMAND, JudgeAsked, outlook_from
from hearts.net.asking import ask, receive
from hearts.net.children import child

READY_LIMIT = 120.0
"""Seconds until the process is ready: with the extra ``expert`` it compiles the first time."""
HANG_LIMIT = 120.0
"""Seconds without an answer after which the process is ended. Its priority is low: it may starve.
"""


GiveOutlook = Callable[[Outlook | None], None]
"""Gets what is expected of each choice; None if that cannot be had."""


class AskCost(Protocol):
    """Asks for an opinion about a choice; it comes later, or never if something else is asked."""

    def __call__(
        self, view: View, give: GiveOutlook, chosen: tuple[Card, ...] = (), *, judges: bool = False
    ) -> None:
        """``chosen`` is what was chosen; if the bot ``judges``, it is silent about what is no
        mistake.
        """


class Analyst:
    """One process, started when it is first asked, which looks at one position after the other."""

    def __init__(self) -> None:
        self._waiting: tuple[JudgeAsked, GiveOutlook] | None = None
        self._asked = trio.Event()
        self.pid = 0
        """The process that was started last; 0 for none."""

    def ask(
        self, view: View, give: GiveOutlook, chosen: tuple[Card, ...] = (), *, judges: bool = False
    ) -> None:
        """See :class:`AskCost`. It takes the place of a question that was not begun."""
        self._waiting = JudgeAsked(view, chosen, judges), give
        self._asked.set()

    async def judge(self, view: View, chosen: tuple[Card, ...]) -> Outlook | None:
        """Return the outlook of a position if a choice in it is a mistake for sure, or None."""
        return await self.look(view, chosen, judges=True)

    async def look(
        self, view: View, chosen: tuple[Card, ...], *, judges: bool = False
    ) -> Outlook | None:
        """Ask, and wait for the answer."""
        send, received = trio.open_memory_channel[Outlook | None](1)
        self.ask(view, send.send_nowait, chosen, judges=judges)
        return await received.receive()

    def _next(self) -> tuple[JudgeAsked, GiveOutlook]:
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
            if not is_ready:
                self._next()[1](None)

    async def _run_once(self) -> bool:
        """Run one process to its end; True if it was ready."""
        async with trio.open_nursery() as nursery:
            # What it complains of would lie on the screen.
            thinking = child(COMMAND, in_our_session=True, stderr=subprocess.DEVNULL)
            process = await nursery.start(thinking)
            self.pid = process.pid
            ready = None
            with trio.move_on_after(READY_LIMIT):
                ready = await receive(process)
            if ready == READY:
                await self._answer_all(process)
            nursery.cancel_scope.cancel()
        return ready == READY

    async def _answer_all(self, process: trio.Process) -> None:
        """Answer until the process fails."""
        body: bytes | None = b""
        while body is not None:
            await self._asked.wait()
            (asked, give), body = self._next(), None
            with trio.move_on_after(HANG_LIMIT):
                body = await ask(process, asked.body())
            give(None if body is None else outlook_from(body))
