"""The rule by which a sound player passes three cards; the search compiles it (see .search)."""

from __future__ import annotations

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.rules import Rules

ENOUGH_GUARDS = 4
"""Spades below the queen with which she, the king and the ace can be kept."""
_SUIT = 0x1FFF
_DIAMONDS = 2
_SPADES = 3
_LOW_SPADES = (1 << QUEEN_OF_SPADES) - (1 << 13 * _SPADES)


def cards_to_pass(hand: int, rules: Rules) -> tuple[Card, ...]:
    """Return the three cards of a hand that are the most trouble, the worst first."""
    return by_trouble(hand, rules)[:PASS_SIZE]


def by_trouble(hand: int, rules: Rules) -> tuple[Card, ...]:
    """Return all cards of a hand, the one that is the most trouble first."""
    return tuple(sorted(cards_of(hand), key=lambda card: (-trouble(hand, card, rules.jack), card)))


def trouble(hand: int, card: int, jack: bool) -> float:
    """Rate a card by how glad a player is to be rid of it; about 0 for one that does no harm."""
    suit = card // 13
    if suit == _SPADES:
        low = (hand & _LOW_SPADES).bit_count()
        if card < QUEEN_OF_SPADES or low >= ENOUGH_GUARDS:
            return -5.0
        return (30.0 if card == QUEEN_OF_SPADES else 22.0) - 3.0 * low
    if jack and card == JACK_OF_DIAMONDS:
        return -10.0
    of_suit = _SUIT << 13 * suit
    below = ~hand & of_suit & (1 << card) - 1
    guards = 0
    if below:
        guards = (hand & of_suit & (1 << below.bit_length() - 1) - 1).bit_count()
    if suit == 0:
        return card * 1.2 - 1.5 * guards
    figure = card % 13 - 1.5 * guards + (4.0 - (hand & of_suit).bit_count()) * 1.5
    if jack and suit == _DIAMONDS and card > JACK_OF_DIAMONDS:
        return figure - 6.0
    return figure
