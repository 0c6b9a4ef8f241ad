"""The picture of the table, as it is seen from one seat."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hearts.session.table_words import PlayerKind, Presence
from hearts.wire.text import count_of
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import (
    Box,
    Canvas,
    Ink,
    OnButton,
    Pen,
    Piece,
    Side,
    Theme,
    face_ink,
    shown_key,
)
from hearts_client.screen.pictures.card_art import Border, empty_face, face
from hearts_client.screen.pictures.layout import Layout, layout_of
from hearts_client.screen.pictures.side_picture import (
    direction_words,
    draw_chat,
    draw_lesson,
    draw_side,
)
from hearts_client.screen.pictures.sights import (
    Flash,
    HandCard,
    OnCard,
    OnTable,
    SeatSight,
    Stage,
    TableSight,
)
from hearts_client.screen.settings.settings import Highlight

from .side_picture import draw_result

_HURRY = 5
_LONGEST_BAR = 20
_WIDE = 100
"""Columns from which on there is room for the bar of the clock."""
_FLASHES = {
    Flash.QUEEN: ("♠", "THE QUEEN OF SPADES"),
    Flash.HEARTS_BROKEN: ("♥", "HEARTS ARE BROKEN"),
    Flash.MOON: ("*", "THE MOON IS SHOT"),
    Flash.GAME_WON: ("★", "YOU HAVE WON"),
    Flash.GAME_LOST: ("-", "YOU HAVE LOST"),
}


def draw_table(sight: TableSight, theme: Theme, size: tuple[int, int]) -> Canvas:
    """Draw a table for a terminal of ``size`` columns and rows, 80 x 23 at least.

    The regions are OnCard, OnTable, OnChat and OnButton. If the theme is ASCII, nothing else occurs
    in it, whatever others are called or say.
    """
    pen = Pen(size, theme)
    # Between the last card and the score the table does not jump.
    has_hand = not sight.is_watching and bool(sight.hand or sight.stage.is_play)
    where = layout_of(size, has_hand=has_hand, score_rows=len(sight.rows))
    pen.region(where.table, OnTable())
    _draw_title(pen, sight, where.title)
    if sight.forming_words:
        _draw_forming_words(pen, sight.forming_words, where.table)
    elif sight.result is not None:
        draw_result(pen, sight, sight.result, where.table)
        _draw_flash(pen, sight, where.table)
    elif sight.middle and all(seat.played is None for seat in sight.seats):
        draw_gathering(pen, sight, where)
        _draw_middle(pen, sight, where.middle)
    else:
        draw_trick(pen, sight, where)
        draw_seats(pen, sight, where)
        _draw_centre(pen, sight, where)
    if sight.result is None:
        _draw_notices(pen, sight, where.notices)
    if sight.lesson:
        draw_lesson(pen, sight.lesson, where)
    else:
        draw_side(pen, sight, where)
        draw_chat(pen, sight.chat, where.chat)
    _draw_prompt(pen, sight, where.prompt)
    draw_hand(pen, sight.hand, where)
    _draw_buttons(pen, sight, where.buttons)
    return pen


def _draw_title(pen: Pen, sight: TableSight, box: Box) -> None:
    if sight.stage is Stage.LAST_TRICK:
        pen.line(box, 0, [("The last trick", Ink.TITLE)])
    elif sight.is_watching:
        pen.line(box, 0, [("Watching", Ink.TITLE)])


def _draw_middle(pen: Pen, sight: TableSight, box: Box) -> None:
    rows = pen.wrapped(box, [(text, Ink.TEXT) for text in sight.middle])
    if sight.flash is not None:
        rows = [(_flash_text(pen, sight.flash), Ink.FLASH), ("", Ink.TEXT), *rows]
    rows = rows[: box.height]
    pen.rows(box, (box.height - len(rows)) // 2, rows, Side.MIDDLE)


def _draw_forming_words(pen: Pen, forming_words: Sequence[tuple[str, Ink]], box: Box) -> None:
    inner = Box(box.column + 2, box.row, box.width - 4, box.height)
    rows = pen.wrapped(inner, forming_words)
    pen.rows(inner, max(0, (inner.height - len(rows)) // 2), rows)


def _draw_centre(pen: Pen, sight: TableSight, where: Layout) -> None:
    """Draw the most urgent message between the cards of the trick."""
    box = where.centre
    middle = box.height // 2
    if sight.flash is not None:
        band = Box(box.column, box.row + middle - 1, box.width, 3)
        pen.fill(band, Ink.FLASH)
        pen.line(band, 1, [(_flash_text(pen, sight.flash), Ink.FLASH)], Side.MIDDLE)
    elif sight.notices and not where.notices.height:
        lines = pen.wrapped(box, sight.notices[-1:])
        pen.rows(box, (box.height - len(lines)) // 2, lines, Side.MIDDLE)
    elif sight.stage is Stage.PASSING:
        words = direction_words(pen, sight.direction)
        pen.line(box, middle, [(words, Ink.TITLE)], Side.MIDDLE)


def _draw_flash(pen: Pen, sight: TableSight, box: Box) -> None:
    # Who took the queen is said below.
    if sight.flash in (Flash.MOON, Flash.GAME_WON, Flash.GAME_LOST):
        pen.line(box, 0, [(_flash_text(pen, sight.flash), Ink.FLASH)], Side.MIDDLE)


def _flash_text(pen: Pen, flash: Flash) -> str:
    sign, text = _FLASHES[flash]
    if pen.ascii:
        sign = "*"
    return f" {sign} {text} {sign} "


def _draw_notices(pen: Pen, sight: TableSight, box: Box) -> None:
    """Draw the latest notices, a row each; the very latest get the rows that are left."""
    latest = sight.notices[-box.height :] if box.height else ()
    spare = box.height - len(latest)
    rows: list[Piece] = []
    for notice in reversed(latest):
        lines = pen.wrapped(box, [notice], 1 + spare)
        spare -= len(lines) - 1
        rows = [*lines, *rows]
    pen.rows(box, box.height - len(rows), rows)


def _draw_prompt(pen: Pen, sight: TableSight, box: Box) -> None:
    clock = _clock(pen, sight, box.width)
    taken = sum(text_width(text) for text, _ in clock)
    pen.line(
        Box(box.column + 1, box.row, box.width - taken - 3, 1),
        0,
        [(sight.prompt, sight.prompt_ink)],
    )
    pen.line(box, 0, [*clock, (" ", Ink.TEXT)], Side.RIGHT)


def _clock(pen: Pen, sight: TableSight, width: int) -> list[Piece]:
    if sight.left is not None:
        ink = Ink.HURRY if sight.left <= _HURRY else Ink.CLOCK
        bar = pen.signs.bar * min(sight.left, _LONGEST_BAR) if width >= _WIDE else ""
        hurry = "!" if ink is Ink.HURRY else ""
        bank = "" if sight.bank is None else f", {sight.bank} s in the bank"
        return [(bar, ink), (f" {sight.left} s left{bank}{hurry}", ink)]
    if sight.waited is not None:
        return [(f"waited {sight.waited} s", Ink.DIM)]
    return []


def _draw_buttons(pen: Pen, sight: TableSight, box: Box) -> None:
    """Draw the buttons that fit, the most wanted first."""
    column = box.column + 1
    for button in sight.buttons:
        name = shown_key(button.key)
        key = pen.fit(f"[{name}]" if button.counts else f"({name})")
        label = pen.fit(f" {button.label}")
        width = text_width(key + label)
        if column + width > box.column + box.width:
            break
        pen.put(column, box.row, key, Ink.KEY if button.counts else Ink.DIM)
        pen.put(column + text_width(key), box.row, label, Ink.BUTTON)
        pen.region(Box(column, box.row, width, 1), OnButton(button.key))
        column += width + 2


def draw_hand(pen: Pen, hand: tuple[HandCard, ...], where: Layout) -> None:
    """Draw cards from left to right; those that stand out are drawn above their neighbours."""
    columns = where.hand_columns(len(hand))
    laid = sorted(
        zip(columns, hand, strict=True), key=lambda item: (item[1].cursor, _is_raised(pen, item[1]))
    )
    for column, held in laid:
        _draw_card(pen, held, column, where)


def _is_raised(pen: Pen, held: HandCard) -> bool:
    return held.marked or (held.cursor and pen.settings.highlight is Highlight.RAISED)


def _draw_card(pen: Pen, held: HandCard, column: int, where: Layout) -> None:
    inverted = held.cursor and pen.settings.highlight is Highlight.INVERTED
    ink = face_ink(held.card, pen.look.design, cursor=inverted, dim=not held.playable)
    marks = pen.signs.received * held.received + pen.signs.chosen * held.marked
    look = replace(pen.look, border=_border(held, inverted), marks=marks)
    raised = _is_raised(pen, held)
    row = where.hand.row if raised else where.hand.row + 1
    size = where.hand_face
    pen.block(column, row, face(held.card, size, look), ink)
    # What a raised card leaves free below it is still that card.
    height = size.height + 1 if raised else size.height
    pen.region(Box(column, row, size.width, height), OnCard(held.card))


def _border(held: HandCard, inverted: bool) -> Border:
    if held.cursor and not inverted:
        return Border.HEAVY if held.playable else Border.HEAVY_DOTTED
    return Border.PLAIN if held.playable else Border.DOTTED


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
    """Draw the players around the middle of the table, if no trick lies."""
    for place, box in enumerate(where.gathering):
        for number, pieces in enumerate(_lines(pen, sight, place, box)):
            pen.line(box, number, pieces, _GATHERED[place])


def _around(card: Box, box: Box) -> Box:
    """Return the columns of a box that lie evenly on both sides of a card's middle."""
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
