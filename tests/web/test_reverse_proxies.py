"""The reverse proxies and balancers of docs/hosting, as they stand there, with a gateway behind."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.net.listen import bound_private_socket, listen_at
from hearts.wire.proxy_header import proxy_header, read_proxy_header
from tests.soak.soak_server import ROOT, free_port
from tests.web.browser import HOST, Browser, NoWebSocket
from tests.web.test_gateway import echo

pytestmark = pytest.mark.heavy

TEXT = (ROOT / "docs" / "hosting" / "server.md").read_text("utf-8")
NAME = "hearts.example.org"
ORIGIN = f"https://{NAME}"
HOME = "127.0.0.9"
"""From where the browser comes, which is no proxy."""
LIMIT = 30
CLAIMS = (
    (),
    ((b"Forwarded", b"for=198.51.100.1"),),
    ((b"X-Forwarded-For", b"198.51.100.1"),),
    ((b"X-Forwarded-For", b"198.51.100.1"), (b"X-Forwarded-For", b"127.0.0.1, 198.51.100.2")),
    ((b"X-Forwarded-For", b"127.0.0.1"), (b"Forwarded", b"for=127.0.0.1"), (b"X-Real-IP", b"::1")),
)
"""What a browser may say of itself."""
Proxy = Callable[[Path, int, int], AbstractContextManager[None]]


def block(beginning: str) -> str:
    """The first block of the document that begins so."""
    found = re.search(rf"^```\n({re.escape(beginning)}\n.*?)^```$", TEXT, re.M | re.S)
    assert found is not None
    return found[1]


def program(name: str) -> str:
    """Where it is. Without one the test is skipped, or fails if it has to be there."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if path is None:
        if os.environ.get("HEARTS_NEEDS_PROXIES"):
            pytest.fail(f"there is no {name}")
        pytest.skip(f"there is no {name}")
    return path


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def nginx(folder: Path, port: int, behind: int) -> Iterator[None]:
    location = block("location / {").replace("127.0.0.1:7680", f"{HOST}:{behind}")
    config = folder / "nginx.conf"
    config.write_text(
        f"""
        daemon off;
        pid {folder}/nginx.pid;
        error_log stderr;
        events {{ }}
        http {{
            access_log off;
            client_body_temp_path {folder};
            server {{ listen {HOST}:{port}; {location} }}
        }}
        """
    )
    with running(program("nginx"), "-p", str(folder), "-c", str(config)):
        yield


@contextmanager
def haproxy(folder: Path, port: int, behind: int) -> Iterator[None]:
    frontend = f"""
frontend browsers
    mode http
    bind {HOST}:{port}
    timeout client 60s
    default_backend page

"""
    backend = block("backend page").replace("127.0.0.1:7680", f"{HOST}:{behind}")
    with balancing(folder, frontend + backend):
        yield


@contextmanager
def balancing(folder: Path, settings: str) -> Iterator[None]:
    config = folder / "haproxy.cfg"
    config.write_text(settings)
    with running(program("haproxy"), "-db", "-f", str(config)):
        yield


@asynccontextmanager
async def gateway(folder: Path) -> AsyncIterator[int]:
    """The port of a gateway with the settings of the document; what is behind it says all again."""
    game = folder / "game"
    (line,) = re.findall(r"^hearts-web (--host.*)$", TEXT, re.M)
    said = shlex.split(line.replace("/run/hearts/game", str(game)))
    listeners = listen_at([bound_private_socket(game)])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(trio.serve_listeners, echo, listeners))
        with running(sys.executable, "-m", "hearts_web", *said, "--port", "0") as process:
            assert process.stdout is not None
            begun = await trio.to_thread.run_sync(process.stdout.readline)
            yield int(begun.rpartition(":")[2])
        nursery.cancel_scope.cancel()


async def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    while True:
        try:
            await (await trio.open_tcp_stream(HOST, port)).aclose()
        except OSError:
            await trio.sleep(0.02)
        else:
            return


@pytest.mark.parametrize("proxy", [nginx, haproxy])
async def test_no_browser_behind_a_proxy_has_another_address_or_name(
    tmp_path: Path, proxy: Proxy
) -> None:
    header, port = proxy_header(HOME), free_port()
    with trio.fail_after(LIMIT):
        async with gateway(tmp_path) as behind:
            with proxy(tmp_path, port, behind):
                await wait_for(port)
                for claims in CLAIMS:
                    async with Browser(port, HOME, NAME) as browser:
                        await browser.open("/game", ORIGIN, *claims)
                        assert await browser.receive(len(header)) == header, claims
                        await browser.say(b"a card")
                        assert await browser.receive(6) == b"a card"
                async with Browser(port, HOME, NAME) as browser:
                    assert (await browser.get("/")).status == 200
                async with Browser(port, HOME, NAME) as browser:
                    with pytest.raises(NoWebSocket, match="403"):
                        await browser.open("/game", "https://evil.example")
                async with Browser(port, HOME, "evil.example") as browser:
                    assert (await browser.get("/")).status == 421


async def test_a_balancer_says_who_plays(tmp_path: Path) -> None:
    port = free_port()
    heard: list[str | None] = []

    async def note(stream: trio.SocketStream) -> None:
        found = read_proxy_header(await stream.receive_some())
        assert found is not None
        heard.append(found.address)
        await stream.aclose()

    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            (listener,) = await nursery.start(partial(trio.serve_tcp, note, 0, host=HOST))
            behind = listener.socket.getsockname()[1]
            settings = block("listen hearts").replace(":7626", f"{HOST}:{port}")
            settings = settings.replace("10.0.0.5:7636", f"{HOST}:{behind}")
            with balancing(tmp_path, settings):
                await wait_for(port)
                async with await trio.open_tcp_stream(HOST, port, local_address=HOME) as stream:
                    assert await stream.receive_some() == b""
                nursery.cancel_scope.cancel()
    # Besides there are health checks, and the look for somebody who listens.
    assert HOME in heard
