"""What the guard of the host's password writes down and logs, and which networks it knows."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from hearts.session.registration import RegistrationEnded
from hearts_server.lobby.passwords import (
    KNOWN_FOR,
    LOG_EVERY,
    MOST_KNOWN,
    KnownNetworks,
    PasswordGuard,
)

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
            await trio.sleep(3 * LOG_EVERY)
            assert len(caplog.messages) == lines
        nursery.cancel_scope.cancel()


# Networks that know it, with time handed in

SECRET = bytes(range(32))
ANN, BOB = "192.0.2.1", "2001:db8::/64"
DAY = 86400.0
NOW = 1_800_000_000.7


def made(password: bytes = b"fish", stored: bytes = b"", secret: bytes = SECRET) -> KnownNetworks:
    return KnownNetworks(secret, password, stored)


def test_a_network_is_known_for_seven_days_after_the_last_time() -> None:
    known = made()
    assert not known.knows(ANN, NOW)
    assert known.add(ANN, NOW)
    assert known.knows(ANN, NOW)
    assert not known.knows(BOB, NOW)
    assert not known.knows(ANN, NOW + KNOWN_FOR)
    assert not known.add(ANN, NOW + DAY / 2)
    assert known.add(ANN, NOW + 2 * DAY)
    assert known.knows(ANN, NOW + KNOWN_FOR + DAY)


def test_a_clock_that_is_put_back_lets_nobody_through_for_ever() -> None:
    known = made()
    known.add(ANN, NOW + 1000 * DAY)
    assert not known.knows(ANN, NOW)
    assert known.add(ANN, NOW)
    assert known.knows(ANN, NOW)


def test_what_is_stored_holds_for_this_password_and_this_secret_alone() -> None:
    known = made()
    known.add(ANN, NOW)
    known.add(BOB, NOW)
    stored = known.to_bytes()
    again = made(stored=stored)
    assert again.knows(ANN, NOW)
    assert again.knows(BOB, NOW)
    assert again.to_bytes() == stored
    assert ANN.encode() not in stored
    assert not made(b"meat", stored).knows(ANN, NOW)
    assert not made(stored=stored, secret=bytes(32)).knows(ANN, NOW)


def test_lines_that_make_no_sense_are_passed_over() -> None:
    known = made()
    known.add(ANN, NOW)
    stored = known.to_bytes()
    noise = b"\xff\x00 1\n\n" + b"0" * 32 + b" x\n" + b"0" * 32 + b" " + b"9" * 400 + b"\nabc 12\n"
    again = made(stored=noise + stored + noise)
    assert len(again) == 1
    assert again.knows(ANN, NOW)


def test_there_are_never_too_many_and_old_ones_go() -> None:
    known = made()
    for number in range(MOST_KNOWN + 10):
        known.add(f"10.0.{number // 256}.{number % 256}", NOW)
    assert len(known) == MOST_KNOWN
    assert len(made(stored=known.to_bytes() + known.to_bytes())) == MOST_KNOWN
    known.add(ANN, NOW + KNOWN_FOR)
    assert len(known) == 1
