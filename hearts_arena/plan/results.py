"""The parts of a tournament, and the results of each when it has been played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from hearts.game.scoring import Four

NANOSECONDS = 1_000_000_000
"""Those of a second."""
Count = Annotated[int, Meta(ge=0, lt=1 << 53)]
"""A float holds each of them."""
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


class Conduct(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """The behaviour of a player in a match, beside the points."""

    choices: Count
    """Passes, cards and moons that the player was asked for."""
    illegal: Count
    timeouts: Count
    crashes: Count
    """Times that the player raised, hung up or died; after that a stand-in played."""
    stood_in: Count


class TimeTaken(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """The time that a player took, in nanoseconds.

    It is measured, so it may differ when a match is repeated.
    """

    whole: Count
    """For all choices of a match together."""
    slowest: Count


class ChoiceInfo(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """Words of a program of the line protocol about one of its choices."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    choice: Count
    """From 0, among those of the seat in the match."""
    text: str


class MatchResult(
    Struct,
    frozen=True,
    gc=False,
    rename={"number": "match"},
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A match that was played to its end. Everything by seats."""

    number: int
    points: Annotated[tuple[Four, ...], Meta(min_length=1)]
    scores: Four
    """The scores at the end."""
    winners: Annotated[tuple[Annotated[int, Meta(ge=0, le=3)], ...], Meta(min_length=1)]
    """Seats (0-3) that have won, ties included; by the rules if a game was played to its end,
    and the lowest score if a number of hands was."""
    conduct: tuple[Conduct, Conduct, Conduct, Conduct]
    pace: tuple[TimeTaken, TimeTaken, TimeTaken, TimeTaken]
    moves: str = ""
    """The choices (:mod:`hearts_arena.kept.moves`); empty if no record is kept."""
    took: str = ""
    """The takers of queen, jack and moon (:mod:`hearts_arena.kept.captures`), a text a hand with
    spaces between; empty in results of arenas that did not write it down."""
    info: tuple[ChoiceInfo, ...] = ()
    """Empty if no record is kept."""


class SeatCounts:
    """Counts of a seat's choices in a match, and the time that they took."""

    def __init__(self) -> None:
        self.choices = self.illegal = self.timeouts = self.crashes = self.stood_in = 0
        self.seconds = self.slowest = 0.0
        self.info: list[tuple[int, str]] = []
        """Choices, by their number from 0, of which the player has said something."""

    def take_time(self, seconds: float) -> None:
        self.seconds += seconds
        if seconds > self.slowest:
            self.slowest = seconds

    @property
    def conduct(self) -> Conduct:
        return Conduct(self.choices, self.illegal, self.timeouts, self.crashes, self.stood_in)

    @property
    def pace(self) -> TimeTaken:
        return TimeTaken(round(self.seconds * NANOSECONDS), round(self.slowest * NANOSECONDS))


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
        tuple(
            ChoiceInfo(seat, *said) for seat, own in enumerate(counts) for said in own.info if moves
        ),
    )
