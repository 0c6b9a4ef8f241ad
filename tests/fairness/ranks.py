"""How bad a hand is, its rank among fair ones, and the tests of many ranks."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import log, sqrt

from hearts.game.cards import Suit, cards_of
from hearts.game.deal import SECRET_BYTES, deal_hands

FAIR_HANDS = 10_000
FALSE_ALARM = 0.001
"""How often a test finds something where there is nothing."""

_QUEEN, _KING, _ACE = 10, 11, 12
_TAKES = {_ACE: 1.0, _KING: 0.8, _QUEEN: 0.6, 9: 0.4, 8: 0.25, 7: 0.12}
"""How often a card of this rank (0 is a deuce) takes its trick, more or less."""
_COSTS = {Suit.HEARTS: 2.5, Suit.SPADES: 1.0, Suit.DIAMONDS: 1.2, Suit.CLUBS: 1.0}
"""The points of such a trick, more or less."""
_DANGER = {_QUEEN: 6.0, _KING: 4.0, _ACE: 4.0}
"""What a high spade costs besides, if it is alone."""


def badness(hand: int) -> float:
    """The points that a hand costs, more or less: for its high cards, and for high spades."""
    cards = list(cards_of(hand))
    points = sum(_TAKES.get(card.rank, 0.0) * _COSTS[card.suit] for card in cards)
    spades = [card.rank for card in cards if card.suit is Suit.SPADES]
    danger = sum(_DANGER.get(rank, 0.0) for rank in spades)
    # Low spades are played in place of the high ones.
    return points + danger / (1 + sum(rank < _QUEEN for rank in spades))


class FairHands:
    """Hands of deals that nobody chose, and the ranks of others among them."""

    def __init__(self, seed: int = 1, hands: int = FAIR_HANDS) -> None:
        draw = random.Random(seed)
        self._sorted = sorted(
            badness(hand)
            for _ in range(hands // 4)
            for hand in deal_hands(draw.randbytes(SECRET_BYTES), draw.randbytes(32))
        )

    def rank(self, hand: int) -> float:
        """From 0 for a hand that is better than all of them to 1 for one that is worse."""
        bad = badness(hand)
        place = bisect_left(self._sorted, bad) + bisect_right(self._sorted, bad)
        return place / 2 / len(self._sorted)


def by_chance(ranks: Sequence[float]) -> bool:
    """Tell whether ranks can be those of deals that nobody chose, neither for better nor for worse.

    The test of Kolmogorov and Smirnov: the largest distance between how many of the ranks are
    below each number, and how many have to be.
    """
    return max(_above(ranks, 1), _below(ranks, 1)) < sqrt(log(2 / FALSE_ALARM) / 2 / len(ranks))


def no_worse_than_worst_of(deals: int, ranks: Sequence[float]) -> bool:
    """Tell whether ranks can be those of the worst of so many deals, or of better ones."""
    return _below(ranks, deals) < sqrt(log(1 / FALSE_ALARM) / 2 / len(ranks))


def _above(ranks: Sequence[float], deals: int) -> float:
    """How many more of the ranks are below a number than would be of the worst of some deals."""
    count = len(ranks)
    return max(n / count - rank**deals for n, rank in enumerate(sorted(ranks), 1))


def _below(ranks: Sequence[float], deals: int) -> float:
    count = len(ranks)
    return max(rank**deals - n / count for n, rank in enumerate(sorted(ranks)))
