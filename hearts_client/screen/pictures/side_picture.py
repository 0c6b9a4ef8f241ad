"""Beside the table: the rules, the scores, the chat; and the result, which takes its place."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.cards import Card, Suit
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.wire.widths import first_columns, text_width
from hearts_client.screen.pictures.canvas import Box, Ink, Pen, Piece, Side, last_columns
from hearts_client.screen.pictures.layout import Layout
from hearts_client.screen.pictures.sights import ChatSight, OnChat, ResultSight, Stage, TableSight
from hearts_client.words.lesson import TITLE
from hearts_client.words.others import chat_lines
from hearts_client.words.style import Style

_DIRECTIONS = {
    Direction.HOLD: "no pass",
    Direction.LEFT: "pass left",
    Direction.RIGHT: "pass right",
    Direction.ACROSS: "pass across",
}
_TITLE = (7, 12)
_LONGEST_COLUMN = 12
_ROOMY = 8
"""Columns for a score from which on a name is worth a sign that it is cut."""
_SHORTEST_NUMBER = 3
_SHORT_HEADING = 2


def direction_words(pen: Pen, direction: Direction) -> str:
    """Say where cards are passed, such as "pass left" with an arrow."""
    words, arrow = _DIRECTIONS[direction], pen.signs.arrows.get(direction)
    if arrow is None:
        return words
    return f"{words} {arrow}" if direction is Direction.RIGHT else f"{arrow} {words}"


def draw_side(pen: Pen, sight: TableSight, where: Layout) -> None:
    pen.fill(where.rule, Ink.LINE, pen.signs.down)
    _draw_heading(pen, sight, where.heading)
    if sight.stage is not Stage.WAITING:
        _draw_scores(pen, sight, where.scores)


def draw_lesson(pen: Pen, text: str, where: Layout) -> None:
    pen.fill(where.rule, Ink.LINE, pen.signs.down)
    top = where.heading
    box = Box(top.column, top.row, top.width, where.rule.height)
    pen.rows(box, 0, [(TITLE, Ink.TITLE), ("", Ink.TEXT), *pen.wrapped(box, [(text, Ink.TEXT)])])


def _draw_heading(pen: Pen, sight: TableSight, box: Box) -> None:
    between = pen.signs.between
    title = f"Hand {sight.hand_number}" if sight.hand_number else "No hand yet"
    if sight.trick_number:
        title += f"{between}trick {sight.trick_number}"
    pen.line(box, 0, [(title, Ink.TITLE)])
    if sight.hearts_broken:
        pen.line(box, 0, [(f"{pen.signs.heart} broken", Ink.RED)], Side.RIGHT)
    is_short = box.height == _SHORT_HEADING
    game = [f"to {sight.end_score}" if sight.end_score else "four hands"]
    if sight.hand_number and is_short:
        game = [f"{pen.signs.arrows.get(sight.direction, '')} {game[0]}".lstrip()]
    elif sight.hand_number:
        game.insert(0, direction_words(pen, sight.direction))
    if is_short and sight.rules:
        game.append(sight.rules)
    pen.line(box, 1, [(between.join(game), Ink.DIM)])
    pen.line(box, 2, [(sight.rules, Ink.DIM)])


def _draw_scores(pen: Pen, sight: TableSight, box: Box) -> None:
    rows = _score_rows(sight, box.height - 1)
    widths = _columns(pen, sight, rows, box.width - _TITLE[0])
    title = min(box.width - sum(widths), _TITLE[1])
    names: list[Piece] = [(" " * title, Ink.DIM)]
    for seat, column in zip(sight.seats, widths, strict=True):
        ink = Ink.TURN if seat.on_turn else Ink.STRONG
        # The last column is for the sign of a winner.
        room = column - 1
        name = first_columns(pen.fit(seat.name), room)
        if column >= _ROOMY:
            name = pen.cut(seat.name, room)
        names += [(" " * (room - text_width(name)), Ink.DIM), (name, ink), (" ", Ink.DIM)]
    pen.line(box, 0, names)
    for number, (text, scores, ink) in enumerate(rows, 1):
        text = pen.cut(text, title)
        pieces: list[Piece] = [(text + " " * (title - text_width(text)), ink)]
        for seat, score, column in zip(sight.seats, scores, widths, strict=True):
            won = ink is Ink.STRONG and seat.player in sight.winners
            sign = pen.signs.winner if won else " "
            pieces.append((f"{score:>{column - 1}}{sign}", ink))
        pen.line(box, number, pieces)


def _columns(
    pen: Pen, sight: TableSight, rows: Sequence[tuple[str, Four, Ink]], room: int
) -> list[int]:
    """Return the columns of each player: all alike, unless a name needs what others can spare."""
    alike = min(room // 4, _LONGEST_COLUMN)
    names = [text_width(pen.fit(seat.name)) for seat in sight.seats]
    if all(name < alike for name in names):
        return [alike] * 4
    numbers = [
        max(_SHORTEST_NUMBER, *(len(str(scores[place])) for _, scores, _ in rows))
        for place in range(4)
    ]
    widths = [1 + max(pair) for pair in zip(names, numbers, strict=True)]
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    while sum(widths) < room and min(widths) < alike:
        widths[widths.index(min(widths))] += 1
    return widths


def _score_rows(sight: TableSight, room: int) -> list[tuple[str, Four, Ink]]:
    """Return the latest hands, this hand while it is played, and the totals."""
    last: list[tuple[str, Four, Ink]] = [("total", sight.totals, Ink.STRONG)]
    if sight.stage.is_play:
        bottom, left, across, right = (seat.points for seat in sight.seats)
        last.insert(0, ("now", (bottom, left, across, right), Ink.TEXT))
    count = room - len(last)
    latest = sight.rows[-count:] if count > 0 else ()
    return [*((title, row, Ink.DIM) for title, row in latest), *last]


_NOTICE = "* "


def draw_chat(pen: Pen, chat: ChatSight, box: Box) -> None:
    """Draw the chat; the latest line is above the line that is typed."""
    _draw_title(pen, chat, box)
    lines = _last_lines(pen, chat, box)
    for number, pieces in enumerate(lines):
        pen.line(box, box.height - 1 - len(lines) + number, pieces)
    pen.line(box, box.height - 1, _typed(pen, chat, box.width))
    pen.region(box, OnChat())


def _draw_title(pen: Pen, chat: ChatSight, box: Box) -> None:
    line = pen.signs.across
    title = "News " if chat.is_news else "Chat "
    pieces: list[Piece] = [(f"{line} ", Ink.LINE), (title, Ink.TITLE)]
    if chat.unread:
        pieces += [(f"{line} ", Ink.LINE), (f"{chat.unread} new ", Ink.UNREAD)]
    rest = box.width - sum(text_width(text) for text, _ in pieces)
    pen.line(box, 0, [*pieces, (line * rest, Ink.LINE)])


def _last_lines(pen: Pen, chat: ChatSight, box: Box) -> list[list[Piece]]:
    """Return the last rows of the chat, as many as there is room for."""
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


def _table(pen: Pen, sight: TableSight, result: ResultSight, width: int) -> list[list[Piece]]:
    room = width - 3 * _NUMBER
    head = "".join(f"{word:>{_NUMBER}}" for word in ("hand", "total", "place"))
    lines: list[list[Piece]] = [[(" " * room + head, Ink.DIM)]]
    for mark, ink, seat, row in zip(
        pen.signs.players, _INKS, sight.seats, result.rows, strict=True
    ):
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
    """Draw the scores from left to right; if two are the same, the person's own is seen."""
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
            pen.put(column, box.row + row, pen.signs.players[player], _INKS[player])
