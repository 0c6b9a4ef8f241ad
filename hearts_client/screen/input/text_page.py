"""Text that fills the screen: help, rules, scores, what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink
from hearts_client.screen.pictures.sights import OnButton
from hearts_client.words.others import chat_lines

from .drawn_page import ScrolledPage

Line = str | tuple[str, Ink]

TEXT_COLUMNS = 78
"""Columns that a line may have; a longer one is broken."""


class TextPage(ScrolledPage[None]):
    """A title and lines, scrolled if they are more than the screen holds."""

    def __init__(
        self, title: str, lines: Sequence[Line], *, ascii: bool = False, closing: str = "q"
    ) -> None:
        """The title is ours; lines from others are fit to be shown. ``ascii`` is for the rules.

        ``closing`` is a key that closes it, beside those that close every page.
        """
        close = partial(self.finish, None)
        keys = dict.fromkeys(("esc", "enter", "q", closing), close)
        super().__init__({**keys, " ": lambda: self.press("page down")}, overlap=1)
        self._title = title
        self._rows = [row for line in lines for row in _rows_of(line)]
        self._ascii = ascii

    def draw(self, size: tuple[int, int]) -> Canvas:
        width, height = size
        canvas = Canvas(width, height)
        margin = max((width - TEXT_COLUMNS) // 2, 0)
        rule = ("-" if self._ascii else "─") * width
        canvas.put(0, 0, rule, Ink.LINE)
        canvas.put(margin, 0, f" {self._title} ", Ink.TITLE)
        seen, where = self.seen(self._rows, height)
        for row, (text, ink) in enumerate(seen, 2):
            canvas.put(margin, row, text, ink)
        canvas.put(0, height - 2, rule, Ink.LINE)
        self._draw_hints(canvas, margin, where)
        return canvas

    def _draw_hints(self, canvas: Canvas, margin: int, where: str) -> None:
        row = canvas.height - 1
        end = canvas.put(margin, row, "Esc", Ink.KEY)
        end = canvas.put(end, row, " back")
        canvas.region(Box(margin, row, end - margin, 1), OnButton("esc"))
        if not where:
            return
        for keys, label in (("Up Down PgUp PgDn", " scroll"), ("Home End", " first, last")):
            end = canvas.put(end + 3, row, keys, Ink.KEY)
            end = canvas.put(end, row, label)
        canvas.put(margin + TEXT_COLUMNS - len(where), row, where, Ink.DIM)


def _rows_of(line: Line) -> list[tuple[str, Ink]]:
    """A line, broken at words if it is too long; what goes on is indented."""
    text, ink = (line, Ink.TEXT) if isinstance(line, str) else line
    if text_width(text) <= TEXT_COLUMNS:
        return [(text, ink)]
    words = text.lstrip()
    indent = text[: len(text) - len(words)]
    return [(row, ink) for row in chat_lines(indent, words, TEXT_COLUMNS)]
