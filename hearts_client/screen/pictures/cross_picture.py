"""The four players and the cards of the trick, in a cross."""

from __future__ import annotations

from msgspec.structs import replace

from hearts.session.table_words import PlayerKind, Presence
from hearts.wire.text import count_of
from hearts.wire.widths import text_width

from .canvas import Box, Ink, Pen, Piece, Side, face_ink
from .card_art import Border, empty_face, face
from .layout import Layout
from .sights import SeatSight, Stage, TableSight

_KINDS = {
    PlayerKind.COMPUTER: "computer",
    PlayerKind.PROGRAM: "program",
    PlayerKind.PERSON: "person",
}
_PRESENCES = {Presence.AWAY: "away", Presence.STAND_IN: "stand-in plays"}
_NOT_PLAYED = " ... "
_SIDES = (Side.RIGHT, Side.MIDDLE, Side.LEFT, Side.MIDDLE)
_FAR_SIDES = (Side.RIGHT, Side.LEFT, Side.LEFT, Side.RIGHT)
"""The sides for a line that does not fit above or below the middle of its card."""
_AT_THE_END = (True, True, False, False)
"""True if the last line about a player is next to a card or the edge, and not the first."""
_GATHERED = (Side.MIDDLE, Side.LEFT, Side.MIDDLE, Side.RIGHT)
_FEW_LINES = 3


def draw_trick(pen: Pen, sight: TableSight, where: Layout) -> None:
    for seat, box in zip(sight.seats, where.cards, strict=True):
        if seat.played is not None:
            look = pen.look
            if seat.wins:
                look = replace(look, border=Border.HEAVY, foot="wins")
            rows = face(seat.played, where.trick_face, look)
            pen.block(box.column, box.row, rows, face_ink(seat.played, look.design))
        elif seat.on_turn and sight.stage is Stage.TRICK:
            look = replace(pen.look, border=Border.DOTTED)
            rows = empty_face(where.trick_face, look)
            pen.block(box.column, box.row, rows, Ink.STRONG)
            pen.line(box, box.height // 2, [(_NOT_PLAYED, Ink.TURN)], Side.MIDDLE)
        elif sight.stage.is_play:
            _draw_corners(pen, where, box)


def _draw_corners(pen: Pen, where: Layout, box: Box) -> None:
    frame = empty_face(where.trick_face, pen.look)
    for row in (0, box.height - 1):
        for column in (0, box.width - 1):
            pen.put(box.column + column, box.row + row, frame[row][column], Ink.DIM)


def draw_seats(pen: Pen, sight: TableSight, where: Layout) -> None:
    for place, box in enumerate(where.seats):
        lines = _lines(pen, sight, place, box)[: box.height]
        first = box.height - len(lines) if _AT_THE_END[place] else 0
        around = _around(where.cards[place], box)
        for number, pieces in enumerate(lines, first):
            width = sum(text_width(text) for text, _ in pieces)
            if _SIDES[place] is Side.MIDDLE and width <= around.width:
                pen.line(around, number, pieces, Side.MIDDLE)
            else:
                pen.line(box, number, pieces, _FAR_SIDES[place])


def draw_gathering(pen: Pen, sight: TableSight, where: Layout) -> None:
    """The players around the middle of the table, if no trick lies."""
    for place, box in enumerate(where.gathering):
        for number, pieces in enumerate(_lines(pen, sight, place, box)):
            pen.line(box, number, pieces, _GATHERED[place])


def _around(card: Box, box: Box) -> Box:
    """The columns of a box that lie evenly on both sides of a card's middle."""
    middle = card.column + card.width // 2
    half = min(middle - box.column, box.column + box.width - 1 - middle)
    return Box(middle - half, box.row, 2 * half + 1, box.height)


def _lines(pen: Pen, sight: TableSight, place: int, box: Box) -> list[list[Piece]]:
    """Give what is said about a player, the most wanted first."""
    seat = sight.seats[place]
    is_own = place == 0 and not sight.is_watching
    lines = [_name_line(pen, seat, is_own, box.width)]
    if sight.hand_number:
        taken = f"{count_of(seat.points, 'point')}, {count_of(seat.tricks, 'trick')}"
        lines.append([(taken, Ink.TEXT)])
    if state := _state(pen, sight, seat, is_own):
        lines.append(state)
    if box.height > _FEW_LINES:
        if seat.cards and not is_own:
            backs = pen.back * seat.cards
            lines.append([(backs, Ink.CARD_BACK), (f" {seat.cards}", Ink.DIM)])
        if seat.comment and not is_own:
            quoted = seat.comment if seat.comment.startswith('"') else f'"{seat.comment}"'
            lines.append([(quoted, Ink.DIM)])
    return lines


def _name_line(pen: Pen, seat: SeatSight, is_own: bool, width: int) -> list[Piece]:
    if seat.kind is PlayerKind.FREE:
        return [("free seat", Ink.DIM)]
    turn = pen.signs.turn if seat.on_turn else ""
    kind = "" if is_own else _KINDS.get(seat.kind, "")
    kind = pen.signs.between + kind if kind else ""
    name = pen.cut(seat.name, width - text_width(turn + kind))
    ink = Ink.TURN if seat.on_turn else Ink.STRONG
    return [(turn + name, ink), (kind, Ink.DIM)]


def _state(pen: Pen, sight: TableSight, seat: SeatSight, is_own: bool) -> list[Piece]:
    words: list[Piece] = []
    if seat.leads:
        words.append(("leads", Ink.TEXT))
    if is_own and sight.auto:
        words.append(("computer plays", Ink.NOTICE))
    elif seat.presence in _PRESENCES:
        words.append((_PRESENCES[seat.presence], Ink.NOTICE))
    if len(words) == 2:
        words.insert(1, (", ", Ink.TEXT))
    return words
