"""Strength over time a choice, drawn from the results of a tournament.

The first player of a gauntlet is the one to measure against, the others are one bot at several
strengths. ``python -m tests.bench.curve FILE`` takes what ``hearts-arena run --json FILE`` wrote,
writes a drawing beside it, and prints the lines of a table.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from hearts_arena.report.charts import chart, label
from hearts_arena.report.figures import rounded, short_time
from hearts_arena.report.markup import Scale, around, element, minus, plain
from hearts_arena.report.page_style import DARK, LIGHT

_WIDE, _HIGH = 560.0, 300.0
_LEFT, _TOP, _BELOW = 48.0, 16.0, 44.0
_TICKS = 6


class StrengthThere(Struct, frozen=True, gc=False):
    """One strength of the bot."""

    name: str
    seconds: float
    """A choice, on average."""
    better: float
    """Points a hand by which it is better than the first player."""
    error: float
    """The standard error of :attr:`better`."""
    half: float
    """Half the width of its 95% interval."""


def strengths(results: Any) -> list[StrengthThere]:
    """The strengths in the results of a gauntlet, the fastest first."""
    found = []
    for entrant, duel in zip(results["entrants"], results["head_to_head"][0], strict=True):
        if duel is not None:
            # The duel has the points of the first player less those of this one.
            found.append(
                StrengthThere(
                    entrant["entrant"]["name"], entrant["speed"]["per_choice"],
                    duel["mean"], duel["se"], duel["half_width"],
                )
            )  # fmt: skip
    return sorted(found, key=lambda one: one.seconds)


def drawing(points: Sequence[StrengthThere], against: str) -> Markup:
    """The strengths with their intervals; the time grows by powers of ten."""
    logs = [math.log10(one.seconds) for one in points]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    x_axis = Scale(low, max(high, low + 1), _LEFT, _WIDE - 32.0)
    ends = [one.better + side * one.half for one in points for side in (-1, 0, 1)]
    y_axis = around([0.0, *ends], _TOP + _HIGH, _TOP)
    parts: list[Markup] = [element("style", Markup(_style()))]
    for tick in y_axis.ticks(_TICKS):
        at = y_axis.at(tick)
        parts.append(element("line", class_="grid", x1=_LEFT, x2=_WIDE, y1=at, y2=at))
        text = minus(rounded(tick, y_axis.digits(_TICKS)))
        parts.append(label(text, _LEFT - 6.0, at, "end", "tick"))
    for power in range(low, max(high, low + 1) + 1):
        x = x_axis.at(power)
        parts.append(element("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=_TOP + _HIGH))
        parts.append(label(short_time(10.0**power), x, _TOP + _HIGH + 14.0, "middle", "tick"))
    what = f"points a hand better than {against}, by the time of a choice"
    parts.append(label(what, (_LEFT + _WIDE) / 2.0, _TOP + _HIGH + 32.0, "middle", "tick"))
    places = [
        (x_axis.at(log), y_axis.at(one.better)) for log, one in zip(logs, points, strict=True)
    ]
    line = " ".join(f"{plain(x)},{plain(y)}" for x, y in places)
    parts.append(element("polyline", class_="line", points=line))
    for (x, y), one in zip(places, points, strict=True):
        up, down = y_axis.at(one.better + one.half), y_axis.at(one.better - one.half)
        parts.append(element("line", class_="line", x1=x, x2=x, y1=up, y2=down))
        parts.append(element("circle", class_="dot", cx=x, cy=y, r=4.5))
        parts.append(label(one.name, x + 7.0, y - 10.0))
    return chart(what, _WIDE, _TOP + _HIGH + _BELOW, *parts)


def _style() -> str:
    def colours(names: Any) -> str:
        return (
            f"text{{fill:{names['ink']};font:13px sans-serif}}.tick{{fill:{names['faint']}}}"
            f".grid{{stroke:{names['grid']}}}.line{{stroke:{names['mark']};fill:none}}"
            f".dot{{fill:{names['mark']}}}"
        )

    return f"{colours(LIGHT)}@media(prefers-color-scheme:dark){{{colours(DARK)}}}"


def table_row(one: StrengthThere) -> str:
    """A line of the table for the docs."""
    time = short_time(one.seconds)
    return f"| `{one.name}` | {time} | {one.better:.2f} ± {one.error:.2f} |"


def first_name(results: Any) -> str:
    """The name of the player to measure against."""
    return str(results["plan"]["entrants"][0]["name"])


def as_file(picture: Markup) -> str:
    """A drawing as the text of an SVG file."""
    return str(picture).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="what hearts-arena run --json wrote")
    parser.add_argument("--svg", type=Path, help="the drawing (default: beside the results)")
    options = parser.parse_args()
    results = json.loads(options.results.read_text(encoding="utf-8"))
    points = strengths(results)
    svg = options.svg or options.results.with_suffix(".svg")
    svg.write_text(as_file(drawing(points, first_name(results))), encoding="utf-8")
    print(*map(table_row, points), sep="\n")


if __name__ == "__main__":
    main()
