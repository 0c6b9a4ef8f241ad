"""The tables of a tournament, column by column: the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from hearts.game.rules import Direction
from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.standings import Standing, Standings

from .figures import NONE, NumberSigns, estimate_texts, grouped, percent, short_time
from .summary import names_shown, rating_head

UNSURE = "?"
"""Behind a difference that may be chance."""


class TableColumn(Struct, frozen=True):
    """A column, the first of the ranking above."""

    head: str
    cells: Sequence[str]
    order: int = 0
    """The column with the highest number goes first if there is no room; 0 never goes."""
    left: bool = False
    halves: Sequence[str] = ()
    """Of intervals, where the cells are estimates; each has a sign in front."""


def ranking(standings: Standings, signs: NumberSigns) -> list[TableColumn]:
    ranked, plan = standings.ranking, standings.plan

    def estimates(
        head: str,
        order: int,
        of: Callable[[Standing], Estimate | None],
        *,
        factor: float = 1.0,
        signed: bool = False,
        unknown: int = 2,
    ) -> TableColumn:
        texts = [
            estimate_texts(of(each), signs, factor=factor, signed=signed, unknown=unknown)
            for each in ranked
        ]
        cells, halves = zip(*texts, strict=True)
        return TableColumn(head, cells, order, halves=halves)

    behind = estimates("behind first", 1, lambda s: None if s is ranked[0] else s.behind)
    halves = [
        half + (UNSURE if place and _may_be_chance(each.behind) else " ")
        for place, (half, each) in enumerate(zip(behind.halves, ranked, strict=True))
    ]
    return [
        *players(standings, ranked),
        estimates("points/hand", 0, lambda s: s.points_per_hand),
        TableColumn(behind.head, behind.cells, behind.order, halves=halves),
        estimates(rating_head(plan), 2, lambda s: s.rating, signed=True, unknown=0),
        estimates("wins %", 3, lambda s: s.wins_per_game, factor=100.0, unknown=1),
        estimates("place", 4, lambda s: s.average_place),
        *([estimates("points/game", 5, lambda s: s.points_per_game)] if plan.hands != 1 else []),
        TableColumn("hands", [grouped(s.hands) for s in ranked], 6),
    ]


def deeds(standings: Standings) -> list[TableColumn]:
    ranked, rules = standings.ranking, standings.plan.rules
    counts: dict[str, Callable[[Standing], int]] = {
        "moons tried": lambda s: s.deeds.moons_tried,
        "made": lambda s: s.deeds.moons_made,
        "stopped": lambda s: s.deeds.moons_stopped,
        "queens": lambda s: s.deeds.queens,
        **({"jacks": lambda s: s.deeds.jacks} if rules.jack else {}),
    }
    rows = {
        head: [f"{100 * of(s) / s.deeds.hands:.1f}%" if s.deeds.hands else NONE for s in ranked]
        for head, of in counts.items()
    }
    for place, direction in enumerate(dict.fromkeys(map(rules.direction, range(len(Direction))))):
        parts = [standing.by_direction[place] for standing in ranked]
        rows[direction.name.lower()] = [
            f"{part.points / part.hands:.2f}" if part.hands else NONE for part in parts
        ]
    return [
        *players(standings, ranked),
        *(
            TableColumn(head, cells, len(rows) - at)
            for at, (head, cells) in enumerate(rows.items())
        ),
    ]


def costliest(standings: Standings, most: int) -> list[TableColumn]:
    rows = [(each, deal) for each in standings.ranking for deal in each.costliest[:most] or (None,)]
    deals = [deal for _, deal in rows]
    return [
        *players(standings, [standing for standing, _ in rows]),
        TableColumn("more", [f"{deal.more:.2f}" if deal else NONE for deal in deals]),
        TableColumn("block", [str(deal.block) if deal else NONE for deal in deals]),
        TableColumn(
            "matches", [f"{d.first_match}-{d.last_match}" if d else NONE for d in deals], order=2
        ),
        TableColumn("deal", [deal.deal or NONE if deal else NONE for deal in deals], 1, left=True),
    ]


def times(standings: Standings, signs: NumberSigns) -> list[TableColumn]:
    ranked, micro = standings.ranking, signs.micro
    return [
        *players(standings, ranked),
        TableColumn("per choice", [short_time(s.speed.per_choice, micro) for s in ranked]),
        TableColumn("per hand", [short_time(s.speed.per_hand, micro) for s in ranked], 2),
        TableColumn("slowest choice", [short_time(s.speed.slowest, micro) for s in ranked], 1),
    ]


def conduct(standings: Standings) -> list[TableColumn]:
    conducts = [standing.conduct for standing in standings.ranking]
    return [
        *players(standings, standings.ranking),
        TableColumn("choices", [grouped(c.choices) for c in conducts], 1),
        TableColumn("illegal", [grouped(c.illegal) for c in conducts]),
        TableColumn("time-outs", [grouped(c.timeouts) for c in conducts]),
        TableColumn("crashes", [grouped(c.crashes) for c in conducts]),
        TableColumn("stood in", [_share(c.stood_in, c.choices) for c in conducts]),
    ]


def players(standings: Standings, rows: Sequence[Standing]) -> list[TableColumn]:
    """Return the columns that each table begins with, for rows of these players."""
    names, ranking = names_shown(standings.plan), standings.ranking
    return [
        TableColumn("", [str(ranking.index(standing) + 1) for standing in rows]),
        TableColumn("player", [names[standing.number] for standing in rows], left=True),
    ]


def _may_be_chance(difference: Estimate | None) -> bool:
    return difference is not None and difference.se is not None and not difference.sign


def _share(part: int, whole: int) -> str:
    return f"{grouped(part)} ({percent(part / whole)})" if part and whole else grouped(part)
