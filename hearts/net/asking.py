"""Asks a bot in a process of its own: one question, one answer (:mod:`hearts.bots.bot_frames`)."""

from __future__ import annotations

import sys

import trio

from hearts.bots.bot_frames import HEADER, frame


def thinking_command(levels: str, seconds: float, worlds: int = 0) -> list[str]:
    """Return the command of a process that answers as levels play, with commas between them.

    ``seconds`` is the time for an answer. ``worlds`` is the number of worlds to look at for a card;
    0 for as many as the level has.
    """
    module = "hearts.net.thinking_process"
    return [sys.executable, "-m", module, levels, str(seconds), str(worlds)]


async def ask(process: trio.Process, body: bytes) -> bytes | None:
    """Ask a process; return the body of its answer, or None if it has died."""
    assert process.stdin is not None
    try:
        await process.stdin.send_all(frame(body))
    except trio.BrokenResourceError:
        return None
    return await receive(process)


async def receive(process: trio.Process) -> bytes | None:
    """Return the next body that a process says; None if it has ended."""
    assert process.stdout is not None
    data = b""
    while len(data) < HEADER or len(data) < HEADER + int.from_bytes(data[:HEADER]):
        more = await process.stdout.receive_some(4096)
        if not more:
            return None
        data += more
    return data[HEADER:]
