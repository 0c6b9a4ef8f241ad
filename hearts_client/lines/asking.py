"""Asking for the host's password at a terminal."""

from __future__ import annotations

import contextlib
import os
import termios
from collections.abc import Callable, Iterator

import trio

_STDIN = 0


def can_ask() -> bool:
    """Whether somebody can type something that nobody else sees."""
    return os.isatty(_STDIN)


async def ask_password(
    lines: trio.MemoryReceiveChannel[str], say: Callable[[str], None], *, is_wrong: bool
) -> str:
    """What is typed, unseen; empty for nothing. ``lines`` are those of the terminal.

    ``is_wrong`` is for whoever has typed one already.
    """
    with _unseen():
        if is_wrong:
            say("That is not the password. Type it again, or Enter alone to give up:")
        else:
            say("The host asks for a password. Type it; it is not shown:")
        try:
            return await lines.receive()
        except trio.EndOfChannel:
            return ""


@contextlib.contextmanager
def _unseen() -> Iterator[None]:
    before = termios.tcgetattr(_STDIN)
    quiet = termios.tcgetattr(_STDIN)
    # The end of a line is still shown, so that the next one begins if it should.
    quiet[3] = quiet[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(_STDIN, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        # A terminal that is gone has no setting to go back to.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(_STDIN, termios.TCSADRAIN, before)
