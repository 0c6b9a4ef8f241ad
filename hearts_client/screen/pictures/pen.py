"""The look of everything, and a pen: each text is cut to its room, and fit for the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto

from msgspec import Struct

from hearts.game.cards import SUIT_TEXT, Suit
from hearts.game.rules import Direction
from hearts.wire import widths
from hearts.wire.widths import text_width
from hearts_client.screen.settings.settings import Settings
from hearts_client.words.style import Style

from .canvas import Box, Canvas, Ink
from .card_art import Look, OwnCards
from .sights import LabelledKey, OnButton

Piece = tuple[str, Ink]


class Side(Enum):
    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


class Theme:
    """The settings that are in force for all pages, and the values that follow from them."""

    def __init__(
        self, settings: Settings, *, ascii: bool, own_cards: Mapping[str, OwnCards] | None = None
    ) -> None:
        """``ascii`` is for terminals that show nothing else. ``own_cards`` are those that the
        person can choose beside ours.
        """
        self.settings = settings
        self.ascii = ascii
        self.own_cards: Mapping[str, OwnCards] = own_cards or {}

    @property
    def style(self) -> Style:
        return Style(ascii=self.ascii, sort=self.settings.sort)


class Pen:
    """Draws on a canvas as a person wants it and a terminal can show it."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        self.canvas = canvas
        self.settings = settings = theme.settings
        self.ascii = ascii = theme.ascii
        own = theme.own_cards.get(settings.own_cards)
        if own is not None and ascii and own.in_ascii is None:
            own = None
        self.signs = ASCII if ascii else UNICODE
        self.look = Look(own or settings.design, ascii)
        back = own.back if own is not None else None
        self.back = back if back is not None and (back.isascii() or not ascii) else self.signs.back
        """A card that is seen from behind."""

    def fit(self, text: str) -> str:
        return in_ascii(text) if self.ascii else text

    def cut(self, text: str, width: int) -> str:
        """A text as the terminal can show it, in at most ``width`` columns."""
        return widths.cut(self.fit(text), width, self.signs.ellipsis)

    def wrapped(self, box: Box, pieces: Iterable[Piece], rows: int = 0) -> list[Piece]:
        """Wrap texts to the width of a box, each to so many rows at most; to its height for 0."""
        lines: list[Piece] = []
        for text, ink in pieces:
            # An empty line keeps its row.
            parts = wrapped(self.fit(text), box.width, rows or box.height, self.signs)
            lines += [(part, ink) for part in parts]
        return lines

    def lines(self, box: Box, first: int, rows: Iterable[Piece], side: Side = Side.LEFT) -> None:
        """Write pieces into a box, a row each, from the row ``first`` on."""
        for number, row in enumerate(rows, first):
            self.line(box, number, [row], side)

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


class Signs(Struct, frozen=True):
    """The signs that a terminal can show; UTF-8 if nothing else is said."""

    arrows: dict[Direction, str]
    across: str = "─"
    down: str = "│"
    between: str = " · "
    """Stands between two facts of one line."""
    turn: str = "▸ "
    """The mark before the name of a player who is waited for."""
    caret: str = "▏"
    prompt: str = "› "
    """Stands before a line that is typed."""
    bar: str = "█"
    back: str = "▌"
    winner: str = "★"
    chosen: str = "✓"
    """In the border of a card that is marked for the pass."""
    received: str = "•"
    """The mark in the border of a card that came with the pass."""
    heart: str = "♥"
    ellipsis: str = "…"


UNICODE = Signs({Direction.LEFT: "←", Direction.RIGHT: "→", Direction.ACROSS: "↑"})
ASCII = Signs(
    {Direction.LEFT: "<--", Direction.RIGHT: "-->", Direction.ACROSS: "^"},
    across="-",
    down="|",
    between=", ",
    turn="> ",
    caret="_",
    prompt="> ",
    bar="#",
    back="|",
    winner="*",
    chosen="v",
    received="*",
    heart="H",
    ellipsis="~",
)

_IN_ASCII = str.maketrans(
    {suit.symbol: SUIT_TEXT[suit] for suit in Suit}
    | {"…": "...", "·": ",", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"'}
)


def in_ascii(text: str) -> str:
    """A text for a terminal without UTF-8: letters for suits, letters without their accents,
    and ``?`` for what has no likeness."""
    if text.isascii():
        return text
    kept = []
    for character in unicodedata.normalize("NFKD", text.translate(_IN_ASCII)):
        if character.isascii():
            kept.append(character)
        elif text_width(character):
            kept.append("?")
    return "".join(kept)


def last_columns(text: str, width: int) -> str:
    """The longest end of a text that takes at most ``width`` columns and begins with no mark."""
    start = len(text)
    taken = 0
    for place in range(len(text) - 1, -1, -1):
        character = text_width(text[place])
        taken += character
        if taken > width:
            break
        if character:
            start = place
    return text[start:]


def wrapped(text: str, width: int, rows: int, signs: Signs) -> list[str]:
    """A text in at most ``rows`` lines of ``width`` columns, cut if it needs more."""
    if text_width(text) <= width:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if text_width(longer) <= width or not line:
            line = longer
        else:
            lines.append(line)
            line = word
    lines.append(line)
    if len(lines) > rows:
        lines[rows - 1 :] = [" ".join(lines[rows - 1 :])]
    return [widths.cut(line, width, signs.ellipsis) for line in lines]


def draw_key(canvas: Canvas, column: int, row: int, key: LabelledKey) -> int:
    """Draw a key that can be clicked; gives the column behind it."""
    end = canvas.put(column, row, f"[{key.key}]", Ink.KEY)
    end = canvas.put(end, row, f" {key.label}" if key.label else "")
    canvas.region(Box(column, row, end - column, 1), OnButton(key.key))
    return end
