"""A page that is a form: a title, rows of controls that scroll, a word about each, and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import urwid
from urwid.widget.widget import AbstractFlowWidget

from hearts.wire import widths
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.words.others import chat_lines, columns

from .controls import Button, Control, ControlRow, Pressable, WrongField
from .ui import SMALLEST, Page, Result

_PROBLEM_LINES = 3
_CUT = ".."
_ADVICE = "Tab, arrows: move   Enter: choose"


def cut(text: str, width: int) -> str:
    """Return a text in at most so many columns; dots say that there was more."""
    return widths.cut(text, width, _CUT, ambiguous=2)


Shortcut = tuple[str, str, Callable[[], None]]
"""A key, its label, and what it does, whatever control has the focus, unless that is typed in."""


class FormPage(Page[Result]):
    """The frame of a form. It stays until it is given a result with ``finish``."""

    def __init__(
        self,
        title: str | Sequence[tuple[Ink, str]],
        back: Result,
        *,
        leaving: str = "Back",
        ascii: bool,
        problem: str = "",
    ) -> None:
        """``back`` is what Esc gives, and ``leaving`` the word for that. ``problem`` is what went
        wrong before, shown until something is done."""
        self._shortcuts: dict[str, Callable[[], None]] = {}
        self._rows = urwid.SimpleFocusListWalker[AbstractFlowWidget]([])
        self._list = urwid.ListBox(self._rows, select_navigation=True)
        self._note = urwid.Text("")
        self._status = urwid.Text("")
        self._problem = ""
        self._bar = urwid.Columns([], dividechars=2)
        heading = [(Ink.TITLE, title)] if isinstance(title, str) else list(title)
        line = urwid.AttrMap(urwid.Divider("-" if ascii else "─"), Ink.LINE)
        header = urwid.Pile([urwid.Text(heading, align="center"), line])
        footer = urwid.Pile([self._note, self._status, self._bar])
        thumb, trough = ("#", "|") if ascii else ("┃", "│")
        bar = urwid.ScrollBar(
            self._list, thumb, trough, scroll_by_focus=True, attr=Ink.LINE, thumb_attr=Ink.STRONG
        )
        frame = urwid.Frame(urwid.Padding(bar, left=1), header, footer)
        super().__init__(_Watched(frame, self.focus_may_have_moved))
        self.show_problem(problem)
        self.keys(("esc", leaving, partial(self.finish, back)))

    def rows(self, *rows: AbstractFlowWidget) -> None:
        """Set the rows of the form; the first one that can be used gets the focus."""
        self._rows[:] = rows
        for position, widget in enumerate(rows):
            if widget.selectable():
                self._list.set_focus(position)
                break
        self._show_help()

    def keys(self, *shortcuts: Shortcut) -> None:
        """Set the keys that are shown at the bottom, if they can be clicked too."""
        self._shortcuts |= {key: action for key, _, action in shortcuts}
        hints = [_Hint(key, label, partial(self.do, action)) for key, label, action in shortcuts]
        options = self._bar.options
        advice = urwid.Text((Ink.DIM, _ADVICE), align="right", wrap="clip")
        self._bar.contents = [
            *((hint, options("given", hint.width)) for hint in hints),
            (advice, options("weight", 1)),
        ]

    def button(
        self, label: str, action: Callable[[], None], *, key: str = "", help: str = ""
    ) -> Button:
        if key:
            self._shortcuts[key] = action
        return Button(label, lambda: self.do(action), key=key, help=help)

    def do(self, action: Callable[[], None]) -> None:
        """Do something; if a field is wrong, say so and go there."""
        self.show_problem("")
        try:
            action()
        except WrongField as error:
            self.show_problem(str(error))
            self.focus_on(error.field)

    def changed(self) -> None:
        """React to typing or a choice: a fault may be mended by it."""
        self.show_problem("")

    def show_note(self, text: str) -> None:
        self._note.set_text((Ink.NOTICE, text) if text else "")

    def show_problem(self, problem: str) -> None:
        self._problem = problem
        self._show_help()

    def focus_on(self, wanted: Control) -> None:
        for position, widget in enumerate(self._rows):
            if widget is wanted:
                self._list.set_focus(position)
            elif isinstance(widget, ControlRow) and wanted in widget.controls:
                self._list.set_focus(position)
                widget.focus_position = widget.controls.index(wanted)
        self._show_help()

    @property
    def focused(self) -> Control | None:
        controls = [item for item in self._list.get_focus_widgets() if isinstance(item, Control)]
        return controls[-1] if controls else None

    def focus_may_have_moved(self) -> None:
        """Show the help of the control that has the focus now."""
        self._show_help()

    def _show_help(self) -> None:
        if self._problem:
            lines = chat_lines("", self._problem, SMALLEST[0])[:_PROBLEM_LINES]
            self._status.set_text((Ink.ALARM, "\n".join(lines)))
        else:
            self._status.set_text((Ink.DIM, self.focused.help if self.focused else ""))

    def unhandled(self, key: str) -> bool:
        action = self._shortcuts.get(key.lower() if len(key) == 1 else key)
        if action is None:
            return False
        self.do(action)
        return True


class _Watched(urwid.WidgetWrap[urwid.Frame]):  # type: ignore[type-arg]  # its parts are of any kind
    def __init__(self, frame: urwid.Frame, after: Callable[[], None]) -> None:  # type: ignore[type-arg]  # as above
        super().__init__(frame)
        self._after = after

    def keypress(self, size: tuple[int, int], key: str) -> str | None:  # type: ignore[override]  # a box
        left = self._w.keypress(size, key)
        self._after()
        return left

    def mouse_event(  # type: ignore[override]  # a box
        self, size: tuple[int, int], event: str, button: int, col: int, row: int, focus: bool
    ) -> bool | None:
        used = self._w.mouse_event(size, event, button, col, row, focus)
        self._after()
        return used


class _Hint(Pressable, urwid.WidgetWrap[urwid.Text]):
    """A key with its action, which can be clicked."""

    def __init__(self, key: str, label: str, on_press: Callable[[], None]) -> None:
        mark = f"[{key}] "
        super().__init__(urwid.Text([(Ink.KEY, mark), label]))
        self.width = columns(mark + label)
        self.on_press = on_press
