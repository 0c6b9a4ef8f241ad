"""The places of everything at the table, for a terminal of any size from 80 x 23 on.

The left is the table: four seats in a cross, each with its text beside its card, as the sails of a
windmill, so that every text has the same room. On the right are scores and chat. Below is the hand.
"""

from __future__ import annotations

from msgspec import Struct

from .canvas import Box
from .card_art import FaceSize

FourBoxes = tuple[Box, Box, Box, Box]
"""A box for each seat: at the bottom, left, across and right."""

_HAND = 13
_WIDE = 120
"""Columns from which on the hand has large cards."""
_BELOW = 2
_SIDE = (29, 50)
_LONGEST_CROSS = 78
_SPREAD = 6
"""Rows by which the cards of a trick may stand apart."""
_NOTICES = (2, 6)
_SCORES = 3
"""The rows for the names, the points of this hand so far, and the totals."""
_CHAT = 8
"""Rows that the scores leave to the chat, at least."""


class Layout(Struct, frozen=True, gc=False):
    """The boxes of one picture. All of the same kind lie side by side; an empty one has no row."""

    table: Box
    title: Box
    """The title of the middle, if it needs one."""
    seats: FourBoxes
    cards: FourBoxes
    centre: Box
    middle: Box
    """The room between the seats if no trick lies."""
    gathering: FourBoxes
    """The texts about the players around ``middle``."""
    notices: Box
    rule: Box
    heading: Box
    scores: Box
    chat: Box
    prompt: Box
    hand: Box
    buttons: Box
    trick_face: FaceSize
    hand_face: FaceSize

    def hand_columns(self, count: int) -> list[int]:
        """Give the column of each card; from 80 columns on they overlap by a column at most."""
        if not count:
            return []
        face = self.hand_face.width
        step = min(face + 1, (self.hand.width - face) // max(count - 1, 1))
        start = (self.hand.width - (count - 1) * step - face) // 2
        return [start + number * step for number in range(count)]


def layout_of(size: tuple[int, int], *, has_hand: bool, score_rows: int) -> Layout:
    """Share out a terminal of ``size`` columns and rows.

    ``has_hand`` is True if there is a hand to be shown. ``score_rows`` is the number of rows of
    scores that are wanted besides those of this hand and the totals.
    """
    columns, rows = size
    hand_face = FaceSize.LARGE if columns >= _WIDE else FaceSize.SMALL
    # A card that is raised takes a row more.
    hand = hand_face.height + 1 if has_hand else 0
    height = rows - hand - _BELOW
    side = min(_SIDE[0] + (columns - 80) * 2 // 5, _SIDE[1])
    table = Box(0, 0, columns - side, height)
    trick_face = FaceSize.TRICK if height < _cross_rows(hand_face) else hand_face
    spare = height - _cross_rows(trick_face)
    notices = min(spare, _NOTICES[1]) if spare >= _NOTICES[0] else 0
    cross = _cross_box(table, trick_face, height - notices)
    heading = 2 if height < 16 else 3
    scores = _SCORES + min(score_rows, max(0, height - heading - _SCORES - _CHAT))
    beside, width = table.width + 2, side - 2
    return Layout(
        table=table,
        title=Box(cross.column, cross.row, (cross.width - trick_face.width) // 2 - 1, 1),
        seats=_seat_boxes(cross, trick_face),
        cards=_card_boxes(cross, trick_face),
        centre=_centre(cross, trick_face),
        middle=Box(cross.column, cross.row + 6, cross.width, cross.height - 9),
        gathering=_gathering(cross),
        notices=Box(1, height - notices, table.width - 2, notices),
        rule=Box(table.width, 0, 1, height),
        heading=Box(beside, 0, width, heading),
        scores=Box(beside, heading, width, scores),
        chat=Box(beside, heading + scores, width, height - heading - scores),
        prompt=Box(0, height, columns, 1),
        hand=Box(0, height + 1, columns, hand),
        buttons=Box(0, rows - 1, columns, 1),
        trick_face=trick_face,
        hand_face=hand_face,
    )


def _cross_rows(face: FaceSize) -> int:
    # The cards at the sides touch the rows of those above and below.
    return 3 * face.height - 2


def _cross_box(table: Box, face: FaceSize, height: int) -> Box:
    width = min(table.width, _LONGEST_CROSS)
    rows = min(height, _cross_rows(face) + _SPREAD)
    return Box((table.width - width) // 2, (height - rows) // 2, width, rows)


def _card_boxes(cross: Box, face: FaceSize) -> FourBoxes:
    width, height = face.value
    middle = (cross.width - width) // 2
    left = middle // 4
    row = (cross.height - height) // 2
    return (
        Box(cross.column + middle, cross.row + cross.height - height, width, height),
        Box(cross.column + left, cross.row + row, width, height),
        Box(cross.column + middle, cross.row, width, height),
        Box(cross.column + 2 * middle - left, cross.row + row, width, height),
    )


def _seat_boxes(cross: Box, face: FaceSize) -> FourBoxes:
    _, left, across, right = _card_boxes(cross, face)
    rows = 3 if face is FaceSize.TRICK else 5
    behind = across.column + across.width + 1
    before = across.column - 1 - cross.column
    rest = cross.column + cross.width - behind
    return (
        Box(cross.column, cross.row + cross.height - rows, before, rows),
        Box(cross.column, left.row - rows, before, rows),
        Box(behind, across.row, rest, rows),
        Box(behind, right.row + right.height, rest, rows),
    )


def _centre(cross: Box, face: FaceSize) -> Box:
    bottom, left, across, right = _card_boxes(cross, face)
    column = left.column + left.width + 1
    # If the cards stand apart, the texts of the players are above and below it.
    row = max(across.row + across.height, left.row)
    end = min(bottom.row, left.row + left.height)
    return Box(column, row, right.column - 1 - column, end - row)


def _gathering(cross: Box) -> FourBoxes:
    half = cross.width // 2
    quarter = half // 2
    return (
        Box(cross.column + quarter, cross.row + cross.height - 3, half, 3),
        Box(cross.column, cross.row + 3, half, 3),
        Box(cross.column + quarter, cross.row, half, 3),
        Box(cross.column + half, cross.row + 3, half, 3),
    )
