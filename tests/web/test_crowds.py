"""Crowds at the gateway: many networks with connections that ask for nothing, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import Certificate, client_tls
from hearts.net.system import allow_many_files
from hearts.net.tls import HANDSHAKE_LIMIT
from hearts_web.asking import ASKING_PER_ADDRESS, CROWDED_LIMIT, MOST_ASKING, REQUEST_LIMIT
from tests.web.browser import HOST, Browser
from tests.web.test_gateway import gateway, rest_of

HOME = "127.250.0.1"
HALF = b"GET / HTTP/1.1\r\nHost: a\r\n"
CERTIFICATES = Path(__file__).parents[1] / "certificates"
FEW = tuple(f"127.1.{net}.1" for net in range(17) for _ in range(ASKING_PER_ADDRESS))
"""So many connections of 17 networks that they could have all places."""
MANY, OTHERS = (
    tuple(f"127.{first + net // 250}.{net % 250}.1" for net in range(MOST_ASKING + 8))
    for first in (2, 12)
)
"""Twice so many networks with a connection each."""


@pytest.fixture(autouse=True)
def _many_files() -> None:
    allow_many_files()


@asynccontextmanager
async def crowd(port: int, homes: Iterable[str]) -> AsyncIterator[list[trio.SocketStream]]:
    """Connections of these addresses that send half a request each, all of them taken."""
    streams = []
    for home in homes:
        stream = await trio.open_tcp_stream(HOST, port, local_address=home)
        await stream.send_all(HALF)
        streams.append(stream)
    await wait_all_tasks_blocked(0.01)
    try:
        yield streams
    finally:
        for stream in streams:
            await trio.aclose_forcefully(stream)


async def is_answered(stream: trio.SocketStream) -> bool:
    """Tell whether the other half of a request still brings an answer."""
    try:
        await stream.send_all(b"\r\n")
        return (await stream.receive_some()).startswith(b"HTTP/1.1 200 ")
    except trio.BrokenResourceError:
        return False


async def test_everybody_else_comes_in_beside_a_crowd(mock_clock: MockClock) -> None:
    async with gateway() as running, crowd(running.port, FEW):
        browsers = [Browser(running.port, HOME) for _ in range(15)]
        for browser in browsers:
            await browser.__aenter__()
            assert (await browser.get("/")).status == 200
        # They do not give way to each other either.
        for browser in browsers:
            assert (await browser.get("/")).status == 200
            await browser.stream.aclose()


async def test_a_network_with_a_seat_keeps_one_place(mock_clock: MockClock) -> None:
    async with gateway() as running:
        running.gateway.keep_for({HOME})
        async with crowd(running.port, (HOME, HOME)) as (first, second), crowd(running.port, MANY):
            assert await rest_of(second) == b""
            assert await is_answered(first)


async def test_seats_keep_no_more_than_half_of_the_places(mock_clock: MockClock) -> None:
    async with gateway() as running:
        running.gateway.keep_for(MANY)
        async with crowd(running.port, MANY) as streams, crowd(running.port, OTHERS):
            kept = [stream for stream in streams if await is_answered(stream)]
        assert len(kept) == MOST_ASKING // 2


async def test_requests_have_less_time_while_it_is_crowded(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    half = MOST_ASKING // 2
    async with gateway() as running:
        begun = trio.current_time()
        async with crowd(running.port, MANY[:half]) as (first, *_):
            await trio.sleep(CROWDED_LIMIT + 1)
            async with crowd(running.port, MANY[half : half + 1]):
                # It has had its two seconds already.
                assert await rest_of(first) == b""
                assert trio.current_time() - begun < CROWDED_LIMIT + 1.5
        begun = trio.current_time()
        async with crowd(running.port, MANY[:half]) as (first, *_):
            async with crowd(running.port, MANY[half : half + 1]):
                await trio.sleep(CROWDED_LIMIT / 2)
            assert await rest_of(first) == b""
            assert trio.current_time() - begun == pytest.approx(REQUEST_LIMIT, abs=0.5)


async def test_the_time_of_a_crowd_begins_behind_the_handshake(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    assert CROWDED_LIMIT < 5 < HANDSHAKE_LIMIT
    tls = Certificate(CERTIFICATES / "house.pem", CERTIFICATES / "house.key")
    context = client_tls(CERTIFICATES / "house.pem", insecure=False)
    async with gateway(tls=tls) as running:
        slow = await trio.open_tcp_stream(HOST, running.port, local_address=HOME)
        streams = [
            await trio.open_tcp_stream(HOST, running.port, local_address=home)
            for home in MANY[: MOST_ASKING // 2 + 8]
        ]
        await trio.sleep(5)
        async with trio.SSLStream(slow, context, server_hostname="localhost") as browser:
            await browser.send_all(HALF + b"\r\n")
            assert (await browser.receive_some()).startswith(b"HTTP/1.1 200 ")
            for stream in streams:
                await trio.aclose_forcefully(stream)
