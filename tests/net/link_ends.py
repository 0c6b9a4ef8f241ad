"""Two ends of a connection, and what is said over it."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import trio
from trio.testing import wait_all_tasks_blocked

from hearts.net import Link, open_listeners

TIMEOUT = 20
LinkT = TypeVar("LinkT", bound=Link)
StreamT = TypeVar("StreamT", bound=trio.abc.Stream)


class Ends(Generic[LinkT, StreamT]):
    """A link, and the other end of its connection."""

    def __init__(self, link: LinkT, theirs: StreamT, nursery: trio.Nursery) -> None:
        self.link = link
        self.theirs = theirs
        self._nursery = nursery

    def run(self, receive: Callable[[bytes], None]) -> None:
        self._nursery.start_soon(self.link.run, receive)

    @property
    def tasks(self) -> int:
        return len(self._nursery.child_tasks)

    async def all_ended(self) -> None:
        """Wait until neither reader nor writer is left."""
        with trio.fail_after(TIMEOUT):
            while self.tasks:
                await wait_all_tasks_blocked(0.001)


@asynccontextmanager
async def tcp_pair() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """The server's and the client's end of a TCP connection with small buffers."""
    (listener,) = await open_listeners("127.0.0.1", 0)
    async with listener:
        listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        client = trio.socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await client.connect(listener.socket.getsockname())
        async with trio.SocketStream(client) as theirs, await listener.accept() as ours:
            yield ours, theirs


def fill(link: Link, unsent: int) -> bytes:
    """Write until so many bytes wait in the backlog; gives all that was written."""
    written = bytearray()
    while link.backlog < unsent:
        piece = len(written).to_bytes(4, "big") * 64
        link.write(piece)
        link.flush()
        assert not link.ending, link.why_lost
        written += piece
    return bytes(written)


async def read_all(stream: trio.abc.ReceiveStream) -> bytes:
    """Everything until the other side ends."""
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        async for piece in stream:
            data += piece
    return bytes(data)


async def receive_exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        while len(data) < size:
            piece = await stream.receive_some(size - len(data))
            assert piece, f"the connection ended after {len(data)} bytes"
            data += piece
    return bytes(data)


def ignore(data: bytes) -> None:
    """For a reader whose bytes do not matter."""


class Echo:
    """A receiver that answers in the same step, as a session does."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.heard = b""

    def __call__(self, data: bytes) -> None:
        self.heard += data
        for byte in data:
            self.link.write(bytes([byte]))
        self.link.flush()
