"""What the server says of a hand, from its promise to its proof (SocketSpec.md section 14.3).

What comes for every card is rendered with the structs at the end; a test holds them against the
classes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from hearts.game.cards import Card
from hearts.game.events import ChosenBy
from hearts.game.rules import Direction

from .layout import (
    CARD,
    FLAG,
    LEFT,
    PLAYER,
    PLAYER_OR_NOBODY,
    PLAYERS,
    Counted,
    Inner,
    Number,
    Packed,
    Raw,
)
from .message import (
    BY,
    CUT_BYTES,
    DIGEST_BYTES,
    DIRECTION,
    HAND_SIZE,
    PASS,
    POINTS,
    SCORES,
    SEATS,
    SECRET_BYTES,
    STATE,
    Message,
)
from .numbers import DealerState, MessageType
from .structures import TRICK, TRICK_INTS, Score, Trick


@dataclass(frozen=True, slots=True)
class DoPass(Message):
    TYPE = MessageType.DO_PASS
    KINDS = (LEFT, STATE, PLAYER, DIRECTION, Counted(HAND_SIZE, CARD))
    left: int | None
    state: DealerState
    player: int
    direction: Direction
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DoneHand(Message):
    TYPE = MessageType.DONE_HAND
    KINDS = (
        PLAYER_OR_NOBODY,
        PLAYER_OR_NOBODY,
        PLAYER_OR_NOBODY,
        SCORES,
        PLAYER_OR_NOBODY,
        POINTS,
        PLAYERS,
    )
    queen_winner: int | None
    jack_winner: int | None
    shooter: int | None
    scores: tuple[Score, ...]
    game_winner: int | None
    points: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HeartsBroken(Message):
    TYPE = MessageType.HEARTS_BROKEN


@dataclass(frozen=True, slots=True)
class LegalCard(Packed):
    """A card of the hand, and whether it may be played now."""

    KINDS = (CARD, FLAG)
    card: Card
    legal: bool


@dataclass(frozen=True, slots=True)
class LeadCard(Message):
    TYPE = MessageType.LEAD_CARD
    KINDS = (LEFT, STATE, TRICK, Counted(HAND_SIZE, Inner(LegalCard)))
    left: int | None
    state: DealerState
    trick: Trick
    cards: tuple[LegalCard, ...]


@dataclass(frozen=True, slots=True)
class PlayCard(Message):
    TYPE = MessageType.PLAY_CARD
    KINDS = LeadCard.KINDS
    left: int | None
    state: DealerState
    trick: Trick
    cards: tuple[LegalCard, ...]


@dataclass(frozen=True, slots=True)
class LoseCard(Message):
    TYPE = MessageType.LOSE_CARD
    KINDS = (CARD, BY)
    card: Card
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class LosePass(Message):
    TYPE = MessageType.LOSE_PASS
    KINDS = (PLAYER, DIRECTION, PASS, BY)
    player: int
    direction: Direction
    cards: tuple[Card, ...]
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class NewHand(Message):
    TYPE = MessageType.NEW_HAND
    KINDS = (Number("the number of a hand", 1), DIRECTION)
    hand: int
    """Counted from 1."""
    direction: Direction


@dataclass(frozen=True, slots=True)
class PlayerShotMoon(Message):
    TYPE = MessageType.PLAYER_SHOT_MOON
    KINDS = (PLAYER, FLAG)
    player: int
    decides: bool


@dataclass(frozen=True, slots=True)
class TakeCard(Message):
    TYPE = MessageType.TAKE_CARD
    KINDS = (CARD,)
    card: Card


@dataclass(frozen=True, slots=True)
class TakePass(Message):
    TYPE = MessageType.TAKE_PASS
    KINDS = (PLAYER, DIRECTION, PASS)
    player: int
    """From whom the cards are."""
    direction: Direction
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrickDone(Message):
    TYPE = MessageType.TRICK_DONE
    KINDS = (TRICK, POINTS)
    trick: Trick
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakeTrick(TrickDone):
    TYPE = MessageType.TAKE_TRICK


@dataclass(frozen=True, slots=True)
class CardPlayed(Message):
    TYPE = MessageType.CARD_PLAYED
    KINDS = (TRICK, PLAYER, CARD, BY)
    trick: Trick
    """With this card; hearts broken by it, too."""
    player: int
    card: Card
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class MoonChoice(Message):
    TYPE = MessageType.MOON_CHOICE
    KINDS = (LEFT, STATE)
    left: int | None
    state: DealerState


@dataclass(frozen=True, slots=True)
class Cut(Message):
    TYPE = MessageType.CUT
    KINDS = (LEFT, STATE, Number("the number of a deal", 1))
    left: int | None
    state: DealerState
    deal: int


@dataclass(frozen=True, slots=True)
class DealCommitment(Message):
    TYPE = MessageType.DEAL_COMMITMENT
    KINDS = (Number("the number of a deal", 1), Raw(DIGEST_BYTES))
    deal: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class DealProof(Message):
    TYPE = MessageType.DEAL_PROOF
    KINDS = (Number("the number of a deal", 1), Raw(SECRET_BYTES), Raw(SEATS * CUT_BYTES))
    deal: int
    secret: bytes
    cuts: bytes


@dataclass(frozen=True, slots=True)
class FirstLead(Message):
    TYPE = MessageType.FIRST_LEAD
    KINDS = (PLAYER,)
    leader: int


@dataclass(frozen=True, slots=True)
class MoonChosen(Message):
    TYPE = MessageType.MOON_CHOSEN
    KINDS = (PLAYER, FLAG, BY)
    player: int
    on_others: bool
    by: ChosenBy


CARD_PLAYED = struct.Struct(f">{TRICK_INTS + 3}i")
"""The payload of P_CARD_PLAYED."""
TRICK_POINTS = struct.Struct(f">{TRICK_INTS + SEATS}i")
"""The payload of P_TRICK_DONE and P_TAKE_TRICK."""
CHOOSE_CARD = tuple(struct.Struct(f">{2 + TRICK_INTS + 1 + 2 * n}i") for n in range(HAND_SIZE + 1))
"""The payload of P_LEAD_CARD and P_PLAY_CARD, by the number of cards held."""
TWO_INTS = struct.Struct(">2i")
"""The payload of P_LOSE_CARD."""
