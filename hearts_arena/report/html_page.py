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

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _as_xml(value: object) -> object:
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
    summary=summary,
    columns=columns,
    signs=PAGE,
    texts=partial(estimate_texts, signs=PAGE),
    percent=percent,
    zip=zip,
)


def html_page(
    standings: Standings, moments: Sequence[PointsAfterBlocks], *, date: str, version: str
) -> str:
    """Return the page. ``moments`` show how the points went; ``date`` is when, as it shall stand
    there.
    """
    return _PAGES.get_template("page.html").render(
        standings=standings, moments=moments, date=date, version=version
    )
