"""Which cards are seldom meant, so that a person may want to be asked before he plays one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hearts.game.cards import QUEEN_OF_SPADES, Card

_KING = 11


def is_doubtful(card: Card, legal: Collection[Card], trick: Sequence[Card]) -> bool:
    """Whether a queen of spades, a king or an ace would take the trick as it lies, although a lower
    card of its suit may be played.

    ``trick`` are the cards that lie, from the lead on.
    """
    is_high = card == QUEEN_OF_SPADES or card.rank >= _KING
    has_lower = any(other.suit is card.suit and other < card for other in legal)
    takes = not trick or card.suit is trick[0].suit
    is_above = all(other.suit is not card.suit or other < card for other in trick)
    return is_high and has_lower and takes and is_above
