"""A node at work, with its rows in memory: when it takes over, and when it lets its players go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.net.listen import bound_sockets
from hearts_server.standby.membership import LEASE, REFUSED_SILENCE, SILENCE, Peer
from hearts_server.standby.node import LOST_AFTER, Node
from tests.net.stream_link import StreamLink

from .rows import MemoryRows

TOO_LONG = 60


@pytest.fixture
def autojump_clock() -> MockClock:
    # Its statements are done by a thread, which has its time.
    return MockClock(autojump_threshold=0.02)


@asynccontextmanager
async def at_work(rows: MemoryRows) -> AsyncIterator[Node]:
    made = Node(rows, clock=trio.current_time)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.run)
        yield made
        nursery.cancel_scope.cancel()


async def test_players_go_once_when_the_lease_has_been_over_and_come_again(
    autojump_clock: MockClock,
) -> None:
    rows, let_go = MemoryRows(), list[float]()
    ours, theirs = trio.testing.memory_stream_pair()
    async with at_work(rows) as made, trio.open_nursery() as nursery:
        made.lost = lambda: let_go.append(trio.current_time())
        await made.took_over.wait()
        assert made.plays
        assert made.is_open
        assert 0 < made.lease_left <= LEASE
        rows.is_away, began = True, trio.current_time()
        await trio.sleep(LEASE + LOST_AFTER - 1)
        assert not made.is_open
        assert made.lease_left == 0
        assert not let_go
        link = StreamLink(theirs, nursery)
        link.gate = made
        link.write(b"what is stored")
        link.flush()
        await trio.sleep(3)
        assert made.is_lost
        (when,) = let_go
        assert LOST_AFTER < when - began < LEASE + LOST_AFTER + 1
        rows.is_away = False
        await trio.sleep(2)
        assert made.is_open
        assert not made.is_lost
        assert made.plays
        assert len(let_go) == 1
        with trio.fail_after(1):
            assert await ours.receive_some() == b"what is stored", "it was held back"


async def test_a_standby_lets_nobody_go(autojump_clock: MockClock) -> None:
    rows = MemoryRows(2, [Peer(1, "north", "192.0.2.1:7626", 1)])
    async with at_work(rows) as made:
        made.lost = lambda: pytest.fail("it does not play")
        await trio.sleep(1)
        assert (made.plays, made.others) == (False, 1)
        rows.is_away = True
        await trio.sleep(LEASE + LOST_AFTER + 1)
        assert made.beat_age > LEASE + LOST_AFTER


async def test_a_fence_that_waits_is_tried_until_it_is_done(autojump_clock: MockClock) -> None:
    rows = MemoryRows(2, [Peer(1, "north", "192.0.2.1:7626", 1)])
    async with at_work(rows) as made:
        rows.waits_for = "an administrator"
        await trio.sleep(2 * SILENCE)
        assert not made.plays
        assert made.waits_for == "an administrator"
        assert made.is_open
        rows.waits_for = ""
        await trio.sleep(1)
        assert made.plays


@pytest.mark.parametrize("reached", [True, False])
async def test_only_a_port_that_was_reached_before_counts_as_gone(
    reached: bool, autojump_clock: MockClock
) -> None:
    (bound,) = await bound_sockets("127.0.0.1", 0)
    if reached:
        bound.listen()
    peer = Peer(1, "north", f"127.0.0.1:{bound.getsockname()[1]}", 1)
    with trio.fail_after(TOO_LONG):
        async with at_work(MemoryRows(2, [peer])) as made:
            began = trio.current_time()
            await trio.sleep(0.9)
            bound.close()
            await made.took_over.wait()
            seconds = trio.current_time() - began
    if reached:
        assert REFUSED_SILENCE < seconds < SILENCE
    else:
        assert seconds > SILENCE
