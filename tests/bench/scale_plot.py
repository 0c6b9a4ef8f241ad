"""Draws the rounds that ``--keep FILE`` kept: ``python -m tests.bench.scale_plot FILE > PLOT.svg``.

One panel has the p99 of a play, the other the share of a core, over tables; each number is a dot,
and a line joins the medians. Rounds that do not count are left out.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hearts_arena.report.charts import Scale

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP = 640, 180, 50, 620, 30
_PANELS = (
    ("p99", 1e3, "p99 of a play, ms"),
    ("share", 100.0, "% of a core"),
    ("wait 99", 1e3, "p99 of the wait for three experts, ms"),
    ("thinking", 100.0, "% of a core, thinking"),
    ("a choice", 1e3, "CPU of a choice that is thought about, ms"),
    ("thought about", 100.0, "% of all choices that are thought about"),
)
_COLOURS = {4: ("#1b6ca8", "four people at a table"), 1: ("#c2571a", "one with three computers")}


def plot(rounds: Iterable[Mapping[str, Any]]) -> str:
    """Give the SVG of rounds of the part ``scale``."""
    rows = [each for each in rounds if each["does count"]]
    x = Scale(0, max((row["tables"] for row in rows), default=1), _LEFT, _RIGHT)
    panels = [panel for panel in _PANELS if rows and panel[0] in rows[0]]
    parts = [part for i, panel in enumerate(panels) for part in _panel(rows, x, i, *panel)]
    height = len(panels) * _HEIGHT + 10
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            *parts,
            "</svg>",
        )
    )


def _panel(
    rows: list[Mapping[str, Any]], x: Scale, number: int, key: str, scale: float, title: str
) -> Iterator[str]:
    top, bottom = number * _HEIGHT + _TOP, (number + 1) * _HEIGHT - 20
    y = Scale(0, 1.1 * max((scale * row[key] for row in rows), default=1.0), bottom, top)
    yield f'<text x="{_LEFT}" y="{top - 10}">{title}</text>'
    for place, text in y.ticks(5):
        yield f'<path d="M{_LEFT} {place:.1f}H{_RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{text}</text>'
    for place, text in x.ticks(6):
        yield f'<text x="{place:.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>'
    for i, people in enumerate(sorted({row["people"] for row in rows}, reverse=True)):
        colour, name = _COLOURS[people]
        yield f'<text x="{_RIGHT - 340 + 180 * i}" y="{top - 10}" fill="{colour}">{name}</text>'
        found: defaultdict[int, list[float]] = defaultdict(list)
        for row in rows:
            if row["people"] == people:
                found[row["tables"]].append(scale * row[key])
        medians = ((tables, statistics.median(found[tables])) for tables in sorted(found))
        points = " ".join(f"{x.at(tables):.1f},{y.at(value):.1f}" for tables, value in medians)
        yield f'<polyline points="{points}" fill="none" stroke="{colour}"/>'
        for cx, cy in ((x.at(tables), y.at(each)) for tables in found for each in found[tables]):
            yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="{colour}"/>'


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    print(plot(json.loads(line) for line in lines))
