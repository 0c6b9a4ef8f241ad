"""The gateway with its backends over real sockets, in virtual time where time matters."""

from __future__ import annotations

import ipaddress
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.work import WorkLimits
from hearts.net import Certificate, Link, Pump, accept_connections, open_listeners
from hearts.wire.proxy_header import proxy_header
from hearts_web.asked import Hosts, Proxies
from hearts_web.asking import ASKING_PER_ADDRESS, REQUEST_LIMIT
from hearts_web.conversation import ANSWER_LIMIT, Site
from hearts_web.files import file_of
from hearts_web.gateway import LOOK_EVERY, Gateway
from hearts_web.relay import Backend
from hearts_web.websocket_frames import Close
from tests.web.browser import HOST, Browser, NoWebSocket

LIMIT = 20
BIG = bytes(range(256)) * 4096
FILES = {"/": file_of(b"<p>Hearts", "text/html"), "/big": file_of(BIG, "text/plain")}
Serve = Callable[[trio.SocketStream], Awaitable[None]]


async def echo(stream: trio.SocketStream) -> None:
    async with stream:
        with suppress(trio.BrokenResourceError):
            async for data in stream:
                await stream.send_all(data)


async def last_words(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.send_all(b"goodbye")


async def reset(stream: trio.SocketStream) -> None:
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.socket.close()


class RunningGateway:
    """A gateway that listens, and what ends it."""

    def __init__(self, gateway: Gateway, port: int) -> None:
        self.gateway = gateway
        self.port = port


@asynccontextmanager
async def gateway(
    serve: Serve = echo,
    *,
    max_websockets: int = 100,
    max_per_address: int = 0,
    takes_addresses: bool = False,
    work: float = 0,
    forwarded_from: str = "",
    tls: Certificate | None = None,
    has_game: bool = True,
) -> AsyncIterator[RunningGateway]:
    """A gateway, with one server behind both paths; nobody is behind ``/nobody``."""
    async with trio.open_nursery() as nursery:
        (behind,) = await nursery.start(partial(trio.serve_tcp, serve, 0, host=HOST))
        (listener,) = await open_listeners(HOST, 0)
        with socket.create_server((HOST, 0)) as closed:
            nowhere = closed.getsockname()
        backend = Backend(behind.socket.getsockname()[:2], takes_addresses)
        backends = {"/game": backend, "/chat": backend, "/nobody": Backend(nowhere, False)}
        backends["/game"] = backend if has_game else backends["/nobody"]
        proxies = Proxies((ipaddress.ip_network(forwarded_from),) if forwarded_from else ())
        made = Gateway(
            Site(FILES, backends, Hosts({"cards.example"}), proxies=proxies),
            nursery,
            max_websockets=max_websockets,
            max_per_address=max_per_address,
            arrivals=ArrivalLimiter(0, 1),
            work=WorkLimits(work),
        )
        async with listener:
            serve_page = partial(made.serve, tls)
            nursery.start_soon(accept_connections, [listener], made.admits, serve_page, nursery)
            with trio.fail_after(1000):
                yield RunningGateway(made, listener.socket.getsockname()[1])
            nursery.cancel_scope.cancel()


async def rest_of(stream: trio.SocketStream) -> bytes:
    """Everything until the end, however that comes."""
    data = b""
    try:
        async for piece in stream:
            data += piece
    except trio.BrokenResourceError:
        pass
    return data


async def test_files_one_after_the_other_and_head() -> None:
    async with gateway() as running, Browser(running.port) as browser:
        assert (await browser.get("/")).body == b"<p>Hearts"
        assert (await browser.get("/?table=club")).body == b"<p>Hearts"
        assert (await browser.get("/big")).body == BIG
        page = await browser.get("/none")
        assert (page.status, "content-security-policy" in page.headers) == (404, True)


@pytest.mark.parametrize(("has_game", "ready"), [(True, 200), (False, 503)])
async def test_a_balancer_asks_how_it_is(has_game: bool, ready: int) -> None:
    async with gateway(has_game=has_game) as running, Browser(running.port) as browser:
        assert [(await browser.get(f"/{each}")).status for each in ("health", "ready")] == [
            200,
            ready,
        ]


async def test_bytes_go_both_ways_however_slow_the_browser_is() -> None:
    async with gateway() as running, Browser(running.port) as browser:
        await browser.open("/game")
        async with trio.open_nursery() as nursery:

            async def talk() -> None:
                for at in range(0, len(BIG), 50_000):
                    await browser.say(BIG[at : at + 50_000])

            nursery.start_soon(talk)
            # They read nothing until all are waiting for them, and nothing is lost.
            await wait_all_tasks_blocked(0.02)
            assert await browser.receive(len(BIG)) == BIG


async def test_the_server_hears_who_plays() -> None:
    header = proxy_header("127.0.0.9")
    async with (
        gateway(takes_addresses=True) as running,
        Browser(running.port, "127.0.0.9") as browser,
    ):
        await browser.open("/chat")
        assert await browser.receive(len(header)) == header


async def test_a_reverse_proxy_says_who_plays_and_the_browser_behind_it_cannot() -> None:
    header, own = proxy_header("192.0.2.1"), (b"x-forwarded-for", b"192.0.2.1")
    async with (
        gateway(takes_addresses=True, max_per_address=1, forwarded_from=HOST) as running,
        Browser(running.port) as browser,
        Browser(running.port) as other,
    ):
        # The proxy passes on what the browser says, and adds a line of its own.
        for number, each in enumerate((browser, other)):
            made_up = b"198.51.100.%d" % number
            said = [(b"forwarded", b"for=" + made_up), (b"x-forwarded-for", made_up)]
            await each.open("/game", "own", *said, own)
        assert await browser.receive(len(header)) == header
        assert await other.closed() == Close.FULL


@pytest.mark.parametrize(
    ("serve", "path", "heard", "code"),
    [
        (last_words, "/game", b"goodbye", Close.ENDED),
        (reset, "/game", b"", Close.UNREACHABLE),
        (echo, "/nobody", b"", Close.UNREACHABLE),
    ],
)
async def test_the_page_is_told_what_became_of_the_server(
    serve: Serve, path: str, heard: bytes, code: Close
) -> None:
    async with gateway(serve) as running, Browser(running.port) as browser:
        await browser.open(path)
        assert await browser.receive(100) == heard
        assert await browser.closed() == code


async def test_there_are_only_so_many() -> None:
    async with gateway(max_websockets=2, max_per_address=1) as running:
        homes = (HOST, HOST, "127.0.0.2", "127.0.0.3")
        codes = []
        browsers = [Browser(running.port, home) for home in homes]
        for browser in browsers:
            await browser.__aenter__()
            await browser.open("/game")
            await browser.say(b"x")
            codes.append(0 if await browser.receive(1) else await browser.closed())
        assert codes == [0, Close.FULL, 0, Close.FULL]
        for browser in browsers:
            await browser.__aexit__(None, None, None)


async def test_a_page_of_somebody_else_gets_no_websocket() -> None:
    async with gateway() as running:
        for origin in ("", "null", "http://evil.example"):
            async with Browser(running.port) as browser:
                with pytest.raises(NoWebSocket, match="403"):
                    await browser.open("/game", origin)


@pytest.mark.parametrize("path", ["/", "/game", "/nothing"])
async def test_a_name_that_leads_here_is_not_enough(path: str) -> None:
    async with gateway() as running:
        where = f"evil.example:{running.port}"
        async with Browser(running.port, host=where) as browser:
            page = await browser.get(path)
            assert page.status == 421
            assert b"--web-name NAME" in page.body
            # The connection goes on, as another name may be asked for by it.
            browser.host = f"cards.example:{running.port}"
            assert (await browser.get("/")).status == 200
        async with Browser(running.port, host=where) as browser:
            with pytest.raises(NoWebSocket, match="421"):
                await browser.open(path)
        async with Browser(running.port, host="cards.example") as browser:
            await browser.open("/game")
            await browser.say(b"x")
            assert await browser.receive(1) == b"x"


async def test_the_end_is_told() -> None:
    async with gateway() as running, Browser(running.port) as browser:
        await browser.open("/game")
        await browser.say(b"x")
        assert await browser.receive(1) == b"x"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.gateway.end)
            assert await browser.closed() == Close.GOING
            await browser.stream.aclose()
        assert not running.gateway.admits(HOST)


async def test_the_end_is_told_while_the_server_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    reach = Backend.reach
    async with gateway() as running, trio.open_nursery() as nursery:

        async def reach_late(
            backend: Backend, address: str, pump: Pump, owner: trio.Nursery
        ) -> Link:
            link = await reach(backend, address, pump, owner)
            nursery.start_soon(running.gateway.end)
            await wait_all_tasks_blocked()
            return link

        monkeypatch.setattr(Backend, "reach", reach_late)
        async with Browser(running.port) as browser:
            await browser.open("/game")
            with trio.fail_after(LIMIT):
                assert await browser.closed() == Close.GOING


# Bad peers

HALF = b"GET /game HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"


@pytest.mark.parametrize("sent", [b"", b"G", HALF, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
async def test_a_request_has_so_long(autojump_clock: MockClock, sent: bytes) -> None:
    autojump_clock.autojump_threshold = 0.02
    async with gateway() as running, Browser(running.port) as browser:
        begun = trio.current_time()
        await browser.stream.send_all(sent)
        await rest_of(browser.stream)
        assert trio.current_time() - begun == pytest.approx(REQUEST_LIMIT, abs=0.5)


async def test_a_request_that_never_ends_byte_by_byte(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.02
    async with gateway() as running, Browser(running.port) as browser:
        begun = trio.current_time()
        with suppress(trio.BrokenResourceError):
            while True:
                await browser.stream.send_all(b"x")
                await trio.sleep(1)
        assert trio.current_time() - begun < REQUEST_LIMIT + 5


async def test_an_answer_has_so_long(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.02
    async with gateway() as running:
        with socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect((HOST, running.port))
            sock.sendall(b"GET /big HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
            begun = trio.current_time()
            await trio.sleep(ANSWER_LIMIT + REQUEST_LIMIT)
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(sock))
            got = await rest_of(stream)
            assert len(got) < 20 * len(BIG)
            assert trio.current_time() - begun < ANSWER_LIMIT + REQUEST_LIMIT + 5


async def test_an_address_has_only_so_many_connections_that_ask() -> None:
    async with gateway() as running:
        silent, ended = [], 0
        for _ in range(40):
            try:
                silent.append(await trio.open_tcp_stream(HOST, running.port))
            except OSError:
                # It was reset before it was known here.
                ended += 1
        async with Browser(running.port, "127.0.0.2") as browser:
            assert (await browser.get("/")).status == 200
        for stream in silent:
            with trio.move_on_after(0.02):
                ended += await rest_of(stream) == b""
        assert ended == 40 - ASKING_PER_ADDRESS
        for stream in silent:
            await trio.aclose_forcefully(stream)


async def test_who_shows_no_sign_of_life_is_cut_off(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.02
    async with (
        gateway() as running,
        Browser(running.port) as silent,
        Browser(running.port) as browser,
        trio.open_nursery() as nursery,
    ):
        await silent.open("/game")
        await browser.open("/game")
        nursery.start_soon(browser.closed)
        begun = trio.current_time()
        assert (await rest_of(silent.stream)).startswith(b"\x89\x00")
        assert trio.current_time() - begun <= 3 * LOOK_EVERY + 1
        await trio.sleep(2 * LOOK_EVERY)
        assert browser.pings >= 3
        nursery.cancel_scope.cancel()


async def test_who_makes_too_much_work_is_read_more_slowly(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.02
    async with gateway(work=1) as running, Browser(running.port) as browser:
        begun = trio.current_time()
        for _ in range(20):
            assert (await browser.get("/")).status == 200
        assert trio.current_time() - begun > 3
        await browser.open("/game")
        begun = trio.current_time()
        for _ in range(40):
            for _ in range(10):
                await browser.say(b"x")
            assert await browser.receive(10) == b"x" * 10
        assert trio.current_time() - begun > 3
