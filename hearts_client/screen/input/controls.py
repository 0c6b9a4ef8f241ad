"""The pieces of a form: something to press, a line to type, a tick, a choice of several."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Generic, TypeVar

import urwid
from urwid.command_map import Command
from urwid.util import is_mouse_press

from hearts.errors import HeartsError
from hearts.wire.text import is_legible
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.words.others import columns

LABEL_WIDTH = 12
"""Columns for the words before a line or a choice."""
_GAP = 2
_LEFT_BUTTON = 1
_UNFOCUSED, _FOCUSED = "  ", "> "

T = TypeVar("T")
Size = tuple[()] | tuple[int] | tuple[int, int]
"""A size as urwid has it; empty for a widget that has a width of its own."""


_EDITING_KEYS = urwid.command_map.copy()
_EDITING_KEYS.update(
    {
        "ctrl a": Command.MAX_LEFT,
        "ctrl e": Command.MAX_RIGHT,
        "ctrl u": Command.DELETE_TO_LINE_START,
        "ctrl k": Command.DELETE_TO_LINE_END,
        "ctrl w": Command.DELETE_WORD_LEFT,
    }
)


class WrongField(HeartsError):
    def __init__(self, field: Field, why: str) -> None:
        super().__init__(why)
        self.field = field


class Control(urwid.WidgetWrap[urwid.Widget]):
    """A piece of a form, of one line; ``help`` is a word about it for while it has the keys."""

    def __init__(self, widget: urwid.Widget, width: int, help: str) -> None:
        super().__init__(widget)
        self.width = width
        """Columns that it needs in a row of several."""
        self.help = help

    def rows(self, size: tuple[int], focus: bool = False) -> int:
        # It is asked for often, and urwid would look into every part for the answer.
        return 1


class Pressable:
    """Lets Enter, Space and a click press a widget."""

    on_press: Callable[[], None]
    is_met_first = False
    """True if the first click only gives it the keys."""

    def keypress(self, size: Size, key: str) -> str | None:
        if urwid.command_map[key] != Command.ACTIVATE:
            return key
        self.on_press()
        return None

    def mouse_event(
        self, size: Size, event: str, button: int, col: int, row: int, focus: bool
    ) -> bool:
        if button != _LEFT_BUTTON or not is_mouse_press(event):
            return False
        if focus or not self.is_met_first:
            self.on_press()
        return True


class Button(Pressable, Control):
    def __init__(
        self, label: str, on_press: Callable[[], None], *, key: str = "", help: str = ""
    ) -> None:
        """``key`` is shown before the label; the page has to listen to it."""
        mark = f"[{key}] " if key else ""
        calm = urwid.SelectableIcon(
            [(Ink.BUTTON, _UNFOCUSED), (Ink.KEY, mark), (Ink.BUTTON, label)], wrap="clip"
        )
        super().__init__(calm, columns(_UNFOCUSED + mark + label), help)
        self._focused = urwid.SelectableIcon(
            (Ink.BUTTON_FOCUS, _FOCUSED + mark + label), wrap="clip"
        )
        self.on_press = on_press

    def render(self, size: Size, focus: bool = False) -> urwid.Canvas:
        return (self._focused if focus else self._w).render(size, focus)


class _LineEdit(urwid.Edit):
    """A line that is typed; it never gives away a character that does not fit."""

    _command_map = _EDITING_KEYS

    def __init__(
        self, text: str, limit: int, mask: str | None, on_enter: Callable[[], None] | None
    ) -> None:
        super().__init__(edit_text=text, wrap="clip", mask=mask)
        self._limit = limit
        self._on_enter = on_enter

    def keypress(self, size: tuple[int], key: str) -> str | None:  # type: ignore[override]  # as in urwid
        if key == "enter":
            if self._on_enter is None:
                return "tab"
            self._on_enter()
            return None
        if self.valid_char(key):
            typed, _ = self.insert_text_result(key)
            taken = len(str(typed).encode("utf-8", "replace"))
            if taken > self._limit or not is_legible(str(typed)):
                return None
        return super().keypress(size, key)


class Field(Control):
    def __init__(
        self,
        label: str,
        text: str,
        width: int,
        limit: int,
        on_change: Callable[[], None],
        help: str,
        *,
        on_enter: Callable[[], None] | None = None,
        after: str = "",
        secret: bool = False,
    ) -> None:
        """``width`` is in columns, ``limit`` in bytes. What is secret is not shown.

        Enter goes to the next control, or does what ``on_enter`` says.
        """
        self.name = label
        self._is_secret = secret
        self._line = _LineEdit(text, limit, "*" if secret else None, on_enter)
        urwid.connect_signal(self._line, "postchange", lambda *_: on_change())
        parts: list[tuple[int, urwid.Widget]] = [
            (LABEL_WIDTH, urwid.Text(label, wrap="clip")),
            (1, urwid.Text("[")),
            (width, urwid.AttrMap(self._line, Ink.FIELD)),
            (1, urwid.Text("]")),
        ]
        if after:
            parts.append((1 + columns(after), urwid.Text((Ink.DIM, " " + after), wrap="clip")))
        super().__init__(urwid.Columns(parts), sum(taken for taken, _ in parts), help)

    @property
    def text(self) -> str:
        return str(self._line.edit_text)

    @text.setter
    def text(self, text: str) -> None:
        self._line.set_edit_text(text)
        self._line.set_edit_pos(len(text))

    def read(self, reader: Callable[[str], T]) -> T:
        """Give what is typed, as a type for argparse reads it. Raises WrongField.

        Blanks at its ends do not count, unless it is secret.
        """
        try:
            return reader(self.text if self._is_secret else self.text.strip())
        except argparse.ArgumentTypeError as error:
            raise WrongField(self, f"{self.name}: {error}") from None


def or_empty(reader: Callable[[str], T]) -> Callable[[str], T | None]:
    """Return a reader of a field that may be empty, which is None."""
    return lambda text: reader(text) if text else None


class _Box(Pressable, urwid.SelectableIcon):  # type: ignore[misc]  # it has a use for keys
    """A mark between brackets, with words: a check box or a radio button.

    Those of urwid are made of columns each, and a form of thirty takes its time to be drawn.
    """

    def __init__(
        self, brackets: tuple[str, str], label: str, on: bool, on_press: Callable[[], None]
    ) -> None:
        super().__init__("", cursor_position=1, wrap="clip")
        self._brackets = brackets
        self._label = label
        self.on_press = on_press
        self.width = columns("[ ] " + label)
        self.mark(on)

    def mark(self, on: bool) -> None:
        left, right = self._brackets
        self.set_text(f"{left}{'X' if on else ' '}{right} {self._label}")


class TickBox(Control):
    def __init__(
        self, label: str, on: bool, on_change: Callable[[], None], *, help: str = ""
    ) -> None:
        self.value = on
        self._on_change = on_change
        self._box = _Box(("[", "]"), label, on, self._turn)
        super().__init__(
            urwid.AttrMap(self._box, Ink.BUTTON, Ink.BUTTON_FOCUS), self._box.width, help
        )

    def _turn(self) -> None:
        self.set(not self.value)
        self._on_change()

    def set(self, on: bool) -> None:
        """Set the value without a call of ``on_change``."""
        self.value = on
        self._box.mark(on)


class Choice(Control, Generic[T]):
    def __init__(
        self,
        label: str,
        options: Sequence[tuple[str, T]],
        value: T,
        on_change: Callable[[], None],
        *,
        help: str = "",
    ) -> None:
        """``options`` are words with the value of each. ``value`` may be none of these values."""
        self.value = value
        self._on_change = on_change
        self._boxes = [
            (option, _Box(("(", ")"), words, option == value, partial(self._choose, option)))
            for words, option in options
        ]
        parts: list[tuple[int, urwid.Widget]] = [
            (LABEL_WIDTH - _GAP, urwid.Text(label, wrap="clip"))
        ]
        parts += [
            (box.width, urwid.AttrMap(box, Ink.BUTTON, Ink.BUTTON_FOCUS)) for _, box in self._boxes
        ]
        self._columns = urwid.Columns(parts, dividechars=_GAP)
        total = sum(width for width, _ in parts) + _GAP * len(self._boxes)
        super().__init__(self._columns, total, help)
        self.set(value)

    def _choose(self, option: T) -> None:
        if option != self.value:
            self.set(option)
            self._on_change()

    def set(self, value: T) -> None:
        """Set the value without a call of ``on_change``."""
        self.value = value
        for place, (option, box) in enumerate(self._boxes, 1):
            box.mark(option == value)
            if option == value:
                self._columns.focus_position = place


def in_rows(options: Iterable[tuple[str, T]], room: int) -> list[list[tuple[str, T]]]:
    """Share out options among rows of ``room`` columns, with a gap after the last option."""
    rows: list[list[tuple[str, T]]] = []
    left = 0
    for words, value in options:
        width = text_width(f"( ) {words}", ambiguous=2) + _GAP
        if width > left:
            rows.append([])
            left = room
        rows[-1].append((words, value))
        left -= width
    return rows


class ControlRow(urwid.Columns):
    def __init__(self, *controls: Control) -> None:
        super().__init__(
            [(control.width, control) for control in controls],
            dividechars=_GAP,
            select_navigation=True,
        )
        self.controls = controls

    def rows(self, size: Size, focus: bool = False) -> int:
        return 1
