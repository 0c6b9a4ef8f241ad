"""Where the clients under test come from: somebody starts them, or the kit does."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import IO

import trio

from hearts.errors import HeartsError
from hearts.net.children import signal_group, wait_and_tell

_STOP_PATIENCE = 2.0
"""Seconds that a client has to end after SIGTERM."""

OneClient = Callable[[], AbstractAsyncContextManager[trio.Event]]
"""A client for one scenario; the event says that its program has ended."""


class CannotRun(HeartsError):
    """The command of the client cannot be started; the text says why."""


@asynccontextmanager
async def started_by_somebody() -> AsyncIterator[trio.Event]:
    """A client that its author starts, again and again."""
    yield trio.Event()


class ClientCommand:
    """A client that the kit starts anew for each scenario."""

    def __init__(
        self, command: str, host: str, ports: tuple[int, int], output: Path | None
    ) -> None:
        """``ports`` are those of the game and the chat. Raises CannotRun for a bad command."""
        game, chat = map(str, ports)
        filled = {"{host}": host, "{port}": game, "{taunt-port}": chat}
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise CannotRun(f"the command of the client: {error}") from None
        for name, value in filled.items():
            words = [word.replace(name, value) for word in words]
        if not words:
            raise CannotRun("the command of the client is empty")
        self._words = words
        self._output = output

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[trio.Event]:
        """One run of the program; it is ended with the block."""
        with self._open_output() as output:
            try:
                process = await trio.lowlevel.open_process(
                    self._words,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # A script and what it has started are ended together.
                    start_new_session=True,
                )
            except OSError as error:
                raise CannotRun(f"cannot start {self._words[0]!r}: {error.strerror}") from None
            ended = trio.Event()
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(wait_and_tell, process, ended)
                    yield ended
                    nursery.cancel_scope.cancel()
            finally:
                with trio.CancelScope(shield=True):
                    await _stop(process)

    def _open_output(self) -> IO[bytes]:
        return (Path(os.devnull) if self._output is None else self._output).open("ab")


async def _stop(process: trio.Process) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        signal_group(process, number)
        with trio.move_on_after(_STOP_PATIENCE):
            await process.wait()
            if number is signal.SIGKILL:
                return
