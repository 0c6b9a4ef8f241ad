"""A server for the fuzzer: memory streams, virtual time, a journal in memory, and kills."""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import TypeAlias

import trio
import trio.testing
from trio.testing import MemoryReceiveStream, MemorySendStream

from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.net.logline import LineFormatter
from hearts.session.client_registration import RegistrationRequest
from hearts_server.config import Config
from hearts_server.datadir import DataDir, KeptBytes, KeptNetworks
from hearts_server.journal.store import StoredSession
from hearts_server.server import Server
from tests.game.games import faults_of
from tests.integration.house import take_up
from tests.journal.memory import MemoryJournal
from tests.net.stream_link import StreamLink

from .follower import Follower, FollowingWatcher, session_for

Stream: TypeAlias = "trio.StapledStream[MemorySendStream, MemoryReceiveStream]"


class MemoryDir(DataDir):
    """A data dir without files: the secret is known, and game numbers begin at 1."""

    def __init__(self) -> None:
        self.path = Path("memory")
        self.secret = bytes(range(32))
        self._next_number = 1
        self._reserved = 1_000_000

    def kept_networks(self) -> KeptNetworks:
        nothing = KeptBytes(b"", lambda data: None)
        return KeptNetworks(nothing, lambda name: nothing)


class Errors(logging.Handler):
    """Collects what was logged as an error, and formats every line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(LineFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        assert line.isascii()
        assert line.isprintable()
        if record.levelno >= logging.ERROR:
            self.lines.append(line)


class FuzzedConnection:
    """One connection, with a client that follows what the server says on it."""

    def __init__(
        self, stream: Stream, request: RegistrationRequest, deals: DealVerifier | None = None
    ) -> None:
        self.client: Follower | FollowingWatcher
        if request.watch:
            self.client = FollowingWatcher(WatcherSession(request.watch, password=request.password))
        else:
            self.client = Follower(session_for(request, deals))
        self.deals = deals
        """What a player knows of the deals; outlives the connection."""
        self.dealer = request.dealer
        self.closed = False
        """Whether we have closed it."""
        self.ended = False
        """Whether the server has ended it."""
        self.unsent = b""
        """What the client wants to say and has not said."""
        self._stream = stream
        self._unread = b""

    async def run(self) -> None:
        """Receive until the server ends the connection, or we do."""
        try:
            while data := await self._stream.receive_some(65536):
                self._unread += bytes(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        self.ended = True

    def read(self, card: int = 0) -> None:
        """Follow what the server has said, and choose; with ``card`` perhaps illegally."""
        data, self._unread = self._unread, b""
        self.unsent += self.client.receive(data, at_end=self.ended, card=card)

    async def behave(self, card: int = 0) -> None:
        """Read, and say what the client wants to say."""
        self.read(card)
        data, self.unsent = self.unsent, b""
        await self.say(data)
        await trio.testing.wait_all_tasks_blocked()

    async def say(self, data: bytes) -> None:
        if data and not self.closed:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._stream.send_all(data)

    async def lie(self, data: bytes) -> None:
        """Say what no good client says."""
        self.client.behaves = False
        await self.say(data)

    async def half_close(self) -> None:
        if not self.closed:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._stream.send_eof()

    async def close(self) -> None:
        self.closed = True
        await self._stream.aclose()


class Hosted:
    """The server, which can be killed and started anew, and the connections to it."""

    def __init__(self, nursery: trio.Nursery, config: Config, slow: bool) -> None:
        self._nursery = nursery
        self._config = config
        self._dir = MemoryDir()
        self.journal = MemoryJournal(0.01 if slow else None)
        self.server: Server
        self._tasks: trio.Nursery
        self._idle = 0

    async def start(self, stored: list[StoredSession]) -> None:
        """Start a server that takes up what is stored."""
        ready = trio.Event()
        self._nursery.start_soon(self._run, stored, ready)
        await ready.wait()

    async def _run(self, stored: list[StoredSession], ready: trio.Event) -> None:
        async with trio.open_nursery() as tasks:
            self._tasks = tasks
            self.server = Server(self._config, self._dir, tasks, self.journal)
            tasks.start_soon(self.journal.run)
            self._idle = len(tasks.child_tasks)
            await take_up(self.server, stored)
            ready.set()

    async def kill(self, torn: bool) -> None:
        """End the server as a kill does, and start another with what is stored."""
        self._tasks.cancel_scope.cancel()
        await trio.testing.wait_all_tasks_blocked()
        await self.start(self.journal.stored(torn))

    def stop(self) -> None:
        self._tasks.cancel_scope.cancel()

    def connect(
        self, address: str, request: RegistrationRequest, deals: DealVerifier | None = None
    ) -> FuzzedConnection:
        """A new connection; its server's side begins to run."""
        ours, theirs = trio.testing.memory_stream_pair()
        self._tasks.start_soon(self.server.serve, StreamLink(theirs, self._tasks), address)
        line = FuzzedConnection(ours, request, deals)
        self._nursery.start_soon(line.run)
        return line

    def check(self) -> None:
        """What holds whenever every task waits."""
        for host in self.server.sessions.running:
            table = host.table
            assert not faults_of(table.game)
            assert table.ended == host.is_closed
            assert not host._running

    def check_gone(self) -> None:
        """Nothing is left of connections and tables."""
        assert not self.server.sessions.running
        assert not self.server._reception.links
        assert not self.server.connections.count
        assert not self.server.lobby.forming
        assert len(self._tasks.child_tasks) == self._idle, self._tasks.child_tasks
