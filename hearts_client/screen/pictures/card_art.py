"""The faces of cards: rows of text.

Colour never carries meaning alone: a card that may not be played has a dotted border, the card that
Enter would take has a heavy one or a row more, and marks stand in the border.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache

from msgspec import Struct

from hearts.game.cards import RANK_TEXT, SUIT_TEXT, Card, Suit
from hearts.wire.widths import text_width
from hearts_client.screen.settings.settings import Design


class FaceSize(Enum):
    """Columns and rows of a card, with its border."""

    TRICK = (7, 5)
    """A card of the trick if there is little room."""
    SMALL = (7, 7)
    LARGE = (9, 7)
    """With pips in the classic design."""

    @property
    def width(self) -> int:
        return self.value[0]

    @property
    def height(self) -> int:
        return self.value[1]


class Border(Enum):
    PLAIN = "plain"
    DOTTED = "dotted"
    HEAVY = "heavy"
    HEAVY_DOTTED = "heavy dotted"


class OwnCards:
    """Cards that a person has designed; one is equal to itself alone."""

    def __init__(
        self,
        name: str,
        faces: Mapping[tuple[Card, FaceSize], tuple[str, ...]],
        in_ascii: Mapping[tuple[Card, FaceSize], tuple[str, ...]] | None,
        colors: Mapping[Suit, str],
        back: str | None,
    ) -> None:
        """``faces`` are the rows without a border, and ``in_ascii`` the same for a terminal without
        UTF-8; None if that cannot show them. A colour of ``colors`` is black, red, green or blue.
        ``back`` is a card that is seen from behind; None for the usual one.
        """
        self.name = name
        self.faces = faces
        self.in_ascii = in_ascii
        self.colors = colors
        self.back = back


class Look(Struct, frozen=True):
    design: Design | OwnCards = Design.CLASSIC
    ascii: bool = False
    border: Border = Border.PLAIN
    marks: str = ""
    foot: str = ""
    """A word in the lower border; five columns at most."""


_LINES = {
    Border.PLAIN: "╭╮╯╰─│",
    Border.DOTTED: "╭╮╯╰╌┆",
    Border.HEAVY: "┏┓┛┗━┃",
    Border.HEAVY_DOTTED: "┏┓┛┗╍┇",
}
_ASCII_LINES = {
    Border.PLAIN: "++++-|",
    Border.DOTTED: "....-:",
    Border.HEAVY: "####=#",
    Border.HEAVY_DOTTED: "####=:",
}
_COURT = "JQKA"
# Column and row of each pip in the 7 x 5 cells within a large card, by rank from the deuce.
_LEFT, _MIDDLE, _RIGHT = 2, 3, 4
_PIPS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(
        (column, row)
        for row, columns in enumerate(rows)
        for column, sign in zip((_LEFT, _MIDDLE, _RIGHT), columns, strict=True)
        if sign == "o"
    )
    for rows in (
        (" o ", "   ", "   ", "   ", " o "),
        (" o ", "   ", " o ", "   ", " o "),
        ("o o", "   ", "   ", "   ", "o o"),
        ("o o", "   ", " o ", "   ", "o o"),
        ("o o", "   ", "o o", "   ", "o o"),
        ("o o", " o ", "o o", "   ", "o o"),
        ("o o", " o ", "o o", " o ", "o o"),
        ("o o", "o o", " o ", "o o", "o o"),
        ("o o", "ooo", "   ", "ooo", "o o"),
    )
)


@lru_cache(maxsize=2048)
def face(card: Card, size: FaceSize, look: Look) -> tuple[str, ...]:
    return _framed(_inner(card, size, look), look)


@lru_cache(maxsize=64)
def empty_face(size: FaceSize, look: Look) -> tuple[str, ...]:
    """Return the place of a card that does not lie yet."""
    return _framed([" " * (size.width - 2)] * (size.height - 2), look)


def _framed(rows: Sequence[str], look: Look) -> tuple[str, ...]:
    lines = (_ASCII_LINES if look.ascii else _LINES)[look.border]
    upper_left, upper_right, lower_right, lower_left, across, down = tuple(lines)
    width = text_width(rows[0])
    marks = look.marks + across if look.marks else ""
    return (
        upper_left + marks.rjust(width, across) + upper_right,
        *(down + row + down for row in rows),
        lower_left + look.foot.center(width, across) + lower_right,
    )


def _inner(card: Card, size: FaceSize, look: Look) -> Sequence[str]:
    if isinstance(look.design, OwnCards):
        faces = look.design.in_ascii if look.ascii else look.design.faces
        assert faces is not None
        return faces[card, size]
    width, height = size.width - 2, size.height - 2
    rank = RANK_TEXT[card.rank].replace("T", "10")
    suit = SUIT_TEXT[card.suit] if look.ascii else card.suit.symbol
    grid = [[" "] * width for _ in range(height)]
    if look.design is not Design.PLAIN:
        _draw_middle(grid, card, suit, look, size)
    # Letters of suits are read with their rank; symbols stand below it if there is room.
    corner = [rank + suit] if look.ascii or height == 3 else [rank, suit]
    for number, text in enumerate(corner):
        grid[number][: len(text)] = text
        if look.design is not Design.PLAIN:
            grid[height - 1 - number][width - len(text) :] = text
    return ["".join(row) for row in grid]


def _draw_middle(grid: list[list[str]], card: Card, suit: str, look: Look, size: FaceSize) -> None:
    rank = RANK_TEXT[card.rank]
    if size is not FaceSize.LARGE or rank == "A":
        grid[len(grid) // 2][len(grid[0]) // 2] = suit
    elif rank in _COURT:
        picture = ("+-+", f"|{rank}|", "+-+") if look.ascii else ("╭─╮", f"│{rank}│", "╰─╯")
        for number, text in enumerate(picture, 1):
            grid[number][_LEFT : _RIGHT + 1] = text
    elif look.ascii:
        # Letters in the place of pips would be read together with the corner.
        grid[len(grid) // 2][_MIDDLE] = suit
    else:
        for column, row in _PIPS[card.rank]:
            grid[row][column] = suit
