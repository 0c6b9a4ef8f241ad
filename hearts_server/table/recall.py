"""Telling a client that comes back what it missed, a little at a time.

A long session is the work of seconds. So the tables that play get their turn after every few steps
of a replay, and of all replays of a server only one goes on at a time. What was said waits for the
peer to read it, and a connection that ends is told nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import trio

from hearts.net import BACKLOG_LIMIT
from hearts.plain.seat import PlainSeat
from hearts.table import Question, TableEvent

from .client import Client, ClientSeat

STEPS_AT_ONCE = 64
"""Steps that are told before others get their turn; a hand has 53 to 57."""
BACKLOG_AT_MOST = BACKLOG_LIMIT // 2
"""Bytes that wait for the peer at most when the next steps are told to it."""
READING_LIMIT = 30.0
"""Seconds for a peer to read so much that it may be told more."""


async def tell_missed(
    client: Client,
    chair: ClientSeat,
    steps: Iterator[Sequence[TableEvent | Question]],
    turns: trio.Lock,
) -> None:
    """Tell a client what it missed, until there is no more of it or the connection ends.

    ``turns`` is held while steps are told. Nothing else runs between the last step and the return.
    """
    link = client.link
    link.allow(BACKLOG_LIMIT)
    client.recall(chair)
    is_over = False
    while not is_over and not link.ending:
        if link.backlog > BACKLOG_AT_MOST:
            await _wait_for_reader(client)
        async with turns:
            if not link.ending:
                is_over = _tell_some(client, chair, steps)
                link.flush()


def _tell_some(
    client: Client, chair: ClientSeat, steps: Iterator[Sequence[TableEvent | Question]]
) -> bool:
    """Tell a few steps; whether they were the last."""
    for count, missed in enumerate(steps, 1):
        for item in missed:
            client.link.write(chair.recall(item))
        # A choice that the next steps decide must not be taken from the client.
        choosing = isinstance(chair, PlainSeat) and chair.asked
        if count >= STEPS_AT_ONCE and not choosing:
            return False
    return True


async def _wait_for_reader(client: Client) -> None:
    """Wait until the peer has read. It may be waiting itself for somebody to read its answers."""
    link = client.link

    async def read() -> None:
        while data := await link.read():
            client.receive(data)
        link.abort(link.why_lost or "left while it was told what it had missed")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        with trio.move_on_after(READING_LIMIT) as waited:
            await link.wait_sent(BACKLOG_AT_MOST)
        nursery.cancel_scope.cancel()
    if waited.cancelled_caught:
        link.abort(f"too far behind: {link.backlog} bytes unsent")
