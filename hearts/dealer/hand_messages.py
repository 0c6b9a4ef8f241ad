"""What the server says of a hand, from its promise to its proof (DealerSpec.md section 14.3).

What comes for every card is rendered with the structs at the end; a test holds them against the
classes.
"""

from __future__ import annotations

import struct
from typing import Annotated

from hearts.game.cards import Card
from hearts.game.cuts import CUT_BYTES, FourHashes
from hearts.game.events import ChosenBy
from hearts.game.rules import Direction

from .layout import (
    BANK,
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
    DIRECTION,
    FOUR_OF_32,
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


class DoPass(Message, frozen=True, gc=False):
    TYPE = MessageType.DO_PASS
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    player: Annotated[int, PLAYER]
    direction: Annotated[Direction, DIRECTION]
    cards: Annotated[tuple[Card, ...], Counted(HAND_SIZE, CARD)]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class DoneHand(Message, frozen=True, gc=False):
    TYPE = MessageType.DONE_HAND
    queen_winner: Annotated[int | None, PLAYER_OR_NOBODY]
    jack_winner: Annotated[int | None, PLAYER_OR_NOBODY]
    shooter: Annotated[int | None, PLAYER_OR_NOBODY]
    scores: Annotated[tuple[Score, ...], SCORES]
    game_winner: Annotated[int | None, PLAYER_OR_NOBODY]
    points: Annotated[tuple[int, ...], POINTS]
    winners: Annotated[tuple[int, ...], PLAYERS]


class HeartsBroken(Message, frozen=True, gc=False):
    TYPE = MessageType.HEARTS_BROKEN


class LegalCard(Packed, frozen=True, gc=False):
    """A card of the hand, and whether it may be played now."""

    card: Annotated[Card, CARD]
    legal: Annotated[bool, FLAG]


class LeadCard(Message, frozen=True, gc=False):
    TYPE = MessageType.LEAD_CARD
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    trick: Annotated[Trick, TRICK]
    cards: Annotated[tuple[LegalCard, ...], Counted(HAND_SIZE, Inner(LegalCard))]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class PlayCard(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_CARD
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    trick: Annotated[Trick, TRICK]
    cards: Annotated[tuple[LegalCard, ...], Counted(HAND_SIZE, Inner(LegalCard))]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class LoseCard(Message, frozen=True, gc=False):
    TYPE = MessageType.LOSE_CARD
    card: Annotated[Card, CARD]
    by: Annotated[ChosenBy, BY]


class LosePass(Message, frozen=True, gc=False):
    TYPE = MessageType.LOSE_PASS
    player: Annotated[int, PLAYER]
    direction: Annotated[Direction, DIRECTION]
    cards: Annotated[tuple[Card, ...], PASS]
    by: Annotated[ChosenBy, BY]


class NewHand(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_HAND
    hand: Annotated[int, Number("the number of a hand", 1)]
    """Counted from 1."""
    direction: Annotated[Direction, DIRECTION]


class PlayerShotMoon(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAYER_SHOT_MOON
    player: Annotated[int, PLAYER]
    decides: Annotated[bool, FLAG]


class TakeCard(Message, frozen=True, gc=False):
    TYPE = MessageType.TAKE_CARD
    card: Annotated[Card, CARD]


class TakePass(Message, frozen=True, gc=False):
    TYPE = MessageType.TAKE_PASS
    player: Annotated[int, PLAYER]
    """From whom the cards are."""
    direction: Annotated[Direction, DIRECTION]
    cards: Annotated[tuple[Card, ...], PASS]


class TrickDone(Message, frozen=True, gc=False):
    TYPE = MessageType.TRICK_DONE
    trick: Annotated[Trick, TRICK]
    points: Annotated[tuple[int, ...], POINTS]


class TakeTrick(TrickDone, frozen=True, gc=False):
    TYPE = MessageType.TAKE_TRICK


class CardPlayedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.CARD_PLAYED
    trick: Annotated[Trick, TRICK]
    """With this card; hearts broken by it, too."""
    player: Annotated[int, PLAYER]
    card: Annotated[Card, CARD]
    by: Annotated[ChosenBy, BY]


class MoonChoice(Message, frozen=True, gc=False):
    TYPE = MessageType.MOON_CHOICE
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class CutMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.CUT
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    deal: Annotated[int, Number("the number of a deal", 1)]


class DealProof(Message, frozen=True, gc=False):
    TYPE = MessageType.DEAL_PROOF
    deal: Annotated[int, Number("the number of a deal", 1)]
    secret: Annotated[bytes, Raw(SECRET_BYTES)]
    cuts: Annotated[bytes, Raw(SEATS * CUT_BYTES)]
    values: Annotated[FourHashes, FOUR_OF_32]
    missing: Annotated[tuple[int, ...], PLAYERS]


class FirstLead(Message, frozen=True, gc=False):
    TYPE = MessageType.FIRST_LEAD
    leader: Annotated[int, PLAYER]


CARD_PLAYED = struct.Struct(f">{TRICK_INTS + 3}i")
"""The payload of P_CARD_PLAYED."""
TRICK_POINTS = struct.Struct(f">{TRICK_INTS + SEATS}i")
"""The payload of P_TRICK_DONE and P_TAKE_TRICK."""
CHOOSE_CARD = struct.Struct(f">{2 + TRICK_INTS + 1}i")
"""The payload of P_LEAD_CARD and P_PLAY_CARD, up to the cards."""
TWO_INTS = struct.Struct(">2i")
"""The payload of P_LOSE_CARD, and a card of P_LEAD_CARD and P_PLAY_CARD."""
