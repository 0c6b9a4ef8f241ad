"""Points a hand, with intervals that count one moon more than was seen.

A moon is rare, and costs three times as much as all else in a hand. Twenty or thirty blocks may
have no moon, or one. Their spread alone then makes the points look far better known than they are.
So one more square is added to the squares of their deviations: that of a further block with a moon.
It lies as far from the mean as the blocks with a moon that were seen. If none was seen, it lies as
far out as one hand with a moon puts a block. If all blocks were alike, as they are for players who
choose alike, it lies as far out as a moon in every hand would put it. A simulation has counted how
often such intervals contain the truth: hearts_arena/README.md has the figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from hearts.game.scoring import points_by
from hearts_arena.plan.plan import Schedule

from .estimates import Estimate, Sums, from_squares
from .tally import Column, Tally


class PointsAfterBlocks(Struct, frozen=True, gc=False):
    """The points per hand as they stood after some of the whole blocks."""

    blocks: int
    points_per_hand: tuple[Estimate | None, ...]


def points_of(tally: Tally, number: int) -> Estimate | None:
    (last,) = _after(tally, number, [tally.blocks]) or [None]
    return last


def points_over_blocks(tally: Tally, steps: int = 100) -> tuple[PointsAfterBlocks, ...]:
    """Return the course of the points per hand, at up to ``steps`` moments; the last one is now."""
    blocks = tally.blocks
    moments = sorted({blocks * step // steps for step in range(1, steps + 1)} - {0})
    curves = [_after(tally, number, moments) for number in range(len(tally.plan.entrants))]
    return tuple(
        PointsAfterBlocks(after, estimates)
        for after, estimates in zip(moments, zip(*curves, strict=True), strict=True)
    )


def _after(tally: Tally, number: int, moments: Sequence[int]) -> list[Estimate | None]:
    points, hands = (tally.column(number, each) for each in (Column.POINTS, Column.HANDS))
    known: list[Estimate | None] = []
    wanted = set(moments)
    # So many seats of a match an entrant mostly has.
    seats = 1 if tally.plan.schedule is Schedule.CHALLENGE else 2
    moon = points_by(tally.plan.rules).moon if tally.behaviours.knows_moons else 0
    sums = PointsSums(seats, moon)
    for block, (taken, played, moons) in enumerate(
        zip(points, hands, tally.moons(), strict=True), 1
    ):
        if played:
            sums.add(taken, played, moons)
        if block in wanted:
            known.append(sums.estimate())
    return known


class PointsSums:
    def __init__(self, seats: int, moon: int) -> None:
        """``seats`` is how many seats of a match they have, ``moon`` what a moon counts; 0 if
        nobody knows of moons, and intervals are Student's."""
        self._seats = seats
        self._moon = moon
        self._hands = 0
        self._all = Sums()
        self._with_moon = Sums()

    def add(self, points: int, hands: int, moons: int) -> None:
        """Add a block: its points and hands, of which there are some, and how many hands of the
        block had a moon."""
        self._hands += hands
        self._all.add(points / hands)
        if moons:
            self._with_moon.add(points / hands)

    def estimate(self) -> Estimate | None:
        sums = self._all
        if not sums.count:
            return None
        return from_squares(sums.mean, sums.squares + self._another_moon(), sums.count)

    def _another_moon(self) -> float:
        """Return the square of how far out one more block with a moon would be."""
        if not self._moon:
            return 0.0
        sums, with_moon = self._all, self._with_moon
        away = self._moon * self._seats * sums.count / self._hands
        if not sums.squares:
            # As if there were a moon in every hand of a block.
            away = max(away, self._moon / 2)
        if not with_moon.count:
            return away**2
        shift = with_moon.mean - sums.mean
        return max(away**2, with_moon.squares / with_moon.count + shift**2)
