"""Charts with a line for each player: intervals, places, times. They are SVG, without colours.

Colours come from the classes of the page (:mod:`.page_style`), for light and for dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct

from hearts_arena.numbers.estimates import Estimate
from hearts_client.words.others import columns

from .figures import percent, rounded, short_time
from .markup import Scale, around, element, minus

WIDTH = 760
"""Pixels of each chart, as far as the page has room for them."""
MICRO = "µs"
_ROW = 30
_AXIS = 34
_LETTER = 7.6
"""The width of a letter, generously; names are short, so a few pixels too many do no harm."""
_LEAST_LABEL = 90.0
_NUMBERS = 150
_TICKS = 8
_TICK_GAP = 14
_ROOM_FOR_TEXT = 44
SHADES = (1.0, 0.45, 0.25, 0.1)
"""How much of its colour the bar of each place has; the text in the first is that of the ground."""


class Measured(Struct, frozen=True, gc=False):
    """A player's number with its interval."""

    name: str
    estimate: Estimate
    text: str
    """The number as it stands at the right."""


def forest(rows: Sequence[Measured], what: str, *, zero: bool = False) -> Markup:
    """A dot for each number and a line for its interval; ``zero`` has 0 on the axis."""
    numbers = [0.0] if zero else []
    for row in rows:
        numbers += [row.estimate.mean, *_ends(row.estimate)]
    start = label_width([row.name for row in rows])
    scale = around(numbers, start, WIDTH - _NUMBERS)
    height = _ROW * len(rows)
    ticks = [
        (scale.at(tick), minus(rounded(tick, scale.digits(_TICKS)))) for tick in scale.ticks(_TICKS)
    ]
    parts = list(_axis(ticks, height, what))
    if zero:
        at = scale.at(0.0)
        parts.append(element("line", class_="zero", x1=at, x2=at, y1=0.0, y2=float(height)))
    for place, row in enumerate(rows):
        parts.append(_interval(row, scale, _ROW * (place + 0.5)))
    return chart(what, WIDTH, height + _AXIS, *parts)


def places(rows: Sequence[tuple[str, tuple[int, int, int, int]]], what: str) -> Markup:
    """A bar for each player, cut into his first, second, third and fourth places."""
    start = label_width([name for name, _ in rows])
    scale = Scale(0.0, 1.0, start, WIDTH - 10.0)
    height = _ROW * len(rows)
    ticks = [(scale.at(share), f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    parts = list(_axis(ticks, height, what))
    for place, (name, counts) in enumerate(rows):
        parts.append(_bar(name, counts, scale, _ROW * (place + 0.5)))
    return chart(what, WIDTH, height + _AXIS, *parts)


def speeds(rows: Sequence[tuple[str, float, float]], what: str) -> Markup:
    """For each player the seconds of a choice, on average and at most, on an axis of powers."""
    times = [time for _, *both in rows for time in both if time > 0.0]
    if not times:
        times = [1e-3]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    start = label_width([name for name, _, _ in rows])
    scale = Scale(low, max(high, low + 1), start, WIDTH - _NUMBERS)
    height = _ROW * len(rows)
    ticks = [
        (scale.at(power), short_time(10.0**power, MICRO))
        for power in range(low, max(high, low + 1) + 1)
    ]
    parts = list(_axis(ticks, height, what))
    for place, (name, mean, slowest) in enumerate(rows):
        parts.append(_speed(name, mean, slowest, scale, _ROW * (place + 0.5)))
    return chart(what, WIDTH, height + _AXIS, *parts)


def chart(what: str, width: float, height: float, *parts: Markup) -> Markup:
    """A picture as a whole, with what it shows in words for those who do not see it."""
    return element(
        "svg",
        *parts,
        role="img",
        aria_label=what,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )


def label_width(names: Sequence[str]) -> float:
    """The pixels that the longest of some names takes, with a gap behind it."""
    return max(_LEAST_LABEL, *(_LETTER * columns(name) + 12.0 for name in names))


def label(text: str, x: float, y: float, anchor: str | None = None, style: str = "") -> Markup:
    """A line of text, its middle at the height ``y``."""
    return element("text", text, x=x, y=y, dy="0.35em", text_anchor=anchor, class_=style or None)


def _axis(ticks: Sequence[tuple[float, str]], height: float, what: str) -> Iterator[Markup]:
    for x, text in ticks:
        yield element("line", class_="grid", x1=x, x2=x, y1=0.0, y2=height + 4.0)
        yield label(text, x, height + _TICK_GAP, "middle", "tick")
    middle = (ticks[0][0] + ticks[-1][0]) / 2.0 if ticks else 0.0
    yield label(what, middle, height + 2.0 * _TICK_GAP, "middle", "tick")


def _interval(row: Measured, scale: Scale, y: float) -> Markup:
    parts: list[Markup] = [element("title", f"{row.name}: {row.text}"), label(row.name, 0.0, y)]
    if ends := _ends(row.estimate):
        low, high = map(scale.at, ends)
        parts.append(element("line", class_="interval", x1=low, x2=high, y1=y, y2=y))
        parts += [
            element("line", class_="interval", x1=x, x2=x, y1=y - 4.0, y2=y + 4.0)
            for x in (low, high)
        ]
    parts.append(element("circle", class_="dot", cx=scale.at(row.estimate.mean), cy=y, r=4.5))
    parts.append(label(row.text, float(WIDTH), y, "end", "number"))
    return element("g", *parts)


def _bar(name: str, counts: tuple[int, int, int, int], scale: Scale, y: float) -> Markup:
    games = sum(counts)
    size = {"y": y - 10.0, "height": 20.0}
    parts = [label(name, 0.0, y)]
    # The lines of the axis do not show through.
    parts.append(
        element("rect", class_="ground", x=scale.start, width=scale.end - scale.start, **size)
    )
    before = 0
    for place, count in enumerate(counts):
        if not count:
            continue
        left, right = scale.at(before / games), scale.at((before + count) / games)
        before += count
        share = percent(count / games)
        bar = element(
            "rect",
            class_="place",
            x=left,
            width=right - left,
            **size,
            fill_opacity=SHADES[place],
        )
        told = element("title", f"{name}, place {place + 1}: {count:,} of {games:,} ({share})")
        inside: list[Markup] = [told, bar]
        if right - left >= _ROOM_FOR_TEXT:
            style = "small" if place else "on-mark"
            inside.append(label(share, (left + right) / 2.0, y, "middle", style))
        parts.append(element("g", *inside))
    return element("g", *parts)


def _speed(name: str, mean: float, slowest: float, scale: Scale, y: float) -> Markup:
    text = f"{short_time(mean, MICRO)} / {short_time(slowest, MICRO)}"
    parts: list[Markup] = [element("title", f"{name}: {text}"), label(name, 0.0, y)]
    if mean > 0.0 and slowest > 0.0:
        left, right = scale.at(math.log10(mean)), scale.at(math.log10(slowest))
        parts.append(element("line", class_="interval", x1=left, x2=right, y1=y, y2=y))
        parts.append(element("circle", class_="dot", cx=left, cy=y, r=4.5))
        parts.append(element("circle", class_="ring", cx=right, cy=y, r=4.5))
    parts.append(label(text, float(WIDTH), y, "end", "number"))
    return element("g", *parts)


def _ends(estimate: Estimate) -> tuple[float, ...]:
    if estimate.low is None or estimate.high is None:
        return ()
    return estimate.low, estimate.high
