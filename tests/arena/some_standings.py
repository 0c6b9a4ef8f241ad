"""Standings whose numbers are known, for the reports to show."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hearts.game.rules import Direction
from hearts_arena.numbers.behaviour import Deeds, DirectionPoints, Speed
from hearts_arena.numbers.by_deal import DealResult
from hearts_arena.numbers.estimates import Estimate
from hearts_arena.numbers.points import PointsAfterBlocks
from hearts_arena.numbers.standings import Standing, Standings, standings_of
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Entrant, Plan
from hearts_arena.plan.results import Conduct

from .sittings import conduct_of

CODE = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
HOSTILE = "<script>alert(1)</script>"
PLAN = Plan(
    (
        Entrant("random", "random"),
        Entrant("Zoë", "simple,blunder=0.1"),
        Entrant("simple", "simple"),
    ),
    deals=400,
    seed=7,
)
CALM = conduct_of(choices=20_800)
ROGUE = conduct_of(choices=20_800, illegal=1, timeouts=2, crashes=3, stood_in=4_160)


def known(mean: float, se: float) -> Estimate:
    return Estimate(mean, se, 2 * se, 100)


def standings(
    *, conducts: Sequence[Conduct] = (CALM, CALM, CALM), names: Sequence[str] = ()
) -> Standings:
    """A round robin of three; the one named "simple" leads, the second is hardly behind them."""
    entrants = PLAN.entrants
    if names:
        pairs = zip(names, entrants, strict=True)
        entrants = tuple(Entrant(name, entrant.spec) for name, entrant in pairs)
    return Standings(
        replace(PLAN, entrants=entrants),
        (
            _standing(0, entrants[0], conducts[0], 8.254, 3.18, -91.3),
            _standing(1, entrants[1], conducts[1], 5.113, 0.039, 44.1),
            _standing(2, entrants[2], conducts[2], 5.074, 0.0, 47.2),
        ),
        (
            (None, known(3.3, 0.04), known(3.2, 0.04)),
            (known(-3.3, 0.04), None, known(0.05, 0.04)),
            (known(-3.2, 0.04), known(-0.05, 0.04), None),
        ),
        separated=False,
        blocks=100,
        matches=7_204,
        left_out=4,
        hands=7_204,
    )


def nothing_yet() -> Standings:
    """Before the first match was played."""
    return standings_of(Tally(PLAN, 24))


def moments(count: int = 4) -> list[PointsAfterBlocks]:
    """How it went, a step every 25 blocks."""
    return [
        PointsAfterBlocks(
            25 * step,
            (known(8.0 + step / 10, 1.0 / step), known(5.2, 1.0 / step), known(5.0, 1.0 / step)),
        )
        for step in range(1, count + 1)
    ]


def _standing(
    number: int, entrant: Entrant, conduct: Conduct, points: float, behind: float, rating: float
) -> Standing:
    return Standing(
        number,
        entrant,
        hands=4_800,
        games=4_800,
        points_per_hand=known(points, 0.021),
        behind=known(behind, 0.03) if behind else Estimate(0.0, 0.0, 0.0, 100),
        points_per_game=known(points, 0.021),
        places=(1_200 + 600 * number, 1_200, 1_200, 1_200 - 600 * number),
        average_place=known(2.5 - number / 4, 0.0123),
        wins=1_200 + 600 * number,
        shared_wins=0,
        wins_per_game=known(0.25 + number / 8, 0.006),
        rating=known(rating, 4.0),
        conduct=conduct,
        speed=Speed(12.3e-6, 172e-6, 0.0456),
        deeds=Deeds(4_800, 1_200, 1_300, 96 - 32 * number, 24, 10 + number),
        by_direction=tuple(
            DirectionPoints(direction, 1_200, round(1_200 * points) + 60 * direction)
            for direction in (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD)
        ),
        costliest=(
            DealResult(7 + number, number, CODE, 168, 191, 48, 14.5, 8.0),
            DealResult(3, number, CODE, 72, 95, 48, 9.75, 3.25),
        ),
    )
