"""Points of a hand, the moon, scores, the end of a game and its winners.

SocketSpec.md section 6 says how the variants meet. Cards taken are masks, one for each player.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .cards import HEARTS_MASK, JACK_OF_DIAMONDS, POINTS_MASK, QUEEN_OF_SPADES
from .rules import ExactEnd, Rules

Four = tuple[int, int, int, int]
"""One int for each player 0-3."""

MOON_POINTS = 26
JACK_POINTS = -10
NO_TRICK_POINTS = -5

_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS


def tallies(taken: Sequence[int], rules: Rules) -> Four:
    """The points taken so far, the jack included if it counts, the moon not applied."""
    jack = _JACK if rules.jack else 0
    points = []
    for mask in taken:
        queen = 13 if mask & _QUEEN else 0
        points.append(
            (mask & HEARTS_MASK).bit_count() + queen + (JACK_POINTS if mask & jack else 0)
        )
    a, b, c, d = points
    return (a, b, c, d)


def moon_shooter(taken: Sequence[int]) -> int | None:
    """Who took all the hearts and the queen of spades, if anybody did."""
    for player, mask in enumerate(taken):
        if mask & POINTS_MASK:
            return player if mask & POINTS_MASK == POINTS_MASK else None
    return None


def hand_points(taken: Sequence[int], rules: Rules, moon_on_others: bool = True) -> Four:
    """What a finished hand adds to each score.

    ``moon_on_others`` says how a moon counts: 26 on each of the others, or 26 off the shooter.
    """
    points = list(tallies(taken, rules))
    shooter = moon_shooter(taken)
    if shooter is not None:
        for player in range(4):
            if player == shooter:
                points[player] -= MOON_POINTS if moon_on_others else 2 * MOON_POINTS
            elif moon_on_others:
                points[player] += MOON_POINTS
    if rules.no_trick_bonus:
        for player in range(4):
            if not taken[player]:
                points[player] += NO_TRICK_POINTS
    a, b, c, d = points
    return (a, b, c, d)


class Outcome(Struct, frozen=True, gc=False):
    """The scores after a hand, and the winners if that ended the game (else empty)."""

    scores: Four
    winners: tuple[int, ...]

    @property
    def over(self) -> bool:
        return bool(self.winners)


def add_points(scores: Four, points: Four, rules: Rules, end_score: int) -> Outcome:
    """Add a hand's points to the scores, with whatever a score of exactly the end does."""
    a, b, c, d = (score + more for score, more in zip(scores, points, strict=True))
    totals = (a, b, c, d)
    exact = tuple(player for player in range(4) if totals[player] == end_score)
    if exact and rules.exact_end is ExactEnd.WINS:
        return Outcome(totals, exact)
    if exact and rules.exact_end is ExactEnd.ZERO:
        a, b, c, d = (0 if score == end_score else score for score in totals)
        totals = (a, b, c, d)
    if max(totals) < end_score:
        return Outcome(totals, ())
    best = min(totals)
    return Outcome(totals, tuple(player for player in range(4) if totals[player] == best))
