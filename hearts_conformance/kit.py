"""Plays one scenario after the other with the client under test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio
from msgspec import Struct

from .checks import Check, ClientFault, Marks, NobodyCame, NotShown, Played
from .clients import Calls, OneClient
from .line import KitLine, Trace, WaitTimes
from .session.scenario_run import ScenarioRun
from .session.script import Script


class Room(Struct, frozen=True):
    name: str
    checks: Sequence[Check]
    scenarios: Sequence[Script]
    run: type[ScenarioRun]


class Kit:
    """The scenarios, the marks, and the connections of the client under test."""

    def __init__(
        self, room: Room, waits: WaitTimes, wait: float, trace: Trace | None = None
    ) -> None:
        """``wait`` is how long a client has to connect, in seconds; ``trace`` is told of bytes."""
        self.marks = Marks(room.checks)
        self._room = room
        self.calls = Calls(waits, wait)
        self._trace = trace
        self._lines = 0
        self._current: ScenarioRun | None = None
        self._chat_lines: set[KitLine] = set()

    async def answer(self, stream: trio.abc.HalfCloseableStream) -> None:
        """Serve a connection to the game's port until it is closed."""
        line = self._line(stream, "game")
        if self.calls.offer(line):
            await line.pump()
        await line.close()

    async def answer_chat(self, stream: trio.abc.HalfCloseableStream) -> None:
        line = self._line(stream, "chat")
        current = self._current
        if current is not None:
            self._chat_lines.add(line)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(line.pump)
                await current.chat(line)
                nursery.cancel_scope.cancel()
            self._chat_lines.discard(line)
        await line.close()

    def _line(self, stream: trio.abc.HalfCloseableStream, port: str) -> KitLine:
        self._lines += 1
        return KitLine(stream, self.calls.waits, f"{port} {self._lines}", self._trace)

    async def run(
        self, scenarios: Sequence[Script], one_client: OneClient, report: Callable[[Played], None]
    ) -> None:
        """Play them in order; ``report`` is told of each that is over."""
        for scenario in scenarios:
            played = Played(scenario.id, scenario.title)
            self.marks.played.append(played)
            current = self._room.run(scenario, self.calls, self.marks)
            async with one_client() as run:
                self.calls.begin(run)
                self._current = current
                came = await self._play(current, played)
                self._current = None
            await self.calls.forget()
            for line in list(self._chat_lines):
                await line.close()
            report(played)
            if not came:
                why = f": {run.ending}; --output FILE keeps what it prints" if run.ending else ""
                self.marks.gaps.append(f"no client came for the scenario {scenario.id!r}{why}")
                return

    async def _play(self, current: ScenarioRun, played: Played) -> bool:
        try:
            await current.play()
        except ClientFault as fault:
            self.marks.fail(fault.check, fault.came)
            played.ending = "broken off"
        except NobodyCame:
            played.ending = "no client came"
            return False
        except NotShown as why:
            played.ending = str(why)
        return True
