"""The door: it listens, lets visitors in, and starts a client for each.

AsyncSSH needs asyncio, so this program has a loop of its own and no trio in it. It takes from
``hearts`` only what does no input or output.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import socket
import sys
import time
from contextlib import suppress
from functools import partial

import asyncssh

from hearts.limits.networks import NetworkCounts, PerNetwork
from hearts.settings.table import ConfigError
from hearts.wire.ssh_door import DoorOpened

from .connection import DoorConnection, Visitor, options
from .game_server import GameServer
from .keys import day_token, host_key, name_secret, visitor_mark
from .limits import WAITING, is_admitted
from .options import SshConfig
from .seats import SeatStore
from .session import TerminalSession
from .zygote import Zygote

_FIRST_FD = 3
"""The first socket of a socket unit of systemd."""
_REST = 0.1
_RESET = b"\1\0\0\0\0\0\0\0"
"""Closed so, a connection leaves nothing behind."""
_FULL = "All places at this door are taken. Try again later."
_TOO_MANY = "There are too many visitors from your address."
_AGAIN = "You came in again with the same key, so this visit is over."
_RESTARTS = "The door is closed for a moment. Connect again soon."


class OpenDoor:
    """Everything that is there for all visitors."""

    def __init__(self, config: SshConfig, zygote: Zygote, server: GameServer) -> None:
        self._config = config
        self._zygote = zygote
        self._server = server
        self._secret = b""
        self._newcomers = NetworkCounts(WAITING)
        self._visitors = NetworkCounts(PerNetwork.widening(config.max_per_address))
        self._store = SeatStore(config.seats_file)
        self._sessions: set[TerminalSession] = set()
        self._by_mark: dict[str, TerminalSession] = {}

    async def serve(self) -> None:
        """Take visitors until cancelled, once the server is there. Raises ConfigError."""
        self._secret = bytes.fromhex((await self._server.told()).secret)
        key, listeners, port = host_key(self._secret), _listening(self._config), 0
        for each in listeners:
            host, port = each.getsockname()[:2]
            place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            print(f"hearts-ssh listening on {place}", flush=True)
        print(f"its key is {key.get_fingerprint()}", flush=True)
        self._server.opened(DoorOpened(port, key.get_fingerprint()))
        agreed = options(key, partial(Visitor, self))
        await asyncio.gather(*(self._accept(each, agreed) for each in listeners))

    async def _accept(
        self, listener: socket.socket, agreed: asyncssh.SSHServerConnectionOptions
    ) -> None:
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        while True:
            try:
                made, name = await loop.sock_accept(listener)
            except OSError:
                await asyncio.sleep(_REST)
                continue
            address = str(name[0]).removeprefix("::ffff:")
            if not is_admitted(self._newcomers, address, random.random()):
                with made, suppress(OSError):
                    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                continue
            self._newcomers.add(address)
            factory = partial(DoorConnection, agreed, address)
            try:
                await loop.connect_accepted_socket(factory, made)
            except Exception:
                # It is gone already; nothing that one connection does may end the door.
                made.close()
                self._newcomers.remove(address)

    # Visitors

    def is_through(self, connection: DoorConnection) -> None:
        """Forget a newcomer who plays, or is gone."""
        if connection.is_waiting:
            connection.is_waiting = False
            self._newcomers.remove(connection.address)

    async def begin(self, session: TerminalSession) -> str:
        """Let a session run to its end; give the reason if it may not."""
        self.is_through(session.connection)
        address, identity = session.connection.address, session.connection.identity
        mark = visitor_mark(self._secret, identity) if identity else ""
        while mark and (older := self._by_mark.get(mark)) is not None:
            await older.end(_AGAIN)
        if len(self._sessions) >= self._config.sessions:
            return _FULL
        if not self._visitors.has_room(address):
            return _TOO_MANY
        self._sessions.add(session)
        self._visitors.add(address)
        if mark:
            self._by_mark[mark] = session
        try:
            await session.play(
                self._zygote.start,
                self._server,
                self._store.of(mark, time.time()) if mark else (),
                partial(self._keep, mark),
                day_token(self._secret, identity) if identity else "",
                name_secret(self._secret, identity) if identity else "",
            )
            return ""
        finally:
            self._sessions.remove(session)
            self._visitors.remove(address)
            if mark:
                del self._by_mark[mark]

    def _keep(self, mark: str, name: str, saved: str) -> None:
        # A disk that is full costs a seat when the door is started again, and nothing before.
        with suppress(OSError):
            if mark:
                self._store.keep(mark, name, saved, time.time())

    async def close(self) -> None:
        """End all visits; each visitor is told so first."""
        await asyncio.gather(*(each.end(_RESTARTS) for each in self._sessions))
        await asyncio.sleep(_REST)


def run(config: SshConfig, zygote: Zygote) -> int:
    """Run the door until a signal; give the exit status. Raises ConfigError."""
    # It would say who visits, and by which key.
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL + 1)
    with asyncio.Runner() as runner:
        runner.run(_run(config, zygote))
    return 0


async def _run(config: SshConfig, zygote: Zygote) -> None:
    loop, stopped, gone = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    # The zygote says nothing: its socket is readable when it has ended.
    loop.add_reader(zygote.orders, gone.set)
    server = GameServer(config.game, partial(print, file=sys.stderr, flush=True))
    door = OpenDoor(config, zygote, server)
    parts = (server.follow(), door.serve(), stopped.wait(), gone.wait())
    tasks = [asyncio.ensure_future(part) for part in parts]
    ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in ended:
        task.result()
    if gone.is_set():
        raise ConfigError("the process that starts clients has ended; see above")
    await door.close()


def _listening(config: SshConfig) -> list[socket.socket]:
    """Return the sockets of a socket unit of systemd, or of the settings. Raises ConfigError."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()):
        count = int(os.environ.get("LISTEN_FDS", "0"))
        return [socket.socket(fileno=_FIRST_FD + number) for number in range(count)]
    host, both = config.host, not config.host and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both or ":" in host else socket.AF_INET
    place = host, config.port
    try:
        return [socket.create_server(place, family=family, backlog=512, dualstack_ipv6=both)]
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host or 'any interface'}, port {config.port} "
            f"({error.strerror or error}); choose another with --host and --port"
        ) from None
