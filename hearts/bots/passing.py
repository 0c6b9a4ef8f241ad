"""Which three cards a sound player passes."""

from __future__ import annotations

from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, Suit, cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.rules import Rules

from .reading import LOWER, SUIT_MASKS, guards

_QUEEN = 1 << QUEEN_OF_SPADES
ENOUGH_GUARDS = 4
"""Spades below the queen with which she, the king and the ace can be kept."""


def cards_to_pass(hand: int, rules: Rules) -> tuple[Card, ...]:
    """The three cards of a hand that are the most trouble, the worst first."""
    return by_trouble(hand, rules)[:PASS_SIZE]


def by_trouble(hand: int, rules: Rules) -> tuple[Card, ...]:
    """All cards of a hand, the one that is the most trouble first."""
    return tuple(sorted(cards_of(hand), key=lambda card: (-trouble(card, hand, rules), card)))


def trouble(card: Card, hand: int, rules: Rules) -> float:
    """How glad a player is to be rid of a card; about 0 for a card that does no harm."""
    match card.suit:
        case Suit.SPADES:
            return _trouble_in_spades(card, hand)
        case Suit.HEARTS:
            return card.rank * 1.2 - 1.5 * guards(card, hand, ~hand)
        case Suit.DIAMONDS if rules.jack:
            return _trouble_with_jack(card, hand)
        case _:
            return _trouble_in_side_suit(card, hand)


def _trouble_in_spades(card: Card, hand: int) -> float:
    low = (hand & LOWER[QUEEN_OF_SPADES]).bit_count()
    if card < QUEEN_OF_SPADES or low >= ENOUGH_GUARDS:
        return -5.0
    if card == QUEEN_OF_SPADES:
        return 30.0 - 3.0 * low
    return 22.0 - 3.0 * low


def _trouble_in_side_suit(card: Card, hand: int) -> float:
    length = (hand & SUIT_MASKS[card.suit]).bit_count()
    return card.rank - 1.5 * guards(card, hand, ~hand) + (4.0 - length) * 1.5


def _trouble_with_jack(card: Card, hand: int) -> float:
    if card == JACK_OF_DIAMONDS:
        return -10.0
    if card > JACK_OF_DIAMONDS:
        return _trouble_in_side_suit(card, hand) - 6.0
    return _trouble_in_side_suit(card, hand)
