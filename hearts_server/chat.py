"""The chat beside the tables: the taunt server's process, and the server's own voice in it.

A taunt server that is missing, slow or dead never hurts a game: announcements wait in a bounded
queue and are dropped when it is full.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import trio

from hearts.errors import HeartsError
from hearts.logline import EventLog
from hearts.net import connect_to_own
from hearts.taunt.announcer import Announcer

from .config import ConfigError

log = EventLog(__name__)

_QUEUED = 1000
"""Announcements that wait for the taunt server before more are dropped."""
RETRY = 5.0
"""Seconds between two tries to reach the taunt server."""
_START_LIMIT = 10.0
"""Seconds that the taunt server has to say where it listens."""
_ANSWER_LIMIT = 10.0
"""Seconds that the taunt server has to accept the registration."""


class Chat:
    """Announcements to the games' players, sent over one connection."""

    def __init__(
        self, secret: bytes, process_id: int, retry: float = RETRY, *, in_use: bool = True
    ) -> None:
        """``process_id`` is the server's own; ``retry`` the seconds between two tries. With
        ``in_use`` false there is no taunt server, and nothing is announced."""
        self._in_use = in_use
        self._retry = retry
        self._secret = secret
        self._process_id = process_id
        self.sent = 0
        """Announcements that the taunt server was sent."""
        self.dropped = 0
        """Announcements that it did not take in time."""
        self.connected = False
        """Whether it is there."""
        self._idle = trio.Event()
        self._send, self._receive = trio.open_memory_channel[tuple[int, str]](_QUEUED)

    def announce(self, game_number: int, text: str) -> None:
        """Tell everybody of a game something, if the taunt server is there; never waits."""
        if not self._in_use:
            return
        try:
            self._send.send_nowait((game_number, text))
        except trio.WouldBlock:
            self.dropped += 1
            log.warning("announcement-dropped", game=game_number, queued=_QUEUED)

    async def run(self, host: str, port: int, certificate: Path | None = None) -> None:
        """Keep a connection to the taunt server and send what is announced, until cancelled.

        ``certificate`` is what the taunt server has to show, where it speaks TLS: that of this
        server, as the two are one host.
        """
        while True:
            try:
                stream: trio.abc.Stream
                with trio.fail_after(_ANSWER_LIMIT):
                    if certificate is None:
                        stream = await trio.open_tcp_stream(host, port)
                    else:
                        stream = await connect_to_own(host, port, certificate)
                async with stream:
                    await self._serve(stream)
            except* (OSError, trio.BrokenResourceError, trio.TooSlowError, HeartsError) as errors:
                log.warning("taunt-server-lost", why=errors, retry_after=self._retry)
            await trio.sleep(self._retry)

    async def _serve(self, stream: trio.abc.Stream) -> None:
        announcer = Announcer(self._secret, self._process_id)
        with trio.fail_after(_ANSWER_LIMIT):
            await stream.send_all(announcer.register())
            while not announcer.registered:
                await self._read(stream, announcer)
        self.connected = True
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send_all, stream, announcer)
                while True:
                    await self._read(stream, announcer)
        finally:
            self.connected = False

    async def _read(self, stream: trio.abc.Stream, announcer: Announcer) -> None:
        data = await stream.receive_some(4096)
        if not data:
            raise trio.BrokenResourceError("the taunt server closed the connection")
        announcer.feed(bytes(data))
        while (event := announcer.next_event()) is not None:
            log.debug("taunt-server-says", what=event)

    async def _send_all(self, stream: trio.abc.Stream, announcer: Announcer) -> None:
        async for game_number, text in self._receive:
            with trio.fail_after(_ANSWER_LIMIT):
                await stream.send_all(announcer.announce(game_number, text))
            self.sent += 1
            if not self._receive.statistics().current_buffer_used:
                self._idle.set()

    async def drain(self) -> None:
        """Wait until what was announced so far is on its way."""
        if self._receive.statistics().current_buffer_used:
            self._idle = trio.Event()
            await self._idle.wait()


async def run_taunt_server(
    host: str,
    port: int,
    secret_file: Path,
    options: Sequence[str],
    say: Callable[[str], None],
    task_status: trio.TaskStatus[int] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run a taunt server as a process of its own; started with the port on which it listens.

    ``options`` are more of its settings. Its line "taunt-server listening on HOST:PORT" goes to
    ``say``. Raises ConfigError when it does not start. It ends with us: its standard input is a
    pipe that closes when we are gone.
    """
    command = [sys.executable, "-m", "taunt_server", "--host", host, "--port", str(port)]
    command += ["--secret-file", str(secret_file), "--exit-with-parent", *options]
    async with trio.open_nursery() as nursery:
        start = partial(
            trio.run_process,
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            check=False,
            # Ctrl-C at the terminal is for the game server, which then ends the chat last.
            start_new_session=True,
        )
        process = await nursery.start(start)
        assert process.stdout is not None
        said = b""
        with trio.move_on_after(_START_LIMIT):
            while not said.endswith(b"\n"):
                data = await process.stdout.receive_some(1024)
                if not data:
                    break
                said += data
        line = said.decode(errors="replace").strip()
        where, _, bound = line.rpartition(":")
        if not where or not bound.isdecimal():
            raise ConfigError(
                "the taunt server did not start (see above); choose another --taunt-port, "
                "or use --no-taunt-server"
            )
        say(line)
        task_status.started(int(bound))
        returncode = await process.wait()
        log.error("taunt-server-ended", status=returncode)
