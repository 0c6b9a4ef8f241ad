"""Pages that are drawn: a drawing as a widget of urwid, keys and the wheel, lines that scroll."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import TypeVar

import urwid
from urwid.util import apply_target_encoding

from hearts.wire.text import has_no_width, is_printable
from hearts.wire.widths import text_width
from hearts_client.screen.input.ui import Page, Result
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink, LabelledKey, OnButton
from hearts_client.words.others import chat_lines

LEFT_BUTTON = 1
WHEEL_UP = 4
WHEEL_DOWN = 5
_BUTTONS = frozenset({LEFT_BUTTON, WHEEL_UP, WHEEL_DOWN})
_ZERO_WIDTH_JOINER = "\u200d"

_Run = tuple[Hashable, int]
_Shift = tuple[str | None, int]


class CanvasWidget(urwid.Widget):
    """Fills its box with a drawing, and draws it anew when something has changed."""

    _sizing = frozenset([urwid.BOX])
    _selectable = True
    ignore_focus = True

    def __init__(
        self,
        draw: Callable[[tuple[int, int]], Canvas],
        on_key: Callable[[str], bool],
        on_click: Callable[[object | None, int], None],
    ) -> None:
        """``draw`` gets columns and rows. ``on_key`` gets a key as urwid names it and says whether
        it has used it. ``on_click`` gets what was hit, or None, and the button: the left one or the
        wheel.
        """
        super().__init__()
        self._draw = draw
        self._on_key = on_key
        self._on_click = on_click
        self._seen = Canvas(0, 0)

    def changed(self) -> None:
        self._invalidate()

    def render(self, size: tuple[int, int], focus: bool = False) -> urwid.Canvas:  # type: ignore[override]  # a box
        self._seen = self._draw(size)
        return encoded(self._seen)

    def keypress(self, size: tuple[int, int], key: str) -> str | None:  # type: ignore[override]  # a box
        return None if self._on_key(key) else key

    def mouse_event(  # type: ignore[override]  # a box
        self, size: tuple[int, int], event: str, button: int, col: int, row: int, focus: bool
    ) -> bool:
        """Handle a click; it means what is on the screen, even if that is out of date by now."""
        if event != "mouse press" or button not in _BUTTONS:
            return False
        self._on_click(self._seen.hit(col, row), button)
        return True


def encoded(canvas: Canvas) -> urwid.TextCanvas:
    """Return the drawing in the encoding of the terminal; ``?`` for what that does not have.

    The attributes are inks. Whatever is drawn, a row never gets wider or narrower than the
    drawing.
    """
    rows = [_encoded_row(row) for row in canvas.runs()]
    texts, inks, shifts = (
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
    )
    return urwid.TextCanvas(texts, inks, shifts, maxcol=canvas.width, check_width=False)  # type: ignore[arg-type]  # a shift is a str here


def _encoded_row(row: list[tuple[Ink, str]]) -> tuple[bytes, list[_Run], list[_Shift]]:
    text = b""
    inks: list[_Run] = []
    shifts: list[_Shift] = []
    for ink, piece in row:
        if piece.isascii() and piece.isprintable():
            data = piece.encode("ascii")
            shifts.append((None, len(data)))
        else:
            data, shift = apply_target_encoding(_fitting(piece))
            shifts += shift
        text += data
        inks.append((ink, len(data)))
    return text, inks, shifts


def _fitting(text: str) -> str:
    encoding = urwid.util.get_encoding()
    return "".join(_fitted(character, encoding) for character in _characters(text))


def _characters(text: str) -> Iterator[str]:
    """Return each character with its marks."""
    character = ""
    for part in text:
        if character and not has_no_width(part):
            yield character
            character = ""
        character += part
    if character:
        yield character


@lru_cache(maxsize=4096)
def _fitted(character: str, _encoding: str) -> str:
    """Return a character as wide on the terminal as it is in the drawing."""
    width = text_width(character)
    # A joiner at the end would draw the next character into this one.
    character = character.rstrip(_ZERO_WIDTH_JOINER)
    if not is_printable(character):
        return "?" * width
    for text in (character, character[:1]):
        data, _ = apply_target_encoding(text)
        taken = urwid.calc_width(data, 0, len(data))
        if taken <= width:
            return text + " " * (width - taken)
    return "?" * width


MARGIN = 2
_ABOVE = 2
"""Rows above the lines: the title and an empty row."""
_BELOW = 2
"""Rows below the lines: an empty one or a notice, and the keys."""
_WHEEL_ROWS = 3

LineT = TypeVar("LineT")


class DrawnPage(Page[Result]):
    def __init__(self, keys: Mapping[str, Callable[[], object]]) -> None:
        """``keys`` says what each key does."""
        canvas = CanvasWidget(self.draw, self.press, self._click)
        super().__init__(canvas)
        self.changed = canvas.changed
        self._keys = keys

    def draw(self, size: tuple[int, int]) -> Canvas:
        """Draw the page for a terminal of that many columns and rows."""
        raise NotImplementedError

    def press(self, key: str) -> bool:
        """Do what a key asks for; return False if the page has no such key."""
        if key not in self._keys:
            return False
        self._keys[key]()
        self.changed()
        return True

    def _click(self, target: object | None, button: int) -> None:
        if button != LEFT_BUTTON:
            self.turn_wheel(-1 if button == WHEEL_UP else 1, target)
        elif isinstance(target, OnButton):
            self.press(target.key)
        else:
            self.hit(target)
        self.changed()

    def turn_wheel(self, step: int, target: object | None) -> None:
        """Scroll back if ``step`` is -1, on if it is 1; the mouse is over ``target``."""

    def hit(self, target: object | None) -> None:
        """React to a click on something other than a button."""


def draw_keys(canvas: Canvas, keys: Sequence[LabelledKey]) -> None:
    """Draw keys that can be clicked into the last row."""
    column, row = MARGIN, canvas.height - 1
    for key in keys:
        column = canvas.key(column, row, key) + MARGIN


def draw_head(canvas: Canvas, title: str, where: str) -> None:
    """Draw the first row: a title, and which part of a list is seen."""
    canvas.put(MARGIN, 0, title, Ink.TITLE)
    canvas.put(canvas.width - MARGIN - len(where), 0, where, Ink.DIM)


class ScrolledPage(DrawnPage[Result]):
    """A page of lines that can be scrolled if there is no room for all."""

    def __init__(self, keys: Mapping[str, Callable[[], object]], *, overlap: int = 0) -> None:
        """``overlap`` is the number of lines that are seen again on the next page."""
        scroll = self._scroll
        super().__init__(
            {
                "up": partial(scroll, -1),
                "down": partial(scroll, 1),
                "page up": lambda: scroll(overlap - self._room),
                "page down": lambda: scroll(self._room - overlap),
                "home": lambda: scroll(-self._count),
                "end": lambda: scroll(self._count),
                **keys,
            }
        )
        self._top = 0
        self._count = 0
        self._room = 1

    def turn_wheel(self, step: int, target: object | None) -> None:
        self._scroll(step * _WHEEL_ROWS)

    def _scroll(self, lines: int) -> None:
        self._top = max(0, min(self._top + lines, self._count - self._room))

    def seen(self, lines: Sequence[LineT], height: int) -> tuple[Sequence[LineT], str]:
        """Give the lines that are seen, and a text with their numbers unless all are seen.

        ``height`` is that of the page. The first line belongs into the third row.
        """
        self._count, self._room = len(lines), max(height - _ABOVE - _BELOW, 1)
        self._scroll(0)
        seen = lines[self._top : self._top + self._room]
        where = f"{self._top + 1}-{self._top + len(seen)} of {self._count}"
        return seen, where if len(seen) < self._count else ""


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
    """Return a line, broken at words if it is too long; its continuation is indented."""
    text, ink = (line, Ink.TEXT) if isinstance(line, str) else line
    if text_width(text) <= TEXT_COLUMNS:
        return [(text, ink)]
    words = text.lstrip()
    indent = text[: len(text) - len(words)]
    return [(row, ink) for row in chat_lines(indent, words, TEXT_COLUMNS)]
