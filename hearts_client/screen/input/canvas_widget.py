"""A drawing of ours as a widget of urwid, with its keys and clicks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache

import urwid
from urwid.util import apply_target_encoding

from hearts.wire.text import has_no_width, is_printable
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Canvas, Ink

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
        """A click means what is on the screen, even if that is out of date by now."""
        if event != "mouse press" or button not in _BUTTONS:
            return False
        self._on_click(self._seen.hit(col, row), button)
        return True


def encoded(canvas: Canvas) -> urwid.TextCanvas:
    """The drawing in the encoding of the terminal; ``?`` for what that does not have.

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
        plain = piece.isascii() and piece.isprintable()
        data, shift = apply_target_encoding(piece if plain else _fitting(piece))
        text += data
        shifts += shift
        inks.append((ink, len(data)))
    return text, inks, shifts


def _fitting(text: str) -> str:
    encoding = urwid.util.get_encoding()
    return "".join(_fitted(character, encoding) for character in _characters(text))


def _characters(text: str) -> Iterator[str]:
    """Each character with its marks."""
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
    """A character as wide on the terminal as it is in the drawing."""
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
