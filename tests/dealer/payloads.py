"""What is said in the dealer dialect, in its own words or in those of no dialect, as bytes."""

from __future__ import annotations

from typing import Any, TypeVar

from hearts.dealer.beside import ANSWERED, INTRODUCTION, PING, WISHES, Ping, RulesFields
from hearts.dealer.frames import MessageType, encode_frame
from hearts.dealer.layout import Fields
from hearts.dealer.messages import MESSAGES, Message
from hearts.session.table_words import Beside, Introduction
from hearts.session.wishes import AnswerInvitation, Wish
from hearts.table.effects import TableEvent
from hearts.table.inputs import Choice, GiveSeat, Vote

Said = (Message | Choice | Beside | Wish | Introduction) | (
    Vote | GiveSeat | AnswerInvitation | TableEvent | Ping
)
Told = Any
"""A message, or something beside the game; tests look at its fields."""
Codec = Fields[Any]
KindT = TypeVar("KindT")
_ROWS: dict[type, tuple[int, Fields[Any]]] = {
    Introduction: (MessageType.REGISTER_PLAYER, INTRODUCTION),
    Ping: (MessageType.PING, PING),
    **{
        fields.value: (type_, fields)
        for rows in (MESSAGES, WISHES, ANSWERED)
        for type_, fields in reversed(rows.items())
    },
}


def type_of(kind: type) -> int:
    """The type of its frames; a vote is about rules, and a card is led."""
    return _ROWS[kind][0]


def payload(said: Said) -> bytes:
    return _ROWS[type(said)][1].encode(said)


def frame(said: Said, number: int = 0, type_: int | None = None) -> bytes:
    return encode_frame(type_ or type_of(type(said)), number, payload(said))


def read(kind: type[KindT], data: bytes, **unsent: Any) -> KindT:
    """Its value, decoded."""
    value = _ROWS[kind][1].decode(data, **unsent)
    assert isinstance(value, kind)
    return value


def has_more(codec: Codec) -> bool:
    """Tell whether bits of rules from 21 on come behind its other fields."""
    return isinstance(codec, RulesFields)


OWNED = {"player": 2}
"""Fields that are not sent of what a client says, where its value has them."""


def is_owned(codec: Codec) -> bool:
    """Tell whether the player of its value is not sent."""
    return "player" in codec.value.__struct_fields__ and "player" not in codec.kinds


def decode_as(codec: Codec, data: bytes) -> Any:
    """Its value; that of a wish is player 2's."""
    return codec.decode(data, **OWNED if is_owned(codec) else {})
