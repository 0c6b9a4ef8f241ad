"""What the server says beside the play of a hand (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec.structs import replace

from hearts.session.table_words import RulesInfo
from hearts.wire.codec import NAME_LIMIT

from .layout import (
    BANK,
    INT,
    LEFT,
    MILLISECONDS,
    PLAYER,
    PLAYER_OR_NOBODY,
    PLAYERS,
    Number,
    Payload,
    Text,
)
from .message import (
    SCORES,
    STATE,
    WATCHER,
    WORDS,
    Message,
)
from .numbers import DealerState, MessageType
from .structures import RULES, Score, encode_more, with_more


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
    payload: bytes

    def encode(self) -> bytes:
        return self.payload

    @classmethod
    def decode(cls, data: bytes) -> Pong:
        return cls(data)


class ScoreCard(Message, frozen=True, gc=False):
    """Where the players stand at the begin of what follows."""

    TYPE = MessageType.STANDING
    scores: Annotated[tuple[Score, ...], SCORES]
