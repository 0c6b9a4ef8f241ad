"""The results of a tournament as one page of HTML that needs no network and no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_arena.numbers.standings import Standings

from . import summary
from .charts import MICRO, Measured, forest, places, speeds
from .course import course
from .figures import decimals, grouped, percent, rounded, short_time
from .heat_map import SURE, heat_map
from .markup import as_xml, minus
from .page_style import style_sheet

_COURSE_LEAST = 2
_PAGES = Environment(
    loader=PackageLoader("hearts_arena", "report"),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=as_xml,
    trim_blocks=True,
    lstrip_blocks=True,
)


def html_page(
    standings: Standings, moments: Sequence[PointsAfterBlocks], *, date: str, version: str
) -> str:
    """The page. ``moments`` show how the points went; ``date`` is when, as it shall stand there."""
    plan, ranked = standings.plan, standings.ranking
    names, level = summary.names_shown(plan), summary.level_text(standings)
    order = [standing.number for standing in ranked]
    return _PAGES.get_template("page.html").render(
        title=summary.title(plan),
        # The rules hold no "<" and no "&", and quotation marks stand as they are in a style.
        style=Markup(style_sheet()),
        standings=standings,
        date=date,
        version=version,
        summary=summary,
        notes=list(summary.notes(standings)),
        warnings=list(summary.warnings(standings)),
        ranked=ranked,
        names=names,
        level=level,
        sure=SURE,
        micro=MICRO,
        of_games=plan.hands != 1,
        points=_measured((names[s.number], s.points_per_hand) for s in ranked),
        behind=_measured((names[s.number], s.behind) for s in ranked[1:]),
        ratings=_measured(((names[s.number], s.rating) for s in ranked), sign=True, unknown=0),
        course=course(names, moments, order) if len(moments) >= _COURSE_LEAST else None,
        head_to_head=heat_map(
            [names[number] for number in order],
            [[standings.head_to_head[one][other] for other in order] for one in order],
            "Head to head: points per hand of the row less the column",
        ),
        places=places([(names[s.number], s.places) for s in ranked], "share of the games"),
        speeds=speeds(
            [(names[s.number], s.speed.per_choice, s.speed.slowest) for s in ranked],
            "time per choice",
        ),
        deeds=any(standing.deeds.hands for standing in ranked),
        deed_heads=summary.deed_heads(plan),
        costly=any(standing.costliest for standing in ranked),
        rating_head=summary.rating_head(plan),
        rating_of=summary.rating_of(plan),
        forest=forest,
        texts=_texts,
        grouped=grouped,
        percent=percent,
        short_time=short_time,
    )


def _measured(
    numbers: Iterable[tuple[str, Estimate | None]], *, sign: bool = False, unknown: int = 2
) -> list[Measured]:
    rows = []
    for name, estimate in numbers:
        if estimate is not None:
            mean, half = _texts(estimate, sign=sign, unknown=unknown)
            rows.append(Measured(name, estimate, f"{mean} {half}".rstrip()))
    return rows


def _texts(
    estimate: Estimate, *, sign: bool = False, factor: float = 1.0, unknown: int = 2
) -> tuple[str, str]:
    """The mean, and half of the interval if it is known."""
    digits = decimals(None if estimate.se is None else estimate.se * factor, unknown)
    mean = minus(rounded(estimate.mean * factor, digits, signed=sign))
    half = estimate.half_width
    return mean, "" if half is None else f"±{rounded(half * factor, digits)}"
