"""One line of text while it is being typed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum, auto

from hearts.taunt import TAUNT_LIMIT
from hearts.wire.text import has_no_width, is_legible

_HISTORY = 50
"""Lines that are remembered."""


class Edit(Enum):
    """The outcome of a key."""

    DONE = auto()
    """It was for the line, even where nothing was left to do."""
    FULL = auto()
    """The line has no room for it."""
    REFUSED = auto()
    """A character that no line may hold."""
    UNUSED = auto()
    """It is no key of an editor."""


class LineEditor:
    """A line with a cursor, and the lines that were typed before.

    Keys are named as urwid names them. The cursor never stands between a character and the marks
    that combine with it.
    """

    def __init__(self, limit: int = TAUNT_LIMIT) -> None:
        """``limit`` is in bytes of UTF-8."""
        self.text = ""
        self.cursor = 0
        """The number of characters before it."""
        self._limit = limit
        self._history: deque[str] = deque(maxlen=_HISTORY)
        self._back = 0
        self._draft = ""
        self._keys: dict[str, Callable[[], None]] = {
            "backspace": lambda: self._delete_to(self._step_left()),
            "delete": lambda: self._delete_to(self._step_right()),
            "left": lambda: self._go(self._step_left()),
            "right": lambda: self._go(self._step_right()),
            "home": lambda: self._go(0),
            "end": lambda: self._go(len(self.text)),
            "up": lambda: self._remember(self._back + 1),
            "down": lambda: self._remember(self._back - 1),
            "ctrl left": lambda: self._go(self._word_left()),
            "ctrl right": lambda: self._go(self._word_right()),
            "ctrl u": lambda: self._delete_to(0),
            "ctrl k": lambda: self._delete_to(len(self.text)),
            "ctrl w": lambda: self._delete_to(self._word_left()),
            "meta d": lambda: self._delete_to(self._word_right()),
        }
        for other, same in (
            ("ctrl a", "home"),
            ("ctrl e", "end"),
            ("meta b", "ctrl left"),
            ("meta f", "ctrl right"),
            ("meta left", "ctrl left"),
            ("meta right", "ctrl right"),
            ("meta backspace", "ctrl w"),
        ):
            self._keys[other] = self._keys[same]

    def key(self, key: str) -> Edit:
        """Do what a key stands for."""
        if key in self._keys:
            self._keys[key]()
            return Edit.DONE
        return self._insert(key) if len(key) == 1 else Edit.UNUSED

    def put(self, text: str) -> None:
        """Replace the line, as far as there is room."""
        self.text = ""
        self.cursor = 0
        for character in text:
            self._insert(character)

    def take(self) -> str:
        """The line, which is remembered; an empty one begins."""
        taken = self.text
        if taken and (not self._history or self._history[-1] != taken):
            self._history.append(taken)
        self.put("")
        self._back = 0
        return taken

    def _insert(self, character: str) -> Edit:
        text = self.text[: self.cursor] + character + self.text[self.cursor :]
        if not is_legible(text) or (has_no_width(character) and not self.cursor):
            return Edit.REFUSED
        if len(text.encode()) > self._limit:
            return Edit.FULL
        self.text = text
        self.cursor += 1
        return Edit.DONE

    def _go(self, cursor: int) -> None:
        self.cursor = cursor

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
