"""The results of a tournament as one page of HTML that needs no network and no script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_arena.numbers.standings import Standings

from . import charts, columns, summary
from .figures import PAGE, estimate_texts, percent

_CURVES_LEAST = 2
_DEALS = 3
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _as_xml(value: object) -> object:
    """Write an expression of the page: numbers in short, no characters unknown to XML."""
    if isinstance(value, float):
        return charts.plain(value)
    if isinstance(value, str) and not isinstance(value, Markup):
        return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", value)
    return value


_PAGES = Environment(
    loader=PackageLoader("hearts_arena", "report"),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=_as_xml,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals.update(
    {name: value for name, value in vars(charts).items() if not name.startswith("_")},
    texts=partial(estimate_texts, signs=PAGE),
    percent=percent,
)


def html_page(
    standings: Standings, moments: Sequence[PointsAfterBlocks], *, date: str, version: str
) -> str:
    """The page. ``moments`` show how the points went; ``date`` is when, as it shall stand there."""
    plan, ranked = standings.plan, standings.ranking
    names = summary.names_shown(plan)
    order = [standing.number for standing in ranked]
    own = [names[number] for number in order]
    rating = summary.rating_of(plan)
    return _PAGES.get_template("page.html").render(
        standings=standings,
        date=date,
        version=version,
        summary=summary,
        columns=columns,
        signs=PAGE,
        names=names,
        ranked=ranked,
        order=order,
        own=own,
        places=[(names[s.number], s.places) for s in ranked],
        rating=rating,
        deals=_DEALS,
        points=charts.interval_dots(
            ((names[s.number], s.points_per_hand) for s in ranked), "points per hand", PAGE
        ),
        behind=charts.interval_dots(
            ((names[s.number], s.behind) for s in ranked[1:]),
            "points per hand more than the first",
            PAGE,
            zero=True,
        ),
        ratings=charts.interval_dots(
            ((names[s.number], s.rating) for s in ranked),
            "rating",
            PAGE,
            zero=True,
            signed=True,
            unknown=0,
        ),
        curves=charts.point_curves(moments, len(names), PAGE)
        if len(moments) >= _CURVES_LEAST
        else None,
        duels=[[standings.head_to_head[one][two] for two in order] for one in order],
        speeds=charts.speed_dots(
            [(names[s.number], s.speed.per_choice, s.speed.slowest) for s in ranked],
            "time per choice",
            PAGE,
        ),
    )
