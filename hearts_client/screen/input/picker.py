"""The hand as its owner picks from it: order of the cards, cursor, marks, a name being typed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from hearts.game.cards import QUEEN_OF_SPADES, RANK_TEXT, SUIT_TEXT, Card, Suit
from hearts.game.game import PASS_SIZE
from hearts_client.words.style import Style

_RANKS = frozenset(RANK_TEXT.lower())
_SUITS = {suit.symbol: suit for suit in Suit} | {SUIT_TEXT[s].lower(): s for s in Suit}


class Picker:
    """The cards that a person is about to choose; if they are legal is asked elsewhere."""

    def __init__(self, style: Style) -> None:
        self.cards: list[Card] = []
        """The hand, in the order in which it is shown."""
        self.marked: list[Card] = []
        """Marked for the pass, in the order of marking."""
        self.typed = ""
        """The beginning of a card's name; empty after a whole one."""
        self._style = style
        self._cursor = 0

    @property
    def cursor(self) -> Card | None:
        return self.cards[self._cursor] if self.cards else None

    def use(self, style: Style) -> None:
        self._style = style
        self.show(self.cards)

    def show(self, cards: Iterable[Card]) -> None:
        """The hand is this one now; the cursor stays at its card, or near it."""
        at = self.cursor
        self.cards = self._style.sorted(cards)
        self.marked = [card for card in self.marked if card in self.cards]
        if at in self.cards:
            self._cursor = self.cards.index(at)
        self._cursor = min(self._cursor, max(len(self.cards) - 1, 0))
        if not self.cards:
            self.typed = ""

    def move(self, step: int) -> None:
        """Move the cursor by a number of cards, round the ends."""
        self.typed = ""
        if self.cards:
            self._cursor = (self._cursor + step) % len(self.cards)

    def go_among(self, cards: Collection[Card]) -> None:
        """Put the cursor on one of these cards, the nearest, if it is on none of them."""
        places = [place for place, card in enumerate(self.cards) if card in cards]
        if places and self._cursor not in places:
            self._cursor = min(places, key=lambda place: abs(place - self._cursor))

    def go_to(self, card: Card) -> None:
        self.typed = ""
        if card in self.cards:
            self._cursor = self.cards.index(card)

    def toggle(self, card: Card) -> bool:
        """Mark a card, or take its mark away; False if three are marked already."""
        if card in self.marked:
            self.marked.remove(card)
        elif len(self.marked) < PASS_SIZE:
            self.marked.append(card)
        else:
            return False
        return True

    def unmark(self) -> None:
        self.marked.clear()

    def type(self, character: str) -> Card | None:
        """Take a character of a card's name; return the card when its name is complete.

        A name is a rank and a suit, such as "qs" or "10h"; a character that does not fit begins
        anew.
        """
        key = character.lower()
        if self.typed == "1" and key == "0":
            self.typed = "t"
        elif key in _RANKS or key == "1":
            self.typed = key
        elif key in _SUITS and self.typed in _RANKS:
            rank, self.typed = self.typed, ""
            return Card.parse(rank + SUIT_TEXT[_SUITS[key]])
        else:
            self.typed = ""
        return None


_KING = 11


def is_doubtful(card: Card, legal: Collection[Card], trick: Sequence[Card]) -> bool:
    """Say if a queen of spades, a king or an ace would take the trick as it lies, although a lower
    card of its suit may be played.

    ``trick`` are the cards that lie, from the lead on.
    """
    is_high = card == QUEEN_OF_SPADES or card.rank >= _KING
    has_lower = any(other.suit is card.suit and other < card for other in legal)
    takes = not trick or card.suit is trick[0].suit
    is_above = all(other.suit is not card.suit or other < card for other in trick)
    return is_high and has_lower and takes and is_above
