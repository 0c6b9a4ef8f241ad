"""The results of a tournament as one page of HTML that needs no network and no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import summary
from .charts import MICRO, Measured, forest, places, speeds
from .course import course
from .estimates import Estimate
from .figures import decimals, grouped, percent, rounded, short_time
from .heat_map import SURE, heat_map
from .markup import Markup, element, joined, minus
from .page_style import style_sheet
from .standings import Moment, Standing, Standings

_ALONE = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing, whatever a name may hold."""
_COURSE_LEAST = 2


def html_page(standings: Standings, moments: Sequence[Moment], *, date: str, version: str) -> str:
    """The page. ``moments`` show how the points went; ``date`` is when, as it shall stand there."""
    return "<!DOCTYPE html>\n" + _Page(standings, moments).whole(date, version).source + "\n"


class _Page:
    def __init__(self, standings: Standings, moments: Sequence[Moment]) -> None:
        self._standings = standings
        self._plan = standings.plan
        self._moments = moments
        self._ranked = standings.ranking
        self._names = summary.names_shown(standings.plan)
        self._level = summary.level_text(standings)

    def whole(self, date: str, version: str) -> Markup:
        title = summary.title(self._plan)
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_ALONE),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("title", title),
            # The rules hold no "<" and no "&", and quotation marks stand as they are in a style.
            element("style", Markup(style_sheet())),
        )
        body = element(
            "body",
            element("header", element("h1", title), *self._introduction(date)),
            element("main", *self._sections()),
            element("footer", element("p", f"Made by hearts-arena {version}, {date}.")),
        )
        return element("html", head, "\n", body, lang="en")

    def _introduction(self, date: str) -> Iterator[Markup]:
        yield element("p", f"{date}. {summary.played(self._standings)}.", class_="facts")
        yield element(
            "p",
            "In Hearts fewer points are better: who took the fewest per hand stands first, and ± is"
            f" half of the interval that holds the truth with a probability of {self._level}."
            " Blocks repeat the same deals in every seating, so the luck of the cards cancels, and"
            " differences are known better than the points themselves.",
        )
        notes = list(summary.notes(self._standings))
        warnings = list(summary.warnings(self._standings))
        if notes or warnings:
            items = [element("li", f"Warning: {warning}") for warning in warnings]
            items += [element("li", note) for note in notes]
            yield element("ul", *items, class_="warnings")

    def _sections(self) -> Iterator[Markup]:
        yield _section("Ranking", "", self._ranking())
        yield from self._forests()
        if len(self._moments) >= _COURSE_LEAST:
            yield _section(
                "Points per hand over the blocks",
                f"The mean so far and its {self._level} interval; grey are the others."
                " Below stands the number of blocks.",
                course(self._names, self._moments, [s.number for s in self._ranked]),
            )
        if self._standings.blocks:
            yield _section(
                "Head to head",
                "Points per hand of the row less those of the column, at tables where both sat."
                f" {SURE} where the {self._level} interval leaves out 0.",
                self._head_to_head(),
            )
            yield _section(
                "Places",
                "How many games ended with place 1, 2, 3 and 4, from the left;"
                " who wins together has place 1.",
                places([(self._name(s), s.places) for s in self._ranked], "share of the games"),
            )
        yield _section(
            "Time per choice",
            "The mean is the dot, the slowest choice the ring; each line is ten times the last.",
            speeds(
                [(self._name(s), s.speed.per_choice, s.speed.slowest) for s in self._ranked],
                "time per choice",
            ),
        )
        yield _section("Conduct", "" if self._is_bad else summary.ALL_WELL, self._conduct())
        yield _section("The tournament", "", self._facts(), self._entrants())

    @property
    def _is_bad(self) -> bool:
        return summary.misconduct(self._standings)

    def _name(self, standing: Standing) -> str:
        return self._names[standing.number]

    def _forests(self) -> Iterator[Markup]:
        known = [(self._name(s), s.points_per_hand) for s in self._ranked]
        if rows := _measured(known):
            yield _section("Points per hand", "", forest(rows, "points per hand"))
        behind = [(self._name(s), s.behind) for s in self._ranked[1:]]
        if rows := _measured(behind):
            yield _section(
                "Behind the first",
                "Compared on the same deals, block by block, so these intervals are the ones to"
                " judge by: one that crosses 0 may be chance.",
                forest(rows, "points per hand more than the first", zero=True),
            )
        ratings = [(self._name(s), s.rating) for s in self._ranked]
        if rows := _measured(ratings, sign=True, unknown=0):
            yield _section(
                "Rating",
                "From who came before whom at each table, on the scale of Elo; the average is 0,"
                " and more is better.",
                forest(rows, "rating", zero=True),
            )

    def _ranking(self) -> Markup:
        heads = ["", "player", "points/hand", "behind first", "rating", "wins", "place"]
        of_games = self._plan.hands != 1
        if of_games:
            heads.append("points/game")
        rows: list[list[Markup | str]] = []
        for rank, standing in enumerate(self._ranked, 1):
            cells: list[Markup | str] = [
                str(rank),
                element("bdi", self._name(standing)),
                _figure(standing.points_per_hand),
                _figure(standing.behind) if rank > 1 else "",
                _figure(standing.rating, sign=True, unknown=0),
                _figure(standing.wins_per_game, factor=100.0, unknown=1, unit="%"),
                _figure(standing.average_place),
            ]
            if of_games:
                cells.append(_figure(standing.points_per_game))
            rows.append([*cells, grouped(standing.hands)])
        return _table([*heads, "hands"], rows)

    def _head_to_head(self) -> Markup:
        order = [standing.number for standing in self._ranked]
        duels = [[self._standings.head_to_head[one][other] for other in order] for one in order]
        names = [self._names[number] for number in order]
        return heat_map(names, duels, "Head to head: points per hand of the row less the column")

    def _conduct(self) -> Markup:
        heads = ["player", "choices", "illegal tries", "time-outs", "crashes", "by a stand-in"]
        rows: list[list[Markup | str]] = []
        for standing in self._ranked:
            conduct = standing.conduct
            share = f" ({percent(conduct.stood_in / conduct.choices)})" if conduct.stood_in else ""
            speed = standing.speed
            rows.append(
                [
                    element("bdi", self._name(standing)),
                    grouped(conduct.choices),
                    grouped(conduct.illegal),
                    grouped(conduct.timeouts),
                    grouped(conduct.crashes),
                    grouped(conduct.stood_in) + share,
                    short_time(speed.per_choice, MICRO),
                    short_time(speed.per_hand, MICRO),
                    short_time(speed.slowest, MICRO),
                ]
            )
        return _table([*heads, "per choice", "per hand", "slowest"], rows, left=0)

    def _facts(self) -> Markup:
        rows = [
            element("tr", element("th", head, class_="left"), element("td", text, class_="left"))
            for head, text in summary.plan_facts(self._plan)
        ]
        return element("table", element("tbody", *rows))

    def _entrants(self) -> Markup:
        rows = [
            element(
                "tr",
                element("td", element("bdi", self._name(standing)), class_="left"),
                element("td", element("bdi", standing.entrant.spec), class_="left spec"),
            )
            for standing in self._ranked
        ]
        heads = [element("th", head, class_="left") for head in ("player", "what he is")]
        return element("table", element("thead", element("tr", *heads)), element("tbody", *rows))


def _section(title: str, caption: str, *content: Markup) -> Markup:
    told = [element("p", caption)] if caption else []
    return element(
        "section",
        element("h2", title),
        *told,
        *(element("figure", element("div", part, class_="scroll")) for part in content),
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[Markup | str]], left: int = 1) -> Markup:
    """A table of numbers; the column ``left`` has the names."""
    styles = ["left" if column == left else None for column in range(len(heads))]
    head = element(
        "tr",
        *(element("th", text, class_=style) for text, style in zip(heads, styles, strict=True)),
    )
    body = [
        element(
            "tr",
            *(element("td", cell, class_=style) for cell, style in zip(row, styles, strict=True)),
        )
        for row in rows
    ]
    return element("table", element("thead", head), element("tbody", *body))


def _measured(
    numbers: Sequence[tuple[str, Estimate | None]], *, sign: bool = False, unknown: int = 2
) -> list[Measured]:
    rows = []
    for name, estimate in numbers:
        if estimate is not None:
            mean, half = _texts(estimate, sign=sign, unknown=unknown)
            rows.append(Measured(name, estimate, f"{mean} {half}".rstrip()))
    return rows


def _figure(
    estimate: Estimate | None,
    *,
    sign: bool = False,
    factor: float = 1.0,
    unknown: int = 2,
    unit: str = "",
) -> Markup:
    if estimate is None:
        return joined("-")
    mean, half = _texts(estimate, sign=sign, factor=factor, unknown=unknown)
    return joined(mean + unit, " ", element("span", half, class_="half"))


def _texts(
    estimate: Estimate, *, sign: bool = False, factor: float = 1.0, unknown: int = 2
) -> tuple[str, str]:
    """The mean, and half of the interval where it is known."""
    digits = decimals(None if estimate.se is None else estimate.se * factor, unknown)
    mean = minus(rounded(estimate.mean * factor, digits, signed=sign))
    half = estimate.half_width
    return mean, "" if half is None else f"±{rounded(half * factor, digits)}"
