"""The gateway that the server starts: a page, a player by its address, and what it survives."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from hearts.net.system import allow_many_files
from hearts.wire.proxy_header import proxy_header
from hearts_server.config import Config
from hearts_server.running.composition import run_server
from tests.integration.house import HOST, config
from tests.soak.soak_server import free_port
from tests.web.browser import Browser
from tests.web.test_crowds import MANY, crowd

HOME = "127.0.0.7"
SITS_DOWN = b"\0\0\0\x04Ann\0" + b"\xff\xff\xff\xfe\0\0\0\x1e" + bytes(8) + b"\0\0\x03\xe8"
"""Registers with three computers, so that a game begins."""
TOO_LONG = 30
NO_CHAT = ("taunt-server",)


async def begin(nursery: trio.Nursery, settings: Config, sign: str = "play in a browser: ") -> str:
    """Begin a server; what it says behind the sign."""
    send, said = trio.open_memory_channel[str](20)
    await nursery.start(run_server, settings, send.send_nowait)
    while not (line := await said.receive()).startswith(sign):
        pass
    return line.removeprefix(sign)


async def sit_down(browser: Browser) -> None:
    await browser.open("/game")
    await browser.say(SITS_DOWN)
    assert await browser.receive(4) == bytes(4)
    assert int.from_bytes(await browser.receive(4)) > 0


async def test_a_browser_plays_and_talks_and_the_gateway_is_started_again(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with trio.fail_after(TOO_LONG):
        line = await begin(nursery, config(tmp_path, without=()))
        found = re.search(rf"http://{HOST}:(\d+)/#table=NAME", line)
        assert found is not None
        port = int(found[1])
        async with Browser(port, HOME) as browser:
            assert (await browser.get("/config.json")).body.startswith(b'{"chat": true')
        async with Browser(port, HOME) as browser:
            await sit_down(browser)
        async with Browser(port, HOME) as browser:
            # The chat does not know them: -1, and the end.
            await browser.open("/chat")
            await browser.say(b"\0\0\0\x01" * 4)
            assert await browser.receive(4) == b"\xff\xff\xff\xff"
            assert await browser.closed() == 1000
        (pid,) = re.findall(r"web-started pid=(\d+)", caplog.text)
        os.kill(int(pid), signal.SIGKILL)
        while len(re.findall("web-started", caplog.text)) < 2:  # noqa: ASYNC110
            await trio.sleep(0.02)
        async with Browser(port, HOME) as browser:
            assert (await browser.get("/")).status == 200
    assert f"sat-down address={HOME} player=0" in caplog.text
    assert "web-ended status=-9" in caplog.text


async def test_a_crowd_does_not_take_the_place_of_who_has_a_seat(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    allow_many_files()
    half = b"GET / HTTP/1.1\r\nHost: a\r\n"
    with trio.fail_after(TOO_LONG):
        line = await begin(nursery, config(tmp_path, without=NO_CHAT))
        port = int(line.partition("/ ")[0].rpartition(":")[2])
        async with Browser(port, HOME) as player:
            await sit_down(player)
            # The gateway is told now and then, so the first crowd may come before that.
            answer = b""
            while not answer.startswith(b"HTTP/1.1 200 "):
                async with await trio.open_tcp_stream(HOST, port, local_address=HOME) as one:
                    await one.send_all(half)
                    async with crowd(port, MANY), Browser(port, "127.251.0.1") as last:
                        assert (await last.get("/")).status == 200
                        with suppress(trio.BrokenResourceError):
                            await one.send_all(b"\r\n")
                            answer = await one.receive_some()


async def test_a_balancer_says_who_is_at_the_page(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    behind = free_port()
    more = ("--web-proxy-listen", f"{HOST}:{behind}", "--accept-rate", "1", "--accept-burst", "1")
    with trio.fail_after(TOO_LONG):
        await begin(nursery, config(tmp_path, *more, without=NO_CHAT))
        # All three come from one address, that of the balancer.
        for address in ("192.0.2.7", "198.51.100.1", "203.0.113.9"):
            async with Browser(behind, head=proxy_header(address)) as browser:
                await sit_down(browser)
            assert f"sat-down address={address} player=0" in caplog.text


async def test_a_balancer_at_a_unix_socket_speaks_no_tls(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    behind = tmp_path / "page"
    files = Path(__file__).parents[1] / "certificates"
    tls = ("--tls-cert", str(files / "house.pem"), "--tls-key", str(files / "house.key"))
    more = ("--web-proxy-listen", str(behind), *tls)
    with trio.fail_after(TOO_LONG):
        await begin(nursery, config(tmp_path / "data", *more, without=NO_CHAT))
        async with await trio.open_unix_socket(str(behind)) as stream:
            await stream.send_all(proxy_header("192.0.2.7"))
            await stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert await stream.receive_some(12) == b"HTTP/1.1 200"


async def test_without_the_libraries_one_line_says_how_to_get_them(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wsproto", None)
    said: list[str] = []
    with trio.fail_after(TOO_LONG):
        await nursery.start(run_server, config(tmp_path, without=NO_CHAT), said.append)
    assert [line for line in said if "browser" in line] == [
        "no page to play on in a browser: pip install 'hearts-server[web]'; or say --no-web"
    ]


async def test_a_port_in_use_and_a_long_path_cost_the_page_and_nothing_else(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    with trio.fail_after(TOO_LONG), socket.create_server((HOST, 0)) as taken:
        port = str(taken.getsockname()[1])
        settings = config(tmp_path, "--web-port", port, without=NO_CHAT)
        line = await begin(nursery, settings, "no page")
        assert line.endswith("choose another --web-port, or say --no-web")
        long = tmp_path / ("x" * 100)
        assert "too long" in await begin(nursery, config(long, without=NO_CHAT), "no page")
