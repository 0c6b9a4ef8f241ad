"""A line waits for the client, however slow the machine is."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts_conformance.line import KitLine, Silence, WaitTimes

WAITS = WaitTimes(patience=5.0, hush=0.15)


def line_that_takes(seconds: float) -> tuple[KitLine, trio.testing.MemorySendStream]:
    """A line on which each write takes a time."""

    async def wait() -> None:
        await trio.sleep(seconds)

    sending = trio.testing.MemorySendStream(send_all_hook=wait)
    line = KitLine(trio.StapledStream(sending, trio.testing.MemoryReceiveStream()), WAITS)
    line.piecewise = True
    return line, sending


async def test_each_byte_has_its_own_patience(autojump_clock: MockClock) -> None:
    line, stream = line_that_takes(0.5)
    await line.send(bytes(52))
    assert stream.get_data_nowait() == bytes(52)


async def test_a_client_that_reads_nothing_is_given_up(autojump_clock: MockClock) -> None:
    line, _ = line_that_takes(5.5)
    with pytest.raises(Silence):
        await line.send(bytes(52))
