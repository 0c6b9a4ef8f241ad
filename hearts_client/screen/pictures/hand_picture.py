"""The hand of the person."""

from __future__ import annotations

from msgspec.structs import replace

from hearts_client.screen.settings.settings import Highlight

from .canvas import Box
from .card_art import Border, draw_face, face, face_ink
from .layout import Layout
from .pen import Pen
from .sights import HandCard, OnCard


def draw_hand(pen: Pen, hand: tuple[HandCard, ...], where: Layout) -> None:
    """Cards from left to right; those that stand out are drawn above their neighbours."""
    columns = where.hand_columns(len(hand))
    laid = sorted(zip(columns, hand, strict=True), key=lambda item: _order(pen, item[1]))
    for column, held in laid:
        _draw_card(pen, held, column, where)


def _order(pen: Pen, held: HandCard) -> tuple[bool, bool]:
    return (held.cursor, _is_raised(pen, held))


def _is_raised(pen: Pen, held: HandCard) -> bool:
    return held.marked or (held.cursor and pen.settings.highlight is Highlight.RAISED)


def _draw_card(pen: Pen, held: HandCard, column: int, where: Layout) -> None:
    inverted = held.cursor and pen.settings.highlight is Highlight.INVERTED
    ink = face_ink(held.card, pen.look.design, cursor=inverted, dim=not held.playable)
    look = replace(pen.look, border=_border(held, inverted), marks=_marks(pen, held))
    raised = _is_raised(pen, held)
    row = where.hand.row if raised else where.hand.row + 1
    size = where.hand_face
    draw_face(pen.canvas, column, row, face(held.card, size, look), ink)
    # What a raised card leaves free below it is still that card.
    height = size.height + 1 if raised else size.height
    pen.canvas.region(Box(column, row, size.width, height), OnCard(held.card))


def _border(held: HandCard, inverted: bool) -> Border:
    if held.cursor and not inverted:
        return Border.HEAVY if held.playable else Border.HEAVY_DOTTED
    return Border.PLAIN if held.playable else Border.DOTTED


def _marks(pen: Pen, held: HandCard) -> str:
    received = pen.signs.received if held.received else ""
    return received + pen.signs.chosen if held.marked else received
