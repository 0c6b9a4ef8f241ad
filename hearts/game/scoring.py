"""Points of a hand, the moon, scores, the end of a game and its winners.

SocketSpec.md section 6 says how the variants meet. Cards taken are masks, one for each player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from .cards import (
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    cards_of,
    four,
    mask_of,
)
from .rules import HOUSE_RULES, STANDARD, ExactEnd, Rules

Four = tuple[int, int, int, int]
"""One int for each player 0-3."""

NO_TRICK_POINTS = -5

_JACK = 1 << JACK_OF_DIAMONDS


class CardPoints(Struct, frozen=True, gc=False):
    """The points of each card under some rules."""

    of_card: tuple[int, ...]
    sets: tuple[tuple[int, int], ...]
    """Sets of hearts and the queen: a card counts what all sets count that have it."""
    moon: int
    """The points of all hearts and the queen of spades."""
    jack: int


_FIELDS = [rule.field for rule in HOUSE_RULES if any(value.points for value in rule.values)]
_which = attrgetter(*_FIELDS)


def _card_points(rules: Rules) -> CardPoints:
    points = [1 if HEARTS_MASK >> card & 1 else 0 for card in range(52)]
    points[QUEEN_OF_SPADES] = 13
    for value in rules.differences:
        for card, number in value.points:
            points[card] = number
    counting = list(cards_of(POINTS_MASK))
    sets: Counter[int] = Counter()
    for digit in range(5):
        cards = mask_of(card for card in counting if points[card] >> digit & 1)
        if cards:
            sets[cards] += 1 << digit
    moon = sum(points[card] for card in counting)
    return CardPoints(tuple(points), tuple(sets.items()), moon, points[JACK_OF_DIAMONDS])


_POINTS = {
    _which(rules): _card_points(rules)
    for values in product((False, True), repeat=len(_FIELDS))
    for rules in [replace(STANDARD, **dict(zip(_FIELDS, values, strict=True)))]
}


def points_by(rules: Rules) -> CardPoints:
    return _POINTS[_which(rules)]


def tallies(taken: Sequence[int], rules: Rules) -> Four:
    """Return the points taken so far, the jack included if it counts, the moon not applied."""
    worth = _POINTS[_which(rules)]
    points = []
    for cards in taken:
        total = worth.jack if cards & _JACK else 0
        for counting, each in worth.sets if cards & POINTS_MASK else ():
            total += (cards & counting).bit_count() * each
        points.append(total)
    a, b, c, d = points
    return (a, b, c, d)


def moon_shooter(taken: Sequence[int]) -> int | None:
    """Give the player who took all the hearts and the queen of spades, if anybody did."""
    for player, mask in enumerate(taken):
        if mask & POINTS_MASK:
            return player if mask & POINTS_MASK == POINTS_MASK else None
    return None


def hand_points(taken: Sequence[int], rules: Rules, moon_on_others: bool = True) -> Four:
    """Count what a finished hand adds to each score.

    ``moon_on_others`` says how a moon counts: on each of the others, or off the shooter.
    """
    points = list(tallies(taken, rules))
    moon = points_by(rules).moon
    shooter = moon_shooter(taken)
    if shooter is not None:
        for player in range(4):
            if player == shooter:
                points[player] -= moon if moon_on_others else 2 * moon
            elif moon_on_others:
                points[player] += moon
    if rules.no_trick_bonus:
        for player in range(4):
            if not taken[player]:
                points[player] += NO_TRICK_POINTS
    return four(points)


class Outcome(Struct, frozen=True, gc=False):
    """The scores after a hand, and the winners if that ended the game (else empty)."""

    scores: Four
    winners: tuple[int, ...]

    @property
    def over(self) -> bool:
        return bool(self.winners)


def add_points(scores: Four, points: Four, rules: Rules, end_score: int) -> Outcome:
    """Add a hand's points to the scores, with whatever a score of exactly the end does."""
    totals = four(score + more for score, more in zip(scores, points, strict=True))
    exact = tuple(player for player in range(4) if totals[player] == end_score)
    if exact and rules.exact_end is ExactEnd.WINS:
        return Outcome(totals, exact)
    if exact and rules.exact_end is ExactEnd.ZERO:
        totals = four(0 if score == end_score else score for score in totals)
    if max(totals) < end_score:
        return Outcome(totals, ())
    best = min(totals)
    return Outcome(totals, tuple(player for player in range(4) if totals[player] == best))
