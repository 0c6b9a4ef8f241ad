"""A proposal of other rules, and who has agreed to it (SocketSpec.md section 14.8)."""

from __future__ import annotations

from dataclasses import dataclass

from hearts.game.rules import Rules

from .seat import Kind
from .seats import Seats

VOTE_LIMIT = 60.0
"""Seconds that the players have to agree."""

MOST_PROPOSALS = 10
"""Proposals in one game: each that is agreed to is stored, and each asks everybody."""


@dataclass(slots=True)
class Ballot:
    """One proposal, as long as it is open."""

    rules: Rules
    end_score: int
    deadline: float
    waiting: set[int]
    """The players who have not answered yet."""

    @classmethod
    def open(
        cls, rules: Rules, end_score: int, proposer: int, seats: Seats, now: float
    ) -> Ballot | int:
        """A proposal that everybody but the proposer is asked about, for computers agree.

        Gives the first player who cannot be asked, if there is one.
        """
        asked = {
            player
            for player, seat in enumerate(seats)
            if player != proposer and seat.kind is Kind.CLIENT
        }
        for player in sorted(asked):
            if not (seats[player].connected and seats[player].votes):
                return player
        return cls(rules, end_score, now + VOTE_LIMIT, asked)
