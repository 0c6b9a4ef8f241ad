"""The standings of a tournament: how good each player is, and how far that may be wrong.

A game is one seat at one match: who holds two seats of a table plays two games there, and twice its
hands. What is counted and estimated comes from whole blocks only, in which every seating of the
schedule was played; conduct and times come from every match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from hearts_arena.plan.plan import Entrant, Plan
from hearts_arena.plan.results import Conduct
from hearts_arena.plan.schedules import pass_cycle

from .behaviour import Deeds, DirectionPoints, Speed
from .by_deal import DealResult, costliest
from .estimates import Estimate, estimate, paired_difference
from .points import points_of
from .ratings import Group, Ratings, rate
from .sequential import SequentialState, state_of
from .tally import Column, Tally

MAX_GROUPS = 100
"""Into how many groups blocks are put, to see how much a rating depends on them."""


class Standing(Struct, frozen=True, gc=False):
    """One entrant. Estimates are None as long as no block is whole."""

    number: int
    """From 0, in the order of the plan."""
    entrant: Entrant
    hands: int
    games: int
    points_per_hand: Estimate | None
    behind: Estimate | None
    """Points per hand more than the best entrant has on the same deals; 0 for the best."""
    points_per_game: Estimate | None
    places: tuple[int, int, int, int]
    """The games that ended with place 1, 2, 3 and 4. A winner has place 1; the place of any other
    player is the number of better players, and one more. Equal scores are equal places."""
    average_place: Estimate | None
    wins: int
    """Games won, alone or with others: a shared win is a win for each."""
    shared_wins: int
    """The number of wins that were shared with another entrant."""
    wins_per_game: Estimate | None
    rating: Estimate | None
    """On the scale of Elo, 0 for the average of the entrants (:mod:`.ratings`)."""
    conduct: Conduct
    speed: Speed
    deeds: Deeds
    by_direction: tuple[DirectionPoints, ...]
    costliest: tuple[DealResult, ...]
    """The deals at which the entrant took most beyond the others, the worst first."""


class Standings(Struct, frozen=True, gc=False):
    """A tournament, or as much of it as was played."""

    plan: Plan
    entrants: tuple[Standing, ...]
    head_to_head: tuple[tuple[Estimate | None, ...], ...]
    """For entrant i and entrant j, ``[i][j]``: the points per hand of i less those of j at tables
    where both sat; below 0 if i is better. None if they never met."""
    separated: bool
    """True if one entrant or several were always ahead of all others, or always behind them. Then
    the distance of the ratings is not known, and they have no intervals."""
    blocks: int
    matches: int
    left_out: int
    """Those of them whose block is not whole yet."""
    hands: int
    """Deals played out, in all matches."""
    test: SequentialState | None = None

    @property
    def is_final(self) -> bool:
        """True if all blocks were played that were planned, so that nobody chose when to stop."""
        return _is_final(self.plan, self.blocks)

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """The fewest points per hand first; equal ones in the order of the plan."""
        return tuple(sorted(self.entrants, key=lambda entrant: _rank(entrant.points_per_hand)))


def standings_of(tally: Tally) -> Standings:
    """Compute what a tally says.

    It computes for a while, in proportion to the blocks: a second for a hundred thousand.
    """
    plan = tally.plan
    numbers = range(len(plan.entrants))
    watched = not _is_final(plan, tally.blocks)
    cycle = 1 if watched else _cycle(plan)
    ratings = _ratings(tally)
    per_hand = [_ratios(tally, number, Column.POINTS, Column.HANDS) for number in numbers]
    means = [points_of(tally, number) for number in numbers]
    first = min(numbers, key=lambda number: _rank(means[number]))
    costly = costliest(tally)
    rows = tuple(
        _standing(
            tally,
            number,
            points_per_hand=means[number],
            behind=paired_difference(per_hand[number], per_hand[first], cycle, watched=watched),
            rating=ratings.entrants[number] if ratings else None,
            costliest=costly[number],
        )
        for number in numbers
    )
    return Standings(
        plan,
        rows,
        _head_to_head(tally, watched, cycle),
        separated=ratings is not None and ratings.separated,
        blocks=tally.blocks,
        matches=tally.matches,
        left_out=tally.left_out,
        hands=tally.hands,
        test=None if plan.bounds is None else state_of(plan.bounds, tally),
    )


def _is_final(plan: Plan, blocks: int) -> bool:
    return plan.bounds is None and blocks == plan.deals


def _cycle(plan: Plan) -> int:
    """Return the number of blocks after which the direction of the pass repeats."""
    if plan.hands != 1 or plan.directions:
        return 1
    cycle = pass_cycle(plan.rules)
    return cycle if plan.deals % cycle == 0 and plan.deals >= 2 * cycle else 1


def leaders_of(tally: Tally) -> list[tuple[int, float, bool]]:
    """Entrants that have played, the fewest points per hand so far first.

    Each with these points, and with True if it is behind the first for sure, however often that is
    asked.
    """
    points = [
        (number, mean)
        for number, mean in enumerate(tally.behaviours.points_so_far())
        if mean is not None
    ]
    points.sort(key=lambda pair: pair[1])
    per_hand = {number: _ratios(tally, number, Column.POINTS, Column.HANDS) for number, _ in points}
    leaders = []
    for number, mean in points:
        behind = paired_difference(per_hand[number], per_hand[points[0][0]], watched=True)
        leaders.append((number, mean, behind is not None and behind.sign > 0))
    return leaders


def _standing(tally: Tally, number: int, **known: Any) -> Standing:
    first, second, third, fourth = (
        tally.column(number, place)
        for place in (Column.FIRST, Column.SECOND, Column.THIRD, Column.FOURTH)
    )
    games = tally.column(number, Column.GAMES)
    placed = [
        a + 2 * b + 3 * c + 4 * d for a, b, c, d in zip(first, second, third, fourth, strict=True)
    ]
    return Standing(
        number,
        tally.plan.entrants[number],
        hands=sum(tally.column(number, Column.HANDS)),
        games=sum(games),
        points_per_game=_estimate(_ratios(tally, number, Column.SCORE, Column.GAMES)),
        places=(sum(first), sum(second), sum(third), sum(fourth)),
        average_place=_estimate(_quotients(placed, games)),
        wins=sum(first),
        shared_wins=sum(tally.column(number, Column.SHARED)),
        wins_per_game=_estimate(_quotients(first, games)),
        conduct=tally.behaviours.conduct(number),
        speed=tally.behaviours.speed(number),
        deeds=tally.behaviours.deeds(number),
        by_direction=tally.behaviours.by_direction(number),
        **known,
    )


def _head_to_head(
    tally: Tally, watched: bool, cycle: int
) -> tuple[tuple[Estimate | None, ...], ...]:
    numbers = range(len(tally.plan.entrants))
    table: list[list[Estimate | None]] = [[None for _ in numbers] for _ in numbers]
    for one in numbers:
        for other in range(one):
            differences = list(tally.differences(one, other))
            if differences:
                steps = cycle if len(differences) == tally.blocks else 1
                found = estimate(differences, steps, watched=watched)
                table[one][other], table[other][one] = found, -found
    return tuple(map(tuple, table))


def _ratings(tally: Tally) -> Ratings | None:
    if not tally.blocks:
        return None
    numbers = range(len(tally.plan.entrants))
    count = min(tally.blocks, MAX_GROUPS)
    columns = {
        (one, other): tally.halves(one, other)
        for one in numbers
        for other in numbers
        if one != other
    }
    groups = [
        Group(
            blocks=len(range(group, tally.blocks, count)),
            halves=[
                [0 if one == other else sum(columns[one, other][group::count]) for other in numbers]
                for one in numbers
            ],
        )
        for group in range(count)
    ]
    return rate(groups)


def _ratios(tally: Tally, number: int, above: Column, below: Column) -> list[float | None]:
    return _quotients(tally.column(number, above), tally.column(number, below))


def _quotients(above: Sequence[int], below: Sequence[int]) -> list[float | None]:
    """Return the quotient of each block; None for a block in which the entrant did not play."""
    return [part / whole if whole else None for part, whole in zip(above, below, strict=True)]


def _estimate(values: Sequence[float | None]) -> Estimate | None:
    known = [value for value in values if value is not None]
    return estimate(known) if known else None


def _rank(per_hand: Estimate | None) -> float:
    return math.inf if per_hand is None else per_hand.mean
