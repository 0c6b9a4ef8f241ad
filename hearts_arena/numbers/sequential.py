"""A test of two hypotheses about a difference that looks after every block and keeps its errors.

It is the sequential probability ratio test of A. Wald (1945), generalised to a spread that is not
known, as fishtest has it for chess engines. The log-likelihood ratio is that of normal
distributions with the spread of the blocks so far::

    blocks * (HIGH - LOW) * ((HIGH + LOW) / 2 - mean) / variance

The test ends where it leaves the range from ``log(beta / (1 - alpha))`` to
``log((1 - beta) / alpha)``. Wald's bounds hold for a spread that is known, and few blocks may say
too little of it. So nothing is decided before :data:`FEWEST` blocks, and the variance is taken as
larger, the more so the fewer blocks it comes from (:data:`DOUBT`). Nor is it taken as less than it
is if moons alone make a difference as large as that of the bounds (:func:`moon_in`). For players
who choose alike nearly always may differ in few deals, and by much; while their moons are still to
come, the blocks say too little of mean and spread at once. How often the test errs was simulated:
hearts_arena/README.md has the figures.
"""

from __future__ import annotations

import math
from enum import Enum

from msgspec import Struct

from hearts.game.scoring import points_by
from hearts_arena.plan.plan import Bounds, Plan
from hearts_arena.plan.schedules import block_size

from .estimates import Sums
from .tally import Tally

FEWEST = 16
"""Blocks before which nothing is decided."""
DOUBT = 4
"""The variance counts 1 + DOUBT / n times, where n blocks, all as far from the middle of the
bounds, would have the same spread."""
_LOSERS_POINTS = 10
"""Those a hand of a player whose score ends a game, roughly."""


class Verdict(Enum):
    """The finding of a test; the value is how it is said."""

    BETTER = "better"
    """The difference is that of the lower bound: the first player is better by as much."""
    NOT_BETTER = "not better"
    """The difference is that of the upper bound."""
    OPEN = "open"


class SequentialState(Struct, frozen=True, gc=False):
    verdict: Verdict
    blocks: int
    mean: float
    """Their difference in points a hand. Of a test that has decided it is somewhat too far out."""
    ratio: float
    """The log-likelihood ratio of the lower bound over the upper one."""
    lower: float
    upper: float


def moon_in(plan: Plan) -> float:
    """Return by how much the difference of a block moves if one player shoots the moon of a deal,
    and the other does not: in half of the seatings, with one direction of the pass.
    """
    hands = plan.hands or max(plan.end_score // _LOSERS_POINTS, 1)
    return points_by(plan.rules).moon * 3 / (block_size(plan) * hands)


class SequentialTest:
    """The test of one difference; blocks are added in their order."""

    def __init__(self, bounds: Bounds, moon: float) -> None:
        """``moon`` is by how much a single deal may move a block."""
        self._lower = math.log(bounds.beta / (1 - bounds.alpha))
        self._upper = math.log((1 - bounds.beta) / bounds.alpha)
        self._middle = (bounds.high + bounds.low) / 2
        self._gap = bounds.high - bounds.low
        self._least = self._gap * moon
        self._sums = Sums()
        self._squares = self._fourths = 0.0
        """Of the distances from the middle."""

    def add(self, difference: float) -> Verdict:
        """Add the next block, whose difference is in points a hand; what is known then."""
        self._sums.add(difference)
        square = (difference - self._middle) ** 2
        self._squares += square
        self._fourths += square**2
        return self.verdict

    def look(self, tally: Tally) -> Verdict:
        """Add the blocks that are new in a tally, whose first two entrants are compared.

        It goes by the order of the blocks, not by that in which they were played, and looks at none
        after it has decided. So its verdict is the same on however many cores the matches are
        played.
        """
        while self.verdict is Verdict.OPEN and tally.is_whole(self._sums.count):
            self.add(tally.difference_in(self._sums.count))
        return self.verdict

    @property
    def _ratio(self) -> float:
        sums = self._sums
        variance = max(sums.squares / max(sums.count - 1, 1), self._least)
        if self._squares:
            variance *= 1 + DOUBT * self._fourths / self._squares**2
        return sums.count * self._gap * (self._middle - sums.mean) / variance

    @property
    def verdict(self) -> Verdict:
        if self._sums.count < FEWEST:
            return Verdict.OPEN
        if self._ratio >= self._upper:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if self._ratio <= self._lower else Verdict.OPEN

    @property
    def state(self) -> SequentialState:
        return SequentialState(
            *(self.verdict, self._sums.count, self._sums.mean),
            *(self._ratio, self._lower, self._upper),
        )


def state_of(bounds: Bounds, tally: Tally) -> SequentialState:
    test = SequentialTest(bounds, moon_in(tally.plan))
    test.look(tally)
    return test.state
