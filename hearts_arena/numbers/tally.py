"""Adds up the results of matches, block by block.

All sums are whole numbers, so they are the same in whatever order the results come. What is kept
grows with the blocks and the square of the entrants, never with the matches.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from enum import IntEnum
from itertools import compress

from msgspec import Struct

from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult, Seats

from .behaviour import Behaviours


class Column(IntEnum):
    """The sums of each entrant in each block."""

    POINTS = 0
    SCORE = 1
    HANDS = 2
    GAMES = 3
    FIRST = 4
    """Games that ended with place 1."""
    SECOND = 5
    THIRD = 6
    FOURTH = 7
    SHARED = 8
    """Games that another entrant won as well."""


# As attributes of an Enum they would take a quarter of the time of adding a match.
_SCORE, _HANDS, _GAMES = int(Column.SCORE), int(Column.HANDS), int(Column.GAMES)
_BEFORE_FIRST, _SHARED = Column.FIRST - 1, int(Column.SHARED)
# The sums of two entrants, the one with the lower number first: the points of the first less those
# of the second, and the hands, for each two seats where they sat; then 2 for each seat of the other
# that one came before, the first and the second, and 1 if both were equal.
_DIFFERENCE, _PAIR_HANDS, _FIRST_HALVES, _SECOND_HALVES = _PAIR = range(4)


class _Layout(Struct, frozen=True, gc=False):
    """The places of the sums of a table in a block."""

    entrants: Seats
    bases: tuple[int, int, int, int]
    pairs: tuple[tuple[int, int, int], ...]
    """Two seats of different entrants, that with the lower number first, and their base."""


class Tally:
    """The sums of a tournament. A block counts as whole when all its matches were added."""

    def __init__(self, plan: Plan, matches_per_block: int) -> None:
        """``matches_per_block`` follows from the plan; each block has as many."""
        self.plan = plan
        self._matches_per_block = matches_per_block
        entrants = len(plan.entrants)
        self._pair_bases: dict[tuple[int, int], int] = {}
        width = entrants * len(Column)
        for first in range(entrants):
            for second in range(first + 1, entrants):
                self._pair_bases[first, second] = width
                width += len(_PAIR)
        self._moons_base = width
        width += 1
        self._width = width
        self._sums = array("q")
        self._added = array("q")
        self._whole = bytearray()
        self._layouts: dict[Seats, _Layout] = {}
        self.behaviours = Behaviours(plan)
        """Of all matches, those of blocks that are not whole among them."""
        self.matches = 0
        self.hands = 0
        """Deals played out in them."""

    def add(self, match: Match, result: MatchResult) -> None:
        """Add a match that was played.

        Raises ValueError if the result is that of another match, the block is none of the plan,
        or has had all its matches.
        """
        if result.number != match.number:
            raise ValueError(f"result {result.number} is not that of match {match.number}")
        layout = self._layout(match.seats)
        start = self._enter(match.block)
        points = result.points
        hands = len(points)
        totals = points[0] if hands == 1 else tuple(map(sum, zip(*points, strict=True)))
        places = _places(result)
        self._add_seats(start, layout, result, totals, places)
        self._add_pairs(start, layout, hands, totals, places)
        self._sums[start + self._moons_base] += self.behaviours.add(match, result)
        self.matches += 1
        self.hands += hands

    @property
    def blocks(self) -> int:
        return sum(self._whole)

    @property
    def left_out(self) -> int:
        return self.matches - self.blocks * self._matches_per_block

    def moons(self) -> list[int]:
        """Return the hands in which somebody shot the moon, for each whole block, as far as is
        known.
        """
        return self._read(self._moons_base)

    def column(self, entrant: int, column: Column) -> list[int]:
        """Return the sums of an entrant, one for each whole block in their order."""
        return self._read(entrant * len(Column) + column)

    def differences(self, first: int, second: int) -> Iterator[float]:
        """Return the points per hand of one entrant less those of another at the same tables.

        One number for each whole block in which they met.
        """
        base, sign = self._pair(first, second)
        differences = self._read(base + _DIFFERENCE)
        hands = self._read(base + _PAIR_HANDS)
        return (
            sign * difference / count
            for difference, count in zip(differences, hands, strict=True)
            if count
        )

    def is_whole(self, block: int) -> bool:
        return block < len(self._whole) and self._whole[block] == 1

    def whole_blocks(self) -> Iterator[int]:
        """Return the numbers of the whole blocks in their order."""
        return compress(range(len(self._whole)), self._whole)

    def difference_in(self, block: int) -> float:
        """Return the points per hand of entrant 0 less those of entrant 1 in one block, where they
        met.
        """
        at = block * self._width + self._pair_bases[0, 1]
        return self._sums[at + _DIFFERENCE] / self._sums[at + _PAIR_HANDS]

    def halves(self, first: int, second: int) -> list[int]:
        """Count how often one entrant came before another: 2 each time, and 1 if they were equal.

        One number for each whole block.
        """
        base, sign = self._pair(first, second)
        return self._read(base + (_FIRST_HALVES if sign > 0 else _SECOND_HALVES))

    def _read(self, place: int) -> list[int]:
        return list(compress(self._sums[place :: self._width], self._whole))

    def _pair(self, first: int, second: int) -> tuple[int, int]:
        if first < second:
            return self._pair_bases[first, second], 1
        return self._pair_bases[second, first], -1

    def _layout(self, seats: Seats) -> _Layout:
        layout = self._layouts.get(seats)
        if layout is None:
            pairs = tuple(
                (a, b, self._pair_bases[seats[a], seats[b]])
                for a in range(4)
                for b in range(4)
                if seats[a] < seats[b]
            )
            a, b, c, d = (entrant * len(Column) for entrant in seats)
            layout = self._layouts[seats] = _Layout(seats, (a, b, c, d), pairs)
        return layout

    def _enter(self, block: int) -> int:
        """Note one more match of a block; return the place where its sums begin."""
        if not 0 <= block < self.plan.deals:
            raise ValueError(f"there is no block {block}")
        missing = block + 1 - len(self._added)
        if missing > 0:
            self._added.extend([0] * missing)
            self._whole.extend(bytes(missing))
            self._sums.frombytes(bytes(missing * self._width * self._sums.itemsize))
        if self._added[block] == self._matches_per_block:
            raise ValueError(f"block {block} has had all its matches")
        self._added[block] += 1
        self._whole[block] = self._added[block] == self._matches_per_block
        return block * self._width

    def _add_seats(
        self,
        start: int,
        layout: _Layout,
        result: MatchResult,
        totals: tuple[int, ...],
        places: list[int],
    ) -> None:
        sums = self._sums
        hands = len(result.points)
        winners = {layout.entrants[seat] for seat in result.winners}
        for seat, base in enumerate(layout.bases):
            at = start + base
            sums[at] += totals[seat]
            sums[at + _SCORE] += result.scores[seat]
            sums[at + _HANDS] += hands
            sums[at + _GAMES] += 1
            sums[at + _BEFORE_FIRST + places[seat]] += 1
            if places[seat] == 1 and len(winners) > 1:
                sums[at + _SHARED] += 1

    def _add_pairs(
        self, start: int, layout: _Layout, hands: int, totals: tuple[int, ...], places: list[int]
    ) -> None:
        sums = self._sums
        for first, second, base in layout.pairs:
            at = start + base
            sums[at] += totals[first] - totals[second]
            sums[at + _PAIR_HANDS] += hands
            halves = 1 + (places[first] < places[second]) - (places[first] > places[second])
            sums[at + _FIRST_HALVES] += halves
            sums[at + _SECOND_HALVES] += 2 - halves


def _places(result: MatchResult) -> list[int]:
    ranks = list(result.scores)
    before_all = min(ranks) - 1
    for winner in result.winners:
        ranks[winner] = before_all
    # In order, the first of equal scores stands where the number of those who are better does.
    ordered = sorted(ranks)
    return [1 + ordered.index(rank) for rank in ranks]
