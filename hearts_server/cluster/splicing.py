"""Two connections that are one: what either says is carried to the other."""

from __future__ import annotations

import trio

from hearts.net import Link

UNREAD = 16 * 1024
"""Bytes that wait for one end, beyond which nothing is read from the other one."""
_ALLOWED = 1 << 20
"""Bytes that may wait for an end all the same, if the other one has said them and gone."""
TAKE_LIMIT = 60.0
"""Seconds in which an end has to take what waits for it, once the other one is not read."""


async def splice(client: Link, owner: Link) -> None:
    """Own two connections, and carry bytes both ways until both have ended.

    Who says more than the other end reads is not read for a while. If one ends, the other one is
    ended in order.
    """
    client.allow(_ALLOWED)
    owner.allow(_ALLOWED)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_carry, client, owner, nursery)
        await _carry(owner, client, nursery)


async def all_taken(link: Link) -> None:
    """Wait until an end has taken all that waits for it, or is gone; it is given up if it takes too
    long, for nobody may notice that the other one is gone."""
    with trio.move_on_after(TAKE_LIMIT) as waited:
        await link.wait_sent(0)
    if waited.cancelled_caught:
        link.abort(f"{link.backlog} bytes not taken within {TAKE_LIMIT:g} s")


async def _carry(source: Link, target: Link, nursery: trio.Nursery) -> None:
    def pass_on(data: bytes) -> None:
        target.write(data)
        target.flush()
        # Some clients hold their next bytes back until these are confirmed.
        source.quick_ack()
        if target.backlog > UNREAD and not resting:
            resting.append(True)
            source.rest()
            nursery.start_soon(read_on)

    async def read_on() -> None:
        await all_taken(target)
        resting.clear()
        source.wake()

    resting: list[bool] = []
    try:
        await source.run(pass_on)
    finally:
        target.end()
