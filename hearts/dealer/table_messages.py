"""What the server says beside the play of a hand (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Annotated

from hearts.game.events import ChosenBy
from hearts.session.table_words import RulesInfo
from hearts.wire.codec import NAME_LIMIT

from .layout import (
    BANK,
    COUNT,
    FLAG,
    INT,
    LEFT,
    MILLISECONDS,
    PLAYER,
    PLAYER_OR_NOBODY,
    PLAYERS,
    Number,
    Text,
)
from .message import (
    BY,
    SCORES,
    STATE,
    WATCHER,
    WORDS,
    Message,
)
from .numbers import DealerState, MessageType
from .structures import RULES, Score


class AbortHandMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.ABORT_HAND
    deal: Annotated[int, COUNT]


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


class NewRulesMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_RULES
    rules: Annotated[RulesInfo, RULES]


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


class QueryNewRules(Message, frozen=True, gc=False):
    TYPE = MessageType.QUERY_NEW_RULES
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    rules: Annotated[RulesInfo, RULES]


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


class AgainDecided(Message, frozen=True, gc=False):
    TYPE = MessageType.AGAIN_DECIDED
    player: Annotated[int | None, PLAYER_OR_NOBODY]
    yes: Annotated[bool, FLAG]
    by: Annotated[ChosenBy, BY]


class RulesStay(Message, frozen=True, gc=False):
    TYPE = MessageType.RULES_STAY
    player: Annotated[int | None, PLAYER_OR_NOBODY]
    why: Annotated[str, WORDS]


class QueryAbort(Message, frozen=True, gc=False):
    """All others are asked whether the hand is to be broken off, or the game."""

    TYPE = MessageType.QUERY_ABORT
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    whole_game: Annotated[bool, FLAG]


class PlayGoesOn(Message, frozen=True, gc=False):
    """Not all agree to break off what is played."""

    TYPE = MessageType.PLAY_GOES_ON
    player: Annotated[int | None, PLAYER_OR_NOBODY]
    why: Annotated[str, WORDS]


class Pong(Message, frozen=True, gc=False):
    TYPE = MessageType.PONG
    payload: bytes

    def encode(self) -> bytes:
        return self.payload

    @classmethod
    def decode(cls, data: bytes) -> Pong:
        return cls(data)


class GiveSeatQuery(Message, frozen=True, gc=False):
    """The client is asked whether it gives up its seat."""

    TYPE = MessageType.GIVE_SEAT
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    asker: Annotated[int, PLAYER]
    opens: Annotated[bool, FLAG]
    """Whether the seat is open for a person then; else a computer has it."""


class SeatStays(Message, frozen=True, gc=False):
    """A player who was asked for his seat keeps it."""

    TYPE = MessageType.SEAT_STAYS
    player: Annotated[int, PLAYER]
    why: Annotated[str, WORDS]


class ScoreCard(Message, frozen=True, gc=False):
    """Where the players stand at the begin of what follows."""

    TYPE = MessageType.STANDING
    scores: Annotated[tuple[Score, ...], SCORES]
