"""A bot with the sound habits of a fair player, and no memory, search or luck.

It weighs each legal card: what the trick may cost if the card takes it, against what it may cost to
keep the card. Ducking, dumping the queen, short suits and high cards early follow from that.
"""

from __future__ import annotations

from hearts.cards import CARDS, POINTS_MASK, Card, cards_of, mask_of
from hearts.scoring import MOON_POINTS, NO_TRICK_POINTS, add_points, hand_points
from hearts.view import View

from .passing import cards_to_pass
from .reading import Reading, read
from .weighing import Weighing, flushes_queen, points_out

FLUSH_QUEEN = 1.5
"""What leading a low spade is worth while the queen is with the others."""
FEEDING = 0.3
"""How much of the threat of a moon it is worth not to give the shooter points."""


class SimpleBot:
    """Chooses by rule of thumb under every variant; the same view gives the same choice."""

    __slots__ = ()

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return cards_to_pass(view.hand, view.rules)

    def choose_card(self, view: View) -> Card:
        legal = view.legal
        if not legal & legal - 1:
            return CARDS[legal.bit_length() - 1]
        reading = read(view)
        weighing = Weighing(view, reading)
        return min(
            cards_of(legal),
            key=lambda card: (_cost(card, view, reading, weighing), card),
        )

    def choose_moon(self, view: View) -> bool:
        """26 on the others, unless that ends the game and somebody else wins it."""
        points = hand_points(view.taken, view.rules, moon_on_others=True)
        outcome = add_points(view.scores, points, view.rules, view.end_score)
        return not outcome.over or view.player in outcome.winners


def _cost(card: Card, view: View, reading: Reading, weighing: Weighing) -> float:
    chance = weighing.chance_to_win(card)
    cost = -weighing.burden(card)
    if chance:
        cost += chance * weighing.points_if_won(card)
    if view.rules.no_trick_bonus and not view.taken[view.player]:
        cost -= chance * NO_TRICK_POINTS * len(view.history) / 52
    if reading.best is None and flushes_queen(card, view.hand, reading):
        cost -= FLUSH_QUEEN
    if reading.suspect is not None and points_out(reading):
        cost += _moon_cost(card, chance, view, reading)
    return cost


def _moon_cost(card: Card, chance: float, view: View, reading: Reading) -> float:
    """What a card does for the moon of the suspect: below 0 where it stops him."""
    if not (1 << card | mask_of(view.trick)) & POINTS_MASK:
        return 0.0
    threat = MOON_POINTS * (reading.suspect_points / MOON_POINTS) ** 2
    if reading.winner is None:
        return -threat * chance
    if reading.winner != reading.suspect:
        return -threat
    feeding = FEEDING if POINTS_MASK >> card & 1 else 0.0
    return threat * (feeding * (1.0 - chance) - chance)
