"""The chat beside the table: its last lines, and the line that is being typed."""

from __future__ import annotations

from hearts.wire.widths import first_columns, text_width
from hearts_client.words.others import chat_lines

from .canvas import Box, Ink
from .pen import Pen, Piece
from .sights import ChatSight, OnChat
from .signs import last_columns

_NOTICE = "* "


def draw_chat(pen: Pen, chat: ChatSight, box: Box) -> None:
    """The latest line is above the line that is typed."""
    _draw_title(pen, chat, box)
    lines = _last_lines(pen, chat, box)
    for number, pieces in enumerate(lines):
        pen.line(box, box.height - 1 - len(lines) + number, pieces)
    pen.line(box, box.height - 1, _typed(pen, chat, box.width))
    pen.canvas.region(box, OnChat())


def _draw_title(pen: Pen, chat: ChatSight, box: Box) -> None:
    line = pen.signs.across
    title = "News " if chat.is_news else "Chat "
    pieces: list[Piece] = [(f"{line} ", Ink.LINE), (title, Ink.TITLE)]
    if chat.unread:
        pieces += [(f"{line} ", Ink.LINE), (f"{chat.unread} new ", Ink.UNREAD)]
    rest = box.width - sum(text_width(text) for text, _ in pieces)
    pen.line(box, 0, [*pieces, (line * rest, Ink.LINE)])


def _last_lines(pen: Pen, chat: ChatSight, box: Box) -> list[list[Piece]]:
    """As many rows of the chat as there is room for."""
    room = box.height - 2
    rows: list[list[Piece]] = []
    for who, text, is_new in reversed(chat.lines):
        if len(rows) >= room:
            break
        rows = _wrapped(pen, who, text, is_new, box.width) + rows
    return rows[len(rows) - room :] if len(rows) > room else rows


def _wrapped(pen: Pen, who: str, text: str, is_new: bool, width: int) -> list[list[Piece]]:
    head = f"{pen.cut(who, width // 2)}: " if who else _NOTICE
    head_ink = Ink.CHAT_NAME if who else Ink.NOTICE
    ink = Ink.UNREAD if is_new else Ink.CHAT if who else Ink.NOTICE
    # What chat_lines keeps free is the last column of a terminal; behind ours is none.
    first, *others = chat_lines(head, pen.fit(text), width + 1)
    return [
        [(head, head_ink), (first[len(head) :], ink)],
        *([(line, ink)] for line in others),
    ]


def _typed(pen: Pen, chat: ChatSight, width: int) -> list[Piece]:
    if chat.is_news:
        return []
    if chat.typing is None:
        if not chat.is_there:
            return [("nobody hears you", Ink.DIM)]
        return [("/", Ink.KEY), (" to talk", Ink.DIM)]
    before = pen.fit(chat.typing[: chat.cursor])
    after = pen.fit(chat.typing[chat.cursor :])
    room = width - text_width(pen.signs.prompt + pen.signs.caret)
    shown = last_columns(before, room)
    return [
        (pen.signs.prompt, Ink.KEY),
        (shown, Ink.FIELD),
        (pen.signs.caret, Ink.STRONG),
        (first_columns(after, room - text_width(shown)), Ink.FIELD),
    ]
