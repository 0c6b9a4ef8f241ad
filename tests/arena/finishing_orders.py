"""Tournaments whose truth is known: finishing orders by the model of R. L. Plackett and R. D. Luce.

In it, one comes before another with a probability that depends on their ratings alone, whoever else
sits at the table. Part of the luck belongs to a seat and is the same in all matches of a block, as
the luck of the cards is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.plan import Entrant, Plan
from hearts_arena.plan.results import Match, MatchResult, Seats

from .sittings import conduct_of, pace_of

ELO = (120.0, 30.0, -50.0, -100.0)
POINTS = (2, 5, 8, 11)
"""What a hand brings who is first, second, third and last."""
ROTATIONS: tuple[Seats, ...] = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
NO_CONDUCT = (conduct_of(), conduct_of(), conduct_of(), conduct_of())
NO_PACE = (pace_of(), pace_of(), pace_of(), pace_of())

_WEIGHTS = [10 ** (rating / 400) for rating in ELO]


def plan_of(names: str = "ABCD", deals: int = 100) -> Plan:
    """Entrants with names of one letter."""
    return Plan(tuple(Entrant(name, "random") for name in names), deals=deals)


def result_of(number: int, *points: tuple[int, int, int, int]) -> MatchResult:
    """A match of some hands, won by the lowest score."""
    a, b, c, d = (sum(of_seat) for of_seat in zip(*points, strict=True))
    scores = (a, b, c, d)
    winners = tuple(seat for seat in range(4) if scores[seat] == min(scores))
    return MatchResult(number, points, scores, winners, NO_CONDUCT, NO_PACE)


def tally_of(blocks: int, luck: random.Random, shared: float = 0.5) -> Tally:
    """A tournament that was played; ``shared`` is how much of the luck belongs to the seats."""
    tally = Tally(plan_of(deals=blocks), len(ROTATIONS))
    for match, result in matches(blocks, luck, shared):
        tally.add(match, result)
    return tally


def matches(blocks: int, luck: random.Random, shared: float) -> Iterator[tuple[Match, MatchResult]]:
    """Every match, with as many seatings in a block as there are seats."""
    number = 0
    for block in range(blocks):
        of_seats = [luck.expovariate(1) for _ in range(4)]
        for seats in ROTATIONS:
            times = [
                (of_seats[seat] if luck.random() < shared else luck.expovariate(1))
                / _WEIGHTS[entrant]
                for seat, entrant in enumerate(seats)
            ]
            order = sorted(times)
            a, b, c, d = (POINTS[order.index(time)] for time in times)
            yield Match(number, block, seats), result_of(number, (a, b, c, d))
            number += 1


def true_points() -> tuple[float, ...]:
    """The points per hand of each entrant that an endless tournament would show."""
    means = [0.0] * 4
    for order in permutations(range(4)):
        left = sum(_WEIGHTS)
        probability = 1.0
        for entrant in order:
            probability *= _WEIGHTS[entrant] / left
            left -= _WEIGHTS[entrant]
        for entrant, points in zip(order, POINTS, strict=True):
            means[entrant] += probability * points
    return tuple(means)
