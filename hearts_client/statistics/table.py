"""Statistics as a table that can be printed, and as files for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from hearts.game.stats import Statistics
from hearts.wire.text import text_cell

Number = int | float | None
"""None if there is nothing that it could be of, such as a mean of no games."""
Column = tuple[str, Statistics]
"""The name of some rules, and the statistics of games under them."""

_GAP = 2
_NARROWEST = 7
_DIGITS = 2
"""Digits after the point in a printed table."""
_FILE_DIGITS = 4


class Row(Struct, frozen=True):
    """One of the statistics."""

    key: str
    """Its name in files."""
    title: str
    value: Callable[[Statistics], Number]
    adds_up: bool = True
    """True if it grows with each game, so that an average for each game means something."""

    def number(self, statistics: Statistics, *, average: bool) -> Number:
        """Return the total, or that divided by the games, finished or not, if that means
        something.
        """
        value = self.value(statistics)
        if not average or not self.adds_up or value is None:
            return value
        return value / statistics.games if statistics.games else None


GROUPS: tuple[tuple[Row, ...], ...] = (
    (
        Row("games_finished", "games finished", lambda s: s.scores.count, adds_up=False),
        Row("games_unfinished", "games left unfinished", lambda s: s.unfinished, adds_up=False),
        Row("games_won", "games won", lambda s: s.won),
        Row("games_won_with_others", "  of these with others", lambda s: s.won_with_others),
        Row("average_place", "average place", lambda s: s.places.mean, adds_up=False),
        Row("average_score", "average score at the end", lambda s: s.scores.mean, adds_up=False),
        Row("best_score", "best score at the end", lambda s: s.scores.lowest, adds_up=False),
        Row("worst_score", "worst score at the end", lambda s: s.scores.highest, adds_up=False),
    ),
    (
        Row("hands", "hands", lambda s: s.hands),
        Row("points", "points", lambda s: s.points.total),
        Row("points_per_hand", "average points of a hand", lambda s: s.points.mean, adds_up=False),
        Row("best_hand", "best hand", lambda s: s.points.lowest, adds_up=False),
        Row("worst_hand", "worst hand", lambda s: s.points.highest, adds_up=False),
        Row("zero_hands", "hands of 0 points", lambda s: s.zero_hands),
        Row("par_hands", "hands whose par is known", lambda s: s.par_hands, adds_up=False),
        Row("against_par", "  points less par", lambda s: s.against_par_mean, adds_up=False),
        Row("against_par_error", "    its error", lambda s: s.against_par_error, adds_up=False),
    ),
    (
        Row("tricks", "tricks taken", lambda s: s.tricks),
        Row("hearts", "hearts taken", lambda s: s.hearts),
        Row("queens", "queens of spades taken", lambda s: s.queens),
        Row("jacks", "jacks of diamonds taken", lambda s: s.jacks),
        Row(
            "queen_and_jack_in_trick",
            "queen and jack in one trick",
            lambda s: s.queen_and_jack_in_trick,
        ),
        Row(
            "queen_and_jack_in_hand",
            "queen and jack in one hand",
            lambda s: s.queen_and_jack_in_hand,
        ),
        Row("covered", "covered the jack", lambda s: s.covered),
        Row("not_covered", "did not cover the jack", lambda s: s.not_covered),
    ),
    (
        Row("moons", "moons shot", lambda s: s.moons),
        Row("moons_of_others", "moons shot by others", lambda s: s.moons_of_others),
        Row("moon_points_given", "points given by moons", lambda s: s.moon_points_given),
        Row("moon_points_got", "points got from moons", lambda s: s.moon_points_got),
    ),
    (
        Row("choices", "choices", lambda s: s.choices),
        Row("choices_by_clock", "  made by the clock", lambda s: s.by_clock),
        Row("choices_by_stand_in", "  made by a stand-in", lambda s: s.by_stand_in),
        Row("choices_by_computer", "  made by a computer", lambda s: s.by_computer),
    ),
)
"""All statistics in the order in which they are shown, in groups of related ones."""


def table_lines(columns: Sequence[Column], *, average: bool, width: int | None) -> list[str]:
    """Return the table; columns that do not fit into ``width`` are left out, and a last line
    says so.

    The first column is always there.
    """
    rows = [row for group in GROUPS for row in group]
    titles = max(len(row.title) for row in rows)
    heads = [_head(name) for name, _ in columns]
    cells = [[_text(row.number(s, average=average)) for row in rows] for _, s in columns]
    widths = [
        max(_NARROWEST, *map(len, head), *map(len, column))
        for head, column in zip(heads, cells, strict=True)
    ]
    shown = len(columns)
    while width is not None and shown > 1 and titles + sum(widths[:shown]) + _GAP * shown > width:
        shown -= 1
    heads = heads[:shown]
    height = max(map(len, heads), default=0)
    lines: list[str] = []
    for words in zip(*([""] * (height - len(head)) + head for head in heads), strict=True):
        title = "average per game" if average and not lines else ""
        lines.append(_line(title, titles, words, widths))
    numbers = zip(*cells[:shown], strict=True)
    for group in GROUPS:
        lines.append("")
        lines += [_line(row.title, titles, next(numbers), widths) for row in group]
    hidden = len(columns) - shown
    if hidden:
        lines += ["", f"There is no room for {hidden} more; --format csv has all."]
    return lines


def _head(name: str) -> list[str]:
    rules = name.split(",")
    return [f"{rule}," for rule in rules[:-1]] + rules[-1:]


def _line(title: str, titles: int, words: Sequence[str], widths: Sequence[int]) -> str:
    cells = [word.rjust(_GAP + width) for word, width in zip(words, widths, strict=False)]
    return (title.ljust(titles) + "".join(cells)).rstrip()


def _text(number: Number) -> str:
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.{_DIGITS}f}"


def csv_text(columns: Sequence[Column], *, average: bool) -> str:
    """Return a row for each rules, a column for each of the statistics; empty if there is no
    number.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for number, values in enumerate(_values(columns, average=average)):
        if not number:
            writer.writerow(values)
        writer.writerow(
            [text_cell(value) if isinstance(value, str) else value for value in values.values()]
        )
    return file.getvalue()


def json_text(columns: Sequence[Column], *, average: bool) -> str:
    """Return the statistics as JSON, a list of objects."""
    return json.dumps(list(_values(columns, average=average)), indent=1) + "\n"


def _values(columns: Sequence[Column], *, average: bool) -> Iterator[dict[str, str | Number]]:
    for name, statistics in columns:
        values: dict[str, str | Number] = {"rules": name}
        for group in GROUPS:
            for row in group:
                key = f"{row.key}_per_game" if average and row.adds_up else row.key
                number = row.number(statistics, average=average)
                values[key] = round(number, _FILE_DIGITS) if isinstance(number, float) else number
        yield values
