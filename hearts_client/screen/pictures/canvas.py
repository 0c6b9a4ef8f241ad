"""A drawing of text: cells with an ink each, and regions that stand for something."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from hearts.wire.widths import character_width, text_width


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


Cell = tuple[str, Ink]
"""A character with its combining marks; the cell after a wide character is empty."""


class Canvas:
    """A drawing of fixed size; later drawing covers earlier."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._cells: list[list[Cell]] = [[(" ", Ink.TEXT)] * width for _ in range(height)]
        self._regions: list[tuple[Box, object]] = []

    def put(self, column: int, row: int, text: str, ink: Ink = Ink.TEXT) -> int:
        """Draw a line of text, cut off if it does not fit. Return the column after it."""
        if not 0 <= row < self.height:
            return column + text_width(text)
        cells = self._cells[row]
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

    def region(self, box: Box, target: object) -> None:
        self._regions.append((box, target))

    def hit(self, column: int, row: int) -> object | None:
        for box, target in reversed(self._regions):
            if box.holds(column, row):
                return target
        return None

    def targets(self) -> list[tuple[Box, object]]:
        return list(self._regions)

    def runs(self) -> list[list[tuple[Ink, str]]]:
        """Each row as pieces of one ink each."""
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
