"""Writes into the boxes of a picture: each text is cut to its room, and fit for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from hearts.wire.widths import text_width
from hearts_client.screen.settings.settings import Settings

from .canvas import Box, Canvas, Ink
from .card_art import Look, OwnCards
from .signs import ASCII, UNICODE, cut, in_ascii

Piece = tuple[str, Ink]


class Side(Enum):
    """The side of a box that a line keeps to."""

    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


class Pen:
    """Draws on a canvas as a person wants it and a terminal can show it."""

    def __init__(
        self, canvas: Canvas, settings: Settings, own: OwnCards | None, *, ascii: bool
    ) -> None:
        """``own`` are the person's own cards, which are used as far as the terminal shows them."""
        if own is not None and ascii and own.in_ascii is None:
            own = None
        self.canvas = canvas
        self.settings = settings
        self.ascii = ascii
        self.signs = ASCII if ascii else UNICODE
        self.look = Look(own or settings.design, ascii)
        back = own.back if own is not None else None
        self.back = back if back is not None and (back.isascii() or not ascii) else self.signs.back
        """A card that is seen from behind."""

    def fit(self, text: str) -> str:
        """A text as the terminal can show it."""
        return in_ascii(text) if self.ascii else text

    def cut(self, text: str, width: int) -> str:
        """A text as the terminal can show it, in at most ``width`` columns."""
        return cut(self.fit(text), width, self.signs)

    def line(self, box: Box, row: int, pieces: Sequence[Piece], side: Side = Side.LEFT) -> None:
        """Write pieces of text behind each other into a row of a box, counted from its top."""
        if not 0 <= row < box.height:
            return
        fitting: list[Piece] = []
        room = box.width
        for text, ink in pieces:
            part = self.cut(text, room)
            room -= text_width(part)
            fitting.append((part, ink))
        column = box.column
        match side:
            case Side.RIGHT:
                column += room
            case Side.MIDDLE:
                column += room // 2
            case Side.LEFT:
                pass
        for part, ink in fitting:
            column = self.canvas.put(column, box.row + row, part, ink)
