"""What can be done in a game (actions) and what follows from it (events)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .cards import Card
from .deal import NO_CUTS, Hands, deal_hands
from .rules import Direction
from .scoring import Four


class ChosenBy(Enum):
    """Who made a choice; the value is the mark in a record."""

    PLAYER = ""
    CLOCK = "clock"
    STAND_IN = "stand-in"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a hand. ``secret`` is what the hands follow from, or None where they were given."""

    hands: Hands
    secret: bytes | None = None
    cuts: bytes = NO_CUTS
    """What the players added to the secret, 8 bytes each."""

    @classmethod
    def from_secret(cls, secret: bytes, cuts: bytes = NO_CUTS) -> Deal:
        """The deal that follows from a secret of 16 bytes and cuts (SocketSpec.md section 7)."""
        return cls(deal_hands(secret, cuts), secret, cuts)


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass three cards, in the order in which the player named them."""

    player: int
    cards: tuple[Card, ...]
    by: ChosenBy = ChosenBy.PLAYER


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card."""

    player: int
    card: Card
    by: ChosenBy = ChosenBy.PLAYER


@dataclass(frozen=True, slots=True)
class ChooseMoon:
    """The shooter's choice: 26 on each of the others, or 26 off his own score."""

    player: int
    on_others: bool
    by: ChosenBy = ChosenBy.PLAYER


Action = Deal | Pass | Play | ChooseMoon


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A hand was dealt; it holds every card, so it never leaves the table as it is."""

    number: int
    direction: Direction
    hands: Hands


@dataclass(frozen=True, slots=True)
class YourHand:
    """The part of :class:`HandDealt` that one player sees; 13 cards in the order of the wire."""

    number: int
    direction: Direction
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandBegun:
    """The part of :class:`HandDealt` that a watcher sees."""

    number: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class PassMade:
    """A player's pass is settled; only he may see the cards."""

    player: int
    cards: tuple[Card, ...]
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class PassesExchanged:
    """Everybody has passed; what each player received, so it never leaves the table as it is."""

    received: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class CardsReceived:
    """The part of :class:`PassesExchanged` that one player sees, in the order of the wire."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrickBegun:
    """A trick begins with a lead of this player."""

    leader: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card lies on the table."""

    player: int
    card: Card
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A trick is complete; the points taken so far in the hand (SocketSpec.md section 4)."""

    winner: int
    points: Four


@dataclass(frozen=True, slots=True)
class TricksDone:
    """All tricks are played: who shot the moon, if anybody, and whether he has to choose."""

    shooter: int | None
    decide: bool


@dataclass(frozen=True, slots=True)
class MoonChosen:
    """The shooter's choice is settled."""

    player: int
    on_others: bool
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class HandScored:
    """What the hand added, the scores after it, and the winners if it ended the game."""

    points: Four
    scores: Four
    winners: tuple[int, ...]


OpenEvent = CardPlayed | TrickBegun | TrickTaken | TricksDone | MoonChosen | HandScored
"""What everybody at the table may see as it is."""
Event = HandDealt | PassMade | PassesExchanged | OpenEvent
SeenEvent = YourHand | HandBegun | PassMade | CardsReceived | OpenEvent
