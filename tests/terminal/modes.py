"""A screen of pyte that knows which private modes of the terminal are set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyte

ALTERNATE, MOUSE, PASTE, CURSOR, WHOLE = 1049, 1000, 2004, 25, 2026
"""Alternate screen, reports of the mouse and of pasting, the cursor, and pictures shown whole."""
TAKEN = frozenset({ALTERNATE, MOUSE, 1002, 1003, 1004, 1006, PASTE, WHOLE})
"""The modes that a program sets and has to take back."""


class ModalScreen(pyte.Screen):
    """A screen that knows which private modes are set; the alternate one is empty at first, and
    what was there before does not come back."""

    def __init__(self, columns: int, lines: int) -> None:
        self.private: set[int] = set()
        super().__init__(columns, lines)

    def set_mode(self, *modes: int, **options: Any) -> None:
        if options.get("private"):
            self.private.update(modes)
            self._change_screen(modes)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes: int, **options: Any) -> None:
        if options.get("private"):
            self.private.difference_update(modes)
            self._change_screen(modes)
        super().reset_mode(*modes, **options)

    def _change_screen(self, modes: Sequence[int]) -> None:
        if ALTERNATE in modes:
            self.erase_in_display(2)
