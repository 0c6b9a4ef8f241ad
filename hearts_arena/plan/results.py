"""The parts of a tournament, and the results of each when it has been played."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from hearts.game.scoring import Four

Seats = tuple[int, int, int, int]
"""The entrants in seats 0-3: their numbers, from 0 in the order of the plan."""


class Match(Struct, frozen=True, gc=False):
    """One sitting of four players: the unit of work and of storage."""

    number: int
    """From 0, in the order of the schedule."""
    block: int
    """Matches of one block play the same deals, so the luck of the cards is the same in them."""
    seats: Seats
    first_hand: int = 0
    """The number of the first hand, which decides about the pass; above 0 only for single hands."""


class Conduct(Struct, frozen=True, gc=False):
    """The behaviour of a player in a match, beside the points."""

    choices: int = 0
    """Passes, cards and moons that the player was asked for."""
    illegal: int = 0
    timeouts: int = 0
    crashes: int = 0
    """Times that the player raised, hung up or died; after that a stand-in played."""
    stood_in: int = 0


class TimeTaken(Struct, frozen=True, gc=False):
    """The time that a player took. It is measured, so it may differ when a match is repeated."""

    seconds: float = 0.0
    """For all choices of a match together."""
    slowest: float = 0.0


class MatchResult(Struct, frozen=True, gc=False):
    """A match that was played to its end. Everything by seats."""

    number: int
    points: tuple[Four, ...]
    scores: Four
    """The scores at the end."""
    winners: tuple[int, ...]
    """Seats (0-3) that have won, ties included; by the rules if a game was played to its end,
    and the lowest score if a number of hands was."""
    conduct: tuple[Conduct, Conduct, Conduct, Conduct]
    pace: tuple[TimeTaken, TimeTaken, TimeTaken, TimeTaken]
    moves: str = ""
    """The choices (:mod:`hearts_arena.kept.moves`); empty if no record is kept."""
    took: str = ""
    """The takers of queen, jack and moon (:mod:`hearts_arena.kept.captures`), a text a hand with
    spaces between; empty in results of arenas that did not write it down."""


class SeatCounts:
    """Counts of a seat's choices in a match, and the time that they took."""

    def __init__(self) -> None:
        self.choices = self.illegal = self.timeouts = self.crashes = self.stood_in = 0
        self.seconds = self.slowest = 0.0

    def take_time(self, seconds: float) -> None:
        self.seconds += seconds
        if seconds > self.slowest:
            self.slowest = seconds

    @property
    def conduct(self) -> Conduct:
        return Conduct(self.choices, self.illegal, self.timeouts, self.crashes, self.stood_in)

    @property
    def pace(self) -> TimeTaken:
        return TimeTaken(self.seconds, self.slowest)


def result_of(
    match: Match,
    points: Sequence[Four],
    scores: Four,
    winners: tuple[int, ...],
    counts: Sequence[SeatCounts],
    moves: str,
    took: str,
) -> MatchResult:
    a, b, c, d = counts
    return MatchResult(
        match.number,
        tuple(points),
        scores,
        winners,
        (a.conduct, b.conduct, c.conduct, d.conduct),
        (a.pace, b.pace, c.pace, d.pace),
        moves,
        took,
    )
