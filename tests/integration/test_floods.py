"""Peers that send what nobody waits for: they are read slowly, and nobody else is."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.limits.work import FRAME_WORK, READ_WORK
from hearts.session.wishes import AskForTables
from hearts_server.lobby.arrival import FRAMES_AT_ONCE
from tests.dealer.payloads import frame

from .dealers import player, settings, sit
from .house import HOST, Caller, House, judge, listening, options, register, text

PING = struct.pack(">3i", 206, 0, 0)
PONG = struct.pack(">i", 207)
USELESS = struct.pack(">3i", 999, 0, 0)
"""A frame of a type that does not exist."""
MOST = 9000
"""Pings that may be read at once."""
A_SECOND = 0.9 * 5000 / (FRAME_WORK + READ_WORK * len(PING) / FRAMES_AT_ONCE)
"""Pings that at least are read in a second, where 5 ms of work are allowed."""


async def begin(caller: Caller, *blocks: int | bytes) -> None:
    """Register for a table of frames, up to the Process ID."""
    await caller.number()
    await caller.send(text("Flood"), -6, 1)
    assert await caller.number() == 1
    await caller.send(*blocks, 1000)


async def pongs(caller: Caller) -> int:
    """How many pings were answered since the last look."""
    heard = b""
    with trio.move_on_after(0.01):
        while data := await caller.stream.receive_some(1_000_000):
            heard += bytes(data)
    return heard.count(PONG)


@pytest.mark.house("--fill-after", "never")
async def test_a_flooder_is_read_slowly_until_he_is_quiet(made: House) -> None:
    caller = await made.call()
    await begin(caller)
    await caller.send(PING * 15_000)
    await trio.sleep(0.5)
    assert 1000 < await pongs(caller) < MOST
    await trio.sleep(1)
    assert A_SECOND < await pongs(caller) < 4000
    assert made.server.metrics.connections_paused.value == 1
    await trio.sleep(20)
    await pongs(caller)
    await caller.send(PING)
    await trio.testing.wait_all_tasks_blocked()
    assert await pongs(caller) >= 1


@pytest.mark.house("--fill-after", "never", "--work-per-connection", "0")
async def test_no_limit(made: House) -> None:
    caller = await made.call()
    await begin(caller)
    await caller.send(PING * 15_000)
    await trio.testing.wait_all_tasks_blocked()
    assert await pongs(caller) >= 15_000
    assert not made.server.metrics.connections_paused.value


@pytest.mark.house("--fill-after", "never")
async def test_what_a_table_waits_for_is_read_at_once_beside_a_flood(made: House) -> None:
    """Four good clients at the flooders' address: no time passes for them."""
    dialects = ("dealer", "plain", "dealer", "plain")
    good = [
        player(dialect, settings(seat, table="good", options=options("standard", 30)))
        for seat, dialect in enumerate(dialects)
    ]
    flooders = [await made.call() for _ in range(12)]
    for number, flooder in enumerate(flooders):
        await begin(flooder, -4, text(f"flood {number}"), -2, *options("standard", 30))
        await flooder.send(USELESS * 8000)
    await trio.sleep(0.5)
    begun = trio.current_time()
    await made.play(good)
    assert trio.current_time() == begun
    assert made.server.metrics.connections_paused.value == len(flooders)
    assert judge(good).games == 1


@pytest.mark.house("--turn-limit", "15")
async def test_a_flooder_on_turn_loses_his_own_time_only(made: House) -> None:
    """They answer nothing while they are not read; the clock chooses for them as for anybody."""
    good = [
        player("plain", settings(seat, table="ours", options=options("standard", 1)))
        for seat in range(3)
    ]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *good)
        flooder = await made.call()
        await begin(flooder, -4, text("ours"))
        await flooder.send(USELESS * 20_000)
    assert judge(good).games == 1


async def test_a_watcher_is_read_slowly_too(made: House) -> None:
    host, watcher = await made.call(), await made.call()
    await register(host, -2, *options("standard", 100, 0b1110))
    number, _ = await host.seated()
    await begin(watcher, -9, number)
    await watcher.send(PING * 15_000)
    await trio.sleep(0.5)
    assert 1000 < await pongs(watcher) < MOST


@pytest.mark.house("--fill-after", "never")
async def test_a_registration_is_paid_for_too(made: House) -> None:
    caller = await made.call()
    await caller.number()
    for byte in text("Ann Elizabeth Maria Theresia" * 30):
        await caller.send(bytes([byte]))
        await trio.testing.wait_all_tasks_blocked()
    assert made.server.metrics.connections_paused.value == 1


@pytest.mark.house("--fill-after", "never")
async def test_lists_are_paid_for_but_the_first(made: House) -> None:
    caller = await made.call()
    await begin(caller)
    for times, answered in ((1, 1), (20, 0)):
        await caller.send(frame(AskForTables(0)) * times)
        await trio.testing.wait_all_tasks_blocked()
        await caller.send(PING)
        assert await pongs(caller) == answered
    await trio.sleep(10)
    assert await pongs(caller) == 1


async def test_a_handful_of_flooders_on_real_sockets(tmp_path: Path) -> None:
    answered: list[int] = []

    async def flood(port: int) -> None:
        async with await trio.open_tcp_stream(HOST, port) as stream:
            await begin(Caller(stream))
            heard = b""
            with trio.move_on_after(0.5):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(stream.send_all, PING * 40_000)
                    while True:
                        heard += bytes(await stream.receive_some(65536))
            answered.append(heard.count(PONG))

    async with (
        listening(tmp_path, "--fill-after", "never") as running,
        trio.open_nursery() as nursery,
    ):
        for _ in range(4):
            nursery.start_soon(flood, running.port)
    assert 500 < max(answered) < 6000
