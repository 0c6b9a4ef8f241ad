"""What entrants did in all matches, beside their points: faults, times, queens and moons.

Here every match counts, whether its block is whole or not.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts_arena.kept.captures import read_captures
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Conduct, Match, MatchResult, Seats, TimeTaken
from hearts_arena.plan.schedules import pass_cycle

_NANOSECONDS = 1_000_000_000


class _Behaviour(Struct):
    """What an entrant did in all matches, beside the points."""

    choices: int = 0
    illegal: int = 0
    timeouts: int = 0
    crashes: int = 0
    stood_in: int = 0
    nanoseconds: int = 0
    """Whole ones, so that sums are exact."""
    slowest: float = 0.0
    hands_known: int = 0
    """Those of which is known who took what."""
    queens: int = 0
    jacks: int = 0
    moons_tried: int = 0
    moons_made: int = 0
    moons_stopped: int = 0

    def add(self, conduct: Conduct, pace: TimeTaken) -> None:
        """Add a seat of a match."""
        self.choices += conduct.choices
        self.illegal += conduct.illegal
        self.timeouts += conduct.timeouts
        self.crashes += conduct.crashes
        self.stood_in += conduct.stood_in
        self.nanoseconds += round(pace.seconds * _NANOSECONDS)
        if pace.slowest > self.slowest:
            self.slowest = pace.slowest


class Deeds(Struct, frozen=True, gc=False):
    """How often an entrant took what counts (:mod:`hearts_arena.kept.captures`)."""

    hands: int = 0
    """Those of which it is known."""
    queens: int = 0
    """Of spades."""
    jacks: int = 0
    """Of diamonds, whether they count or not."""
    moons_tried: int = 0
    """Those that he made among them."""
    moons_made: int = 0
    moons_stopped: int = 0
    """Those of others."""


class DirectionPoints(Struct, frozen=True, gc=False):
    """What an entrant took in all hands with one direction of the pass."""

    direction: Direction
    hands: int
    points: int


class Thinking(Struct, frozen=True, gc=False):
    """How long an entrant has thought in all matches, in seconds."""

    hands: int
    seconds: float
    slowest: float
    """For a single choice."""


class Behaviours:
    """The behaviour of all entrants of a tournament."""

    def __init__(self, plan: Plan) -> None:
        entrants = len(plan.entrants)
        self._behaviours = [_Behaviour() for _ in range(entrants)]
        self._cycle = [plan.rules.direction(hand) for hand in range(pass_cycle(plan.rules))]
        self._by_direction = {
            direction: [[0, 0] for _ in range(entrants)] for direction in self._cycle
        }
        """For each entrant his hands and his points."""

    def add(self, match: Match, result: MatchResult) -> int:
        """Add a match; in how many of its hands somebody shot the moon, as far as is known."""
        hands = len(result.points)
        for seat, entrant in enumerate(match.seats):
            behaviour = self._behaviours[entrant]
            behaviour.add(result.conduct[seat], result.pace[seat])
            if result.took:
                behaviour.hands_known += hands
        self._add_directions(match, result.points)
        return self._add_deeds(match.seats, result.took) if result.took else 0

    @property
    def knows_moons(self) -> bool:
        """Whether it is known in which hands somebody shot the moon."""
        return any(seen.hands_known for seen in self._behaviours)

    def points_so_far(self) -> tuple[float | None, ...]:
        """Points per hand of each entrant in all matches, quickly, and not to be trusted as yet.

        None for an entrant that has not played.
        """
        sums = [self.by_direction(entrant) for entrant in range(len(self._behaviours))]
        return tuple(
            sum(part.points for part in parts) / hands
            if (hands := sum(part.hands for part in parts))
            else None
            for parts in sums
        )

    def conduct(self, entrant: int) -> Conduct:
        """How an entrant behaved in all matches."""
        seen = self._behaviours[entrant]
        return Conduct(seen.choices, seen.illegal, seen.timeouts, seen.crashes, seen.stood_in)

    def thinking(self, entrant: int) -> Thinking:
        """How long an entrant thought in all matches."""
        seen = self._behaviours[entrant]
        hands = sum(part.hands for part in self.by_direction(entrant))
        return Thinking(hands, seen.nanoseconds / _NANOSECONDS, seen.slowest)

    def deeds(self, entrant: int) -> Deeds:
        """What an entrant did in all matches."""
        seen = self._behaviours[entrant]
        return Deeds(
            seen.hands_known,
            seen.queens,
            seen.jacks,
            seen.moons_tried,
            seen.moons_made,
            seen.moons_stopped,
        )

    def by_direction(self, entrant: int) -> tuple[DirectionPoints, ...]:
        """What an entrant took in all matches, for each direction that the rules have."""
        return tuple(
            DirectionPoints(direction, *sums[entrant])
            for direction, sums in self._by_direction.items()
        )

    def _add_directions(self, match: Match, points: tuple[Four, ...]) -> None:
        cycle = self._cycle
        for hand, taken in enumerate(points, match.first_hand):
            sums = self._by_direction[cycle[hand % len(cycle)]]
            for entrant, more in zip(match.seats, taken, strict=True):
                both = sums[entrant]
                both[0] += 1
                both[1] += more

    def _add_deeds(self, seats: Seats, took: str) -> int:
        seen = self._behaviours
        moons = 0
        for text in took.split(" "):
            hand = read_captures(text)
            seen[seats[hand.queen]].queens += 1
            seen[seats[hand.jack]].jacks += 1
            if hand.shot is not None:
                seen[seats[hand.shot]].moons_tried += 1
                seen[seats[hand.shot]].moons_made += 1
                moons += 1
            if hand.stopped is not None and hand.stopper is not None:
                seen[seats[hand.stopped]].moons_tried += 1
                seen[seats[hand.stopper]].moons_stopped += 1
        return moons
