"""One connection of an animal: what it sends and hears, and how the server ended it.

Nothing here knows the project's code. Bytes are those of SocketSpec.md, and conversations by the
book are those of :mod:`tests.independent.plain_client`.
"""

from __future__ import annotations

import math
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import NoReturn

import trio

from tests.independent.plain_client import OwnSession, Read, Think, Write

PATIENCE = 90.0
"""Seconds for which an animal waits to be thrown out; more than any deadline of registering."""
GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)

_RECEIVE_BYTES = 65536
_CHUNK = 16384
_TAIL_BYTES = 4 + 4 + 1024
"""Of a refusal and its reason."""
_REFUSALS = {-1, -2, -4, *range(-111, -100)}


class Gone(Exception):
    """The server has ended a connection."""

    def __init__(self, visit: ZooVisit | None) -> None:
        """``visit`` is the one that is over; None for one that never began."""
        super().__init__("the server has ended the connection")
        self.visit = visit


def _never(session: OwnSession) -> bool:
    return False


class ZooVisit:
    """One connection. What the server ends raises Gone, and so ends the visit."""

    def __init__(self, sock: trio.socket.SocketType, flood_rate: float) -> None:
        """``flood_rate`` is bytes a second."""
        self.sock = sock
        self.sent = 0
        self.received = 0
        self.ending = "closed"
        self._flood_rate = flood_rate
        self._unread = b""
        self._tail = b""
        self._has_reader = False
        self.playing = False
        """Whether it is past the places where a refusal can come."""

    async def send(self, *parts: int | bytes) -> None:
        """Send ints, and bytes as they are, in one piece."""
        data = b"".join(
            struct.pack(">i", part) if isinstance(part, int) else part for part in parts
        )
        view = memoryview(data)
        while view:
            try:
                count = await self.sock.send(view)
            except GONE:
                if self._has_reader:
                    # It hears the last words.
                    await trio.sleep_forever()
                await self._read_to_end()
            self.sent += count
            view = view[count:]

    async def take(self, count: int) -> bytes:
        await self.await_bytes(count)
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    async def number(self) -> int:
        """An int."""
        (number,) = struct.unpack(">i", await self.take(4))
        assert isinstance(number, int)
        return number

    async def await_bytes(self, count: int) -> None:
        """Wait until so many bytes are there, and leave them."""
        while len(self._unread) < count:
            self._unread += await self._receive()

    async def watch(self, seconds: float = PATIENCE) -> None:
        """Read and forget whatever comes, until the server has enough or the time is over."""
        with trio.move_on_after(seconds):
            while True:
                await self._receive()

    async def flood(
        self, data: Callable[[int], bytes], seconds: float = PATIENCE, *, pace: float = 1.0
    ) -> None:
        """Send without end, at the rate of a flood times the pace, and read nothing."""
        with trio.move_on_after(seconds):
            while True:
                chunk = data(_CHUNK)
                await self.send(chunk)
                await trio.sleep(len(chunk) / (pace * self._flood_rate))

    async def reply(self) -> int:
        """An int that is no refusal."""
        number = await self.number()
        if number < 0:
            await self.watch()
        return number

    async def while_reading(self, write: Callable[[], Awaitable[None]]) -> None:
        """Write, while whatever comes is read and forgotten."""
        gone: list[Gone] = []

        async def read() -> None:
            try:
                await self.watch(math.inf)
            except Gone as end:
                gone.append(end)
                nursery.cancel_scope.cancel()

        self._has_reader = True
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await write()
            nursery.cancel_scope.cancel()
        self._has_reader = False
        if gone:
            raise gone[0]

    async def converse(
        self,
        session: OwnSession,
        *,
        until: Callable[[OwnSession], bool] = _never,
        write: Callable[[bytes], Awaitable[None]] | None = None,
        think: Callable[[float], Awaitable[None]] = trio.sleep,
    ) -> None:
        """Let an independent client talk, until it has seen enough.

        ``write`` and ``think`` take the place of what it would do by the book.
        """
        talk = session.talk()
        request = next(talk)
        while not until(session):
            answer = b""
            match request:
                case Write(data):
                    await (write or self.send)(data)
                case Think(seconds):
                    await think(seconds)
                case Read(count):
                    answer = await self.take(count)
            try:
                request = talk.send(answer)
            except StopIteration:
                return
            self.playing = self.playing or has(session, "seated")

    def reset(self) -> None:
        """Let the connection end with a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _receive(self) -> bytes:
        try:
            data = await self.sock.recv(_RECEIVE_BYTES)
        except GONE:
            self._end("reset")
        if not data:
            self._end("closed")
        self.received += len(data)
        self._tail = (self._tail + data)[-_TAIL_BYTES:]
        return data

    async def _read_to_end(self) -> NoReturn:
        # What the server said before it ended may still lie here.
        try:
            while data := await self.sock.recv(_RECEIVE_BYTES):
                self.received += len(data)
                self._tail = (self._tail + data)[-_TAIL_BYTES:]
        except GONE:
            pass
        self._end("reset")

    def _end(self, how: str) -> NoReturn:
        self.ending = how
        if not self.playing and (code := _refusal_at_end(self._tail)) is not None:
            self.ending = f"refused {code}"
        raise Gone(self)


def _refusal_at_end(data: bytes) -> int | None:
    """The refusal that a connection ended with, and perhaps its reason (section 3.7)."""
    for start in range(len(data) - 3):
        (code,) = struct.unpack_from(">i", data, start)
        left = len(data) - start - 4
        if code in _REFUSALS and (
            not left or (left > 4 and struct.unpack_from(">i", data, start + 4)[0] == left - 4)
        ):
            assert isinstance(code, int)
            return code
    return None


def has(session: OwnSession, kind: str) -> bool:
    return bool(session.facts) and session.facts[-1].kind == kind


def text(data: str | bytes) -> bytes:
    content = data.encode() if isinstance(data, str) else data
    return struct.pack(">i", len(content) + 1) + content + b"\0"
