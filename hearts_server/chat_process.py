"""The taunt server that this server starts: a process of its own, started again when it ends."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path

import trio

from hearts.errors import leaves
from hearts.net.children import child, listening_lines, port_of
from hearts.net.logline import EventLog

from .chat import Chat
from .config import ConfigError

log = EventLog(__name__)

START_LIMIT = 10.0
"""Seconds that the taunt server has to say where it listens."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 60.0
"""Seconds before it is started again: FIRST_PAUSE, then twice as long each time."""
GOOD_RUN = 60.0
"""Seconds after which one that has ended is started again as quickly as the first time."""
_PROGRAM = "taunt-server"
_TOLD_EVERY = 60.0
"""Seconds between two log lines that say that it cannot be started."""


class TauntProcess:
    """Starts the taunt server, and gives it the only way to announce something: a pair of sockets.

    Whoever fills the port with connections cannot take that way, and no file leads to it.
    """

    def __init__(self, chat: Chat, host: str, secret_file: Path, options: Sequence[str]) -> None:
        """``options`` are more of its settings."""
        self._chat = chat
        self._command = [sys.executable, "-m", "taunt_server", "--host", host]
        self._command += ["--secret-file", str(secret_file), "--exit-with-parent", *options]

    async def run(
        self,
        port: int,
        say: Callable[[str], None],
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Keep it running until cancelled; started with the port on which it listens.

        Its line "taunt-server listening on HOST:PORT" goes to ``say``. Raises ConfigError when it
        does not start the first time. It ends with us: its standard input is a pipe that closes
        when we are gone.
        """
        pause, told, started = FIRST_PAUSE, -inf, False
        while True:
            began, why = trio.current_time(), "it did not say where it listens"
            line = ""
            try:
                async with trio.open_nursery() as nursery:
                    line = await nursery.start(self._run_once, port)
                    if line and not started:
                        port = port_of(line)
                        say(line)
                        started = True
                        task_status.started(port)
            except* OSError as errors:
                why = str(next(leaves(errors)))
            if not started:
                raise ConfigError(
                    "the taunt server did not start (see above); choose another --taunt-port, "
                    "or use --no-taunt-server"
                )
            now = trio.current_time()
            if not line and now - told >= _TOLD_EVERY:
                told = now
                log.error("taunt-server-not-started", port=port, why=why)
            if line and now - began >= GOOD_RUN:
                pause = FIRST_PAUSE
            await trio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run_once(
        self, port: int, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """One process, from its start to its end; started with its line, empty if it has none."""
        ours, theirs = socket.socketpair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        async with stream, trio.open_nursery() as nursery:
            with theirs:
                descriptor = theirs.fileno()
                command = [*self._command, "--port", str(port), "--announce-fd", str(descriptor)]
                process = await nursery.start(child(command, pass_fds=(descriptor,)))
            lines = await listening_lines(process, _PROGRAM, START_LIMIT)
            line = lines.get(_PROGRAM, "")
            task_status.started(line)
            if line:
                log.info("taunt-server-started", pid=process.pid, port=port_of(line))
                await self._chat.speak(stream)
                # It has ended, or is of no use: nobody else can announce anything.
                process.kill()
                log.error("taunt-server-ended", status=await process.wait())
            else:
                nursery.cancel_scope.cancel()
