"""Floods from one network, over real sockets: each address 127.x.y.z serves as a host."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.session.messages import Refusal
from hearts_server.given_settings import parse_config
from hearts_server.lobby.open_connections import RESERVE
from hearts_server.running.composition import Running, run_server
from tests.independent import client
from tests.independent.client import Closed

from .house import HEARTS, HOST, Caller, House, four, text
from .test_many_tables import FILES

hosts = pytest.mark.skipif(not FILES.is_dir(), reason="other systems have one loopback address")


@asynccontextmanager
async def public(data_dir: Path, *arguments: str) -> AsyncIterator[Running]:
    """A server with the limits that it has unless told otherwise."""
    settings = parse_config(
        [
            *("--host", HOST, "--port", "0", "--data-dir", str(data_dir), *arguments),
            *("--taunt-port", "0", "--bot-pause", "0", "--no-web"),
        ]
    )
    async with trio.open_nursery() as nursery:
        with trio.fail_after(20):
            yield await nursery.start(run_server, settings, lambda line: None)
        nursery.cancel_scope.cancel()


async def call(port: int, address: str) -> Caller:
    """A connection from an address. Raises OSError."""
    sock = trio.socket.socket()
    try:
        await sock.bind((address, 0))
        await sock.connect((HOST, port))
    except BaseException:
        sock.close()
        raise
    return Caller(trio.SocketStream(sock))


async def begin(port: int, address: str) -> int:
    """Begin a table with three computers and leave; its game, or why there is none."""
    caller = await call(port, address)
    async with caller.stream:
        await caller.number()
        await caller.send(text("Ann"), -2, HEARTS | 0b1110, 0, 0, 1000)
        return await caller.number()


@hosts
async def test_one_address_cannot_fill_the_server(tmp_path: Path) -> None:
    arguments = ("--no-taunt-server", "--max-tables", "24", "--pause-limit", "600")
    async with public(tmp_path, *arguments) as running:
        tried = Counter([min(0, await begin(running.port, "127.4.0.1")) for _ in range(30)])
        assert tried == {0: 16, Refusal.SERVER_FULL: 14}
        games = [await begin(running.port, f"127.{number}.0.1") for number in range(5, 13)]
        assert min(games) > 0


async def meet(port: int, address: str, met: trio.MemorySendChannel[int | None]) -> None:
    """Tell the first int of the server on a new connection; None if it closes it."""
    try:
        caller = await call(port, address)
        async with caller.stream:
            await met.send(await caller.number())
    except (OSError, Closed, trio.BrokenResourceError):
        await met.send(None)


@hosts
async def test_who_only_connects_is_closed_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with public(tmp_path, "--no-taunt-server", "--max-per-address", "0") as running:
        begun = trio.current_time()
        met, meetings = trio.open_memory_channel[int | None](300)
        async with trio.open_nursery() as nursery:
            for _ in range(300):
                nursery.start_soon(meet, running.port, "127.4.0.2", met)
        closed = sum([await meetings.receive() is None for _ in range(300)])
        late = int(10 * (trio.current_time() - begun)) + 1
        assert 300 - 50 - late <= closed <= 250
        assert await begin(running.port, "127.5.0.2") > 0
        assert running.server.metrics.readings["connections_too_fast_total"].read() == closed
        assert running.server.metrics.connections_opened.value == 301 - closed
        lines = [record.getMessage() for record in caplog.records]
        assert lines == ["connections-too-fast address=127.4.0.2 closed=1"]


@hosts
async def test_the_taunt_server_does_the_same(tmp_path: Path) -> None:
    async with public(tmp_path) as running:
        met, meetings = trio.open_memory_channel[int | None](0)
        async with trio.open_nursery() as nursery:
            begun = trio.current_time()
            for _ in range(90):
                nursery.start_soon(meet, running.taunt_port, "127.4.0.3", met)
            closed = 0
            while closed < 90 - 50 - 10 * (trio.current_time() - begun) - 1:
                closed += await meetings.receive() is None
            nursery.cancel_scope.cancel()


@pytest.mark.house("--max-tables", "1", "--max-per-address", "32")
async def test_a_crowd_of_networks_does_not_keep_a_player_from_his_seat(made: House) -> None:
    callers = await four(made)
    game, game_id = await callers[0].numbers(2)
    await callers[0].stream.aclose()
    crowd = parse_config(["--max-tables", "1"]).max_connections + RESERVE
    for number in range(crowd - 3):
        made.begin_call(f"2001:db8:{number // 30:x}::1")
    await trio.testing.wait_all_tasks_blocked()
    stranger = await made.call("198.51.100.1")
    assert await stranger.number() == Refusal.SERVER_FULL
    back = client.Session(
        client.Settings(process_id=1000), client.Ticket(game, game_id, 0, 1000, 0, 0)
    )
    await (await made.call()).converse(back.talk(), steps=22)
    assert [fact.kind for fact in back.facts[1:4]] == ["back", "seated", "table"]
