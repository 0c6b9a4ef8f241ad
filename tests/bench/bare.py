"""Bare trio servers that exchange the bytes of a script, without rules: the measure of the rest.

``turn`` has one task a table, which reads only from the seat on turn. ``direct`` has a reader task
for each connection. Run by :mod:`tests.bench.processes`.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import socket
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import trio

from .script import REGISTRATION_BYTES, SessionScript, load_script

_RECEIVE_BYTES = 4096


class _Table:
    """Four connections, and how far each has come."""

    def __init__(self, script: SessionScript) -> None:
        self.socks: list[socket.socket] = []
        self.received = [-REGISTRATION_BYTES] * 4
        self.script = script
        self.step = -1

    async def read(self, seat: int) -> bool:
        """Wait for bytes of a seat, and count them; False at their end."""
        sock = self.socks[seat]
        await trio.lowlevel.wait_readable(sock)
        data = sock.recv(_RECEIVE_BYTES)
        self.received[seat] += len(data)
        return bool(data)

    def due(self) -> Iterator[tuple[socket.socket, bytes]]:
        """What is to be written now, and where."""
        while True:
            if self.step < 0:
                if len(self.socks) < 4 or min(self.received) < 0:
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
            for sock, data in zip(self.socks, writes, strict=True):
                if data:
                    yield sock, data

    async def read_all(self, seat: int) -> None:
        """Serve one connection of a table; the others have tasks of their own."""
        while await self.read(seat):
            for sock, said in self.due():
                if sock.send(said) != len(said):
                    raise RuntimeError("the load does not read")

    async def play(self) -> None:
        """Serve all four, reading only from the seat on turn."""
        due = [*((seat, 0, ()) for seat in range(3)), (3, 0, self.script.begin)]
        steps = ((step.seat, step.received, step.writes) for step in self.script.steps)
        for seat, least, writes in chain(due, steps):
            while self.received[seat] < least:
                if not await self.read(seat):
                    return
            for other, said in zip(self.socks, writes, strict=False):
                if said:
                    other.send(said)
        for seat in range(4):
            while await self.read(seat):
                pass


async def _serve(kind: str, script: SessionScript) -> None:
    table = _Table(script)

    async def serve(stream: trio.SocketStream) -> None:
        """Put a connection at a table, in the order in which they come."""
        nonlocal table
        if len(table.socks) == 4:
            table = _Table(script)
        mine, seat = table, len(table.socks)
        sock = socket.socket(fileno=stream.socket.detach())
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        mine.socks.append(sock)
        sock.send(seat.to_bytes(4, "big"))
        with contextlib.suppress(OSError):
            if kind == "direct":
                with sock:
                    await mine.read_all(seat)
            elif seat == 3:
                with contextlib.ExitStack() as closing:
                    for each in mine.socks:
                        closing.enter_context(each)
                    await mine.play()

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(f"bare listening on 127.0.0.1:{listener.socket.getsockname()[1]}", flush=True)
    await trio.serve_listeners(serve, [listener])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("turn", "direct"))
    parser.add_argument("script", type=Path)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    trio.run(_serve, options.kind, load_script(options.script))


if __name__ == "__main__":
    main()
