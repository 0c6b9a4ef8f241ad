"""Estimates of the points that a card may cost, behind the choices of the simple bot.

They treat each hidden card as equally likely with each player who may hold it.
"""

from __future__ import annotations

from hearts.game.cards import (
    FULL_DECK,
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    SPADES_MASK,
)
from hearts.game.scoring import points_by
from hearts.game.view import View

from .reading import ALL_POINTS, HIGHER, LOWER, SUIT_MASKS, Reading

_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS
_ELSEWHERE = (
    (1.0,) * 53,
    (0.0,) * 53,
    tuple(0.5**n for n in range(53)),
    tuple((2 / 3) ** n for n in range(53)),
)
"""``_ELSEWHERE[k][n]``: the chance that one of k players who may hold n cards has none of them."""

SUIT_WEIGHTS = (2.0, 1.2, 1.2, 1.2)
"""The rough cost of taking a later trick, by suit."""
LEFT_OVER = 0.5
"""The cost of keeping a card of a suit that nobody else has: leading it takes the trick."""
JACK_CHANCE = 0.25
"""The chance that somebody who has the jack of diamonds lets another take it."""

KEPT_JACK = 4.0
"""The worth of the jack of diamonds in the hand."""
KEPT_ABOVE_JACK = 2.0
"""The worth in the hand of a card that may still take the jack."""


class Weighing:
    """The estimates for one choice of a card."""

    def __init__(self, view: View, reading: Reading) -> None:
        rules = view.rules
        self._reading = reading
        self._behind = [reading.may_hold[player] for player in reading.behind]
        """The cards that each player behind may hold."""
        self._taking = FULL_DECK if reading.best is None else HIGHER[reading.best]
        """The cards that take the trick if nobody plays a higher one."""
        self._hand = view.hand
        self._jack_counts = rules.jack
        points = points_by(rules)
        self._worth = points.of_card
        self._queen = points.of_card[QUEEN_OF_SPADES]
        self._heart = (points.moon - self._queen) / 13
        """Points of a heart, on average."""
        self.scale = points.moon / ALL_POINTS
        """The points of a moon as a multiple of those in the standard game."""
        self.points_may_fall = len(view.history) >= 4 or rules.points_on_first_trick
        """True if points may be played to this trick even by somebody who has other cards."""
        self._points = sum([self._worth[card] for card in view.trick])
        self.points_out = bool(reading.out & POINTS_MASK)
        """True if any of the others still holds a heart or the queen of spades."""
        a, b, c, d = reading.may_hold
        self._holders = [
            (a & mask != 0) + (b & mask != 0) + (c & mask != 0) + (d & mask != 0)
            for mask in SUIT_MASKS
        ]

    def chance_to_win(self, card: int) -> float:
        """Estimate the chance that a card wins, if later players stay below when they can."""
        if not self._taking >> card & 1:
            return 0.0
        chance = 1.0
        elsewhere = _ELSEWHERE[self._holders[card // 13]]
        for cards in self._behind:
            if higher := cards & HIGHER[card]:
                lower = (cards & LOWER[card]).bit_count()
                chance *= 1.0 - elsewhere[lower] * (1.0 - elsewhere[higher.bit_count()])
        return chance

    def points_if_won(self, card: int) -> float:
        """Return the points that a trick will hold, if this card takes it."""
        points = float(self._points + self._worth[card])
        if self.points_may_fall:
            for cards in self._behind:
                points += self._points_from(cards, card)
        return points

    def _points_from(self, cards: int, card: int) -> float:
        suit = card // 13
        void = _ELSEWHERE[self._holders[suit]][(cards & SUIT_MASKS[suit]).bit_count()]
        points = void * self._discard(cards)
        if suit == 0:
            points += self._heart * (1.0 - void)
        elif cards & _QUEEN & LOWER[card]:
            points += self._queen / self._holders[3]
        elif self._jack_counts and cards & _JACK & LOWER[card]:
            points -= 10.0 * JACK_CHANCE
        return points

    def _discard(self, cards: int) -> float:
        """Return the points that a player without the suit led will give."""
        if cards & _QUEEN:
            return self._queen / self._holders[3] + 0.5
        return self._heart if cards & HEARTS_MASK else 0.0

    def burden(self, card: int) -> float:
        """Estimate the cost of keeping a card in the standard game, which a player saves by getting
        rid of it."""
        suit = card // 13
        out = self._reading.out & SUIT_MASKS[suit]
        if self._jack_counts and suit == 2:
            if card == JACK_OF_DIAMONDS:
                return -KEPT_JACK
            if card > JACK_OF_DIAMONDS and (self._hand | out) & _JACK:
                return -KEPT_ABOVE_JACK
        if not out:
            return LEFT_OVER
        if card >= QUEEN_OF_SPADES:
            danger = 1.0 / (1.0 + (self._hand & LOWER[QUEEN_OF_SPADES]).bit_count())
            if card == QUEEN_OF_SPADES:
                return 4.0 + 9.0 * danger
            if out & _QUEEN:
                return 2.0 + 8.0 * danger
        below = out & LOWER[card]
        if not below:
            return 0.02 * (card % 13)
        left = out.bit_count()
        exposure = below.bit_count() / left
        later = left / (self._holders[suit] or 1) - 1.0
        # Cards that only touch the card from below are as high as it is, and guard nothing.
        guards = (self._hand & LOWER[below.bit_length() - 1]).bit_count()
        bare = 1.0 / (1.0 + guards / (later if later > 1.0 else 1.0))
        weight = SUIT_WEIGHTS[suit]
        return weight * exposure * exposure * bare + 0.02 * (card % 13)


def flushes_queen(card: int, hand: int, reading: Reading) -> bool:
    """Tell whether leading a card may safely force the queen of spades out of another hand."""
    return (
        bool(reading.out & _QUEEN)
        and SPADES_MASK >> card & 1 == 1
        and card < QUEEN_OF_SPADES
        and not hand & HIGHER[QUEEN_OF_SPADES]
    )
