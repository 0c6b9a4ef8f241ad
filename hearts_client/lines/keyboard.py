"""Lines from standard input, a terminal, a pipe or a file; and a password, unseen."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable

import trio

from hearts.net.system import unseen

_STDIN = 0
LONGEST_LINE = 4096
"""Characters of a line; the rest of a longer one counts as the next line."""


async def read_lines(
    descriptor: int, lines: trio.MemorySendChannel[str], *, in_thread: bool = True
) -> None:
    """Hand over each line without its end; close the channel at the end of the input.

    A thread does the reading, because a terminal that is set not to block stays so for later
    programs, and a file cannot be waited for. It reads from the descriptor itself: Python's own
    standard input holds a lock that a thread left behind would keep at exit. A terminal of our own
    needs no thread.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    async with lines:
        while True:
            data = await _read(descriptor, in_thread=in_thread)
            text += decoder.decode(data, final=not data)
            while "\n" in text or len(text) > LONGEST_LINE:
                line, newline, rest = text.partition("\n")
                too_much = line[LONGEST_LINE:]
                text = too_much + newline + rest if too_much else rest
                await lines.send(line[:LONGEST_LINE].rstrip("\r"))
            if not data:
                if text:
                    await lines.send(text)
                return


async def _read(descriptor: int, *, in_thread: bool) -> bytes:
    try:
        if not in_thread:
            await trio.lowlevel.wait_readable(descriptor)
            return os.read(descriptor, 4096)
        return await trio.to_thread.run_sync(os.read, descriptor, 4096, abandon_on_cancel=True)
    except OSError:
        # The terminal is gone.
        return b""


def can_ask() -> bool:
    """Return True if somebody can type something that nobody else sees."""
    return os.isatty(_STDIN)


async def ask_password(
    lines: trio.MemoryReceiveChannel[str], say: Callable[[str], None], *, is_wrong: bool
) -> str:
    """Ask for a password that is typed unseen; empty for none. ``lines`` are the terminal's.

    ``is_wrong`` says that one was typed already, and was not the password.
    """
    with unseen(_STDIN):
        if is_wrong:
            say("That is not the password. Type it again, or Enter alone to give up:")
        else:
            say("The host asks for a password. Type it; it is not shown:")
        try:
            return await lines.receive()
        except trio.EndOfChannel:
            return ""
