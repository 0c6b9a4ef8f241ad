"""What the servers say in words, over the game's connection and over that of the chat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

_KEPT = 8
"""Notices that may still come over the other connection too."""


class Notices:
    """Tells each notice once, though the server may send it over both connections."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._unpaired: deque[tuple[bool, str]] = deque(maxlen=_KEPT)
        """What came over one connection, and whether that was the chat's."""

    def skip(self, text: str) -> None:
        """What the chat says with these words is told from the game."""
        if (True, text) in self._unpaired:
            self._unpaired.remove((True, text))
        else:
            self._unpaired.append((False, text))

    def hear(self, text: str, *, in_chat: bool) -> None:
        """A notice has come."""
        if (not in_chat, text) in self._unpaired:
            self._unpaired.remove((not in_chat, text))
            return
        self._unpaired.append((in_chat, text))
        self._tell(text)
