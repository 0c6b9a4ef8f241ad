"""The picture of a result: places, the points as cards, and the scores hand by hand as a plot."""

from __future__ import annotations

from hearts.game.cards import Card, Suit
from hearts.wire.widths import text_width
from hearts_client.words.style import Style

from .canvas import Box, Ink, Pen, Piece, Side
from .sights import ResultSight, TableSight

_MARKS = ("●", "▲", "■", "◆")
_MARKS_ASCII = ("o", "^", "#", "x")
_MARGIN = 2
_NUMBER = 7
"""Columns of a number in the table, and of one beside the plot."""
_STEP = 5
"""Columns from one hand to the next, at most."""
_LOWEST_PLOT = 4
_HIGHEST_PLOT = 12
_INKS = (Ink.STRONG, Ink.TEXT, Ink.RED, Ink.TITLE)
_RED = frozenset({Suit.HEARTS, Suit.DIAMONDS})


def draw_result(pen: Pen, sight: TableSight, result: ResultSight, box: Box) -> None:
    box = Box(box.column + _MARGIN, box.row, box.width - 2 * _MARGIN, box.height)
    title = " ".join(sight.middle)
    pen.line(box, 1, [(title, Ink.STRONG)], Side.MIDDLE)
    lines = _table(pen, sight, result, box.width)
    lines += [[], *([(fact, Ink.NOTICE)] for fact in result.facts)]
    for row, pieces in enumerate(lines, 3):
        pen.line(box, row, pieces)
    used = 3 + len(lines) + 1
    height = min(box.height - used, _HIGHEST_PLOT)
    if height >= _LOWEST_PLOT:
        _draw_plot(pen, result, Box(box.column, box.row + used, box.width, height))


def _marks(pen: Pen) -> tuple[str, str, str, str]:
    return _MARKS_ASCII if pen.ascii else _MARKS


def _table(pen: Pen, sight: TableSight, result: ResultSight, width: int) -> list[list[Piece]]:
    room = width - 3 * _NUMBER
    head = "".join(f"{word:>{_NUMBER}}" for word in ("hand", "total", "place"))
    lines: list[list[Piece]] = [[(" " * room + head, Ink.DIM)]]
    for mark, ink, seat, row in zip(_marks(pen), _INKS, sight.seats, result.rows, strict=True):
        name = pen.cut(seat.name, room - 2)
        numbers = f"{row.gained:>+{_NUMBER}}{row.total:>{_NUMBER}}{row.place:>{_NUMBER - 1}}."
        is_winner = seat.player in sight.winners
        lines.append(
            [
                (mark, ink),
                (" " + name + " " * (room - 2 - text_width(name)), Ink.STRONG),
                (numbers, Ink.STRONG if is_winner else Ink.TEXT),
            ]
        )
        if row.cards:
            lines.append([("  ", Ink.TEXT), *_cards(pen, row.cards)])
    return lines


def _cards(pen: Pen, cards: tuple[Card, ...]) -> list[Piece]:
    style = Style(ascii=pen.ascii)
    return [
        (style.card(card) + " ", Ink.RED if card.suit in _RED else Ink.TEXT)
        for card in sorted(cards, key=lambda card: (-card.suit, -card.rank))
    ]


def _draw_plot(pen: Pen, result: ResultSight, box: Box) -> None:
    """The scores from left to right; where two are the same, the person's own is seen."""
    room = box.width - _NUMBER - 2
    scores = result.scores[-room:]
    step = max(1, min(_STEP, room // len(scores)))
    high = max(max(each) for each in scores)
    low = min(min(each) for each in scores)
    last = box.height - 1
    for row in range(box.height):
        label = {0: f"{high}", last: f"{low}"}.get(row, "")
        pen.line(box, row, [(f"{label:>{_NUMBER}} ", Ink.DIM), (pen.signs.down, Ink.LINE)])
    for number, each in enumerate(scores):
        column = box.column + _NUMBER + 2 + number * step
        for player in (3, 2, 1, 0):
            row = last - round((each[player] - low) * last / max(high - low, 1))
            pen.put(column, box.row + row, _marks(pen)[player], _INKS[player])
