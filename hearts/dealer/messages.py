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

from . import layout as kinds
from . import structures
from .beside import BESIDE, WISH_TYPES, WISHES
from .frames import DealerState, MessageType
from .layout import Fields


class Message(kinds.Packed, frozen=True):
    """A payload of the server, with its type."""

    TYPE: ClassVar[MessageType]


class DoPass(Message, frozen=True, gc=False):
    TYPE = MessageType.DO_PASS
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    player: Annotated[int, kinds.PLAYER]
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], kinds.Counted(structures.HAND_SIZE, kinds.CARD)]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class HeartsBroken(Message, frozen=True, gc=False):
    TYPE = MessageType.HEARTS_BROKEN


class LegalCard(kinds.Packed, frozen=True, gc=False):
    """A card of the hand, with True if it may be played now."""

    card: Annotated[Card, kinds.CARD]
    legal: Annotated[bool, kinds.FLAG]


class LeadCard(Message, frozen=True, gc=False):
    TYPE = MessageType.LEAD_CARD
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    trick: Annotated[structures.Trick, structures.TRICK]
    cards: Annotated[
        tuple[LegalCard, ...], kinds.Counted(structures.HAND_SIZE, kinds.Inner(LegalCard))
    ]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class PlayCard(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_CARD
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    trick: Annotated[structures.Trick, structures.TRICK]
    cards: Annotated[
        tuple[LegalCard, ...], kinds.Counted(structures.HAND_SIZE, kinds.Inner(LegalCard))
    ]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class LoseCard(Message, frozen=True, gc=False):
    TYPE = MessageType.LOSE_CARD
    card: Annotated[Card, kinds.CARD]
    by: Annotated[ChosenBy, structures.BY]


class LosePass(Message, frozen=True, gc=False):
    TYPE = MessageType.LOSE_PASS
    player: Annotated[int, kinds.PLAYER]
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], structures.PASS]
    by: Annotated[ChosenBy, structures.BY]


class NewHand(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_HAND
    hand: Annotated[int, kinds.Number("the number of a hand", 1)]
    """Counted from 1."""
    direction: Annotated[Direction, structures.DIRECTION]


class PlayerShotMoon(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAYER_SHOT_MOON
    player: Annotated[int, kinds.PLAYER]
    decides: Annotated[bool, kinds.FLAG]


class TakeCard(Message, frozen=True, gc=False):
    TYPE = MessageType.TAKE_CARD
    card: Annotated[Card, kinds.CARD]


class TakePass(Message, frozen=True, gc=False):
    TYPE = MessageType.TAKE_PASS
    player: Annotated[int, kinds.PLAYER]
    """The player who has passed the cards."""
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], structures.PASS]


class TrickDone(Message, frozen=True, gc=False):
    TYPE = MessageType.TRICK_DONE
    trick: Annotated[structures.Trick, structures.TRICK]
    points: Annotated[tuple[int, ...], structures.POINTS]


class TakeTrick(TrickDone, frozen=True, gc=False):
    TYPE = MessageType.TAKE_TRICK


class CardPlayedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.CARD_PLAYED
    trick: Annotated[structures.Trick, structures.TRICK]
    """With this card; hearts broken by it, too."""
    player: Annotated[int, kinds.PLAYER]
    card: Annotated[Card, kinds.CARD]
    by: Annotated[ChosenBy, structures.BY]


class MoonChoice(Message, frozen=True, gc=False):
    TYPE = MessageType.MOON_CHOICE
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class CutMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.CUT
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    deal: Annotated[int, kinds.Number("the number of a deal", 1)]


class DealProof(Message, frozen=True, gc=False):
    TYPE = MessageType.DEAL_PROOF
    deal: Annotated[int, kinds.Number("the number of a deal", 1)]
    secret: Annotated[bytes, kinds.Raw(structures.SECRET_BYTES)]
    cuts: Annotated[bytes, kinds.Raw(structures.SEATS * CUT_BYTES)]
    values: Annotated[FourHashes, structures.FOUR_OF_32]
    missing: Annotated[tuple[int, ...], kinds.PLAYERS]


CARD_PLAYED = struct.Struct(f">{structures.TRICK_INTS + 3}i")
"""The payload of P_CARD_PLAYED."""
TRICK_POINTS = struct.Struct(f">{structures.TRICK_INTS + structures.SEATS}i")
"""The payload of P_TRICK_DONE and P_TAKE_TRICK."""
CHOOSE_CARD = struct.Struct(f">{2 + structures.TRICK_INTS + 1}i")
"""The payload of P_LEAD_CARD and P_PLAY_CARD, up to the cards."""
TWO_INTS = struct.Struct(">2i")
"""The payload of P_LOSE_CARD, and a card of P_LEAD_CARD and P_PLAY_CARD."""


class EndGame(Message, frozen=True, gc=False):
    TYPE = MessageType.END_GAME
    scores: Annotated[tuple[Score, ...], structures.SCORES]
    winners: Annotated[tuple[int, ...], kinds.PLAYERS]
    decider: Annotated[int | None, kinds.PLAYER_OR_NOBODY]


class NewGame(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_GAME
    rules: Annotated[RulesInfo, structures.RULES]
    turn_limit: Annotated[int, kinds.MILLISECONDS]
    """Milliseconds; 0 for no limit."""

    def encode(self) -> bytes:
        return super().encode() + structures.encode_more(self.rules.rules)

    @classmethod
    def read(cls, payload: kinds.Payload) -> Self:
        read = super().read(payload)
        return replace(read, rules=structures.with_more(read.rules, payload))


class AnswerError(Message, frozen=True, gc=False):
    """An answer or a request that is not taken."""

    TYPE = MessageType.ANSWER_ERROR
    in_reply_to: Annotated[int, kinds.INT]
    type: Annotated[int, kinds.INT]
    reason: Annotated[int, kinds.INT]
    """A hearts.errors.Reason or Fault; a later version may know more."""
    tries_left: Annotated[int, kinds.Number("tries that are left", -1, 9)]
    """-1 where nothing is counted."""
    why: Annotated[str, structures.WORDS]


class PassError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PASS_ERROR


class PlayError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PLAY_ERROR


class RegisterPlayer(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_PLAYER
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    player: Annotated[int, kinds.PLAYER]


class PlayAgainMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_AGAIN
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class SeatedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.SEATED
    player: Annotated[int, kinds.Number("a player or a watcher", 0, structures.WATCHER)]
    game_number: Annotated[int, kinds.INT]
    game_id: Annotated[int, kinds.INT]
    table: Annotated[str, kinds.Text(NAME_LIMIT)]


class Pong(Message, frozen=True, gc=False):
    TYPE = MessageType.PONG
    payload: Annotated[bytes, kinds.Rest("a pong")]


class ScoreCard(Message, frozen=True, gc=False):
    """The standing of the players before what is told next."""

    TYPE = MessageType.STANDING
    scores: Annotated[tuple[Score, ...], structures.SCORES]


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
