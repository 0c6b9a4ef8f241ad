"""Lines that are held back until the server has taken what we said before the game."""

from __future__ import annotations

from collections.abc import Callable

import trio

_SILENT_FOR = 1.0
"""Seconds without a refusal after which there is none, mostly."""


class HeldLines:
    """Says lines at the next word of the server, or if none comes; after a refusal never."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """``say`` prints a line."""
        self._say = say
        self._lines: list[str] = []
        self._are_held = trio.Event()

    def hold(self, lines: list[str]) -> None:
        """These are true unless the server refuses us."""
        self._lines = lines
        self._are_held.set()

    def release(self) -> None:
        """The server has said something else, or nothing for long."""
        lines, self._lines = self._lines, []
        for line in lines:
            self._say(line)

    async def run(self) -> None:
        """Release them if nothing comes."""
        await self._are_held.wait()
        await trio.sleep(_SILENT_FOR)
        self.release()
