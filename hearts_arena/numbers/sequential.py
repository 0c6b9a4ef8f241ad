"""A test of two hypotheses about a difference that looks after every block and keeps its errors.

It is the sequential probability ratio test of A. Wald (1945), generalised to a spread that is not
known, as fishtest has it for chess engines. The log-likelihood ratio is that of normal
distributions with the spread of the blocks so far::

    blocks * (HIGH - LOW) * ((HIGH + LOW) / 2 - mean) / variance

The test ends where it leaves the range from ``log(beta / (1 - alpha))`` to
``log((1 - beta) / alpha)``. Wald's bounds hold for a spread that is known. So the variance of few
blocks is taken as larger (:data:`DOUBT`), and nothing is decided before :data:`FEWEST` blocks, and
not before :data:`FEWEST_DIFFERENT` of them were different from 0 or :data:`ENOUGH` were played:
players who choose alike nearly always differ in few deals, and by much. How often it errs was
simulated: hearts_arena/README.md has the figures.
"""

from __future__ import annotations

import math
from enum import Enum

from msgspec import Struct

from hearts_arena.plan.plan import Bounds

from .estimates import Sums
from .tally import Tally

FEWEST = 16
"""Blocks before which nothing is decided."""
DOUBT = 10
"""The variance of n blocks counts 1 + DOUBT / n times."""
FEWEST_DIFFERENT = 10
"""Blocks with a difference, before which nothing is decided either."""
ENOUGH = 300
"""Blocks after which it does not matter how many of them had a difference."""


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
    ratio: float | None
    """The log-likelihood ratio of the lower bound over the upper one; None where it is infinite."""
    lower: float
    upper: float


class SequentialTest:
    """The test of one difference; blocks are added in their order."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._lower = math.log(bounds.beta / (1 - bounds.alpha))
        self._upper = math.log((1 - bounds.beta) / bounds.alpha)
        self._different = 0
        self._sums = Sums()

    def add(self, difference: float) -> Verdict:
        """Add the next block, whose difference is in points a hand; what is known then."""
        self._different += difference != 0.0
        self._sums.add(difference)
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
        blocks, bounds = self._sums.count, self._bounds
        if not blocks:
            return 0.0
        pull = (bounds.high - bounds.low) * ((bounds.high + bounds.low) / 2 - self._sums.mean)
        if not self._sums.squares:
            return math.copysign(math.inf, pull)
        variance = self._sums.squares / max(blocks - 1, 1) * (1 + DOUBT / blocks)
        return blocks * pull / variance

    @property
    def verdict(self) -> Verdict:
        blocks = self._sums.count
        if blocks < FEWEST or (self._different < FEWEST_DIFFERENT and blocks < ENOUGH):
            return Verdict.OPEN
        if self._ratio >= self._upper:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if self._ratio <= self._lower else Verdict.OPEN

    @property
    def state(self) -> SequentialState:
        ratio = self._ratio if math.isfinite(self._ratio) else None
        sums = self._sums
        return SequentialState(self.verdict, sums.count, sums.mean, ratio, self._lower, self._upper)


def state_of(bounds: Bounds, tally: Tally) -> SequentialState:
    test = SequentialTest(bounds)
    test.look(tally)
    return test.state
