"""What a client says in the dealer dialect: answers and requests (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

from hearts.errors import RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.game.cuts import VALUE_BYTES
from hearts.wire.codec import NAME_LIMIT, encode_int
from hearts.wire.text import MARKS_LIMIT, is_legible

from .layout import (
    CARD,
    FLAG,
    INT,
    OF_32,
    PLAYER,
    TRUTH,
    Coded,
    Number,
    Packed,
    Payload,
    Text,
    Times,
    kinds_of,
)
from .messages import PASS_SIZE, PING_LIMIT
from .numbers import MessageType, PlayerKind
from .structures import COMMENT_LIMIT, LEVELS, RULES, RulesInfo, RulesPayload

_PLAYED = {encode_int(card.wire): card for card in CARDS}


class Answer(Packed, frozen=True):
    """A payload of a client, with its type."""

    TYPE: ClassVar[MessageType]


class PassAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.DO_PASS
    cards: Annotated[tuple[Card, ...], Times(PASS_SIZE, CARD)]


class LeadAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.LEAD_CARD
    card: Annotated[Card, CARD]

    @classmethod
    def decode(cls, data: bytes) -> Self:
        # One comes with each card that is played.
        card = _PLAYED.get(data)
        return cls.read(Payload(data)) if card is None else cls(card)


class PlayAnswer(LeadAnswer, frozen=True, gc=False):
    TYPE = MessageType.PLAY_CARD


class RulesAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.QUERY_NEW_RULES
    agreed: Annotated[bool, TRUTH]


class _OwnComment(Text):
    """What a player says; it must not paint over what others see around it."""

    def decode(self, payload: Payload) -> str:
        comment = super().decode(payload)
        if not is_legible(comment):
            raise RemoteProtocolError(f"a comment has at most {MARKS_LIMIT} marks in a row")
        return comment


_OWN_KINDS = {
    kind: kind.value
    for kind in (
        PlayerKind.EXTERNAL_CPU,
        PlayerKind.EXTERNAL_HUMAN,
        PlayerKind.EXTERNAL_NETWORK,
    )
}


class Introduction(Answer, frozen=True, gc=False):
    """Who a player is."""

    TYPE = MessageType.REGISTER_PLAYER
    kind: Annotated[PlayerKind, Coded("a kind of player that may be said", _OWN_KINDS)] = (
        PlayerKind.EXTERNAL_NETWORK
    )
    level: Annotated[int, Number("a level", LEVELS.start, LEVELS.stop - 1)] = 0
    cuts: Annotated[bool, FLAG] = False
    comment: Annotated[str, _OwnComment(COMMENT_LIMIT)] = ""
    next_hash: Annotated[bytes, OF_32] = b""
    """That of the value for the next deal; it is sent only by a player who cuts."""

    def encode(self) -> bytes:
        data = super().encode()
        return data if self.cuts and self.next_hash else data[:-VALUE_BYTES]

    @classmethod
    def read(cls, payload: Payload) -> Self:
        *_, hash_kind = kinds = kinds_of(cls)
        kind, level, cuts, comment = (each.decode(payload) for each in kinds[:-1])
        has_hash = cuts and not payload.is_over
        next_hash = hash_kind.decode(payload) if has_hash else b""
        return cls(kind, level, cuts, comment, next_hash)


class MoonAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.MOON_CHOICE
    on_others: Annotated[bool, FLAG]


class AgainAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.PLAY_AGAIN
    yes: Annotated[bool, TRUTH]


class CutAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.CUT
    value: Annotated[bytes, OF_32]
    next_hash: Annotated[bytes, OF_32]


class Ping(Answer, frozen=True, gc=False):
    TYPE = MessageType.PING
    payload: bytes = b""

    @classmethod
    def decode(cls, data: bytes) -> Ping:
        if len(data) > PING_LIMIT:
            raise RemoteProtocolError(f"a ping of {len(data)} bytes is above {PING_LIMIT}")
        return cls(data)

    def encode(self) -> bytes:
        return self.payload


class ProposeRulesRequest(RulesPayload, Answer, frozen=True, gc=False):
    TYPE = MessageType.PROPOSE_RULES
    SKIPS_UNKNOWN = False
    rules: Annotated[RulesInfo, RULES]


class AbortAnswer(Answer, frozen=True, gc=False):
    TYPE = MessageType.QUERY_ABORT
    agreed: Annotated[bool, TRUTH]


class ProposeAbortRequest(Answer, frozen=True, gc=False):
    TYPE = MessageType.PROPOSE_ABORT
    whole_game: Annotated[bool, FLAG]


class ReplacePlayerRequest(Answer, frozen=True, gc=False):
    TYPE = MessageType.REPLACE_PLAYER
    player: Annotated[int, PLAYER]


class OpenSeatRequest(Answer, frozen=True, gc=False):
    TYPE = MessageType.OPEN_SEAT
    player: Annotated[int, PLAYER]


class CommentRequest(Answer, frozen=True, gc=False):
    """Something for those who wait at the forming table as well."""

    TYPE = MessageType.PLAYER_COMMENT
    text: Annotated[str, _OwnComment(COMMENT_LIMIT)]


class StartTableRequest(Answer, frozen=True, gc=False):
    """Let computers take the free seats of the forming table, now."""

    TYPE = MessageType.START_TABLE


class GiveSeatAnswer(Answer, frozen=True, gc=False):
    """Give up our seat, for which we were asked, or keep it."""

    TYPE = MessageType.GIVE_SEAT
    agreed: Annotated[bool, TRUTH]


class InvitableRequest(Answer, frozen=True, gc=False):
    """Let others invite us to their forming tables, or do not."""

    TYPE = MessageType.INVITABLE
    wanted: Annotated[bool, TRUTH]


class AskInvitableRequest(Answer, frozen=True, gc=False):
    """Tell of those who can be invited."""

    TYPE = MessageType.ASK_INVITABLE


class InviteRequest(Answer, frozen=True, gc=False):
    """Ask one of them to come to our forming table."""

    TYPE = MessageType.INVITE
    number: Annotated[int, INT]


class InvitationAnswer(Answer, frozen=True, gc=False):
    """Come to the table to which we are invited, or do not."""

    TYPE = MessageType.INVITATION
    agreed: Annotated[bool, TRUTH]


class MoveSeatRequest(Answer, frozen=True, gc=False):
    """Have another seat of the forming table, one that is free."""

    TYPE = MessageType.MOVE_SEAT
    player: Annotated[int, PLAYER]


class LeaveTableRequest(Answer, frozen=True, gc=False):
    """Leave for good."""

    TYPE = MessageType.LEAVE_TABLE


class AskTablesRequest(Answer, frozen=True, gc=False):
    """Tell of all public tables."""

    TYPE = MessageType.ASK_TABLES


class AskTableRequest(Answer, frozen=True, gc=False):
    """Tell of a table, and keep telling of the client's own."""

    TYPE = MessageType.ASK_TABLE
    table: Annotated[str, Text(NAME_LIMIT)] = ""
    """Empty for the client's own."""


class ClaimRestRequest(Answer, frozen=True, gc=False):
    """All tricks that are left are mine."""

    TYPE = MessageType.CLAIM_REST


ANSWERS: dict[int, type[Answer]] = {
    answer.TYPE: answer
    for answer in (
        PassAnswer, LeadAnswer, PlayAnswer, RulesAnswer, Introduction, MoonAnswer, AgainAnswer,
        CutAnswer, Ping, ProposeRulesRequest, ReplacePlayerRequest, OpenSeatRequest,
        CommentRequest, StartTableRequest, LeaveTableRequest, AskTablesRequest, AskTableRequest,
        MoveSeatRequest, GiveSeatAnswer, InvitableRequest, AskInvitableRequest, InviteRequest,
        InvitationAnswer,
        ClaimRestRequest,
        AbortAnswer, ProposeAbortRequest,
    )
}  # fmt: skip
"""The class of each type; the server skips a frame of another type."""
