"""A server that says one thing, whatever it hears, and a line to a server that breaks."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import trio

from tests.independent.plain_client import Fact

from .programs import HOST, RunningProgram, played
from .script import ints
from .tables import LIMIT, Command


@asynccontextmanager
async def broken_line(port: int, lives: Sequence[int]) -> AsyncIterator[int]:
    """A port behind which the server is; each connection is reset after so many of its bytes."""
    bytes_left = iter(lives)

    async def hand_on(from_: trio.SocketStream, to: trio.SocketStream, life: int | None) -> None:
        try:
            while data := await from_.receive_some(life):
                await to.send_all(data)
                if life is not None and (life := life - len(data)) == 0:
                    to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        await to.aclose()
        await from_.aclose()

    async def connect(caller: trio.SocketStream) -> None:
        called = await trio.open_tcp_stream(HOST, port)
        life = next(bytes_left, None)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hand_on, caller, called, None)
            nursery.start_soon(hand_on, called, caller, life)

    async with listener(connect) as own_port:
        yield own_port
    assert next(bytes_left, None) is None, "a connection did not last as long as it had to"


@asynccontextmanager
async def listener(
    handle: Callable[[trio.SocketStream], Awaitable[None]],
) -> AsyncIterator[int]:
    """A port at which each connection is handled so, until the end of the block."""
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, handle, 0, host=HOST)
        listeners = await nursery.start(serve)
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


@dataclass(slots=True)
class FakeServer:
    """Says one thing to the first client, and to any other that it knows no such seat."""

    says: bytes
    hangs_up: bool
    """Whether the stream ends behind it."""
    heard: bytes = b""
    """What the first client sent."""
    _calls: int = 0

    async def handle(self, stream: trio.SocketStream) -> None:
        self._calls += 1
        is_first = self._calls == 1
        try:
            await stream.send_all(self.says if is_first else ints(-103))
            if self.hangs_up or not is_first:
                await stream.send_eof()
            async for data in stream:
                self.heard += data if is_first else b""
        except trio.BrokenResourceError:
            pass
        await stream.aclose()

    async def meet(self, command: Command, *options: str) -> tuple[RunningProgram, int]:
        async with listener(self.handle) as port:
            return await played(command, *options, port=port)


async def read_nonsense(command: Command, nonsense: Mapping[str, bytes]) -> None:
    """A client calls each of these what it is, in one line, and ends."""

    async def receive(what: str, said: bytes) -> None:
        program, status = await FakeServer(said, hangs_up=False).meet(command)
        assert status == 2, (what, program.errors)
        assert len(program.errors.splitlines()) == 1, (what, program.errors)
        assert program.facts[-1] == Fact("end"), what

    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            for what, said in nonsense.items():
                nursery.start_soon(receive, what, said)
