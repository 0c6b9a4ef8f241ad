"""A rating from the order of places, with an interval.

The model is that of R. A. Bradley and M. E. Terry (1952): a player who is better by d comes before
the other with probability 1 / (1 + 10 ** (-d / 400)), the scale of Elo. Equal places count half. It
is fitted by the iteration of M. E. J. Newman (2023), "Efficient computation of rankings from
pairwise comparisons", which always converges.

Each entrant is taken to have played one drawn game against an average player besides, who is fitted
with them. This prior weighs nothing after a hundred games, and keeps the rating of a player who
wins every game finite. Such a rating shows only that all games were won, so it has no interval.

The interval comes from a jackknife over groups of blocks, of whatever sizes: F. Busing, E. Meijer
and R. van der Leeden (1999), "Delete-m jackknife for unequal m".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from .estimates import Estimate, t_quantile

PRIOR_GAMES = 1.0
"""Drawn games that each entrant is taken to have played against an average player."""

_ELO = 400 / math.log(10)
_CLOSE = 1e-11
"""The part of a strength by which the last step may change it."""
_MAX_STEPS = 10_000
"""Far more than are needed; rounding must not keep the fit going."""

Halves = Sequence[Sequence[int]]
"""``[i][j]``: 2 for each time i came before j, 1 for each time they were equal."""


class Group(Struct, frozen=True):
    blocks: int
    halves: Halves


class Ratings(Struct, frozen=True, gc=False):
    """A rating for each entrant, on the scale of Elo; their average is 0."""

    entrants: tuple[Estimate, ...]
    """Without intervals if ratings are separated, or if there is only one group."""
    separated: bool
    """True if one entrant or several were always ahead of all others, or always behind them. Then
    the distance between the ratings of the two sides comes from the prior, and is not known."""


def rate(groups: Sequence[Group]) -> Ratings:
    """Rate the entrants of one group or more, all with blocks and with the same two or more."""
    totals = _sum_of([group.halves for group in groups])
    fitted = _fit(totals, [0.0] * len(totals))
    # L. R. Ford's condition (1957) for ratings that the games alone decide.
    separated = not (_reaches_all(totals) and _reaches_all(list(zip(*totals, strict=True))))
    errors: Sequence[float | None] = [None] * len(totals)
    if len(groups) > 1 and not separated:
        errors = _jackknife(groups, totals, fitted)
    return Ratings(
        tuple(
            Estimate(
                _ELO * value,
                None if error is None else _ELO * error,
                None if error is None else t_quantile(len(groups) - 1) * (_ELO * error),
                sum(group.blocks for group in groups),
            )
            for value, error in zip(fitted, errors, strict=True)
        ),
        separated,
    )


def _jackknife(groups: Sequence[Group], totals: Halves, fitted: Sequence[float]) -> list[float]:
    """Standard errors from fits that leave out each group in turn."""
    count = len(groups)
    blocks = sum(group.blocks for group in groups)
    fits = [_fit(_less(totals, group.halves), fitted) for group in groups]
    errors = []
    for entrant, value in enumerate(fitted):
        corrected = count * value - math.fsum(
            (1 - group.blocks / blocks) * fit[entrant]
            for group, fit in zip(groups, fits, strict=True)
        )
        variance = 0.0
        for group, fit in zip(groups, fits, strict=True):
            share = blocks / group.blocks
            pseudo = share * value - (share - 1) * fit[entrant]
            variance += (pseudo - corrected) ** 2 / (share - 1) / count
        errors.append(math.sqrt(variance))
    return errors


def _fit(halves: Halves, start: Sequence[float]) -> list[float]:
    """Return the ratings in natural units that make the games, and the prior, most likely."""
    average = len(halves)  # The number of the average player, who comes behind all others.
    won = [*([*row, PRIOR_GAMES] for row in halves), [PRIOR_GAMES] * average + [0.0]]
    lost = list(zip(*won, strict=True))
    strengths = [*map(math.exp, start), 1.0]
    for _ in range(_MAX_STEPS):
        widest = 0.0
        for entrant, own in enumerate(strengths):
            above = below = 0.0
            for other, wins, losses in zip(strengths, won[entrant], lost[entrant], strict=True):
                above += wins * other / (own + other)
                below += losses / (own + other)
            strengths[entrant] = above / below
            widest = max(widest, abs(above / below / own - 1))
        if widest < _CLOSE:
            break
    ratings = list(map(math.log, strengths[:average]))
    mean = math.fsum(ratings) / average
    return [rating - mean for rating in ratings]


def _reaches_all(halves: Halves) -> bool:
    """Tell if the first came before each other, through others at least."""
    reached = {0}
    waiting = [0]
    while waiting:
        row = halves[waiting.pop()]
        fresh = [other for other, won in enumerate(row) if won and other not in reached]
        reached.update(fresh)
        waiting += fresh
    return len(reached) == len(halves)


def _sum_of(tables: Sequence[Halves]) -> Halves:
    return [[sum(cells) for cells in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def _less(totals: Halves, part: Halves) -> Halves:
    return [
        [cell - less for cell, less in zip(row, missing, strict=True)]
        for row, missing in zip(totals, part, strict=True)
    ]
