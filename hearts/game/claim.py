"""Claiming the rest of a hand: the proof that all tricks that are left are one player's.

The player is about to lead, and plays his cards of each suit from the highest down. The proof has
his own view and nothing else, so it holds for whatever the others hold and play, and to say whether
there is one tells nobody anything that he does not know.

Why it is right: under all rules a player must follow suit. To each lead of a suit whoever has some
of it plays one. So if n cards of a suit are hidden, nobody has any left after n leads of it, and
only the first n leads need to be higher than all of them. Who has shown that he has none of a suit,
and what was passed to whom, is left out: somebody has the hidden cards, and he may have all of
them.
"""

from __future__ import annotations

from collections.abc import Iterable

from hearts.wire.text import quoted

from .cards import Card, Suit
from .view import View

LEAST_CARDS = 2
"""With fewer cards in the hand there is nothing to choose, so there is nothing to claim."""

_SUITS = tuple(suit.mask for suit in Suit)


def proves_rest(view: View) -> bool:
    """Whether a player who is about to lead is certain to take all tricks that are left.

    False where it is not his lead, before the first card of the hand, and for the last trick.
    """
    if not view.legal or view.trick or not view.history:
        return False
    if view.hand.bit_count() < LEAST_CARDS:
        return False
    return all(_all_win(view.hand & suit, view.unseen & suit) for suit in _SUITS)


def _all_win(own: int, hidden: int) -> bool:
    """Whether the cards of one suit win, led from the highest on."""
    for _ in range(hidden.bit_count()):
        if not own:
            return True
        if own < hidden:
            return False  # The highest card of both is hidden.
        own ^= 1 << own.bit_length() - 1
    return True


def claim_in_words(name: str, cards: Iterable[Card]) -> str:
    """What everybody is told in the chat; ``cards`` are all that the claimer holds."""
    return f"{quoted(name)} claims the rest: {' '.join(map(str, cards))}"


def card_of_rest(legal: int, *, is_claimed: bool) -> int:
    """The card that is played after a claim, by its index; ``legal`` are those that may be.

    ``is_claimed`` says that it is a lead of the player who has claimed. The others take no trick
    any more, whatever they play.
    """
    return (legal if is_claimed else legal & -legal).bit_length() - 1
