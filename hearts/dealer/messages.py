"""Everything that the server says in the dealer dialect, by type (DealerSpec.md section 14.3).

The messages that come with every card are packed with the structs CARD_PLAYED to TWO_INTS; a test
compares them with the classes.
"""

from __future__ import annotations

import struct
from typing import Annotated, Any

from msgspec import Struct

from hearts.game.cards import Card
from hearts.game.cuts import CUT_BYTES, FourHashes
from hearts.game.events import ChosenBy
from hearts.game.rules import Direction, Rules
from hearts.session.client_events import DoneHand, Score
from hearts.session.table_words import Beside, Declined
from hearts.session.wishes import Wish
from hearts.table.effects import TableEvent
from hearts.wire.codec import NAME_LIMIT

from . import layout as kinds
from . import structures
from .beside import BESIDE, WISH_TYPES, WISHES, RulesFields
from .frames import DealerState, MessageType
from .layout import Fields


class Message(Struct, frozen=True, gc=False):
    """Something that the server says in this dialect alone."""


class QueryMessage(Message, frozen=True, gc=False):
    left: Annotated[int | None, kinds.LEFT]
    state: Annotated[DealerState, structures.STATE]


class DoPass(QueryMessage, frozen=True, gc=False):
    player: Annotated[int, kinds.PLAYER]
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], kinds.Counted(structures.HAND_SIZE, kinds.CARD)]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class HeartsBroken(Message, frozen=True, gc=False):
    """The card before it has broken hearts."""


class LegalCard(Struct, frozen=True, gc=False):
    """A card of the hand, with True if it may be played now."""

    card: Annotated[Card, kinds.CARD]
    legal: Annotated[bool, kinds.FLAG]


class CardQuery(QueryMessage, frozen=True, gc=False):
    trick: Annotated[structures.Trick, structures.TRICK]
    cards: Annotated[tuple[LegalCard, ...], kinds.Counted(structures.HAND_SIZE, Fields(LegalCard))]
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class LeadCard(CardQuery, frozen=True, gc=False):
    """A card to lead is asked for."""


class PlayCard(CardQuery, frozen=True, gc=False):
    """A card to a trick under way is asked for."""


class LoseCard(Message, frozen=True, gc=False):
    card: Annotated[Card, kinds.CARD]
    by: Annotated[ChosenBy, structures.BY]


class LosePass(Message, frozen=True, gc=False):
    player: Annotated[int, kinds.PLAYER]
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], structures.PASS]
    by: Annotated[ChosenBy, structures.BY]


class NewHand(Message, frozen=True, gc=False):
    hand: Annotated[int, kinds.Number("the number of a hand", 1)]
    """Counted from 1."""
    direction: Annotated[Direction, structures.DIRECTION]


class PlayerShotMoon(Message, frozen=True, gc=False):
    player: Annotated[int, kinds.PLAYER]
    decides: Annotated[bool, kinds.FLAG]


class TakeCard(Message, frozen=True, gc=False):
    card: Annotated[Card, kinds.CARD]


class TakePass(Message, frozen=True, gc=False):
    player: Annotated[int, kinds.PLAYER]
    """The player who has passed the cards."""
    direction: Annotated[Direction, structures.DIRECTION]
    cards: Annotated[tuple[Card, ...], structures.PASS]


class TrickDone(Message, frozen=True, gc=False):
    trick: Annotated[structures.Trick, structures.TRICK]
    points: Annotated[tuple[int, ...], structures.POINTS]


class TakeTrick(TrickDone, frozen=True, gc=False):
    """The same to the player who takes it."""


class CardPlayedMessage(Message, frozen=True, gc=False):
    trick: Annotated[structures.Trick, structures.TRICK]
    """With this card; hearts broken by it, too."""
    player: Annotated[int, kinds.PLAYER]
    card: Annotated[Card, kinds.CARD]
    by: Annotated[ChosenBy, structures.BY]


class MoonChoice(QueryMessage, frozen=True, gc=False):
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class CutMessage(QueryMessage, frozen=True, gc=False):
    deal: Annotated[int, kinds.Number("the number of a deal", 1)]


class DealProof(Message, frozen=True, gc=False):
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
    scores: Annotated[tuple[Score, ...], structures.SCORES]
    winners: Annotated[tuple[int, ...], kinds.PLAYERS]
    decider: Annotated[int | None, kinds.PLAYER_OR_NOBODY]


class NewGame(Message, frozen=True, gc=False):
    rules: Annotated[Rules, structures.RULES]
    end_score: int
    turn_limit: Annotated[int, kinds.MILLISECONDS]
    """Milliseconds; 0 for no limit."""


class AnswerError(Message, frozen=True, gc=False):
    """An answer or a request that is not taken."""

    in_reply_to: Annotated[int, kinds.INT]
    type: Annotated[int, kinds.INT]
    reason: Annotated[int, kinds.INT]
    """A hearts.errors.Reason or Fault; a later version may know more."""
    tries_left: Annotated[int, kinds.Number("tries that are left", -1, 9)]
    """-1 where nothing is counted."""
    why: Annotated[str, structures.WORDS]


class PassError(AnswerError, frozen=True, gc=False):
    """A pass that is not taken."""


class PlayError(AnswerError, frozen=True, gc=False):
    """A card that is not taken."""


class RegisterPlayer(QueryMessage, frozen=True, gc=False):
    player: Annotated[int, kinds.PLAYER]


class PlayAgainMessage(QueryMessage, frozen=True, gc=False):
    bank: Annotated[tuple[int, int] | None, kinds.BANK] = None


class SeatedMessage(Message, frozen=True, gc=False):
    player: Annotated[int, kinds.Number("a player or a watcher", 0, structures.WATCHER)]
    game_number: Annotated[int, kinds.INT]
    game_id: Annotated[int, kinds.INT]
    table: Annotated[str, kinds.Text(NAME_LIMIT)]


class Pong(Message, frozen=True, gc=False):
    payload: Annotated[bytes, kinds.Rest("a pong")]


class ScoreCard(Message, frozen=True, gc=False):
    """The standing of the players before what is told next."""

    scores: Annotated[tuple[Score, ...], structures.SCORES]


_OWN: dict[int, type[Message]] = {
    MessageType.ANSWER_ERROR: AnswerError,
    MessageType.CARD_PLAYED: CardPlayedMessage,
    MessageType.CUT: CutMessage,
    MessageType.DEAL_PROOF: DealProof,
    MessageType.DO_PASS: DoPass,
    MessageType.END_GAME: EndGame,
    MessageType.HEARTS_BROKEN: HeartsBroken,
    MessageType.LEAD_CARD: LeadCard,
    MessageType.LOSE_CARD: LoseCard,
    MessageType.LOSE_PASS: LosePass,
    MessageType.MOON_CHOICE: MoonChoice,
    MessageType.NEW_HAND: NewHand,
    MessageType.PASS_ERROR: PassError,
    MessageType.PLAYER_SHOT_MOON: PlayerShotMoon,
    MessageType.PLAY_AGAIN: PlayAgainMessage,
    MessageType.PLAY_CARD: PlayCard,
    MessageType.PLAY_ERROR: PlayError,
    MessageType.PONG: Pong,
    MessageType.REGISTER_PLAYER: RegisterPlayer,
    MessageType.SEATED: SeatedMessage,
    MessageType.STANDING: ScoreCard,
    MessageType.TAKE_CARD: TakeCard,
    MessageType.TAKE_PASS: TakePass,
    MessageType.TAKE_TRICK: TakeTrick,
    MessageType.TRICK_DONE: TrickDone,
}
MESSAGES: dict[int, Fields[Any]] = {
    **{type: Fields(message) for type, message in _OWN.items()},
    MessageType.NEW_GAME: RulesFields(NewGame),
    **BESIDE,
}
"""The payload of each type; a frame of another type is to be skipped."""

Said = Message | Beside | Wish | TableEvent | DoneHand
_FRAMES: dict[type, tuple[int, Fields[Any]]] = {
    fields.value: (type, fields) for rows in (WISHES, MESSAGES) for type, fields in rows.items()
}


def type_of(said: Said) -> int:
    return _FRAMES[type(said)][0]


def as_frame(said: Said) -> tuple[int, bytes]:
    """Return the type and the payload of something that is said."""
    if isinstance(said, Declined):
        assert said.wish is not None, "an answer is refused by its number"
        fault, wish = said.fault, WISH_TYPES[said.wish]
        said = AnswerError(0, wish, fault, -1, fault.text)
    type_, fields = _FRAMES[type(said)]
    return type_, fields.encode(said)
