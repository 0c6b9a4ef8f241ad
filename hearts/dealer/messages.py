"""Everything that the server says in the dealer dialect, by type (DealerSpec.md section 14.3).

What comes for every card is rendered with the structs behind the messages of a hand; a test holds
them against the classes.
"""

from __future__ import annotations

import struct
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.game.cuts import CUT_BYTES, FourHashes
from hearts.game.events import ChosenBy
from hearts.game.rules import Direction
from hearts.session.client_events import DoneHand, Score
from hearts.session.table_words import Beside, Declined, RulesInfo
from hearts.session.wishes import Wish
from hearts.table.effects import TableEvent
from hearts.wire.codec import NAME_LIMIT

from .beside import BESIDE, WISH_TYPES, WISHES
from .frames import DealerState, MessageType
from .layout import (
    BANK,
    CARD,
    FLAG,
    INT,
    LEFT,
    MILLISECONDS,
    PLAYER,
    PLAYER_OR_NOBODY,
    PLAYERS,
    Counted,
    Fields,
    Inner,
    Number,
    Packed,
    Payload,
    Raw,
    Rest,
    Text,
)
from .structures import (
    BY,
    DIRECTION,
    FOUR_OF_32,
    HAND_SIZE,
    PASS,
    POINTS,
    RULES,
    SCORES,
    SEATS,
    SECRET_BYTES,
    STATE,
    TRICK,
    TRICK_INTS,
    WATCHER,
    WORDS,
    Trick,
    encode_more,
    with_more,
)


class Message(Packed, frozen=True):
    """A payload of the server, with its type."""

    TYPE: ClassVar[MessageType]


class DoPass(Message, frozen=True, gc=False):
    TYPE = MessageType.DO_PASS
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    player: Annotated[int, PLAYER]
    direction: Annotated[Direction, DIRECTION]
    cards: Annotated[tuple[Card, ...], Counted(HAND_SIZE, CARD)]
    bank: Annotated[tuple[int, int] | None, BANK] = None


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


CARD_PLAYED = struct.Struct(f">{TRICK_INTS + 3}i")
"""The payload of P_CARD_PLAYED."""
TRICK_POINTS = struct.Struct(f">{TRICK_INTS + SEATS}i")
"""The payload of P_TRICK_DONE and P_TAKE_TRICK."""
CHOOSE_CARD = struct.Struct(f">{2 + TRICK_INTS + 1}i")
"""The payload of P_LEAD_CARD and P_PLAY_CARD, up to the cards."""
TWO_INTS = struct.Struct(">2i")
"""The payload of P_LOSE_CARD, and a card of P_LEAD_CARD and P_PLAY_CARD."""


class EndGame(Message, frozen=True, gc=False):
    TYPE = MessageType.END_GAME
    scores: Annotated[tuple[Score, ...], SCORES]
    winners: Annotated[tuple[int, ...], PLAYERS]
    decider: Annotated[int | None, PLAYER_OR_NOBODY]


class NewGame(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_GAME
    rules: Annotated[RulesInfo, RULES]
    turn_limit: Annotated[int, MILLISECONDS]
    """Milliseconds; 0 for no limit."""

    def encode(self) -> bytes:
        return super().encode() + encode_more(self.rules.rules)

    @classmethod
    def read(cls, payload: Payload) -> Self:
        read = super().read(payload)
        return replace(read, rules=with_more(read.rules, payload))


class AnswerError(Message, frozen=True, gc=False):
    """An answer or a request that is not taken."""

    TYPE = MessageType.ANSWER_ERROR
    in_reply_to: Annotated[int, INT]
    type: Annotated[int, INT]
    reason: Annotated[int, INT]
    """A hearts.errors.Reason or Fault; a later version may know more."""
    tries_left: Annotated[int, Number("tries that are left", -1, 9)]
    """-1 where nothing is counted."""
    why: Annotated[str, WORDS]


class PassError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PASS_ERROR


class PlayError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PLAY_ERROR


class RegisterPlayer(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_PLAYER
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    player: Annotated[int, PLAYER]


class PlayAgainMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_AGAIN
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class SeatedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.SEATED
    player: Annotated[int, Number("a player or a watcher", 0, WATCHER)]
    game_number: Annotated[int, INT]
    game_id: Annotated[int, INT]
    table: Annotated[str, Text(NAME_LIMIT)]


class Pong(Message, frozen=True, gc=False):
    TYPE = MessageType.PONG
    payload: Annotated[bytes, Rest("a pong")]


class ScoreCard(Message, frozen=True, gc=False):
    """Where the players stand at the begin of what follows."""

    TYPE = MessageType.STANDING
    scores: Annotated[tuple[Score, ...], SCORES]


MESSAGES: dict[int, type[Message] | Fields[Any]] = {
    **{
        message.TYPE: message
        for message in (
            *(DoPass, EndGame, HeartsBroken, LeadCard, LoseCard, LosePass, NewGame),
            *(NewHand, PassError, PlayCard, PlayError, PlayerShotMoon, RegisterPlayer, TakeCard),
            *(TakePass, TakeTrick, TrickDone, CardPlayedMessage, MoonChoice, PlayAgainMessage),
            *(CutMessage, DealProof, Pong, AnswerError, SeatedMessage, ScoreCard),
        )
    },
    **BESIDE,
}
"""The payload of each type; a frame of another type is to be skipped."""

Said = Beside | Wish | TableEvent | DoneHand
_FRAMES: dict[type, tuple[int, Fields[Any]]] = {
    fields.value: (type, fields) for rows in (WISHES, BESIDE) for type, fields in rows.items()
}


def type_of(said: Said) -> int:
    return _FRAMES[type(said)][0]


def as_frame(said: Said) -> tuple[int, bytes]:
    """The type and the payload of something that is said in no dialect's words."""
    if isinstance(said, Declined):
        assert said.wish is not None, "an answer is refused by its number"
        fault, wish = said.fault, WISH_TYPES[said.wish]
        return MessageType.ANSWER_ERROR, AnswerError(0, wish, fault, -1, fault.text).encode()
    type_, fields = _FRAMES[type(said)]
    return type_, fields.encode(said)
