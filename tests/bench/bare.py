"""A bare trio server that exchanges the bytes of a script, without rules: the measure of the rest.

It has one task a table, which reads only from the seat on turn. Run by
:mod:`tests.bench.processes`.
"""

from __future__ import annotations

import contextlib
import resource
import socket
import sys
from itertools import chain
from pathlib import Path

import trio

from .script import REGISTRATION_BYTES, SessionScript, load_script

_RECEIVE_BYTES = 4096


class _Seating:
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
            with contextlib.ExitStack() as closing, contextlib.suppress(OSError):
                for each in socks:
                    closing.enter_context(each)
                await self._play(socks)

    async def _play(self, socks: list[socket.socket]) -> None:
        received = [-REGISTRATION_BYTES] * 4
        due = [*((seat, 0, ()) for seat in range(3)), (3, 0, self._script.begin)]
        steps = ((step.seat, step.received, step.writes) for step in self._script.steps)
        for seat, least, writes in chain(due, steps):
            while received[seat] < least:
                await trio.lowlevel.wait_readable(socks[seat])
                data = socks[seat].recv(_RECEIVE_BYTES)
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


async def _serve(script: SessionScript) -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(f"bare listening on 127.0.0.1:{listener.socket.getsockname()[1]}", flush=True)
    await trio.serve_listeners(_Seating(script).serve, [listener])


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    trio.run(_serve, load_script(Path(sys.argv[1])))
