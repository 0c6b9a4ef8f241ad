"""Lines from a descriptor, and the reminders of the clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts_client.lines.keyboard import LONGEST_LINE, read_lines
from hearts_client.lines.turn_reminder import TurnClock


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe: where to read and where to write."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


async def lines_of(descriptor: int) -> list[str]:
    send, receive = trio.open_memory_channel[str](1)
    lines: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_lines, descriptor, send)
        lines += [line async for line in receive]
    return lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"qs\n/say hi\n\n", ["qs", "/say hi", ""]),
        (b"no end", ["no end"]),
        (b"dos\r\n", ["dos"]),
        ("Q♠\n".encode(), ["Q♠"]),
        (b"\xff\xfe\n", ["\ufffd\ufffd"]),
        (b"x" * (LONGEST_LINE + 3) + b"\ny\n", ["x" * LONGEST_LINE, "xxx", "y"]),
    ],
)
async def test_lines(data: bytes, lines: list[str], tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(data)
    descriptor = os.open(file, os.O_RDONLY)
    try:
        assert await lines_of(descriptor) == lines
    finally:
        os.close(descriptor)


async def test_a_line_in_pieces(pipe: tuple[int, int]) -> None:
    send, receive = trio.open_memory_channel[str](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_lines, pipe[0], send)
        for piece in (b"Q\xe2\x99", b"\xa0\nK", b"S\n"):
            os.write(pipe[1], piece)
        assert await receive.receive() == "Q♠"
        assert await receive.receive() == "KS"
        os.close(pipe[1])
        with pytest.raises(trio.EndOfChannel):
            await receive.receive()


async def test_waiting_for_a_line_can_be_cancelled(pipe: tuple[int, int]) -> None:
    send, receive = trio.open_memory_channel[str](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(read_lines, pipe[0], send)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    with pytest.raises(trio.EndOfChannel):
        await receive.receive()
    os.close(pipe[1])


async def test_a_descriptor_that_is_gone(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    assert await lines_of(pipe[0]) == []


async def said_in(seconds: float, limit: int, autojump_clock: object) -> list[tuple[float, str]]:
    began = trio.current_time()
    said: list[tuple[float, str]] = []
    clock = TurnClock(lambda line: said.append((trio.current_time() - began, line)))
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clock.run)
            await trio.sleep(1)
            clock.start_own(limit)
    assert clock.seconds == int(seconds - 1)
    return said


@pytest.mark.parametrize(
    ("limit", "reminders"),
    [
        (60, [(41, "20 seconds left."), (56, "5 seconds left.")]),
        (30, [(26, "5 seconds left.")]),
        (3, []),
        (0, []),
    ],
)
async def test_reminders(
    limit: int, reminders: list[tuple[float, str]], autojump_clock: object
) -> None:
    assert await said_in(100, limit, autojump_clock) == reminders


async def test_it_says_when_the_bank_begins_to_be_used(autojump_clock: object) -> None:
    said: list[str] = []
    clock = TurnClock(said.append)
    with trio.move_on_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clock.run)
            await trio.sleep(1)
            clock.start_own(28, 10.0, lambda: "the bank")
    assert said == ["the bank", "5 seconds left."]


async def test_a_new_turn_forgets_the_reminders_of_the_one_before(autojump_clock: object) -> None:
    said: list[str] = []
    clock = TurnClock(said.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.run)
        clock.start_other(lambda: "Waiting for Bob.")
        await trio.sleep(3)
        clock.start_other(lambda: "Waiting for Cleo.")
        await trio.sleep(3.5)
        assert said == []
        await trio.sleep(3)
        assert said == ["Waiting for Cleo."]
        clock.start_own(15)
        await trio.sleep(1)
        clock.start_other(lambda: "Waiting for Dan.")
        await trio.sleep(100)
        assert said == ["Waiting for Cleo.", "Waiting for Dan."]
        nursery.cancel_scope.cancel()
