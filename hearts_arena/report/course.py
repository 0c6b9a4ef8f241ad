"""How the points per hand went, block by block: a small picture for each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.points import PointsAfterBlocks

from .charts import WIDTH, chart, label
from .figures import rounded
from .markup import Scale, around, element, joined, minus, plain

_IN_A_ROW = 3
_LEFT = 40.0
_GAP = 12.0
_TOP = 24.0
_HIGH = 110.0
_BOTTOM = 36.0
_X_TICKS = 3
_Y_TICKS = 4
_EARLY = 0.1
"""The first part of the blocks, which swings so much that the axis does not follow it."""
_EVERYBODY = "everybody"

Curve = Sequence[tuple[float, Estimate]]
"""The blocks played, and what was known then."""


def course(
    names: Sequence[str], moments: Sequence[PointsAfterBlocks], order: Sequence[int]
) -> Markup:
    """The pictures of the entrants whose numbers are in ``order``; there are two moments at least.

    ``names`` are in the order of the plan. The means of all stand grey behind each.
    """
    curves = [_curve(moments, number) for number in range(len(names))]
    panel = (WIDTH - _LEFT) / _IN_A_ROW
    x_axis = Scale(0.0, float(moments[-1].blocks), 0.0, panel - _GAP)
    y_axis = around(_numbers(curves, moments[-1].blocks), _HIGH, 0.0)
    means = [_mean_line(curve, x_axis, y_axis, "others") for curve in curves]
    parts = [element("defs", element("g", *means, id=_EVERYBODY))]
    full = _TOP + _HIGH + _BOTTOM
    for place, number in enumerate(order):
        row, column = divmod(place, _IN_A_ROW)
        x, y = _LEFT + column * panel, row * full
        parts.append(label(names[number], x, y + _TOP / 2.0))
        parts += _grid(x, y + _TOP, x_axis, y_axis, first=column == 0)
        parts.append(
            element(
                "svg",
                element("use", href=f"#{_EVERYBODY}"),
                _band(curves[number], x_axis, y_axis),
                _mean_line(curves[number], x_axis, y_axis, "own"),
                x=x,
                y=y + _TOP,
                width=panel - _GAP,
                height=_HIGH,
            )
        )
    rows = -(-len(order) // _IN_A_ROW)
    return chart("Points per hand over the blocks", WIDTH, rows * full, *parts)


def _curve(moments: Sequence[PointsAfterBlocks], number: int) -> Curve:
    return [
        (float(moment.blocks), estimate)
        for moment in moments
        if (estimate := moment.points_per_hand[number]) is not None
    ]


def _numbers(curves: Sequence[Curve], blocks: int) -> list[float]:
    """What the vertical axis has room for."""
    numbers = []
    for curve in curves:
        numbers += [estimate.mean for after, estimate in curve if after >= _EARLY * blocks]
        for _, last in curve[-1:]:
            numbers += [end for end in (last.low, last.high) if end is not None]
    return numbers


def _grid(x: float, y: float, x_axis: Scale, y_axis: Scale, *, first: bool) -> Iterator[Markup]:
    for tick in y_axis.ticks(_Y_TICKS):
        at = y + y_axis.at(tick)
        yield element("line", class_="grid", x1=x, x2=x + x_axis.end, y1=at, y2=at)
        if first:
            yield label(minus(rounded(tick, y_axis.digits(_Y_TICKS))), x - 6.0, at, "end", "tick")
    for tick in x_axis.ticks(_X_TICKS)[1:]:
        at = x + x_axis.at(tick)
        yield element("line", class_="grid", x1=at, x2=at, y1=y, y2=y + _HIGH + 4.0)
        yield label(f"{tick:,.0f}", at, y + _HIGH + 12.0, "middle", "tick")


def _mean_line(curve: Curve, x_axis: Scale, y_axis: Scale, style: str) -> Markup:
    points = " ".join(
        f"{plain(x_axis.at(after))},{plain(y_axis.at(estimate.mean))}" for after, estimate in curve
    )
    return element("polyline", class_=style, points=points)


def _band(curve: Curve, x_axis: Scale, y_axis: Scale) -> Markup:
    upper, lower = [], []
    for after, estimate in curve:
        if estimate.low is not None and estimate.high is not None:
            x = plain(x_axis.at(after))
            upper.append(f"{x},{plain(y_axis.at(estimate.high))}")
            lower.append(f"{x},{plain(y_axis.at(estimate.low))}")
    if not upper:
        return joined()
    return element("polygon", class_="band", points=" ".join([*upper, *reversed(lower)]))
