"""Connections with a PROXY header before them, over real sockets."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import accept_connections
from hearts.net.listen import HEADER_SECONDS, HEADERS_AWAITED, Proxied, listen_at
from hearts.net.places import bound_at, connect_to
from hearts.wire.proxy_header import proxy_header

LIMIT = 10
LINE = b"PROXY TCP4 192.0.2.1 198.51.100.7 50000 7626\r\n"


class Door:
    """What serves: it says the address and echoes what comes behind the header."""

    def __init__(self, refused: str = "") -> None:
        self.refused = refused
        self.proxied = Proxied(self.admits, self.serve)

    def admits(self, address: str) -> bool:
        return address != self.refused

    async def serve(self, stream: trio.SocketStream, address: str) -> None:
        await stream.send_all(address.encode() + b" ")
        async for data in stream:
            await stream.send_all(data)


@asynccontextmanager
async def opened(where: str, door: Door) -> AsyncIterator[None]:
    async with bound_at(where) as bound, trio.open_nursery() as nursery:
        listeners, proxied = listen_at(bound), door.proxied
        nursery.start_soon(accept_connections, listeners, proxied.admits, proxied.serve, nursery)
        yield
        nursery.cancel_scope.cancel()
    with pytest.raises(OSError, match="No such file"):
        await connect_to(where)


async def all_of(stream: trio.SocketStream) -> bytes:
    data = b""
    with trio.fail_after(LIMIT):
        try:
            async for piece in stream:
                data += piece
        except trio.BrokenResourceError:
            # Reset, for it had not read everything.
            data += b"!"
    return data


@pytest.mark.parametrize(
    "header", [LINE, proxy_header("192.0.2.1"), b"PROXY TCP6 ::ffff:c000:201 :: 1 2\r\n"]
)
@pytest.mark.parametrize("pieces", ["whole", "bytes"])
async def test_a_client_has_the_address_of_the_header(
    tmp_path: Path, header: bytes, pieces: str
) -> None:
    where = str(tmp_path / "proxied")
    async with opened(where, Door()), await connect_to(where) as stream:
        if pieces == "whole":
            await stream.send_all(header + LINE + b"\x16\x03\x01")
        else:
            for at in range(len(header)):
                await stream.send_all(header[at : at + 1])
                await wait_all_tasks_blocked()
            await stream.send_all(LINE + b"\x16\x03\x01")
        await stream.send_eof()
        assert await all_of(stream) == b"192.0.2.1 " + LINE + b"\x16\x03\x01"


@pytest.mark.parametrize(
    ("sent", "events"),
    [
        (b"PROXY UNKNOWN\r\n", ["proxy-check"]),
        (proxy_header("nobody"), ["proxy-check"]),
        (b"", ["proxy-check"]),
        (b"\0\0\0\x01", ["no-proxy-header"]),
        (b"GET / HTTP/1.1\r\n\r\n", ["no-proxy-header"]),
        (b"PROXY TCP4 192.0.2.66 192.0.2.1 1 2\r\n", []),
    ],
)
async def test_who_is_no_client_is_closed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sent: bytes, events: list[str]
) -> None:
    caplog.set_level(logging.DEBUG, "hearts.net")
    where = str(tmp_path / "proxied")
    async with opened(where, Door("192.0.2.66")), await connect_to(where) as stream:
        await stream.send_all(sent)
        await stream.send_eof()
        assert (await all_of(stream)).strip(b"!") == b""
    assert [record.getMessage().split()[0] for record in caplog.records] == events
    levels = {"proxy-check": logging.DEBUG, "no-proxy-header": logging.WARNING}
    assert [record.levelno for record in caplog.records] == [levels[event] for event in events]


async def test_a_header_that_does_not_come_is_waited_for_so_long(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    where = str(tmp_path / "proxied")
    autojump_clock.autojump_threshold = 0.05
    async with opened(where, Door()), await connect_to(where) as stream:
        begun = trio.current_time()
        await stream.send_all(LINE[:-1])
        assert (await all_of(stream)).strip(b"!") == b""
        assert trio.current_time() - begun == pytest.approx(HEADER_SECONDS, abs=0.1)


async def test_only_so_many_headers_are_waited_for(tmp_path: Path) -> None:
    door = Door()
    where = str(tmp_path / "proxied")
    async with opened(where, door):
        silent = [await connect_to(where) for _ in range(HEADERS_AWAITED)]
        await wait_all_tasks_blocked(0.01)
        assert not door.proxied.admits("")
        async with await connect_to(where) as stream:
            assert (await all_of(stream)).strip(b"!") == b""
        await silent.pop().aclose()
        await wait_all_tasks_blocked(0.01)
        assert door.proxied.admits("")
        for each in silent:
            await each.aclose()


async def test_a_place_that_is_an_address() -> None:
    async with bound_at(("127.0.0.1", 0)) as bound:
        (listener,) = listen_at(bound)
        async with await connect_to(listener.socket.getsockname()[:2]):
            assert listener.socket.family == socket.AF_INET
