"""What a browser costs the gateway: ``python -m tests.web.measure``.

The memory of pages that do nothing, and the CPU time of a message beside that of a bare trio relay,
which carries the same bytes over plain TCP: two tasks for each connection, ``receive_some`` and
``send_all``. The two take turns, so that what else the machine does falls on both. Server, gateway
and relay are processes of their own.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import trio

from hearts.net.listen import allow_many_files

HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]
MESSAGE = bytes(range(48))
"""About a card that is played, in a frame of the dealer dialect."""
_MASK = b"\x12\x34\x56\x78"
_SENT = bytes([0x82, 0x80 | len(MESSAGE)]) + _MASK
_SENT += bytes(byte ^ _MASK[at % 4] for at, byte in enumerate(MESSAGE))
_HEARD = 2 + len(MESSAGE)
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = resource.getpagesize()


async def _echo(stream: trio.SocketStream) -> None:
    async for data in stream:
        await stream.send_all(data)


async def _relay(port: int, stream: trio.SocketStream) -> None:
    async def carry(source: trio.SocketStream, target: trio.SocketStream) -> None:
        while data := await source.receive_some(4096):
            await target.send_all(data)
        await target.send_eof()

    async with await trio.open_tcp_stream(HOST, port) as server, trio.open_nursery() as nursery:
        nursery.start_soon(carry, stream, server)
        nursery.start_soon(carry, server, stream)


async def _serve(target: int) -> None:
    handler = partial(_relay, target) if target else _echo
    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(
            partial(trio.serve_tcp, handler, 0, host=HOST, backlog=4096)
        )
        print(f"listening on {HOST}:{listener.socket.getsockname()[1]}", flush=True)


class Process:
    """A process that has been asked to listen."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.port = int(process.stdout.readline().rpartition(":")[2])
        self._files = Path(f"/proc/{process.pid}")

    def seconds(self) -> float:
        """Its CPU time so far."""
        fields = (self._files / "stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> int:
        """Its bytes of memory."""
        return int((self._files / "statm").read_text().split()[1]) * _PAGE


@contextmanager
def running(*command: str) -> Iterator[Process]:
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Process(process)
        finally:
            process.kill()


@contextmanager
def gateway(target: int) -> Iterator[Process]:
    """A gateway without limits in front of a server."""
    where = f"{HOST}:{target}"
    places = ("--host", HOST, "--port", "0", "--game", where, "--chat", where)
    limits = ("--max-websockets", "100000", "--max-per-address", "0", "--accept-rate", "0")
    work = ("--work-per-connection", "0", "--log-level", "error")
    with running("hearts_web", *places, *limits, *work) as process:
        yield process


async def open_websocket(port: int, path: str = "/game") -> trio.SocketStream:
    """A WebSocket as a browser opens it."""
    stream = await trio.open_tcp_stream(HOST, port)
    await stream.send_all(
        f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nOrigin: http://{HOST}:{port}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    head = await stream.receive_some()
    assert head.startswith(b"HTTP/1.1 101 "), head
    return stream


async def memory_of_pages(port: int, process: Process, pages: int) -> float:
    """Bytes for each page with its two WebSockets, which have said something once."""
    streams = []
    before = process.memory()
    for number in range(2 * pages):
        stream = await open_websocket(port, "/chat" if number % 2 else "/game")
        await stream.send_all(_SENT)
        assert len(await stream.receive_some()) == _HEARD
        streams.append(stream)
    used = (process.memory() - before) / pages
    for stream in streams:
        await stream.aclose()
    return used


async def talk(stream: trio.SocketStream, sent: bytes, heard: int, count: int) -> None:
    for _ in range(count):
        await stream.send_all(sent)
        got = 0
        while got < heard:
            got += len(await stream.receive_some(heard - got))


async def cost(process: Process, *, is_web: bool, connections: int, count: int) -> float:
    """Seconds of CPU for a message, with the way back."""
    connect = open_websocket if is_web else partial(trio.open_tcp_stream, HOST)
    streams = [await connect(process.port) for _ in range(connections)]
    sent, heard = (_SENT, _HEARD) if is_web else (MESSAGE, len(MESSAGE))
    before = process.seconds()
    async with trio.open_nursery() as nursery:
        for stream in streams:
            nursery.start_soon(talk, stream, sent, heard, count)
    used = process.seconds() - before
    for stream in streams:
        await stream.aclose()
    return used / (connections * count)


async def measure(pages: int, rounds: int, connections: int, count: int) -> None:
    with running("tests.web.measure", "--serve", "0") as server:
        with gateway(server.port) as web:
            each = await memory_of_pages(web.port, web, pages)
            print(f"memory of {pages} idle pages, each: {each / 1000:.1f} kB")
        with (
            gateway(server.port) as web,
            running("tests.web.measure", "--serve", str(server.port)) as relay,
        ):
            runs = partial(cost, connections=connections, count=count)
            pairs = [(await runs(web, is_web=True), await runs(relay, is_web=False))]
            pairs = [
                (await runs(web, is_web=True), await runs(relay, is_web=False))
                for _ in range(rounds)
            ]
    ours, bare = (statistics.median(each) * 1e6 for each in zip(*pairs, strict=True))
    ratio = statistics.median(web / relay for web, relay in pairs)
    print(f"a message and its way back: gateway {ours:.0f} us, bare trio relay {bare:.0f} us")
    print(f"ratio: {ratio:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.measure", description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--messages", type=int, default=100, help="of each connection and round")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    allow_many_files()
    if given.serve is not None:
        trio.run(_serve, given.serve)
    else:
        trio.run(measure, given.pages, given.rounds, given.connections, given.messages)


if __name__ == "__main__":
    main()
