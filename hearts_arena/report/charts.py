"""The charts of the page in numbers: where dots, bars, cells and curves lie, in pixels.

``charts.html`` draws them, and ``page.css`` has their colours, for light and for dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_client.words.others import columns

from .figures import NumberSigns, estimate_texts, rounded, short_time

WIDTH = 760
"""Pixels of each chart, as far as the page has room for them."""
ROW = 30
SHADES = (1.0, 0.45, 0.25, 0.1)
"""The strength of the colour in the bar of each place; text in the first is background-coloured."""
STRONGEST = 0.72
"""The strength of the colour in the strongest cell; with more, its number could not be read."""
PANEL_WIDTH = 228.0
PANEL_HEIGHT = 110.0

_LETTER = 7.6
"""The width of a letter, generously; names are short, so a few pixels too many do no harm."""
_LEAST_LABEL = 90.0
_NUMBERS = 150
_TICKS = 8
_LEAST_RANGE = 1.0
"""Points per hand that have the strongest colour at least, so that chance looks pale."""
_EARLY = 0.1
"""The first part of the blocks, which swings so much that the axis does not follow it."""

Tick = tuple[float, str]
"""A place on an axis, and the text that stands there."""


class Scale(Struct, frozen=True, gc=False):
    """An axis: it gives numbers their places."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)

    def ticks(self, most: int, minus: str = "-") -> list[Tick]:
        """Round numbers on the axis, up to ``most`` and one more."""
        least = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(least))
        step = next(part * power for part in (1, 2, 5, 10) if part * power >= least * (1 - 1e-9))
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        numbers = (number * step for number in range(first, last + 1))
        return [(self.at(each), rounded(each, digits).replace("-", minus)) for each in numbers]


def around(numbers: Sequence[float], start: float, end: float) -> Scale:
    """Return an axis with some room beyond the least and the largest number."""
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    margin = (high - low) * 0.05 or 0.5
    return Scale(low - margin, high + margin, start, end)


def label_width(names: Iterable[str]) -> float:
    """Return the pixels of the longest of some names, with a gap after it."""
    return max([_LEAST_LABEL, *(_LETTER * columns(name) + 12.0 for name in names)])


class DotRow(Struct, frozen=True, gc=False):
    """A player's number as a dot, with a line from ``low`` to ``high`` if they are known."""

    name: str
    text: str
    dot: float | None
    low: float | None
    high: float | None


class Dots(Struct, frozen=True):
    what: str
    rows: Sequence[DotRow]
    ticks: Sequence[Tick]
    zero: float | None = None
    rings: bool = False
    """True if the lines end in a ring because they are no intervals."""


def interval_dots(
    numbers: Iterable[tuple[str, Estimate | None]],
    what: str,
    signs: NumberSigns,
    *,
    zero: bool = False,
    signed: bool = False,
    unknown: int = 2,
) -> Dots:
    """Estimates with their intervals, without those that are not known."""
    known = [(name, estimate) for name, estimate in numbers if estimate is not None]
    ends = [0.0] if zero else []
    for _, each in known:
        ends += [end for end in (each.mean, each.low, each.high) if end is not None]
    scale = around(ends, label_width(name for name, _ in known), WIDTH - _NUMBERS)
    rows = [
        DotRow(
            name,
            " ".join(estimate_texts(each, signs, signed=signed, unknown=unknown)).rstrip(),
            scale.at(each.mean),
            None if each.low is None else scale.at(each.low),
            None if each.high is None else scale.at(each.high),
        )
        for name, each in known
    ]
    return Dots(what, rows, scale.ticks(_TICKS, signs.minus), scale.at(0.0) if zero else None)


def speed_dots(rows: Sequence[tuple[str, float, float]], what: str, signs: NumberSigns) -> Dots:
    """For each player the seconds of a choice, on average and at most, on an axis of powers."""
    times = [time for _, *both in rows for time in both if time > 0.0] or [1e-3]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    high = max(high, low + 1)
    scale = Scale(low, high, label_width(name for name, _, _ in rows), WIDTH - _NUMBERS)
    ticks = [(scale.at(at), short_time(10.0**at, signs.micro)) for at in range(low, high + 1)]
    dots = []
    for name, *both in rows:
        text = " / ".join(short_time(time, signs.micro) for time in both)
        mean, most = (scale.at(math.log10(time)) if min(both) > 0.0 else None for time in both)
        dots.append(DotRow(name, text, mean, mean, most))
    return Dots(what, dots, ticks, rings=True)


class Curves(Struct, frozen=True):
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    means: Sequence[str]
    """The points of each player's line; in SVG, as the bands."""
    bands: Sequence[str]
    """The area of each player's intervals; empty if none is known."""


def point_curves(moments: Sequence[PointsAfterBlocks], players: int, signs: NumberSigns) -> Curves:
    """Return the curves of so many players, in the order of the plan; there are two moments at
    least.
    """
    blocks = moments[-1].blocks
    curves = [
        [
            (moment.blocks, estimate)
            for moment in moments
            if (estimate := moment.points_per_hand[number]) is not None
        ]
        for number in range(players)
    ]
    seen: list[float] = []
    for curve in curves:
        seen += [estimate.mean for after, estimate in curve if after >= _EARLY * blocks]
        for _, last in curve[-1:]:
            seen += [end for end in (last.low, last.high) if end is not None]
    x, y = Scale(0.0, blocks, 0.0, PANEL_WIDTH), around(seen, PANEL_HEIGHT, 0.0)

    def line(points: Iterable[tuple[int, float | None]]) -> str:
        known = ((x.at(after), y.at(value)) for after, value in points if value is not None)
        return " ".join(f"{plain(across)},{plain(down)}" for across, down in known)

    return Curves(
        x.ticks(3)[1:],
        y.ticks(4, signs.minus),
        [line((after, each.mean) for after, each in curve) for curve in curves],
        [
            line(
                [
                    *((after, each.high) for after, each in curve),
                    *((after, each.low) for after, each in reversed(curve)),
                ]
            )
            for curve in curves
        ],
    )


def strongest(duels: Sequence[Sequence[Estimate | None]]) -> float:
    """Return the points per hand that have the strongest colour of a head-to-head."""
    return max([_LEAST_RANGE, *(abs(duel.mean) for row in duels for duel in row if duel)])


def plain(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else f"{number:.0f}"
