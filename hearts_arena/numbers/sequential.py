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
    """What a test has found; the value is how it is said."""

    BETTER = "better"
    """The difference is that of the lower bound: the first player is better by as much."""
    NOT_BETTER = "not better"
    """The difference is that of the upper bound."""
    OPEN = "open"
    """It needs more blocks."""


class SequentialTest:
    """The test of one difference; blocks are added in their order."""

    __slots__ = ("_different", "_high", "_low", "_lower", "_sums", "_upper")

    def __init__(self, low: float, high: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        """``low`` and ``high`` are the two differences in points a hand, below 0 for the better.

        ``alpha`` is how often BETTER may be said where the difference is ``high``, ``beta`` how
        often NOT_BETTER where it is ``low``; both are above 0 and below 0.5.
        """
        self._low, self._high = low, high
        self._lower = math.log(beta / (1 - alpha))
        self._upper = math.log((1 - beta) / alpha)
        self._different = 0
        self._sums = Sums()

    def add(self, difference: float) -> Verdict:
        """Add the next block, whose difference is in points a hand; what is known then."""
        self._different += difference != 0.0
        self._sums.add(difference)
        return self.verdict

    @property
    def blocks(self) -> int:
        """Those that were added."""
        return self._sums.count

    @property
    def mean(self) -> float:
        """The difference so far, in points a hand."""
        return self._sums.mean

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test."""
        return self._lower, self._upper

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of the lower bound over the upper one; it may be infinite."""
        if not self.blocks:
            return 0.0
        pull = (self._high - self._low) * ((self._high + self._low) / 2 - self.mean)
        if not self._sums.squares:
            return math.copysign(math.inf, pull)
        variance = self._sums.squares / max(self.blocks - 1, 1) * (1 + DOUBT / self.blocks)
        return self.blocks * pull / variance

    @property
    def verdict(self) -> Verdict:
        """What is known after the blocks so far."""
        if self.blocks < FEWEST:
            return Verdict.OPEN
        if self._different < FEWEST_DIFFERENT and self.blocks < ENOUGH:
            return Verdict.OPEN
        ratio = self.ratio
        if ratio >= self._upper:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if ratio <= self._lower else Verdict.OPEN


class BlockWatch:
    """Shows a test the blocks of a tally, one after the other.

    It goes by the order of the blocks, not by that in which they were played, and looks at none
    after it has decided. So its verdict is the same on however many cores the matches are played.
    """

    def __init__(self, bounds: Bounds, tally: Tally) -> None:
        """``tally`` has two entrants or more; the first two are compared."""
        self.test = SequentialTest(bounds.low, bounds.high, bounds.alpha, bounds.beta)
        self._tally = tally

    def look(self) -> Verdict:
        """Take in what is new; what is known now."""
        test, tally = self.test, self._tally
        while test.verdict is Verdict.OPEN and tally.is_whole(test.blocks):
            test.add(tally.difference_in(test.blocks))
        return test.verdict


class SequentialState(Struct, frozen=True, gc=False):
    """How a test stands."""

    verdict: Verdict
    blocks: int
    """Those that it has looked at."""
    mean: float
    """Their difference in points a hand. Of a test that has decided it is somewhat too far out."""
    ratio: float | None
    """The log-likelihood ratio; None where it is infinite."""
    lower: float
    upper: float
    """Where the ratio ends the test."""


def state_of(bounds: Bounds, tally: Tally) -> SequentialState:
    """How the test of a tournament stands."""
    watch = BlockWatch(bounds, tally)
    verdict, test = watch.look(), watch.test
    ratio = test.ratio
    lower, upper = test.bounds
    known = ratio if math.isfinite(ratio) else None
    return SequentialState(verdict, test.blocks, test.mean, known, lower, upper)
