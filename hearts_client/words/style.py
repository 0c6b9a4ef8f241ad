"""Looks of cards, hands and tables of numbers in the terminal.

Colour is never the only carrier of meaning: each card has its suit as a symbol or a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import count, zip_longest

from msgspec import Struct

from hearts.game.cards import RANK_TEXT, SUIT_TEXT, Card, Suit
from hearts.wire.widths import cut, text_width

_RED = "\x1b[31m"
_PLAIN = "\x1b[0m"
_RED_SUITS = frozenset({Suit.HEARTS, Suit.DIAMONDS})
_BY_NAME = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
_SUIT_WORDS = ("hearts", "clubs", "diamonds", "spades")
_LETTERS = str.maketrans({suit.symbol: SUIT_TEXT[suit] for suit in Suit})
_NAME_WIDTH = 12


class Sort(Enum):
    """In which order the suits of a hand stand."""

    ALTERNATING = "alternating"
    """Black and red in turn, as far as the suits allow."""
    SUIT = "suit"
    """Clubs, diamonds, hearts, spades, always."""


def sentence(text: str) -> str:
    """Return the text with a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def suit_word(suit: int) -> str:
    return _SUIT_WORDS[suit]


def read_card(text: str) -> Card:
    """Return the card of a text; suits may be letters or symbols. Raises ValueError."""
    return Card.parse(text.translate(_LETTERS))


def by_suits(cards: Iterable[Card], sort: Sort) -> list[list[Card]]:
    """Return the cards, one list for each suit that occurs, the deuce first."""
    suits: dict[Suit, list[Card]] = {}
    for card in sorted(cards):
        suits.setdefault(card.suit, []).append(card)
    order = [suit for suit in _BY_NAME if suit in suits]
    if sort is Sort.ALTERNATING:
        red = [suit for suit in order if suit in _RED_SUITS]
        black = [suit for suit in order if suit not in _RED_SUITS]
        pairs = zip_longest(black, red) if len(black) >= len(red) else zip_longest(red, black)
        order = [suit for pair in pairs for suit in pair if suit is not None]
    return [suits[suit] for suit in order]


class Style(Struct, frozen=True, gc=False):
    """The settings of a person for what they see."""

    ascii: bool = False
    """Letters for the suits, and nothing else outside ASCII."""
    color: bool = False
    sort: Sort = Sort.ALTERNATING

    def card(self, card: Card) -> str:
        """Return one card, such as "Q♠" or "10H"."""
        rank = RANK_TEXT[card.rank].replace("T", "10")
        text = rank + (SUIT_TEXT[card.suit] if self.ascii else card.suit.symbol)
        return _RED + text + _PLAIN if self.color and card.suit in _RED_SUITS else text

    def cards(self, cards: Iterable[Card]) -> str:
        return " ".join(self.card(card) for card in cards)

    def sorted(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards in the order in which they are shown and numbered."""
        return [card for group in by_suits(cards, self.sort) for card in group]

    def hand(self, cards: Iterable[Card]) -> str:
        """Return a hand in one line, with a wider gap between the suits."""
        return "   ".join(self.cards(group) for group in by_suits(cards, self.sort)) or "empty"

    def numbered(self, cards: Iterable[Card]) -> list[str]:
        """Return cards with the numbers from 1 by which they may be chosen, a line for each
        suit.
        """
        numbers = count(1)
        return [
            " " + "  ".join(f"{next(numbers):>2} {self.card(card)}" for card in group)
            for group in by_suits(cards, self.sort)
        ]


def table(head: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
    """Return a table of numbers: a title and numbers in each row, the columns headed by names."""
    names = [cut(name, _NAME_WIDTH, ".") for name in head]
    widths = [max(text_width(name), 5) for name in names]
    title = max((text_width(title) for title, _ in rows), default=0)
    heads = (" " * (2 + w - text_width(n)) + n for n, w in zip(names, widths, strict=True))
    lines = [" " * title + "".join(heads)]
    for text, numbers in rows:
        cells = "".join(f"  {n:>{w}}" for n, w in zip(numbers, widths, strict=True))
        lines.append(text + " " * (title - text_width(text)) + cells)
    return lines
