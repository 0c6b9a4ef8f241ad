"""The taunt server that this server starts: a process of its own, started again when it ends."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import trio

from hearts.net.children import child, listening_lines, port_of
from hearts.net.logline import EventLog
from hearts.settings.table import ConfigError
from hearts_server.config import Config

from .chat import Chat
from .kept_process import START_LIMIT, NotStarted, child_options, keep_running

log = EventLog(__name__)

_PROGRAM = "taunt-server"
LEASE_EVERY = 1.0
"""Seconds between two times that it is told that this server may play."""


class TauntProcess:
    """Starts the taunt server, and gives it the only way to announce something: a pair of sockets.

    Clients that fill the port with connections cannot block that way, and no file leads to it.
    """

    def __init__(
        self,
        chat: Chat,
        where: tuple[str, int],
        secret_file: Path,
        options: Sequence[str],
        *,
        lease: Callable[[], bool] | None = None,
    ) -> None:
        """``where`` is its host and port; ``options`` are more of its settings. At a node it is
        told whether the ``lease`` is valid, and may start later."""
        self._chat = chat
        self._host, self._port = where
        self._lease = lease
        self._command = [sys.executable, "-m", "taunt_server"]
        self._command += ["--secret-file", str(secret_file), "--exit-with-parent", *options]
        self._command += [] if lease is None else ["--lease"]

    async def run(
        self,
        say: Callable[[str], None],
        task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Keep it running until cancelled; started with the port on which it listens.

        Its line "taunt-server listening on HOST:PORT" goes to ``say``. Raises ConfigError when it
        does not start the first time, but at a node. It ends with us: its standard input is a pipe
        that closes when we are gone.
        """
        must_start = self._lease is None

        def started(line: str) -> None:
            say(line)
            self._port = port_of(line)
            if must_start:
                task_status.started(self._port)

        if not must_start:
            task_status.started(self._port)
        try:
            await keep_running(self._run_once, started, self._not_started, must_start=must_start)
        except NotStarted:
            raise ConfigError(
                "the taunt server did not start (see above); choose another --taunt-port, or use "
                "--no-taunt-server"
            ) from None

    def _not_started(self, why: str) -> None:
        log.error("taunt-server-not-started", port=self._port, why=why)

    async def _run_once(self, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        """Run one process from its start to its end; call ``started`` with its line, empty if it
        has none.
        """
        ours, theirs = socket.socketpair()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        async with stream, trio.open_nursery() as nursery:
            with theirs:
                descriptor = theirs.fileno()
                command = [*self._command, "--host", self._host, "--port", str(self._port)]
                command += ["--announce-fd", str(descriptor)]
                process = await nursery.start(child(command, pass_fds=(descriptor,)))
            lines = await listening_lines(process, _PROGRAM, START_LIMIT)
            line = lines.get(_PROGRAM, "")
            task_status.started(line)
            if line:
                log.info("taunt-server-started", pid=process.pid, port=port_of(line))
                assert process.stdin is not None
                nursery.start_soon(self._send_leases, process.stdin)
                await self._chat.speak(stream)
                # It has ended, or is of no use: nobody else can announce anything.
                process.kill()
                log.error("taunt-server-ended", status=await process.wait())
            nursery.cancel_scope.cancel()

    async def _send_leases(self, standard_input: trio.abc.SendStream) -> None:
        """Send, again and again, that this server may play, as long as that is so."""
        with suppress(trio.BrokenResourceError):
            while self._lease is not None:
                if self._lease():
                    await standard_input.send_all(b"lease\n")
                await trio.sleep(LEASE_EVERY)


def taunt_options(config: Config) -> list[str]:
    limits = config.connections
    wider = (limits.ipv4[1], *limits.ipv6[1:])
    return [
        *child_options(config, "taunt"),
        *("--max-connections", str(min(config.max_connections, 100_000))),
        *("--max-per-address", str(config.max_per_address)),
        *("--max-per-network", ",".join(str(limit) for limit in wider)),
    ]
