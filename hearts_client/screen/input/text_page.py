"""Text that fills the screen: help, rules, scores, what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink
from hearts_client.screen.pictures.sights import OnButton
from hearts_client.words.others import chat_lines

from .canvas_widget import WHEEL_DOWN, WHEEL_UP, CanvasWidget
from .ui import Page

Line = str | tuple[str, Ink]

TEXT_COLUMNS = 78
"""Columns that a line may have; a longer one is broken."""
_ABOVE = 2
_BELOW = 2
_WHEEL_ROWS = 3
_BACK = "esc"


class TextPage(Page[None]):
    """A title and lines, scrolled if they are more than the screen holds."""

    def __init__(
        self, title: str, lines: Sequence[Line], *, ascii: bool = False, closing: str = "q"
    ) -> None:
        """The title is ours; lines from others are fit to be shown. ``ascii`` is for the rules.

        ``closing`` is a key that closes it, beside those that close every page.
        """
        self._closing = closing
        self._title = title
        self._rows = [row for line in lines for row in _rows_of(line)]
        self._ascii = ascii
        self._top = 0
        self._room = 1
        self._canvas_widget = CanvasWidget(self._draw, self._key, self._click)
        super().__init__(self._canvas_widget)

    def _key(self, key: str) -> bool:
        match key:
            case "esc" | "enter" | "q":
                self.finish(None)
            case _ if key == self._closing:
                self.finish(None)
            case "up":
                self._scroll(-1)
            case "down":
                self._scroll(1)
            case "page up":
                self._scroll(1 - self._room)
            case "page down" | " ":
                self._scroll(self._room - 1)
            case "home":
                self._scroll(-len(self._rows))
            case "end":
                self._scroll(len(self._rows))
            case _:
                return False
        return True

    def _click(self, target: object | None, button: int) -> None:
        if button == WHEEL_UP:
            self._scroll(-_WHEEL_ROWS)
        elif button == WHEEL_DOWN:
            self._scroll(_WHEEL_ROWS)
        elif target == OnButton(_BACK):
            self.finish(None)

    def _scroll(self, rows: int) -> None:
        self._top += rows
        self._keep_within()
        self._canvas_widget.changed()

    def _keep_within(self) -> None:
        self._top = max(0, min(self._top, len(self._rows) - self._room))

    def _draw(self, size: tuple[int, int]) -> Canvas:
        width, height = size
        canvas = Canvas(width, height)
        self._room = max(height - _ABOVE - _BELOW, 1)
        self._keep_within()
        margin = max((width - TEXT_COLUMNS) // 2, 0)
        rule = ("-" if self._ascii else "─") * width
        canvas.put(0, 0, rule, Ink.LINE)
        canvas.put(margin, 0, f" {self._title} ", Ink.TITLE)
        for row, (text, ink) in enumerate(self._rows[self._top : self._top + self._room]):
            canvas.put(margin, _ABOVE + row, text, ink)
        canvas.put(0, height - 2, rule, Ink.LINE)
        self._draw_hints(canvas, margin)
        return canvas

    def _draw_hints(self, canvas: Canvas, margin: int) -> None:
        row = canvas.height - 1
        end = canvas.put(margin, row, "Esc", Ink.KEY)
        end = canvas.put(end, row, " back")
        canvas.region(Box(margin, row, end - margin, 1), OnButton(_BACK))
        count = len(self._rows)
        if count <= self._room:
            return
        for keys, label in (("Up Down PgUp PgDn", " scroll"), ("Home End", " first, last")):
            end = canvas.put(end + 3, row, keys, Ink.KEY)
            end = canvas.put(end, row, label)
        last = min(self._top + self._room, count)
        where = f"{self._top + 1}-{last} of {count}"
        canvas.put(margin + TEXT_COLUMNS - len(where), row, where, Ink.DIM)


def _rows_of(line: Line) -> list[tuple[str, Ink]]:
    """A line, broken at words if it is too long; what goes on is indented."""
    text, ink = (line, Ink.TEXT) if isinstance(line, str) else line
    if text_width(text) <= TEXT_COLUMNS:
        return [(text, ink)]
    words = text.lstrip()
    indent = text[: len(text) - len(words)]
    return [(row, ink) for row in chat_lines(indent, words, TEXT_COLUMNS)]
