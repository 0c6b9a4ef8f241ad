"""The gateway for browsers that this server starts: a process of its own, as the chat is.

It reaches both servers by Unix sockets in the data dir, where each connection says for whom it is.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

import trio

from hearts.net import accept_connections
from hearts.net.children import child, listening_lines, port_of
from hearts.net.listen import Proxied, listen_at
from hearts.net.logline import EventLog
from hearts.net.places import bound_at
from hearts_server.config import Config
from hearts_server.datadir import PAGE_CHAT, PAGE_GAME, own_socket

from .kept_process import START_LIMIT, NotStarted, child_options, keep_running

log = EventLog(__name__)

SEATS_EVERY = 2.0
"""Seconds after which the gateway is told who has a seat by now."""
_PROGRAM = "hearts-web"
_NEEDED = ("h11", "wsproto")
"""The libraries of the gateway."""
NO_PAGE = "no page to play on in a browser"


class WebProcess:
    """Starts the gateway, and takes its connections for the game."""

    def __init__(self, config: Config, seats: Callable[[], Iterable[str]]) -> None:
        """``seats`` gives the networks of the people who have seats.

        Raises OSError if no socket can be in the data dir.
        """
        self._seats = seats
        self._game_socket = own_socket(config.data_dir, PAGE_GAME)
        self.chat_socket = own_socket(config.data_dir, PAGE_CHAT)
        """The place where the chat has to listen for proxies."""
        self._port = config.web_port
        chat = "none" if config.no_taunt_server else self.chat_socket
        self._command = [sys.executable, "-m", "hearts_web", "--host", config.web_address]
        self._command += ["--game", self._game_socket, "--chat", chat, "--send-proxy"]
        self._command += ["--exit-with-parent", *web_options(config)]

    async def run(self, behind: Proxied, report_port: Callable[[int | None], None]) -> None:
        """Keep it running until cancelled; ``behind`` serves what it connects to us.

        ``report_port`` gets the port on which it listens. If the page does not start at first,
        it gets None and this ends: a game needs no page.
        """

        def started(line: str) -> None:
            self._port = port_of(line)
            report_port(self._port)

        try:
            async with bound_at(self._game_socket) as bound, trio.open_nursery() as nursery:
                listeners = listen_at(bound)
                serve = partial(accept_connections, listeners, behind.admits, behind.serve)
                nursery.start_soon(serve, nursery)
                try:
                    await keep_running(self._run_once, started, self._not_started)
                except NotStarted:
                    report_port(None)
                    nursery.cancel_scope.cancel()
        except OSError as error:
            log.error("web-not-started", port=self._port, why=error)
            report_port(None)

    def _not_started(self, why: str) -> None:
        log.error("web-not-started", port=self._port, why=why)

    async def _run_once(self, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED) -> None:
        """Run one process from its start to its end; call ``started`` with its line, empty if it
        has none.
        """
        async with trio.open_nursery() as nursery:
            command = [*self._command, "--port", str(self._port)]
            process = await nursery.start(child(command))
            lines = await listening_lines(process, _PROGRAM, START_LIMIT)
            line = lines.get(_PROGRAM, "")
            task_status.started(line)
            if line:
                log.info("web-started", pid=process.pid, port=port_of(line))
                assert process.stdin is not None
                nursery.start_soon(self._send_seats, process.stdin)
                log.error("web-ended", status=await process.wait())
            nursery.cancel_scope.cancel()

    async def _send_seats(self, standard_input: trio.abc.SendStream) -> None:
        """Send, again and again, who has a seat, so that the gateway keeps a place for them."""
        told: list[str] | None = None
        with suppress(trio.BrokenResourceError):
            while True:
                seats = sorted(self._seats())
                if seats != told:
                    await standard_input.send_all(f"seats {' '.join(seats)}\n".encode())
                    told = seats
                await trio.sleep(SEATS_EVERY)


def web_process(
    config: Config, seats: Callable[[], Iterable[str]], say: Callable[[str], None]
) -> WebProcess | None:
    """Return the process that serves the page for browsers, if it is wanted and can be had."""
    if config.no_web:
        return None
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        say(f"{NO_PAGE}: pip install 'hearts-server[web]'; or say --no-web")
        return None
    try:
        return WebProcess(config, seats)
    except OSError as error:
        say(f"{NO_PAGE}: {error}")
        return None


def web_options(config: Config) -> list[str]:
    """Return the settings of the gateway that follow from the server's own."""
    return [
        *child_options(config, "web"),
        *["--asks-password"] * bool(config.password),
        *["--has-names"] * config.names,
        *("--max-websockets", str(min(2 * config.max_connections, 100_000))),
        # A page has two connections, and some more while it loads.
        *("--max-per-address", str(4 * config.max_per_address)),
    ]
