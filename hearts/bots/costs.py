"""The costs of each card of a choice, part by part: the figures that the simple bot decides by.

The hints for a person are read from the same parts.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.game.cards import POINTS_MASK, Card, mask_of
from hearts.game.scoring import NO_TRICK_POINTS, points_by
from hearts.game.view import View

from .reading import ALL_POINTS, Reading
from .weighing import Weighing, flushes_queen

FLUSH_QUEEN = 1.5
"""The worth of leading a low spade while the queen is with the others."""
FEEDING = 0.3
"""The cost of giving the shooter a card with points, as a part of the threat of the moon."""


class Cost(Struct, frozen=True, gc=False):
    """The parts of the cost of playing a card, in points; below 0 if it is worth something."""

    total: float
    chance: float
    """The chance that the card takes the trick, 0 to 1."""
    keeping: float
    """The cost that keeping the card may have, and that playing it saves."""
    taking: float
    """The points that it may take now."""
    bonus: float
    """The cost of a first trick if it pays to take none."""
    flush: float
    """The worth of the chance that the queen of spades has to fall."""
    moon: float
    """The cost of helping somebody's moon; below 0 if the card stops it."""


def cost_of(card: Card, view: View, reading: Reading, weighing: Weighing) -> Cost:
    """Estimate the cost of playing a legal card, part by part."""
    chance = weighing.chance_to_win(card)
    keeping = weighing.scale * weighing.burden(card)
    taking = bonus = flush = moon = 0.0
    if chance:
        taking = chance * weighing.points_if_won(card)
        if view.rules.no_trick_bonus and not view.taken[view.player]:
            bonus = -chance * NO_TRICK_POINTS * len(view.history) / 52
    if reading.best is None and flushes_queen(card, view.hand, reading):
        flush = FLUSH_QUEEN * weighing.scale
    if reading.suspect is not None and weighing.points_out:
        moon = _moon_cost(card, chance, view, reading)
    total = -keeping + taking + bonus - flush + moon
    return Cost(total, chance, keeping, taking, bonus, flush, moon)


def _moon_cost(card: Card, chance: float, view: View, reading: Reading) -> float:
    """Estimate the cost of helping the moon of the suspect; below 0 if the card stops it."""
    if not (1 << card | mask_of(view.trick)) & POINTS_MASK:
        return 0.0
    threat = points_by(view.rules).moon * (reading.suspect_points / ALL_POINTS) ** 2
    if reading.winner is None:
        return -threat * chance
    if reading.winner != reading.suspect:
        return -threat
    feeding = FEEDING if POINTS_MASK >> card & 1 else 0.0
    return threat * (feeding * (1.0 - chance) - chance)
