"""The standings as a table in words, and as JSON for the page and for programs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from hearts_server.journal.rows import StoreTables

from .counting import EVER, months_of
from .kept import LEAST_GAMES, standings
from .tallies import Figure, NameStanding

_HEAD = ("", "Name", "Games", "Place", "Won", "Points a hand", "Against par", "Hands with par")
NUMERIC = (0, 2, 3, 4, 5, 6)
"""The columns of numbers, but for the last one."""


class StandingsPage(Struct, frozen=True):
    """Both tables, as they are told to programs."""

    made: int
    """Unix time."""
    month: str
    """Such as 2026-11, in UTC."""
    least_games: int
    """Games before a name has a line."""
    of_month: list[NameStanding]
    ever: list[NameStanding]

    @property
    def json(self) -> str:
        return msgspec.json.encode(self).decode() + "\n"


def this_month() -> str:
    return months_of(int(time.time()))[0]


def standings_page(
    tables: StoreTables, month: str, among: Sequence[str] | None = None
) -> StandingsPage:
    """Read the tables of a month and of all time, of the names that may be listed."""
    return StandingsPage(
        int(time.time()),
        month,
        LEAST_GAMES,
        standings(tables, month, among),
        standings(tables, EVER, among),
    )


def rows(lines: Sequence[NameStanding]) -> Iterator[Sequence[str]]:
    """Yield the cells of a table, its head first."""
    yield _HEAD
    for number, line in enumerate(lines, 1):
        yield (
            str(number),
            line.name + (" (program)" if line.is_program else ""),
            str(line.games),
            _text(line.place, 2),
            _percent(line.won),
            _text(line.points, 2),
            "-" if line.against_par is None else _text(line.against_par, 2, sign=True),
            f"{line.par_hands} of {line.hands}",
        )


def heading(month: str) -> str:
    """Return the line above a table, of a month or EVER."""
    when = f"Of {month} (UTC)" if month else "Of all time"
    return f"{when}, names with {LEAST_GAMES} games or more"


def _text(figure: Figure, digits: int, *, sign: bool = False) -> str:
    mean = f"{figure.mean:{'+' if sign else ''}.{digits}f}"
    return mean if figure.error is None else f"{mean} +-{figure.error:.{digits}f}"


def _percent(figure: Figure) -> str:
    error = "" if figure.error is None else f" +-{100 * figure.error:.0f}"
    return f"{100 * figure.mean:.0f}{error} %"
