"""The standings of names as texts of a greeting, a text for each line (SocketSpec.md 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from msgspec import Struct

from hearts.wire.widths import cut, text_width

_HEAD = ("", "Name", "Games", "Place", "Won %", "Points", "Against par")
_NAME = 1
"""The column that is no number."""
_WIDEST = 11
"""Columns of a name, so that a line fits into 76."""
_MARK = " *"
_NOTE = "* a program"


class AskedStandings(IntEnum):
    """The byte with which block -16 asks for standings."""

    EVER = 1
    MONTH = 2
    """Of the month (UTC)."""


class StandingFigure(Struct, frozen=True, gc=False):
    """A mean with its standard error, None for less than two numbers."""

    mean: float
    error: float | None


class NameStanding(Struct, frozen=True, gc=False):
    """A line of the standings."""

    name: str
    is_program: bool
    games: int
    place: StandingFigure
    wins: int
    won: StandingFigure
    """The share of the games won, alone or with others."""
    hands: int
    points: StandingFigure
    """Of a hand."""
    par_hands: int
    """Hands with a par that is reckoned."""
    against_par: StandingFigure | None
    """Points of a hand against par; None if none of the hands has one."""

    def text(self) -> str:
        """Return the line as a text: words, and the name."""
        kind = "program" if self.is_program else "person"
        figures = (self.place, self.won, self.points, self.against_par)
        told = " ".join(map(_words, figures))
        return f"{self.games} {self.hands} {self.par_hands} {told} {kind} {self.name}"


class ToldStandings(Struct, frozen=True):
    """The standings as a server tells them."""

    month: str
    """Such as 2026-11; empty for all time."""
    least_games: int
    """Games before a name has a line."""
    lines: Sequence[NameStanding]

    def texts(self) -> list[str]:
        """Return the texts, the first of which is about the table."""
        head = f"standings {self.month or 'ever'} {self.least_games}"
        return [head, *(line.text() for line in self.lines)]

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> ToldStandings | None:
        """Read the texts; None if they tell of no standings."""
        try:
            word, month, least = texts[0].split(" ")
            lines = [_line(text) for text in texts[1:]]
            told = cls("" if month == "ever" else month, int(least), lines)
        except (ValueError, IndexError):
            return None
        return told if word == "standings" else None

    def shown(self) -> list[str]:
        """Return a table for people, in lines."""
        when = f"Of {self.month} (UTC)" if self.month else "Of all time"
        head = f"{when}, names with {self.least_games} games or more"
        if not self.lines:
            return [f"{head}: none yet"]
        rows = [_HEAD, *(_cells(at, line) for at, line in enumerate(self.lines, 1))]
        widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
        notes = [_NOTE] if any(line.is_program for line in self.lines) else []
        return [head, *(_row(row, widths) for row in rows), *notes]


def _cells(number: int, line: NameStanding) -> Sequence[str]:
    against, won = line.against_par, line.won
    error = "" if won.error is None else f" +-{100 * won.error:.0f}"
    return (
        str(number),
        cut(line.name, _WIDEST, "...") + _MARK * line.is_program,
        str(line.games),
        _text(line.place),
        f"{100 * won.mean:.0f}{error}",
        _text(line.points),
        "-" if against is None else _text(against, "+"),
    )


def _text(figure: StandingFigure, sign: str = "") -> str:
    mean = f"{figure.mean:{sign}.2f}"
    return mean if figure.error is None else f"{mean} +-{figure.error:.2f}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    gaps = [" " * (width - text_width(cell)) for cell, width in zip(cells, widths, strict=True)]
    padded = [
        cell + gap if at == _NAME else gap + cell
        for at, (cell, gap) in enumerate(zip(cells, gaps, strict=True))
    ]
    return "  ".join(padded).rstrip()


def _words(figure: StandingFigure | None) -> str:
    if figure is None:
        return "- -"
    return f"{figure.mean:.3f} {'-' if figure.error is None else f'{figure.error:.3f}'}"


def _line(text: str) -> NameStanding:
    *words, kind, name = text.split(" ", 12)
    games, hands, par_hands = map(int, words[:3])
    place, won, points, against = (_figure(*words[at : at + 2]) for at in (3, 5, 7, 9))
    if place is None or won is None or points is None:
        raise ValueError("a figure is missing")
    wins = round(won.mean * games)
    return NameStanding(
        name, kind == "program", games, place, wins, won, hands, points, par_hands, against
    )


def _figure(mean: str, error: str) -> StandingFigure | None:
    if mean == "-":
        return None
    return StandingFigure(float(mean), None if error == "-" else float(error))
