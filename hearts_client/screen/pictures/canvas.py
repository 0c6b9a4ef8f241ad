"""The means to draw all pages: inks, a canvas of text whose regions can be hit, keys, and a pen
that draws as a person wants it and a terminal can show it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, StrEnum

from msgspec import Struct

from hearts.game.cards import SUIT_TEXT, Card, Suit
from hearts.game.rules import Direction
from hearts.wire import widths
from hearts.wire.widths import character_width, text_width
from hearts_client.screen.settings.settings import Design, Settings
from hearts_client.words.style import Style

from .card_art import Look, OwnCards


class Ink(StrEnum):
    """The role of a piece of text; a palette says what it looks like."""

    TEXT = "text"
    DIM = "dim"
    STRONG = "strong"
    TITLE = "title"
    LINE = "line"
    RED = "red"
    """The symbol or name of a red suit in a line of text."""
    CARD = "card"
    """A card of a black suit."""
    CARD_RED = "card red"
    CARD_DIM = "card dim"
    """A card of a black suit that cannot be played."""
    CARD_RED_DIM = "card red dim"
    CARD_CURSOR = "card cursor"
    """The card of a black suit that Enter would take."""
    CARD_RED_CURSOR = "card red cursor"
    CARD_GREEN = "card green"
    """A club if each suit has a colour of its own."""
    CARD_BLUE = "card blue"
    """A diamond if each suit has a colour of its own."""
    CARD_GREEN_DIM = "card green dim"
    CARD_BLUE_DIM = "card blue dim"
    CARD_GREEN_CURSOR = "card green cursor"
    CARD_BLUE_CURSOR = "card blue cursor"
    CARD_BACK = "card back"
    TURN = "turn"
    CLOCK = "clock"
    HURRY = "hurry"
    """A clock that has nearly run down."""
    NOTICE = "notice"
    ALARM = "alarm"
    FLASH = "flash"
    """The queen, a moon: events that should be felt."""
    CHAT = "chat"
    CHAT_NAME = "chat name"
    UNREAD = "unread"
    FIELD = "field"
    KEY = "key"
    BUTTON = "button"
    BUTTON_FOCUS = "button focus"


class Box(Struct, frozen=True, gc=False):
    """A rectangle of cells; the left upper cell of a drawing is 0, 0."""

    column: int
    row: int
    width: int
    height: int

    def holds(self, column: int, row: int) -> bool:
        return (
            self.column <= column < self.column + self.width
            and self.row <= row < self.row + self.height
        )


_SHOWN_KEYS = {"ctrl c": "Ctrl-C", "page up": "PgUp", "page down": "PgDn", " ": "Space"}


def shown_key(key: str) -> str:
    """Give a key as a person calls it, such as "Space" or "PgUp"; other texts are as they were."""
    return _SHOWN_KEYS.get(key) or (key.capitalize() if key.isalpha() and key[1:] else key)


class LabelledKey(Struct, frozen=True, gc=False):
    """Something that can be pressed: a key with its meaning, or a click."""

    key: str
    """The key as it is shown and as the keyboard names it, such as "enter" or "?"."""
    label: str
    counts: bool = True
    """False while it is too early for it: it may have been meant for what was shown before."""


class OnButton(Struct, frozen=True, gc=False):
    """A button; its key is what pressing it types."""

    key: str


Cell = tuple[str, Ink]
"""A character with its combining marks; the cell after a wide character is empty."""


class Canvas:
    """A drawing of fixed size; later drawing covers earlier."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._cells: list[list[Cell]] = [[(" ", Ink.TEXT)] * width for _ in range(height)]
        self.regions: list[tuple[Box, object]] = []

    def put(self, column: int, row: int, text: str, ink: Ink = Ink.TEXT) -> int:
        """Draw a line of text, cut off if it does not fit. Return the column after it."""
        if not 0 <= row < self.height:
            return column + text_width(text)
        cells = self._cells[row]
        if text.isascii() and text.isprintable():
            begin, end = max(column, 0), min(column + len(text), self.width)
            if begin < end:
                self._uncover(cells, begin, end - begin)
                cells[begin:end] = [(each, ink) for each in text[begin - column : end - column]]
            return column + len(text)
        last = -1
        for character in text:
            width = character_width(character)
            if not width:
                # A mark whose character has been cut off would paint over what is not its own.
                if last >= 0:
                    cells[last] = (cells[last][0] + character, ink)
                continue
            last = -1
            if column >= 0 and column + width <= self.width:
                self._uncover(cells, column, width)
                last = column
                cells[column] = (character, ink)
                for behind in range(column + 1, column + width):
                    cells[behind] = ("", ink)
            column += width
        return column

    def _uncover(self, cells: list[Cell], column: int, width: int) -> None:
        # Half of a wide character cannot stay.
        if not cells[column][0]:
            cells[column - 1] = (" ", cells[column - 1][1])
        after = column + width
        if after < self.width and not cells[after][0]:
            cells[after] = (" ", cells[after][1])

    def fill(self, box: Box, ink: Ink = Ink.TEXT, character: str = " ") -> None:
        for row in range(box.row, box.row + box.height):
            self.put(box.column, row, character * box.width, ink)

    def block(self, column: int, row: int, rows: Sequence[str], ink: Ink) -> None:
        """Draw lines below each other."""
        for number, text in enumerate(rows, row):
            self.put(column, number, text, ink)

    def region(self, box: Box, target: object) -> None:
        self.regions.append((box, target))

    def hit(self, column: int, row: int) -> object | None:
        for box, target in reversed(self.regions):
            if box.holds(column, row):
                return target
        return None

    def runs(self) -> list[list[tuple[Ink, str]]]:
        """Return each row as pieces of one ink each."""
        rows = []
        for cells in self._cells:
            row: list[tuple[Ink, str]] = []
            text, last = "", Ink.TEXT
            for character, ink in cells:
                if ink is not last and text:
                    row.append((last, text))
                    text = ""
                last = ink
                text += character
            rows.append([*row, (last, text)] if text else row)
        return rows

    def lines(self) -> list[str]:
        return ["".join(character for character, _ in cells).rstrip() for cells in self._cells]

    def key(self, column: int, row: int, key: LabelledKey) -> int:
        """Draw a key that can be clicked; gives the column behind it."""
        end = self.put(column, row, f"[{key.key}]", Ink.KEY)
        end = self.put(end, row, f" {key.label}" if key.label else "")
        self.region(Box(column, row, end - column, 1), OnButton(key.key))
        return end


_COLORS = {
    Design.CLASSIC: {Suit.HEARTS: "RED", Suit.DIAMONDS: "RED"},
    Design.PLAIN: {Suit.HEARTS: "RED", Suit.DIAMONDS: "RED"},
    Design.FOUR_COLORS: {Suit.HEARTS: "RED", Suit.DIAMONDS: "BLUE", Suit.CLUBS: "GREEN"},
}


def face_ink(
    card: Card, design: Design | OwnCards, *, cursor: bool = False, dim: bool = False
) -> Ink:
    """Return the ink of a card; the cursor is stronger than what cannot be played."""
    words = ["CARD"]
    if isinstance(design, OwnCards):
        color = design.colors[card.suit].upper().replace("BLACK", "")
    else:
        color = _COLORS[design].get(card.suit, "")
    if color:
        words.append(color)
    if cursor:
        words.append("CURSOR")
    elif dim:
        words.append("DIM")
    return Ink["_".join(words)]


Piece = tuple[str, Ink]


class Side(IntEnum):
    """The halves of the columns to spare that are before a text."""

    LEFT = 0
    MIDDLE = 1
    RIGHT = 2


class Theme(Struct):
    """The settings that are in force for all pages, and the values that follow from them."""

    settings: Settings
    ascii: bool
    """True for terminals that show nothing else."""
    own_cards: Mapping[str, OwnCards] = {}
    """Those that the person can choose beside ours."""

    @property
    def style(self) -> Style:
        return Style(ascii=self.ascii, sort=self.settings.sort)


class Pen(Canvas):
    """Draws as a person wants it and a terminal can show it."""

    def __init__(self, size: tuple[int, int], theme: Theme) -> None:
        super().__init__(*size)
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
        """Return a text as the terminal can show it, in at most ``width`` columns."""
        return widths.cut(self.fit(text), width, self.signs.ellipsis)

    def wrapped(self, box: Box, pieces: Iterable[Piece], rows: int = 0) -> list[Piece]:
        """Wrap texts to the width of a box, each to so many rows at most; to its height for 0."""
        lines: list[Piece] = []
        for text, ink in pieces:
            text = self.fit(text)
            # An empty line keeps its row, and one that fits its blanks.
            parts = [text]
            if text_width(text) > box.width:
                parts = [""]
                for word in text.split():
                    longer = f"{parts[-1]} {word}".lstrip()
                    if text_width(longer) <= box.width or not parts[-1]:
                        parts[-1] = longer
                    else:
                        parts.append(word)
                last = (rows or box.height) - 1
                if len(parts) > last:
                    parts[last:] = [" ".join(parts[last:])]
            lines += [(self.cut(part, box.width), ink) for part in parts]
        return lines

    def rows(self, box: Box, first: int, rows: Iterable[Piece], side: Side = Side.LEFT) -> None:
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
        column = box.column + room * side // 2
        for part, ink in fitting:
            column = self.put(column, box.row + row, part, ink)


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
    players: tuple[str, str, str, str] = ("●", "▲", "■", "◆")
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
    players=("o", "^", "#", "x"),
    ellipsis="~",
)

_IN_ASCII = str.maketrans(
    {suit.symbol: SUIT_TEXT[suit] for suit in Suit}
    | {"…": "...", "·": ",", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"'}
)


def in_ascii(text: str) -> str:
    """Return a text for a terminal without UTF-8: letters for suits, letters without their accents,
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
    """Return the longest end of a text that takes at most ``width`` columns and begins with no
    mark.
    """
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
