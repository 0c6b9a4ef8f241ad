"""The lease of the game server, without which the chat lets its players go."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from taunt_server.app import LEASE, ParentsLease


async def test_without_it_players_go_once_and_nobody_comes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    let_go: list[float] = []
    lease = ParentsLease(lambda why: let_go.append(trio.current_time()))
    admits = lease.admitting(lambda address: address == "192.0.2.7")
    nursery.start_soon(lease.watch)
    began = trio.current_time()
    for _ in range(5):
        await trio.sleep(LEASE - 1)
        lease.renew("lease")
    assert not let_go
    assert admits("192.0.2.7")
    assert not admits("192.0.2.8")
    await trio.sleep(3 * LEASE)
    (when,) = let_go
    assert LEASE < when - began - 5 * (LEASE - 1) < LEASE + 0.5
    assert not admits("192.0.2.7")
    lease.renew("lease")
    assert admits("192.0.2.7")
