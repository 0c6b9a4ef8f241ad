"""The cards of a client's hand, and which cards the others can still play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import FULL_DECK, Card, mask_of


class ClientCards:
    """One hand, from the deal to its last card; a watcher's holds nothing."""

    __slots__ = ("_given", "_others", "held")

    def __init__(self, cards: Sequence[Card] = ()) -> None:
        """Raises RemoteProtocolError where a card comes twice."""
        self.held = mask_of(cards)
        """What we hold, as a mask."""
        self._others = FULL_DECK & ~self.held
        self._given = 0
        if self.held.bit_count() != len(cards):
            raise RemoteProtocolError("a hand holds a card twice")

    def require(self, cards: Sequence[Card]) -> None:
        """Raise LocalProtocolError for a card that we do not hold."""
        for card in cards:
            if not self.held >> card & 1:
                raise LocalProtocolError(f"{card} is not in the hand")

    def is_held(self, cards: Iterable[Card]) -> bool:
        """Whether just these cards are held."""
        return self.held == mask_of(cards)

    def give(self, cards: Sequence[Card]) -> None:
        """Cards that we pass. Raises RemoteProtocolError."""
        self._given = mask_of(cards)
        if self._given.bit_count() != len(cards) or self._given & ~self.held:
            raise RemoteProtocolError("a pass has cards that we do not hold")
        self.held ^= self._given
        self._others |= self._given

    def receive(self, cards: Sequence[Card]) -> None:
        """Cards that another player passed to us. Raises RemoteProtocolError."""
        received = mask_of(cards)
        if received.bit_count() != len(cards) or received & ~(self._others & ~self._given):
            raise RemoteProtocolError("cards that were received were not the other player's")
        self.held |= received
        self._others ^= received

    def lose(self, card: Card) -> None:
        """A card that we play. Raises RemoteProtocolError."""
        if not self.held >> card & 1:
            raise RemoteProtocolError("we lose a card that we do not hold")
        self.held ^= 1 << card

    def others_play(self, card: Card) -> None:
        """A card that another player plays. Raises RemoteProtocolError."""
        if not self._others >> card & 1:
            raise RemoteProtocolError(f"another player cannot play {card}: it is ours or is gone")
        self._others ^= 1 << card
