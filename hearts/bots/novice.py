"""A bot that plays as a beginner does: it looks at its hand and the trick, and at nothing else.

It leads low, mostly stays below, and is glad to be rid of high cards and the queen of spades. It
forgets what was played, so it knows neither which cards are out nor who is short of a suit, and it
sees no moon coming.
"""

from __future__ import annotations

from hearts.game.cards import CARDS, HEARTS_MASK, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.rules import Rules
from hearts.game.view import View

from .player import Draw
from .random_bot import RandomBot
from .reading import LOWER, SUIT_MASKS

CARELESS = 0.12
"""The chance that it plays any card that is legal, without a look at the trick."""
TIMID = 0.5
"""The chance that it plays its lowest card, where a higher one would stay below as well."""


class NoviceBot:
    """Plays under every variant; its choice depends on the view and its draws alone."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._any = RandomBot(draw)

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        """Return the queen of spades and high cards, whatever else is in the hand."""
        cards = sorted(cards_of(view.hand), key=lambda card: -_height(card, view.rules))
        return tuple(cards[:PASS_SIZE])

    def choose_card(self, view: View) -> Card:
        legal = view.legal
        if not legal & legal - 1:
            return CARDS[legal.bit_length() - 1]
        if self._draw() < CARELESS:
            return self._any.choose_of(legal)
        if not view.trick:
            return self._lead(legal)
        suit = SUIT_MASKS[view.trick[0].suit]
        if legal & suit:
            best = max(card for card in view.trick if suit >> card & 1)
            return self._follow(legal, best)
        return _shed(legal, view.rules)

    def choose_moon(self, view: View) -> bool:
        """26 on each of the others, which looks like more."""
        return True

    def _lead(self, legal: int) -> Card:
        """Return the lowest card of any suit."""
        suits = [legal & suit for suit in SUIT_MASKS if legal & suit]
        return _lowest(suits[int(self._draw() * len(suits))])

    def _follow(self, legal: int, best: Card) -> Card:
        below = legal & LOWER[best]
        if below and self._draw() >= TIMID:
            return CARDS[below.bit_length() - 1]
        return _lowest(legal)


def _lowest(cards: int) -> Card:
    """Return the lowest of some cards of a suit; the queen of spades only if there is no other."""
    others = cards & ~(1 << QUEEN_OF_SPADES) or cards
    return CARDS[(others & -others).bit_length() - 1]


def _shed(legal: int, rules: Rules) -> Card:
    """Choose the card to give away: the queen of spades, or a heart, or the highest card."""
    if legal >> QUEEN_OF_SPADES & 1:
        return QUEEN_OF_SPADES
    hearts = legal & HEARTS_MASK
    if hearts:
        return CARDS[hearts.bit_length() - 1]
    return max(cards_of(legal), key=lambda card: _height(card, rules))


def _height(card: Card, rules: Rules) -> int:
    """Rate a card by how glad a beginner is to be rid of it."""
    if card == QUEEN_OF_SPADES:
        return len(CARDS)
    if rules.jack and card == JACK_OF_DIAMONDS:
        return -1
    return card.rank
