"""Actions that can be done in a game, and the events that follow from them."""

from __future__ import annotations

from enum import Enum
from typing import final

from msgspec import Struct

from .cards import Card
from .cuts import ShownCuts
from .deal import NO_CUTS, Hands, deal_hands
from .rules import Direction
from .scoring import Four


class ChosenBy(Enum):
    """The possible makers of a choice; the value is the mark in a record."""

    __hash__ = object.__hash__  # Enum's own is a call of Python, for each card that is played.

    PLAYER = ""
    CLOCK = "clock"
    STAND_IN = "stand-in"
    COMPUTER = "computer"


BY_PLAYER, BY_COMPUTER = ChosenBy.PLAYER, ChosenBy.COMPUTER  # See hearts/README.md.


class Deal(Struct, frozen=True, gc=False):
    """Deal a hand. ``secret`` is what the hands follow from, or None if they were given."""

    hands: Hands
    secret: bytes | None = None
    cuts: bytes = NO_CUTS
    """The bytes that the players added to the secret, 8 each."""
    shown: ShownCuts | None = None
    """The hashes and values of the cuts; None if there was no cut or it was given directly."""

    @classmethod
    def from_secret(cls, secret: bytes, cuts: bytes = NO_CUTS) -> Deal:
        """Return the deal that follows from a secret of 16 bytes and cuts (SocketSpec.md section
        7).
        """
        return cls(deal_hands(secret, cuts), secret, cuts)

    @classmethod
    def from_shown(cls, secret: bytes, shown: ShownCuts) -> Deal:
        """Return the deal that follows from a secret and the values that players have shown."""
        return cls(deal_hands(secret, shown.cuts), secret, shown.cuts, shown)


class Pass(Struct, frozen=True, gc=False):
    """Pass three cards, in the order in which the player named them."""

    player: int
    cards: tuple[Card, ...]
    by: ChosenBy = ChosenBy.PLAYER


@final
class Play(Struct, frozen=True, gc=False):
    """Play a card."""

    player: int
    card: Card
    by: ChosenBy = ChosenBy.PLAYER


class ChooseMoon(Struct, frozen=True, gc=False):
    """The shooter's choice: 26 on each of the others, or 26 off their own score."""

    player: int
    on_others: bool
    by: ChosenBy = ChosenBy.PLAYER


class AbortHand(Struct, frozen=True, gc=False):
    """Break off the hand under way: it counts for nothing, and a new one is dealt."""


Action = Deal | Pass | Play | ChooseMoon | AbortHand


class HandDealt(Struct, frozen=True, gc=False):
    """A hand was dealt; it holds every card, so it never leaves the table as it is."""

    number: int
    direction: Direction
    hands: Hands


class YourHand(Struct, frozen=True, gc=False):
    """The part of :class:`HandDealt` that one player sees; 13 cards in the order of the wire."""

    number: int
    direction: Direction
    cards: tuple[Card, ...]


class HandBegun(Struct, frozen=True, gc=False):
    """The part of :class:`HandDealt` that a watcher sees."""

    number: int
    direction: Direction


class PassMade(Struct, frozen=True, gc=False):
    """A player's pass is settled; only they may see the cards."""

    player: int
    cards: tuple[Card, ...]
    by: ChosenBy


class PassesExchanged(Struct, frozen=True, gc=False):
    """Everybody has passed. It has the cards that all have received, so no client gets it whole."""

    received: tuple[tuple[Card, ...], ...]


class CardsReceived(Struct, frozen=True, gc=False):
    """The part of :class:`PassesExchanged` that one player sees, in the order of the wire."""

    cards: tuple[Card, ...]


@final
class TrickBegun(Struct, frozen=True, gc=False):
    """A trick begins with a lead of this player."""

    leader: int


@final
class CardPlayed(Struct, frozen=True, gc=False):
    """A card lies on the table."""

    player: int
    card: Card
    by: ChosenBy


@final
class TrickTaken(Struct, frozen=True, gc=False):
    """A trick is complete; with the points taken so far in the hand (SocketSpec.md section 4)."""

    winner: int
    points: Four


class TricksDone(Struct, frozen=True, gc=False):
    """All tricks are played. If a player shot the moon, they may have to choose."""

    shooter: int | None
    decide: bool


class MoonChosen(Struct, frozen=True, gc=False):
    """The shooter's choice is settled."""

    player: int
    on_others: bool
    by: ChosenBy


class HandScored(Struct, frozen=True, gc=False):
    """The points of a hand, the scores after it, and the winners if it ended the game."""

    points: Four
    scores: Four
    winners: tuple[int, ...]


OpenEvent = CardPlayed | TrickBegun | TrickTaken | TricksDone | MoonChosen | HandScored
"""Events that everybody at the table may see as they are."""
Event = HandDealt | PassMade | PassesExchanged | OpenEvent
SeenEvent = YourHand | HandBegun | PassMade | CardsReceived | OpenEvent
