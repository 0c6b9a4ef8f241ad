"""One line of text while it is being typed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from hearts.taunt.messages import TAUNT_LIMIT
from hearts.wire.text import has_no_width, is_legible

FULL = "The line is full."
REFUSED = "That character cannot be sent."
_HISTORY = 50
_SAME = {
    "ctrl a": "home",
    "ctrl e": "end",
    "meta b": "ctrl left",
    "meta f": "ctrl right",
    "meta left": "ctrl left",
    "meta right": "ctrl right",
    "meta backspace": "ctrl w",
}
_DELETES = {
    "backspace": "left",
    "delete": "right",
    "ctrl u": "home",
    "ctrl k": "end",
    "ctrl w": "ctrl left",
    "meta d": "ctrl right",
}
"""Keys that delete as far as another one goes."""


class LineEditor:
    """A line with a cursor, and the lines that were typed before.

    Keys are named as urwid names them. The cursor never stands between a character and the marks
    that combine with it.
    """

    def __init__(self, limit: int = TAUNT_LIMIT) -> None:
        """``limit`` is in bytes of UTF-8."""
        self.text = ""
        self.cursor = 0
        self._limit = limit
        self._history: deque[str] = deque(maxlen=_HISTORY)
        self._back = 0
        self._draft = ""
        self._places: dict[str, Callable[[], int]] = {
            "left": self._step_left,
            "right": self._step_right,
            "home": lambda: 0,
            "end": lambda: len(self.text),
            "ctrl left": self._word_left,
            "ctrl right": self._word_right,
        }

    def key(self, key: str) -> str:
        """Do what a key stands for, if it is one of an editor; say why if it cannot be typed."""
        key = _SAME.get(key, key)
        if key in self._places:
            self.cursor = self._places[key]()
        elif key in _DELETES:
            self._delete_to(self._places[_DELETES[key]]())
        elif key in ("up", "down"):
            self._remember(self._back + (1 if key == "up" else -1))
        elif len(key) == 1:
            return self._insert(key)
        return ""

    def put(self, text: str) -> None:
        """Replace the line, as far as there is room."""
        self.text = ""
        self.cursor = 0
        for character in text:
            self._insert(character)

    def take(self) -> str:
        """Return the line and remember it; an empty one begins."""
        taken = self.text
        if taken and (not self._history or self._history[-1] != taken):
            self._history.append(taken)
        self.put("")
        self._back = 0
        return taken

    def _insert(self, character: str) -> str:
        text = self.text[: self.cursor] + character + self.text[self.cursor :]
        if not is_legible(text) or (has_no_width(character) and not self.cursor):
            return REFUSED
        if len(text.encode()) > self._limit:
            return FULL
        self.text = text
        self.cursor += 1
        return ""

    def _delete_to(self, cursor: int) -> None:
        first, last = sorted((cursor, self.cursor))
        self.text = self.text[:first] + self.text[last:]
        self.cursor = first

    def _step_left(self) -> int:
        cursor = max(self.cursor - 1, 0)
        while cursor and has_no_width(self.text[cursor]):
            cursor -= 1
        return cursor

    def _step_right(self) -> int:
        cursor = min(self.cursor + 1, len(self.text))
        while cursor < len(self.text) and has_no_width(self.text[cursor]):
            cursor += 1
        return cursor

    def _word_left(self) -> int:
        before = self.text[: self.cursor].rstrip()
        return len(before) - len(before.split(" ")[-1])

    def _word_right(self) -> int:
        after = self.text[self.cursor :]
        gap = len(after) - len(after.lstrip())
        return self.cursor + gap + len(after[gap:].split(" ")[0])

    def _remember(self, back: int) -> None:
        """Show a line of the history, counted from the latest; 0 is what was being typed."""
        if not 0 <= back <= len(self._history):
            return
        if not self._back:
            self._draft = self.text
        self._back = back
        self.put(self._history[-back] if back else self._draft)
