"""The behaviour of entrants in all matches, beside their points: faults, times, queens and moons.

Here every match counts, whether its block is whole or not.
"""

from __future__ import annotations

from collections import Counter
from operator import add

from msgspec import Struct
from msgspec.structs import astuple

from hearts.game.rules import Direction
from hearts_arena.kept.captures import read_captures
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import NANOSECONDS, Conduct, Match, MatchResult, Seats
from hearts_arena.plan.schedules import pass_cycle


class Deeds(Struct, frozen=True, gc=False):
    """Counts of what an entrant took (:mod:`hearts_arena.kept.captures`)."""

    hands: int = 0
    """Those of which it is known."""
    queens: int = 0
    jacks: int = 0
    """Of diamonds, whether they count or not."""
    moons_tried: int = 0
    """Those that succeeded among them."""
    moons_made: int = 0
    moons_stopped: int = 0
    """Those of others."""


class DirectionPoints(Struct, frozen=True, gc=False):
    """The points of an entrant in all hands with one direction of the pass."""

    direction: Direction
    hands: int
    points: int


class Speed(Struct, frozen=True, gc=False):
    """The time that an entrant thinks, in seconds; 0 if it never had to."""

    per_choice: float
    per_hand: float
    slowest: float


class _Behaviour:
    def __init__(self) -> None:
        self.conduct: tuple[int, ...] = (0,) * len(Conduct.__struct_fields__)
        self.nanoseconds = 0
        """Whole ones, so that sums are exact."""
        self.slowest = 0.0
        self.deeds: Counter[str] = Counter()


class Behaviours:
    """The behaviour of all entrants of a tournament."""

    def __init__(self, plan: Plan) -> None:
        entrants = len(plan.entrants)
        self._behaviours = [_Behaviour() for _ in range(entrants)]
        self._cycle = [plan.rules.direction(hand) for hand in range(pass_cycle(plan.rules))]
        self._by_direction = {
            direction: [[0, 0] for _ in range(entrants)] for direction in self._cycle
        }
        """The hands and the points of each entrant."""

    def add(self, match: Match, result: MatchResult) -> int:
        """Add a match; in how many of its hands somebody shot the moon, as far as is known."""
        cycle = self._cycle
        for hand, taken in enumerate(result.points, match.first_hand):
            sums = self._by_direction[cycle[hand % len(cycle)]]
            for entrant, more in zip(match.seats, taken, strict=True):
                both = sums[entrant]
                both[0] += 1
                both[1] += more
        hands_known = len(result.points) if result.took else 0
        for seat, entrant in enumerate(match.seats):
            seen, pace = self._behaviours[entrant], result.pace[seat]
            seen.conduct = tuple(map(add, seen.conduct, astuple(result.conduct[seat])))
            seen.nanoseconds += pace.whole
            seen.slowest = max(seen.slowest, pace.slowest / NANOSECONDS)
            seen.deeds["hands"] += hands_known
        return self._add_deeds(match.seats, result.took) if result.took else 0

    @property
    def knows_moons(self) -> bool:
        return any(seen.deeds["hands"] for seen in self._behaviours)

    def points_so_far(self) -> tuple[float | None, ...]:
        """Return the points per hand of each entrant in all matches, quickly, and not to be trusted
        as yet.

        None for an entrant that has not played.
        """
        sums = [self._sums(entrant) for entrant in range(len(self._behaviours))]
        return tuple(points / hands if hands else None for hands, points in sums)

    def _sums(self, entrant: int) -> tuple[int, int]:
        hands, points = zip(*(sums[entrant] for sums in self._by_direction.values()), strict=True)
        return sum(hands), sum(points)

    def conduct(self, entrant: int) -> Conduct:
        return Conduct(*self._behaviours[entrant].conduct)

    def speed(self, entrant: int) -> Speed:
        seen = self._behaviours[entrant]
        seconds = seen.nanoseconds / NANOSECONDS
        # An entrant without choices or hands has thought for no time.
        per_choice = seconds / max(seen.conduct[0], 1)
        return Speed(per_choice, seconds / max(self._sums(entrant)[0], 1), seen.slowest)

    def deeds(self, entrant: int) -> Deeds:
        return Deeds(**self._behaviours[entrant].deeds)

    def by_direction(self, entrant: int) -> tuple[DirectionPoints, ...]:
        return tuple(
            DirectionPoints(direction, *sums[entrant])
            for direction, sums in self._by_direction.items()
        )

    def _add_deeds(self, seats: Seats, took: str) -> int:
        by_seat = [self._behaviours[entrant].deeds for entrant in seats]
        moons = 0
        for text in took.split(" "):
            hand = read_captures(text)
            by_seat[hand.queen]["queens"] += 1
            by_seat[hand.jack]["jacks"] += 1
            if hand.shot is not None:
                by_seat[hand.shot]["moons_tried"] += 1
                by_seat[hand.shot]["moons_made"] += 1
                moons += 1
            if hand.stopped is not None and hand.stopper is not None:
                by_seat[hand.stopped]["moons_tried"] += 1
                by_seat[hand.stopper]["moons_stopped"] += 1
        return moons
