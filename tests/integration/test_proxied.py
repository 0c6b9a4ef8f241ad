"""Both servers behind a proxy: who a player is stands in the PROXY header."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio

from hearts.net import client_tls
from hearts.net.places import connect_to
from hearts.session.messages import Refusal
from hearts.wire.proxy_header import proxy_header

from .house import HEARTS, HOST, Caller, listening, text
from .test_tls import FILES, files

LIMIT = 20


async def test_limits_and_log_go_by_the_address_of_the_header(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    where = str(tmp_path / "proxied")
    limits = ("--max-per-address", "1", "--max-per-network", "0")
    async with listening(tmp_path, *limits, "--proxy-listen", where) as running:
        with trio.fail_after(LIMIT):
            said = []
            callers = []
            for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1"):
                caller = Caller(await connect_to(where))
                callers.append(caller)
                await caller.send(proxy_header(address))
                await caller.send(text("Ann"), -2, HEARTS | 0b1110, 0, 0, 1000)
                assert await caller.number() == 0
                said.append(min(0, await caller.number()))
            assert said == [0, Refusal.TOO_MANY_FROM_ADDRESS, 0, 0]
            # At the ordinary port a header is not read: it is a wrong registration.
            async with await trio.open_tcp_stream(HOST, running.port) as stream:
                ordinary = Caller(stream)
                await ordinary.send(proxy_header("192.0.2.3"))
                assert await ordinary.number() == 0
            for caller in callers:
                await caller.stream.aclose()
    assert "address=192.0.2.2" in caplog.text
    assert "192.0.2.3" not in caplog.text


async def test_tls_begins_behind_the_header(tmp_path: Path) -> None:
    where = f"{HOST}:0"
    async with listening(tmp_path, *files(), "--proxy-listen", where) as running:
        with trio.fail_after(LIMIT):
            stream = await trio.open_tcp_stream(HOST, running.proxy_port)
            await stream.send_all(proxy_header("192.0.2.1"))
            tls = trio.SSLStream(
                stream, client_tls(FILES / "house.pem", insecure=False), server_hostname="localhost"
            )
            assert await tls.receive_some(4) == bytes(4)
            await trio.aclose_forcefully(tls)
