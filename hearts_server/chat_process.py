"""The taunt server that this server starts: a process of its own, started again when it ends."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import trio

from hearts.net.children import child, listening_lines, port_of
from hearts.net.logline import EventLog

from .chat import Chat
from .config import ConfigError
from .kept_process import START_LIMIT, NotStarted, keep_running

log = EventLog(__name__)

_PROGRAM = "taunt-server"


class TauntProcess:
    """Starts the taunt server, and gives it the only way to announce something: a pair of sockets.

    Whoever fills the port with connections cannot take that way, and no file leads to it.
    """

    def __init__(
        self, chat: Chat, where: tuple[str, int] | None, secret_file: Path, options: Sequence[str]
    ) -> None:
        """``where`` is its host and port; None for none, if ``options``, which are more of its
        settings, say where it listens."""
        self._chat = chat
        self._where = where
        self._command = [sys.executable, "-m", "taunt_server"]
        self._command += ["--secret-file", str(secret_file), "--exit-with-parent", *options]

    async def run(
        self,
        say: Callable[[str], None],
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Keep it running until cancelled; started with the port on which it listens, 0 for none.

        Its line "taunt-server listening on HOST:PORT" goes to ``say``. Raises ConfigError when it
        is to have a port and does not start the first time. It ends with us: its standard input is
        a pipe that closes when we are gone.
        """

        def started(line: str) -> None:
            say(line)
            if self._where is not None:
                self._where = self._where[0], port_of(line)
                task_status.started(self._port)

        has_port = self._where is not None
        if not has_port:
            # A node that becomes the lobby plays tables: it goes on without a chat.
            task_status.started(0)
        try:
            await keep_running(self._run_once, started, self._not_started, must_start=has_port)
        except NotStarted:
            raise ConfigError(
                "the taunt server did not start (see above); choose another --taunt-port, or use "
                "--no-taunt-server"
            ) from None

    @property
    def _port(self) -> int:
        return 0 if self._where is None else self._where[1]

    def _not_started(self, why: str) -> None:
        log.error("taunt-server-not-started", port=self._port, why=why)

    async def _run_once(self, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        """One process, from its start to its end; started with its line, empty if it has none."""
        ours, theirs = socket.socketpair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        async with stream, trio.open_nursery() as nursery:
            with theirs:
                descriptor = theirs.fileno()
                command = [*self._command, *self._place()]
                command += ["--announce-fd", str(descriptor)]
                process = await nursery.start(child(command, pass_fds=(descriptor,)))
            lines = await listening_lines(process, _PROGRAM, START_LIMIT)
            line = lines.get(_PROGRAM, "")
            task_status.started(line)
            if line:
                port = 0 if self._where is None else port_of(line)
                log.info("taunt-server-started", pid=process.pid, port=port)
                await self._chat.speak(stream)
                # It has ended, or is of no use: nobody else can announce anything.
                process.kill()
                log.error("taunt-server-ended", status=await process.wait())
            else:
                nursery.cancel_scope.cancel()

    def _place(self) -> list[str]:
        if self._where is None:
            return ["--no-port"]
        host, port = self._where
        return ["--host", host, "--port", str(port)]
