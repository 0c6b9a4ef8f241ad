"""The list of the sessions that a store has, a line for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from hearts.wire.widths import cut, text_width
from hearts_server.journal.archive import Archive
from hearts_server.journal.lines import UnreadableSession, games_and_hands
from hearts_server.journal.rows import Row, read_row

_ROWS_AT_ONCE = 1000
_WIDEST = 40
"""Columns that a cell of the list takes at most."""


def list_sessions(archive: Archive, last: int, say: Callable[[str], object]) -> int:
    """Print so many of the newest sessions, 0 for all; return the exit status.

    ``say`` gets what is told beside them.
    """
    # Who wants all of them need not wait until they are counted.
    numbers = archive.numbers() if last else []
    chosen = numbers[-last:]
    unreadable = 0

    def listed() -> Iterator[Sequence[str]]:
        nonlocal unreadable
        yield "Session", "Table", "Players", "Begun", "Games", "Hands", "State"
        for values in _rows_from(archive, chosen[0] if chosen else 0):
            try:
                yield _row(archive, values)
            except UnreadableSession as error:
                unreadable += 1
                yield str(values[0]), "", "", "", "", "", f"unreadable: {error}"

    for line in table_lines(listed(), numeric=(0, 4, 5)):
        print(line)
    if len(chosen) < len(numbers):
        say(f"{len(chosen)} of {len(numbers)} sessions; --last 0 lists all")
    return 1 if unreadable else 0


def _rows_from(archive: Archive, number: int) -> Iterator[Row]:
    # Part by part: a statement that is not at its end while somebody turns pages would hold up the
    # log of the server.
    while part := archive.rows(number, _ROWS_AT_ONCE):
        yield from part
        number = part[-1][0] + 1


def _row(archive: Archive, values: Row) -> tuple[str, str, str, str, str, str, str]:
    row = read_row(values)
    games, hands, state = row.games, row.hands, f"ended: {row.why}"
    if row.ended is None:
        games, hands = games_and_hands(archive.session(row.game_number).lines)
        state = "playing"
    return (
        str(row.game_number),
        row.table_name + (" (private)" if row.private else ""),
        ", ".join(seat.name for seat in row.session().seats),
        datetime.fromtimestamp(row.begun).isoformat(" ", "minutes"),
        str(games),
        str(hands),
        state,
    )


def table_lines(rows: Iterator[Sequence[str]], numeric: Sequence[int] = ()) -> Iterator[str]:
    """Return the lines of some rows after the other, so that the first of very many come at once.

    A column is as wide as the rows so far need it, and the last one as it is.
    """
    widths: list[int] = []
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        part = [[*(cut(cell, _WIDEST, "...") for cell in row[:-1]), row[-1]] for row in some]
        widths = widths or [0] * (len(part[0]) - 1)
        for place, width in enumerate(widths):
            widths[place] = max(width, *(text_width(row[place]) for row in part))
        for *cells, last in part:
            for place, cell in enumerate(cells):
                gap = " " * (widths[place] - text_width(cell))
                cells[place] = gap + cell if place in numeric else cell + gap
            yield "  ".join([*cells, last]).rstrip()
