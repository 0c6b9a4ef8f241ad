"""The tasks of a table: its clock, its watchers' rest, and telling what somebody missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

import trio

from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Recall
from hearts.net import BACKLOG_LIMIT, Link
from hearts.table import Effect

BACKLOG_AT_MOST = BACKLOG_LIMIT // 2
"""Bytes that wait for the peer at most when it is told more of what it missed."""
READING_LIMIT = 30.0
"""Seconds for a peer to read so much that it may be told more."""


async def run_table(
    table: HostedTable, effects: Sequence[Effect], before_clocks: Callable[[], None] = lambda: None
) -> None:
    """Let a table play until it is over; ``effects`` are those of its start.

    ``before_clocks`` is called before time is up for anybody. When the table is over, watchers may
    have something to see for a while still.
    """
    table.begin(effects)
    while not table.is_over:
        with trio.CancelScope(deadline=table.due) as table.alarm:
            await trio.sleep_forever()
        before_clocks()
        if not table.is_over:
            table.wake(trio.current_time())


async def let_watchers_go(table: HostedTable) -> None:
    """Show those who watch what is still to come, and let them go."""
    watchers = table.watchers
    watchers.close()
    while watchers.due < inf:
        await trio.sleep_until(watchers.due)
        watchers.show(trio.current_time())
    watchers.dismiss()


async def tell_missed(recall: Recall, link: Link, turns: trio.Lock) -> None:
    """Tell a client what it missed over its new link, until it knows all or the link ends.

    Of all replays of a server only one goes on at a time: it has ``turns`` while it tells. What was
    said waits for the peer to read it. Nothing else runs between the last step and the return.
    """
    link.allow(BACKLOG_LIMIT)
    while not recall.is_over:
        if link.backlog > BACKLOG_AT_MOST:
            await _wait_for_reader(recall, link)
        async with turns:
            recall.tell_some()


async def _wait_for_reader(recall: Recall, link: Link) -> None:
    """Wait until the peer has read. It may be waiting itself for somebody to read its answers."""

    async def read() -> None:
        while data := await link.read():
            recall.client.receive(data)
        link.abort(link.why_lost or "left while it was told what it had missed")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        with trio.move_on_after(READING_LIMIT) as waited:
            await link.wait_sent(BACKLOG_AT_MOST)
        nursery.cancel_scope.cancel()
    if waited.cancelled_caught:
        link.abort(f"too far behind: {link.backlog} bytes unsent")
