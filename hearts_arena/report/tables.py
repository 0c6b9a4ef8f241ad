"""The results of a tournament as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.standings import Standing, Standings
from hearts_client.words.others import columns as width_of

from . import summary
from .figures import decimals, grouped, percent, rounded, short_time

_GAP = 2
_NONE = "-"
_SURE = "*"
_UNSURE = "?"


class _Column(Struct, frozen=True):
    head: str
    cells: Sequence[str]
    order: int
    """The column with the highest number goes first if there is no room; 0 never goes."""
    left: bool = False

    @property
    def width(self) -> int:
        return max(map(width_of, (self.head, *self.cells)))


def standings_lines(standings: Standings, *, width: int, ascii: bool) -> list[str]:
    """All tables, in lines of at most ``width`` columns as far as names and numbers allow.

    ``ascii`` leaves out all characters beyond ASCII but those of names.
    """
    names = summary.names_shown(standings.plan)
    ranked = standings.ranking
    facts = (f"{head}: {text}" for head, text in summary.plan_facts(standings.plan))
    lines = [summary.title(standings.plan), *_wrapped("; ".join(facts), width)]
    lines += [summary.played(standings), ""]
    for text in summary.test_lines(standings):
        lines += _wrapped(text, width)
    if standings.test is not None:
        lines.append("")
    lines += _ranking(standings, ranked, names, width, ascii)
    if len(ranked) > 1 and standings.blocks:
        lines += ["", *_head_to_head(standings, ranked, names, width)]
    if any(standing.deeds.hands for standing in ranked):
        lines += ["", *_deeds(standings, ranked, names, width)]
    if any(standing.costliest for standing in ranked):
        lines += ["", *_costliest(ranked, names, width)]
    lines += ["", *_behaviour(standings, ranked, names, width)]
    return lines


def _ranking(
    standings: Standings, ranked: Sequence[Standing], names: Sequence[str], width: int, ascii: bool
) -> Iterator[str]:
    sign = "+-" if ascii else "±"
    level = summary.level_text(standings)
    columns = [
        _ranks(ranked),
        _players(ranked, names),
        _Column("points/hand", _estimates([s.points_per_hand for s in ranked], sign), 0),
        _Column("behind first", _behind(ranked, sign), 1),
        _Column(summary.rating_head(standings.plan), _ratings(ranked, sign), 2),
        _Column("wins %", _shares([s.wins_per_game for s in ranked], sign), 3),
        _Column("place", _estimates([s.average_place for s in ranked], sign), 4),
    ]
    if standings.plan.hands != 1:
        games = _estimates([s.points_per_game for s in ranked], sign)
        columns.append(_Column("points/game", games, 5))
    columns.append(_Column("hands", [grouped(s.hands) for s in ranked], 6))
    yield from _table(columns, width)
    yield ""
    if standings.blocks > 1:
        yield from _wrapped(
            f"{sign} is half of the {level} interval, by blocks of the same deals."
            f" {_UNSURE} where the difference from the first may be chance.",
            width,
        )
    for note in summary.notes(standings):
        yield from _wrapped(note, width)


def _head_to_head(
    standings: Standings, ranked: Sequence[Standing], names: Sequence[str], width: int
) -> Iterator[str]:
    looks = "" if standings.is_final else " of all looks"
    yield from _wrapped(
        "Head to head: points per hand of the row less those of the column, at the same tables;"
        f" below 0 the row is better. {_SURE} where the"
        f" {summary.level_text(standings)} interval{looks} leaves out 0.",
        width,
    )
    columns = [_ranks(ranked), _players(ranked, names)]
    for rank, other in enumerate(ranked, 1):
        cells = [
            "" if mine is other else _duel(standings.head_to_head[mine.number][other.number])
            for mine in ranked
        ]
        columns.append(_Column(str(rank), _at_point(cells), rank))
    yield from _table(columns, width)


def _deeds(
    standings: Standings, ranked: Sequence[Standing], names: Sequence[str], width: int
) -> Iterator[str]:
    yield from _wrapped(summary.DEEDS, width)
    columns = [_ranks(ranked), _players(ranked, names)]
    heads = summary.deed_heads(standings.plan)
    rows = [summary.deed_cells(standings.plan, standing) for standing in ranked]
    for place, head in enumerate(heads):
        cells = _at_point([row[place] for row in rows])
        columns.append(_Column(head, cells, len(heads) - place))
    yield from _table(columns, width)


def _costliest(ranked: Sequence[Standing], names: Sequence[str], width: int) -> Iterator[str]:
    yield from _wrapped(summary.COSTLIEST, width)
    worst = [standing.costliest[0] if standing.costliest else None for standing in ranked]
    columns = [
        _ranks(ranked),
        _players(ranked, names),
        _Column("more", _at_point([f"{deal.more:.2f}" if deal else _NONE for deal in worst]), 0),
        _Column("block", [str(deal.block) if deal else _NONE for deal in worst], 0),
        _Column(
            "matches",
            [f"{deal.first_match}-{deal.last_match}" if deal else _NONE for deal in worst],
            2,
        ),
        _Column("deal", [deal.deal or _NONE if deal else _NONE for deal in worst], 1, left=True),
    ]
    yield from _table(columns, width)


def _behaviour(
    standings: Standings, ranked: Sequence[Standing], names: Sequence[str], width: int
) -> Iterator[str]:
    columns = [
        _ranks(ranked),
        _players(ranked, names),
        _Column("per choice", [short_time(s.speed.per_choice) for s in ranked], 0),
        _Column("per hand", [short_time(s.speed.per_hand) for s in ranked], 2),
        _Column("slowest choice", [short_time(s.speed.slowest) for s in ranked], 1),
    ]
    yield from _table(columns, width)
    yield ""
    if not summary.misconduct(standings):
        yield summary.ALL_WELL
        return
    conducts = [standing.conduct for standing in ranked]
    columns = [
        _ranks(ranked),
        _players(ranked, names),
        _Column("choices", [grouped(c.choices) for c in conducts], 1),
        _Column("illegal", [grouped(c.illegal) for c in conducts], 0),
        _Column("time-outs", [grouped(c.timeouts) for c in conducts], 0),
        _Column("crashes", [grouped(c.crashes) for c in conducts], 0),
        _Column("stood in", [_share(c.stood_in, c.choices) for c in conducts], 0),
    ]
    yield from _table(columns, width)
    yield ""
    for warning in summary.warnings(standings):
        yield from _wrapped(f"Warning: {warning}", width)


def _ranks(ranked: Sequence[Standing]) -> _Column:
    return _Column("", [str(rank) for rank in range(1, len(ranked) + 1)], 0)


def _players(ranked: Sequence[Standing], names: Sequence[str]) -> _Column:
    return _Column("player", [names[standing.number] for standing in ranked], 0, left=True)


def _behind(ranked: Sequence[Standing], sign: str) -> list[str]:
    texts = _estimates([None, *(standing.behind for standing in ranked[1:])], sign)
    return [
        text + (_UNSURE if place and _may_be_chance(standing.behind) else " ")
        for place, (text, standing) in enumerate(zip(texts, ranked, strict=True))
    ]


def _may_be_chance(difference: Estimate | None) -> bool:
    return difference is not None and difference.se is not None and not difference.sign


def _duel(difference: Estimate | None) -> str:
    if difference is None:
        return _NONE + " "
    number = rounded(difference.mean, decimals(difference.se), signed=True)
    return number + (_SURE if difference.sign else " ")


def _ratings(ranked: Sequence[Standing], sign: str) -> list[str]:
    return _estimates([s.rating for s in ranked], sign, signed=True, unknown=0)


def _shares(shares: Sequence[Estimate | None], sign: str) -> list[str]:
    return _estimates(shares, sign, factor=100.0, unknown=1)


def _estimates(
    estimates: Sequence[Estimate | None],
    sign: str,
    *,
    factor: float = 1.0,
    signed: bool = False,
    unknown: int = 2,
) -> list[str]:
    """Means and half intervals, points above points; ``factor`` makes per cent of shares."""
    means, halves = [], []
    for estimate in estimates:
        if estimate is None:
            means.append(_NONE)
            halves.append("")
            continue
        error = None if estimate.se is None else estimate.se * factor
        digits = decimals(error, unknown)
        means.append(rounded(estimate.mean * factor, digits, signed=signed))
        half = estimate.half_width
        halves.append("" if half is None else sign + rounded(half * factor, digits))
    aligned = zip(_at_point(means), _at_point(halves), strict=True)
    return [f"{mean} {half}" for mean, half in aligned]


def _at_point(numbers: Sequence[str]) -> list[str]:
    """Numbers of one width, their points above each other."""
    before = [len(number.partition(".")[0].rstrip("* ")) for number in numbers]
    wide = max(before, default=0)
    padded = [
        " " * (wide - length) + number for number, length in zip(numbers, before, strict=True)
    ]
    full = max(map(len, padded), default=0)
    return [number.ljust(full) for number in padded]


def _share(part: int, whole: int) -> str:
    return f"{grouped(part)} ({percent(part / whole)})" if part and whole else grouped(part)


def _table(columns: Sequence[_Column], width: int) -> Iterator[str]:
    """The columns that fit, and a line about those that do not."""
    shown = list(columns)
    while sum(column.width for column in shown) + _GAP * (len(shown) - 1) > width:
        last = max(shown, key=lambda column: column.order)
        if not last.order:
            break
        shown.remove(last)
    widths = [column.width for column in shown]
    for cells in zip(*((column.head, *column.cells) for column in shown), strict=True):
        parts = []
        for column, cell, wide in zip(shown, cells, widths, strict=True):
            gap = " " * (wide - width_of(cell))
            parts.append(cell + gap if column.left else gap + cell)
        yield (" " * _GAP).join(parts).rstrip()
    hidden = [column.head for column in columns if column not in shown]
    if hidden:
        yield from _wrapped(f"A wider terminal shows: {', '.join(hidden)}.", width)


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and width_of(f"{line} {word}") > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
