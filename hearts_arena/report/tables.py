"""The results of a tournament as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hearts_arena.numbers.standings import Standings
from hearts_client.words.others import columns as width_of

from . import columns, summary
from .columns import UNSURE, TableColumn
from .figures import ASCII, TERMINAL, NumberSigns, estimate_texts

_GAP = 2


def standings_lines(standings: Standings, *, width: int, ascii: bool) -> list[str]:
    """Return all tables, in lines of at most ``width`` columns as far as names and numbers allow.

    ``ascii`` leaves out all characters beyond ASCII but those of names.
    """
    signs, ranked = ASCII if ascii else TERMINAL, standings.ranking
    facts = (f"{head}: {text}" for head, text in summary.plan_facts(standings.plan))
    lines = [summary.title(standings.plan), *_wrapped("; ".join(facts), width)]
    lines += [summary.played(standings), ""]
    for text in summary.test_lines(standings):
        lines += _wrapped(text, width)
    if standings.test is not None:
        lines.append("")
    lines += [*_table(columns.ranking(standings, signs), width), ""]
    if standings.blocks > 1:
        lines += _wrapped(
            f"{signs.half} is half of the {summary.LEVEL_TEXT} interval, by blocks of the same"
            f" deals. {UNSURE} where the difference from the first may be chance.",
            width,
        )
    for note in summary.notes(standings):
        lines += _wrapped(note, width)
    if len(ranked) > 1 and standings.blocks:
        lines += ["", *_wrapped(f"Head to head: {summary.head_to_head(standings)}", width)]
        lines += _table(_duels(standings, signs), width)
    if any(standing.deeds.hands for standing in ranked):
        lines += ["", *_wrapped(summary.DEEDS, width), *_table(columns.deeds(standings), width)]
    if any(standing.costliest for standing in ranked):
        lines += ["", *_wrapped(summary.COSTLIEST, width)]
        lines += _table(columns.costliest(standings, 1), width)
    lines += ["", *_table(columns.times(standings, signs), width), ""]
    warnings = list(summary.warnings(standings))
    if not warnings:
        return [*lines, summary.ALL_WELL]
    lines += [*_table(columns.conduct(standings), width), ""]
    for warning in warnings:
        lines += _wrapped(f"Warning: {warning}", width)
    return lines


def _duels(standings: Standings, signs: NumberSigns) -> list[TableColumn]:
    ranked, duels = standings.ranking, standings.head_to_head
    table = columns.players(standings, ranked)
    for rank, other in enumerate(ranked, 1):
        cells = []
        for mine in ranked:
            duel = None if mine is other else duels[mine.number][other.number]
            number, _ = estimate_texts(duel, signs, signed=True)
            sign = summary.SURE if duel is not None and duel.sign else " "
            cells.append("" if mine is other else number + sign)
        table.append(TableColumn(str(rank), _at_point(cells), rank))
    return table


def _at_point(numbers: Sequence[str]) -> list[str]:
    """Return numbers of one width, their points above each other."""
    before = [len(number.partition(".")[0].rstrip("* ")) for number in numbers]
    wide = max(before, default=0)
    padded = [
        " " * (wide - length) + number for number, length in zip(numbers, before, strict=True)
    ]
    full = max(map(len, padded), default=0)
    return [number.ljust(full) for number in padded]


def _table(columns: Sequence[TableColumn], width: int) -> Iterator[str]:
    lines = {column.head: [column.head, *_texts(column)] for column in columns}
    widths = {head: max(map(width_of, texts)) for head, texts in lines.items()}
    shown = list(columns)
    while sum(widths[each.head] for each in shown) + _GAP * (len(shown) - 1) > width:
        last = max(shown, key=lambda column: column.order)
        if not last.order:
            break
        shown.remove(last)
    for cells in zip(*(lines[column.head] for column in shown), strict=True):
        parts = []
        for column, cell in zip(shown, cells, strict=True):
            gap = " " * (widths[column.head] - width_of(cell))
            parts.append(cell + gap if column.left else gap + cell)
        yield (" " * _GAP).join(parts).rstrip()
    hidden = [column.head for column in columns if column not in shown]
    if hidden:
        yield from _wrapped(f"A wider terminal shows: {', '.join(hidden)}.", width)


def _texts(column: TableColumn) -> Sequence[str]:
    if not column.halves:
        return column.cells
    aligned = zip(_at_point(column.cells), _at_point(column.halves), strict=True)
    return [f"{number} {half}" for number, half in aligned]


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and width_of(f"{line} {word}") > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
