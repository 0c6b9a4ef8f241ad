"""Servers for the tests of clients: on a real socket, and over memory streams."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import TypeVar

import trio
import trio.testing

from hearts.session.client_registration import RegistrationRequest
from hearts.session.table_words import Introduction
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect, sessions
from hearts_client.library.retries import Retries
from hearts_server.config import Config
from hearts_server.datadir import DataDir
from hearts_server.given_settings import parse_config
from hearts_server.running.composition import Running, run_server
from hearts_server.server import Server
from tests.net.stream_link import StreamLink

HOST = "127.0.0.1"
EventT = TypeVar("EventT")


def config(data_dir: Path, *arguments: str) -> Config:
    """Settings for a test: no chat and no pauses."""
    return parse_config(
        [
            *("--host", HOST, "--port", "0", "--data-dir", str(data_dir)),
            *("--no-taunt-server", "--no-web", "--taunt-port", "0", "--bot-pause", "0"),
            *("--computers", "simple"),
            *arguments,
        ]
    )


@asynccontextmanager
async def listening(data_dir: Path, *arguments: str) -> AsyncIterator[Running]:
    async with trio.open_nursery() as nursery:
        yield await nursery.start(run_server, config(data_dir, *arguments), lambda line: None)
        nursery.cancel_scope.cancel()


async def until(client: Client, kind: type[EventT]) -> EventT:
    """The next event of a kind."""
    async for event in client:
        if isinstance(event, kind):
            return event
    raise AssertionError("the session has ended before that")


class ClientHouse:
    """A server over memory streams; with a mock clock its time is virtual."""

    def __init__(self, nursery: trio.Nursery, data_dir: DataDir, settings: Config) -> None:
        self._nursery = nursery
        self._server = Server(settings, data_dir, nursery)
        self.line: Mortal
        """The latest connection that may break."""

    def client(
        self,
        request: RegistrationRequest,
        life: Callable[[], int] | None = None,
        dialect: Dialect = Dialect.PLAIN,
        introduction: Introduction | None = None,
    ) -> Client:
        """A client with a connection of its own.

        With ``life`` each connection breaks after so many bytes, and the client comes back.
        """
        open_session = sessions(dialect, introduction)
        if life is None:
            return Client(self._call(), request, open_session=open_session)

        async def dial() -> trio.abc.Stream:
            await trio.lowlevel.checkpoint()
            self.line = Mortal(self._call(), life())
            return self.line

        self.line = Mortal(self._call(), life())
        return Client(self.line, request, dial, Retries(inf), open_session)

    def notice(self, text: str) -> None:
        """Tell every table something."""
        for host in self._server.sessions.running:
            host.notice(text)

    def _call(self) -> trio.abc.HalfCloseableStream:
        ours, theirs = trio.testing.memory_stream_pair()
        link = StreamLink(theirs, self._nursery)
        self._nursery.start_soon(self._server.serve, link, "127.0.0.1")
        return ours


class Mortal(trio.abc.Stream):
    """A stream that breaks when so many bytes have gone over it, in the middle of a message."""

    def __init__(self, stream: trio.abc.Stream, life: int) -> None:
        self._stream = stream
        self._left = life

    def cut(self) -> None:
        """Let nothing more over it."""
        self._left = 0

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        part = bytes(data)[: self._left]
        self._left -= len(part)
        await self._stream.send_all(part)
        await self._break_if_over()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        await self._break_if_over()
        data = await self._stream.receive_some(min(self._left, max_bytes or self._left))
        self._left = max(self._left - len(data), 0)
        return data

    async def _break_if_over(self) -> None:
        if not self._left:
            await self._stream.aclose()
            raise trio.BrokenResourceError

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def house(folder: Path, *arguments: str) -> AsyncIterator[ClientHouse]:
    """A house that is gone at the end of the block."""
    data_dir = DataDir(folder)
    try:
        async with trio.open_nursery() as nursery:
            yield ClientHouse(nursery, data_dir, config(folder, *arguments))
            nursery.cancel_scope.cancel()
    finally:
        data_dir.close()
