"""A server that stops at once, for a standby that waits: nothing is awaited, and nothing lost."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts_server.server import HAND_OVER_LIMIT

from .house import HEARTS, House, four, register


@pytest.mark.house("--turn-limit", "3600")
async def test_tables_stop_in_the_middle_of_their_hands_and_have_not_ended(made: House) -> None:
    callers = await four(made, -2, HEARTS, 0, 0)
    await trio.testing.wait_all_tasks_blocked()
    hosts = made.server.sessions.running
    began = trio.current_time()
    await made.server.hand_over()
    assert trio.current_time() - began <= HAND_OVER_LIMIT
    assert all(host.is_over and not host.has_ended for host in hosts)
    # Who connects now comes back to the next one.
    late = await made.call()
    assert await register(late) == 0
    assert await late.number() == -4
    for caller in (*callers, late):
        await caller.stream.aclose()
