"""Starts the clients under test, unless somebody else does, and takes their connections."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import trio

from hearts.errors import HeartsError
from hearts.net.children import filled
from hearts.net.system import KILL, of_own_group, signal_group

from .line import KitLine, WaitTimes

_STOP_PATIENCE = 2.0
"""Seconds that a client has to end after SIGTERM."""
_WAITING_CALLS = 64
"""Connections that may wait; more are closed at once."""
_STRANGERS = 20
"""Connections in one scenario of which none begins it, until the scenario is given up."""


class ClientRun:
    """One run of a client's program, as far as the kit knows of it."""

    def __init__(self) -> None:
        self.ended = trio.Event()
        self._status: int | None = None

    def end(self, status: int) -> None:
        """Note the status with which the program has ended; below 0 a signal of that number
        ended it.
        """
        self._status = status
        self.ended.set()

    @property
    def ending(self) -> str:
        """The end of the program in words; empty if it is not known."""
        match self._status:
            case None:
                return ""
            case status if status < 0:
                return f"its program was ended by signal {-status}"
            case status:
                return f"its program ended with status {status}"


class Calls:
    """The connections of the client under test, one after the other."""

    def __init__(self, waits: WaitTimes, wait: float) -> None:
        """``wait`` is how long a client has to begin a scenario, in seconds."""
        self.waits = waits
        self.wait = wait
        self._send, self._receive = trio.open_memory_channel[KitLine](_WAITING_CALLS)
        self._taken = 0
        self._run = ClientRun()

    def begin(self, run: ClientRun) -> None:
        self._run = run
        self._taken = 0

    def offer(self, line: KitLine) -> bool:
        """Offer a connection; return False if it is not wanted."""
        try:
            self._send.send_nowait(line)
        except trio.WouldBlock:
            return False
        return True

    async def next(self, limit: float) -> KitLine | None:
        """Return the next connection; None if none comes in time, or the program has ended."""
        self._taken += 1
        if self._taken > _STRANGERS:
            return None
        line: KitLine | None = None
        with trio.move_on_after(limit):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._give_up, nursery.cancel_scope)
                line = await self._receive.receive()
                nursery.cancel_scope.cancel()
        return line

    async def _give_up(self, scope: trio.CancelScope) -> None:
        await self._run.ended.wait()
        # What it did last may still be on its way through the operating system.
        await trio.sleep(self.waits.hush)
        scope.cancel()

    async def forget(self) -> None:
        """Close the connections that nobody has taken."""
        while True:
            try:
                line = self._receive.receive_nowait()
            except trio.WouldBlock:
                return
            await line.close()


OneClient = Callable[[], AbstractAsyncContextManager[ClientRun]]


class CannotRun(HeartsError):
    """The command of the client cannot be started; the text says why."""


@asynccontextmanager
async def started_by_somebody() -> AsyncIterator[ClientRun]:
    """Give the run of a client that its author starts, again and again."""
    yield ClientRun()


class ClientCommand:
    """A client that the kit starts anew for each scenario."""

    def __init__(
        self, command: str, host: str, ports: tuple[int, int], output: Path | None
    ) -> None:
        """``ports`` are those of the game and the chat. Raises CannotRun for a bad command."""
        game, chat = map(str, ports)
        values = {"{host}": host, "{port}": game, "{taunt-port}": chat}
        try:
            words = filled(shlex.split(command), values)
        except ValueError as error:
            raise CannotRun(f"the command of the client: {error}") from None
        if not words:
            raise CannotRun("the command of the client is empty")
        self._words = words
        self._output = output

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[ClientRun]:
        """Run the program once; it is ended with the block."""
        with (self._output or Path(os.devnull)).open("ab") as output:
            try:
                process = await trio.lowlevel.open_process(
                    self._words,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # A script and what it has started are ended together.
                    **of_own_group(),
                )
            except OSError as error:
                raise CannotRun(f"cannot start {self._words[0]!r}: {error.strerror}") from None
            run = ClientRun()

            async def wait() -> None:
                run.end(await process.wait())

            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(wait)
                    yield run
                    nursery.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True):
                    await _stop(process)


async def _stop(process: trio.Process) -> None:
    for number in (signal.SIGTERM, KILL):
        signal_group(process, number)
        with trio.move_on_after(_STOP_PATIENCE):
            await process.wait()
            if number is KILL:
                return
