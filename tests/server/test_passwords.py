"""What the guard of the host's password writes down and logs, and how often."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from hearts.session.registration import RegistrationEnded
from hearts_server.lobby.passwords import TELL_EVERY, PasswordGuard

RIGHT = "open sesame"


async def at_once(seconds: float) -> None:
    pass


async def let_threads_end() -> None:
    """Give other threads many turns, in which a fault would show."""
    for _ in range(20):
        await trio.to_thread.run_sync(int)


async def test_each_network_that_shows_it_is_written_down_once() -> None:
    write, saved = trio.open_memory_channel[bytes](10)
    guard = PasswordGuard(
        RIGHT, save=lambda known: trio.from_thread.run_sync(write.send_nowait, known)
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(guard.run)
        for networks, address in enumerate(("192.0.2.1", "198.51.100.1", "203.0.113.1"), 1):
            await guard.check(address, RIGHT.encode(), at_once)
            assert (await saved.receive()).count(b"\n") == networks
            await let_threads_end()
            await guard.check(address, RIGHT.encode(), at_once)
            await let_threads_end()
            with pytest.raises(trio.WouldBlock):
                saved.receive_nowait()
        nursery.cancel_scope.cancel()


async def test_wrong_ones_are_told_once(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    guard = PasswordGuard(RIGHT)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(guard.run)
        for lines in (1, 2):
            with pytest.raises(RegistrationEnded):
                await guard.check("192.0.2.1", b"wrong", at_once)
            await trio.sleep(3 * TELL_EVERY)
            assert len(caplog.messages) == lines
        nursery.cancel_scope.cancel()
