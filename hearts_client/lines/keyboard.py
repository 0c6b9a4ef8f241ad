"""Lines from standard input, whatever it is: a terminal, a pipe or a file."""

from __future__ import annotations

import codecs
import os

import trio

LONGEST_LINE = 4096
"""Characters of a line; the rest of a longer one counts as the next line."""


async def read_lines(descriptor: int, lines: trio.MemorySendChannel[str]) -> None:
    """Hand over each line without its end; close the channel at the end of the input.

    A thread does the reading, for a terminal that is set not to block stays so for the programs
    after us, and a file cannot be waited for. It reads from the descriptor itself: Python's own
    standard input holds a lock that a thread left behind would keep at exit.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    async with lines:
        while True:
            data = await _read(descriptor)
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


async def _read(descriptor: int) -> bytes:
    try:
        return await trio.to_thread.run_sync(os.read, descriptor, 4096, abandon_on_cancel=True)
    except OSError:
        # The terminal is gone.
        return b""
