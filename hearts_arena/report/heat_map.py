"""The head-to-head of all players as a map, with the numbers in its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from hearts_arena.numbers.estimates import Estimate

from .charts import WIDTH, chart, label, label_width
from .figures import decimals, rounded
from .markup import element, minus

STRONGEST = 0.72
"""How much of its colour the strongest cell has; more, and its number could not be read."""
SURE = "*"
_CELL_WIDTH = 62
_CELL_HEIGHT = 30
_HEAD = 26
_LEGEND = 44
_SWATCHES = 7
_LEAST_RANGE = 1.0
"""Points per hand that have the strongest colour at least, so that chance looks pale."""


def heat_map(names: Sequence[str], duels: Sequence[Sequence[Estimate | None]], what: str) -> Markup:
    """Names, and the points per hand of each less those of each other one, in the same order."""
    start = label_width([f"{len(names)} {name}" for name in names])
    reach = max([_LEAST_RANGE, *(abs(duel.mean) for row in duels for duel in row if duel)])
    parts: list[Markup] = []
    for column in range(len(names)):
        x = start + _CELL_WIDTH * (column + 0.5)
        parts.append(label(str(column + 1), x, _HEAD / 2.0, "middle", "tick"))
    for place, (name, row) in enumerate(zip(names, duels, strict=True)):
        y = float(_HEAD + _CELL_HEIGHT * place)
        parts.append(label(f"{place + 1} {name}", 0.0, y + _CELL_HEIGHT / 2.0))
        for column, duel in enumerate(row):
            x = start + _CELL_WIDTH * column
            if column == place:
                parts.append(_tile(x, y, "empty", None))
            else:
                pair = f"{name} less {names[column]}"
                parts.append(_cell(pair, duel, reach, x, y))
    height = _HEAD + _CELL_HEIGHT * len(names)
    parts += _legend(reach, height)
    width = max(WIDTH, start + _CELL_WIDTH * len(names))
    return chart(what, width, height + _LEGEND, *parts)


def _cell(pair: str, duel: Estimate | None, reach: float, x: float, y: float) -> Markup:
    middle = x + _CELL_WIDTH / 2.0, y + _CELL_HEIGHT / 2.0
    if duel is None:
        told = element("title", f"{pair}: they never met")
        return element("g", told, _tile(x, y, "empty", None), label("-", *middle, "middle", "tick"))
    digits = decimals(duel.se)
    number = minus(rounded(duel.mean, digits, signed=True))
    half = "" if duel.half_width is None else f" ±{rounded(duel.half_width, digits)}"
    return element(
        "g",
        element("title", f"{pair}: {number}{half} in {duel.blocks:,} blocks"),
        _shade(x, y, duel.mean / reach),
        label(number + SURE * bool(duel.sign), *middle, "middle", "sure" if duel.sign else "cell"),
    )


def _shade(x: float, y: float, strength: float) -> Markup:
    style = "worse" if strength > 0.0 else "better"
    return _tile(x, y, style, STRONGEST * min(abs(strength), 1.0))


def _tile(x: float, y: float, style: str, opacity: float | None) -> Markup:
    return element(
        "rect",
        class_=style,
        x=x + 1.0,
        y=y + 1.0,
        width=_CELL_WIDTH - 2.0,
        height=_CELL_HEIGHT - 2.0,
        fill_opacity=opacity,
    )


def _legend(reach: float, top: float) -> Iterator[Markup]:
    y = top + _LEGEND - _CELL_HEIGHT
    for swatch in range(_SWATCHES):
        strength = 2.0 * swatch / (_SWATCHES - 1) - 1.0
        x = float(_CELL_WIDTH * swatch)
        yield _shade(x, y, strength)
        text = minus(rounded(strength * reach, 1, signed=True))
        yield label(text, x + _CELL_WIDTH / 2.0, y + _CELL_HEIGHT / 2.0, "middle", "cell")
    x = _CELL_WIDTH * _SWATCHES + 8.0
    yield label(
        "points per hand; below 0 the row is better", x, y + _CELL_HEIGHT / 2.0, None, "tick"
    )
