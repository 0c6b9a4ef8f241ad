"""Servers for the tests of clients: on a real socket, and over memory streams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio
import trio.testing

from hearts.net import StreamLink
from hearts.plain.client_registration import RegistrationRequest
from hearts_client.client import Client
from hearts_server.app import Running, run_server
from hearts_server.config import Config, parse_config
from hearts_server.datadir import DataDir
from hearts_server.server import Server

HOST = "127.0.0.1"


def config(data_dir: Path, *arguments: str) -> Config:
    """Settings for a test: no chat and no pauses."""
    return parse_config(
        [
            *("--host", HOST, "--port", "0", "--data-dir", str(data_dir)),
            *("--no-taunt-server", "--taunt-port", "0", "--bot-pause", "0"),
            *arguments,
        ]
    )


@asynccontextmanager
async def listening(data_dir: Path, *arguments: str) -> AsyncIterator[Running]:
    """A server on a free port."""
    async with trio.open_nursery() as nursery:
        yield await nursery.start(run_server, config(data_dir, *arguments), lambda line: None)
        nursery.cancel_scope.cancel()


class House:
    """A server over memory streams; with a mock clock its time is virtual."""

    def __init__(self, nursery: trio.Nursery, data_dir: DataDir, settings: Config) -> None:
        self._nursery = nursery
        self._server = Server(settings, data_dir, nursery)

    def client(self, request: RegistrationRequest) -> Client:
        """A client with a connection of its own."""
        ours, theirs = trio.testing.memory_stream_pair()
        link = StreamLink(theirs, self._nursery)
        self._nursery.start_soon(self._server.serve, link, "192.0.2.1")
        return Client(ours, request)


@asynccontextmanager
async def house(folder: Path, *arguments: str) -> AsyncIterator[House]:
    """A house that is gone at the end of the block."""
    data_dir = DataDir(folder)
    try:
        async with trio.open_nursery() as nursery:
            yield House(nursery, data_dir, config(folder, *arguments))
            nursery.cancel_scope.cancel()
    finally:
        data_dir.close()
