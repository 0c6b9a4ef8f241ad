"""Cards, suits and ranks, and their three forms: an index, a wire number and a text.

The index 0-51 is ``13 * suit + rank`` with the deuce as rank 0 and the ace as rank 12, so that
within a suit the higher card has the higher index and a set of cards is a mask of 52 bits. The
wire number 1-52 puts the ace first (SocketSpec.md section 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TypeVar

RANK_TEXT = "23456789TJQKA"
SUIT_TEXT = "HCDS"
ItemT = TypeVar("ItemT")


class Suit(IntEnum):
    """A suit, numbered in the order of the wire."""

    HEARTS = 0
    CLUBS = 1
    DIAMONDS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """The suit as one black or white symbol, for people."""
        return "♥♣♦♠"[self]

    @property
    def mask(self) -> int:
        return 0x1FFF << 13 * self


class Card(int):
    """One of the 52 cards. An ``int`` (its index 0-51), so that it works as a bit number as it is.

    ``str(card)`` is the text form ("QS"); take cards from :data:`CARDS`, :meth:`parse` or
    :meth:`from_wire`.
    """

    __slots__ = ()

    def __new__(cls, index: int) -> Card:
        """Return the card with an index of 0-51. Raises ValueError for another number."""
        if not 0 <= index < 52:
            raise ValueError(f"a card index is 0 to 51, not {index}")
        return super().__new__(cls, index)

    @classmethod
    def from_wire(cls, number: int) -> Card:
        """Return the card with a wire number of 1-52. Raises ValueError for another number."""
        if not 1 <= number <= 52:
            raise ValueError(f"a card is a number from 1 to 52, not {number}")
        suit, place = divmod(number - 1, 13)
        return CARDS[13 * suit + (place + 12) % 13]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card of a text such as "QS", "qs", "10h" or "TH". Raises ValueError."""
        tidy = text.strip().upper().replace("10", "T", 1)
        if len(tidy) != 2 or tidy[0] not in RANK_TEXT or tidy[1] not in SUIT_TEXT:
            raise ValueError(
                f"{text!r} is no card: give a rank (2-9, T, J, Q, K, A) and a suit "
                "(H, C, D, S), such as QS"
            )
        return CARDS[13 * SUIT_TEXT.index(tidy[1]) + RANK_TEXT.index(tidy[0])]

    @property
    def suit(self) -> Suit:
        return Suit(self // 13)

    @property
    def rank(self) -> int:
        """0 for the deuce to 12 for the ace."""
        return self % 13

    @property
    def wire(self) -> int:
        """The number 1-52 of SocketSpec.md section 8."""
        return WIRE[self]

    @property
    def symbol(self) -> str:
        """Rank and suit symbol for people, such as "Q♠" or "10♥"."""
        rank = RANK_TEXT[self % 13].replace("T", "10")
        return rank + self.suit.symbol

    def __str__(self) -> str:
        return RANK_TEXT[self % 13] + SUIT_TEXT[self // 13]

    def __repr__(self) -> str:
        return f"Card({self!s})"


CARDS: tuple[Card, ...] = tuple(Card(i) for i in range(52))
WIRE: tuple[int, ...] = tuple(13 * (i // 13) + (i % 13 + 1) % 13 + 1 for i in range(52))
"""The wire number of each card index."""

FULL_DECK = (1 << 52) - 1
HEARTS_MASK = Suit.HEARTS.mask
SPADES_MASK = Suit.SPADES.mask
TWO_OF_CLUBS = Card.parse("2C")
JACK_OF_DIAMONDS = Card.parse("JD")
QUEEN_OF_SPADES = Card.parse("QS")
POINTS_MASK = HEARTS_MASK | 1 << QUEEN_OF_SPADES
"""The cards that count in every variant: the hearts and the queen of spades."""


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of some cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> Iterator[Card]:
    """Return the cards of a mask, ascending by index."""
    while mask:
        low = mask & -mask
        yield CARDS[low.bit_length() - 1]
        mask ^= low


def by_wire(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask in the order in which a hand goes over the wire (by wire
    number).
    """
    return tuple(sorted(cards_of(mask), key=WIRE.__getitem__))


def four(items: Iterable[ItemT]) -> tuple[ItemT, ItemT, ItemT, ItemT]:
    """Give what players 0-3 have, as one value. Raises ValueError if they are not four."""
    a, b, c, d = items
    return (a, b, c, d)
