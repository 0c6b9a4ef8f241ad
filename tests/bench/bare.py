"""Bare trio servers that exchange the bytes of a script, without rules: the measure of the rest.

``turn`` has one task a table, which reads only from the seat on turn. ``direct`` has a reader task
for each connection. Both use the sockets themselves; ``streams`` has the same readers but goes
through trio's SocketStream and ``send_all``. Run by :mod:`tests.bench.processes`.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import socket
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

import trio

from .script import REGISTRATION_BYTES, SessionScript, load_script

_RECEIVE_BYTES = 4096
_Send = TypeVar("_Send")


class _Table(Generic[_Send]):
    """Four connections, and how far each has come."""

    __slots__ = ("busy", "received", "script", "sends", "step")

    def __init__(self, script: SessionScript) -> None:
        self.script = script
        self.sends: list[_Send] = []
        """How to write to each seat."""
        self.received = [-REGISTRATION_BYTES] * 4
        self.step = -1
        self.busy = False

    def due(self) -> Iterator[tuple[_Send, bytes]]:
        """What is to be written now, and where."""
        while True:
            if self.step < 0:
                if len(self.sends) < 4 or min(self.received) < 0:
                    return
                writes = self.script.begin
            elif self.step < len(self.script.steps):
                step = self.script.steps[self.step]
                if self.received[step.seat] < step.received:
                    return
                writes = step.writes
            else:
                return
            self.step += 1
            for send, data in zip(self.sends, writes, strict=True):
                if data:
                    yield send, data


class _Seating(Generic[_Send]):
    """Puts connections at tables in the order in which they come."""

    def __init__(self, script: SessionScript) -> None:
        self._script = script
        self._table: _Table[_Send] = _Table(script)

    def sit(self, send: _Send) -> tuple[_Table[_Send], int]:
        if len(self._table.sends) == 4:
            self._table = _Table(self._script)
        self._table.sends.append(send)
        return self._table, len(self._table.sends) - 1


async def _serve_direct(
    seating: _Seating[Callable[[bytes], int]], stream: trio.SocketStream
) -> None:
    with socket.socket(fileno=stream.socket.detach()) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        table, seat = seating.sit(sock.send)
        sock.send(seat.to_bytes(4, "big"))
        while True:
            await trio.lowlevel.wait_readable(sock)
            data = sock.recv(_RECEIVE_BYTES)
            if not data:
                return
            table.received[seat] += len(data)
            for send, said in table.due():
                if send(said) != len(said):
                    raise RuntimeError("the load does not read")


class _TurnSeating:
    """Puts connections at tables; the fourth one's task serves them all."""

    def __init__(self, script: SessionScript) -> None:
        self._script = script
        self._socks: list[socket.socket] = []

    async def serve(self, stream: trio.SocketStream) -> None:
        sock = socket.socket(fileno=stream.socket.detach())
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        seat = len(self._socks)
        self._socks.append(sock)
        sock.send(seat.to_bytes(4, "big"))
        if seat == 3:
            socks, self._socks = self._socks, []
            try:
                await self._play(socks)
            finally:
                for sock in socks:
                    sock.close()

    async def _play(self, socks: list[socket.socket]) -> None:
        received = [-REGISTRATION_BYTES] * 4
        due = [*((seat, 0, ()) for seat in range(3)), (3, 0, self._script.begin)]
        steps = ((step.seat, step.received, step.writes) for step in self._script.steps)
        for seat, least, writes in chain(due, steps):
            sock = socks[seat]
            while received[seat] < least:
                await trio.lowlevel.wait_readable(sock)
                data = sock.recv(_RECEIVE_BYTES)
                if not data:
                    return
                received[seat] += len(data)
            for other, said in zip(socks, writes, strict=False):
                if said:
                    other.send(said)
        for sock in socks:
            await trio.lowlevel.wait_readable(sock)
            while sock.recv(_RECEIVE_BYTES):
                await trio.lowlevel.wait_readable(sock)


async def _serve_streams(
    seating: _Seating[Callable[[bytes], Awaitable[None]]], stream: trio.SocketStream
) -> None:
    table, seat = seating.sit(stream.send_all)
    await stream.send_all(seat.to_bytes(4, "big"))
    async with stream:
        async for data in stream:
            table.received[seat] += len(data)
            # Two tasks must not write to one stream at once: who is at it goes on.
            if not table.busy:
                table.busy = True
                for send, said in table.due():
                    await send(said)
                table.busy = False


async def _serve(kind: str, script: SessionScript) -> None:
    handlers: dict[str, Callable[[trio.SocketStream], Awaitable[None]]] = {
        "turn": _TurnSeating(script).serve,
        "direct": partial(_serve_direct, _Seating(script)),
        "streams": partial(_serve_streams, _Seating(script)),
    }
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(f"bare listening on 127.0.0.1:{listener.socket.getsockname()[1]}", flush=True)
    await trio.serve_listeners(partial(_serve_to_end, handlers[kind]), [listener])


async def _serve_to_end(
    handler: Callable[[trio.SocketStream], Awaitable[None]], stream: trio.SocketStream
) -> None:
    with contextlib.suppress(OSError, trio.BrokenResourceError, trio.ClosedResourceError):
        await handler(stream)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("turn", "direct", "streams"))
    parser.add_argument("script", type=Path)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    trio.run(_serve, options.kind, load_script(options.script))


if __name__ == "__main__":
    main()
