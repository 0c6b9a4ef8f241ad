"""Where clients come in at a node: an error while one is led costs nobody else anything."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import trio

from hearts.net import Link, Pump, open_listeners
from hearts.wire.proxy_header import proxy_header
from hearts_server.commands.entrances import EntrancePlaces, NodeEntrance
from tests.integration.house import HOST, config

HOME = "192.0.2.7"
TOO_LONG = 20


async def test_an_error_of_ours_costs_one_connection(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    came: list[str] = []

    async def serve(link: Link, address: str) -> None:
        came.append(address)
        link.close()
        if len(came) < 3:
            raise RuntimeError("broken")

    own, proxied = await open_listeners(HOST, 0), await open_listeners(HOST, 0)
    entrance = NodeEntrance(config(tmp_path), None, serve, Pump(), nursery)
    nursery.start_soon(entrance.accept, EntrancePlaces(own, proxied, (HOST, 0)))
    with trio.fail_after(TOO_LONG):
        for listeners, head in ((own, b""), (proxied, proxy_header(HOME)), (own, b"")):
            where = listeners[0].socket.getsockname()[:2]
            async with await trio.open_tcp_stream(*where) as client:
                await client.send_all(head)
                assert not await client.receive_some()
    nursery.cancel_scope.cancel()
    for listener in (*own, *proxied):
        listener.socket.close()
    assert came == [HOST, HOME, HOST]
    assert caplog.text.count("connection-failed") == 2


async def test_what_comes_too_fast_is_logged(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    async def serve(link: Link, address: str) -> None:
        link.close()

    (listener,) = await open_listeners(HOST, 0)
    limits = config(tmp_path, "--accept-rate", "1", "--accept-burst", "2")
    entrance = NodeEntrance(limits, None, serve, Pump(), nursery)
    nursery.start_soon(entrance.accept, EntrancePlaces([listener]))
    with trio.fail_after(TOO_LONG):
        while f"connections-too-fast address={HOST} closed=1" not in caplog.text:
            with contextlib.suppress(OSError, trio.BrokenResourceError):
                async with await trio.open_tcp_stream(*listener.socket.getsockname()[:2]) as client:
                    assert not await client.receive_some()
    nursery.cancel_scope.cancel()
    listener.socket.close()
