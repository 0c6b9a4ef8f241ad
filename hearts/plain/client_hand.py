"""The cards of a client's hand by hand index, and which cards the others can still play.

SocketSpec.md sections 4.1 and 4.2: an index belongs to its card for the whole hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import FULL_DECK, Card, mask_of
from hearts.session.conversation import card_of
from hearts.session.messages import HAND_SIZE


class ClientHand:
    """One hand, from "Your hand" to its last card."""

    __slots__ = ("_held", "_others", "cards")

    def __init__(self, numbers: Sequence[int]) -> None:
        """Takes 13 wire numbers. Raises RemoteProtocolError where they are not 13 cards."""
        self.cards = [card_of(number) for number in numbers]
        """The cards by hand index, those that are played included."""
        self._hold()

    def _hold(self) -> None:
        self._held = mask_of(self.cards)
        self._others = FULL_DECK & ~self._held
        if self._held.bit_count() != HAND_SIZE:
            raise RemoteProtocolError("a hand holds a card twice")

    def index(self, card: Card) -> int:
        """The hand index of a card that is held. Raises LocalProtocolError for another card."""
        if not self._held >> card & 1:
            raise LocalProtocolError(f"{card} is not in the hand")
        return self.cards.index(card)

    def receive(self, indexes: Sequence[int], numbers: Sequence[int]) -> tuple[Card, ...]:
        """Put received cards at the indexes that were passed. Raises RemoteProtocolError."""
        received = tuple(card_of(number) for number in numbers)
        if self._held & mask_of(received):
            raise RemoteProtocolError("a card that was received was in the hand already")
        for index, card in zip(indexes, received, strict=True):
            self.cards[index] = card
        self._hold()
        return received

    def play(self, index: int) -> Card:
        """Take out the card that the server says we played. Raises RemoteProtocolError."""
        card = self.cards[index]
        if not self._held >> card & 1:
            raise RemoteProtocolError(f"the server played {card} for us a second time")
        self._held ^= 1 << card
        return card

    def others_play(self, number: int) -> Card:
        """The card that another player played. Raises RemoteProtocolError."""
        card = card_of(number)
        if not self._others >> card & 1:
            raise RemoteProtocolError(f"another player cannot play {card}: it is ours or is gone")
        self._others ^= 1 << card
        return card
