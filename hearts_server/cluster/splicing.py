"""Two connections that are one: what either says is carried to the other."""

from __future__ import annotations

import trio

from hearts.net import Link

UNREAD = 16 * 1024
"""Bytes that wait for one end, beyond which nothing is read from the other one."""
_ALLOWED = 1 << 20
"""Bytes that may wait for an end all the same, if the other one has said them and gone."""


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
        await target.wait_sent(0)
        resting.clear()
        source.wake()

    resting: list[bool] = []
    try:
        await source.run(pass_on)
    finally:
        target.end()
