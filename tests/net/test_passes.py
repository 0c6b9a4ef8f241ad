"""How long a pass of the event loop goes on."""

from __future__ import annotations

import trio

from hearts.net.passes import LoopPass


async def test_a_pass_is_long_until_the_next_one() -> None:
    now = 0.0
    measured = LoopPass(0.02, lambda: now)
    trio.lowlevel.add_instrument(measured)
    await trio.lowlevel.checkpoint()
    assert not measured.is_long()
    now += 0.019
    assert not measured.is_long()
    now += 0.002
    assert measured.is_long()
    await trio.lowlevel.checkpoint()
    assert not measured.is_long()
