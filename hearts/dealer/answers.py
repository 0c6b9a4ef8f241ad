"""What a client says in the dealer dialect: answers and requests (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from hearts.errors import RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.wire.codec import encode_int

from .beside import ANSWERED, INTRODUCTION, WISHES
from .frames import MessageType
from .layout import CARD, FLAG, OF_32, TRUTH, Fields, Packed, Payload, Times
from .structures import PASS_SIZE, PING_LIMIT

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


ANSWERS: dict[int, type[Answer] | Fields[Any]] = {
    **{
        answer.TYPE: answer
        for answer in (
            PassAnswer,
            LeadAnswer,
            PlayAnswer,
            MoonAnswer,
            AgainAnswer,
            CutAnswer,
            Ping,
        )
    },
    MessageType.REGISTER_PLAYER: INTRODUCTION,
    **WISHES,
    **ANSWERED,
}
"""The payload of each type; the server skips a frame of another type."""
