"""What the server says beside the play of a hand (SocketSpec.md section 14.3)."""

from __future__ import annotations

from dataclasses import dataclass

from hearts.game.events import ChosenBy
from hearts.wire.codec import NAME_LIMIT

from .layout import (
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
    Times,
)
from .message import (
    BY,
    SCORES,
    SEATS,
    STATE,
    WATCHER,
    WORDS,
    Message,
)
from .numbers import DealerState, MessageType
from .structures import PLAYER_INFO, RULES, PlayerInfo, RulesInfo, Score


@dataclass(frozen=True, slots=True)
class AbortGame(Message):
    TYPE = MessageType.ABORT_GAME
    KINDS = (FLAG, WORDS)
    later: bool
    """Whether the session can be come back to."""
    why: str


@dataclass(frozen=True, slots=True)
class EndGame(Message):
    TYPE = MessageType.END_GAME
    KINDS = (SCORES, PLAYERS, PLAYER_OR_NOBODY)
    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    decider: int | None


@dataclass(frozen=True, slots=True)
class NewGame(Message):
    TYPE = MessageType.NEW_GAME
    KINDS = (RULES, MILLISECONDS)
    rules: RulesInfo
    turn_limit: int
    """Milliseconds; 0 for no limit."""


@dataclass(frozen=True, slots=True)
class NewRules(Message):
    TYPE = MessageType.NEW_RULES
    KINDS = (RULES,)
    rules: RulesInfo


@dataclass(frozen=True, slots=True)
class AnswerError(Message):
    """An answer or a request that is not taken."""

    TYPE = MessageType.ANSWER_ERROR
    KINDS = (INT, INT, INT, Number("tries that are left", -1, 9), WORDS)
    in_reply_to: int
    type: int
    reason: int
    """A hearts.errors.Reason or Fault; a later version may know more."""
    tries_left: int
    """-1 where nothing is counted."""
    why: str


@dataclass(frozen=True, slots=True)
class PassError(AnswerError):
    TYPE = MessageType.PASS_ERROR


@dataclass(frozen=True, slots=True)
class PlayError(AnswerError):
    TYPE = MessageType.PLAY_ERROR


@dataclass(frozen=True, slots=True)
class QueryNewRules(Message):
    TYPE = MessageType.QUERY_NEW_RULES
    KINDS = (LEFT, STATE, RULES)
    left: int | None
    state: DealerState
    rules: RulesInfo


@dataclass(frozen=True, slots=True)
class RegisterOpponents(Message):
    TYPE = MessageType.REGISTER_OPPONENTS
    KINDS = (Times(SEATS, PLAYER_INFO),)
    players: tuple[PlayerInfo, ...]


@dataclass(frozen=True, slots=True)
class RegisterPlayer(Message):
    TYPE = MessageType.REGISTER_PLAYER
    KINDS = (LEFT, STATE, PLAYER)
    left: int | None
    state: DealerState
    player: int


@dataclass(frozen=True, slots=True)
class Waiting(Message):
    TYPE = MessageType.WAITING
    KINDS = (STATE, PLAYERS, MILLISECONDS, LEFT)
    state: DealerState
    players: tuple[int, ...]
    waited: int
    left: int | None


@dataclass(frozen=True, slots=True)
class PlayerChange(Message):
    TYPE = MessageType.PLAYER_CHANGE
    KINDS = (COUNT, PLAYER_INFO)
    change: int
    """A hearts.table.Change; a later version may know more."""
    info: PlayerInfo


@dataclass(frozen=True, slots=True)
class PlayAgain(Message):
    TYPE = MessageType.PLAY_AGAIN
    KINDS = (LEFT, STATE)
    left: int | None
    state: DealerState


@dataclass(frozen=True, slots=True)
class ServerNotice(Message):
    TYPE = MessageType.SERVER_NOTICE
    KINDS = (WORDS,)
    text: str


@dataclass(frozen=True, slots=True)
class Seated(Message):
    TYPE = MessageType.SEATED
    KINDS = (Number("a player or a watcher", 0, WATCHER), INT, INT, Text(NAME_LIMIT))
    player: int
    game_number: int
    game_id: int
    table: str


@dataclass(frozen=True, slots=True)
class Refused(Message):
    TYPE = MessageType.REFUSED
    KINDS = (INT, WORDS)
    code: int
    why: str


@dataclass(frozen=True, slots=True)
class Replay(Message):
    TYPE = MessageType.REPLAY
    KINDS = (FLAG,)
    begins: bool


@dataclass(frozen=True, slots=True)
class AgainDecided(Message):
    TYPE = MessageType.AGAIN_DECIDED
    KINDS = (PLAYER_OR_NOBODY, FLAG, BY)
    player: int | None
    yes: bool
    by: ChosenBy


@dataclass(frozen=True, slots=True)
class RulesStay(Message):
    TYPE = MessageType.RULES_STAY
    KINDS = (PLAYER_OR_NOBODY, WORDS)
    player: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Pong(Message):
    TYPE = MessageType.PONG
    payload: bytes

    def encode(self) -> bytes:
        return self.payload

    @classmethod
    def decode(cls, data: bytes) -> Pong:
        return cls(data)


@dataclass(frozen=True, slots=True)
class ScoreCard(Message):
    """Where the players stand at the begin of what follows."""

    TYPE = MessageType.STANDING
    KINDS = (SCORES,)
    scores: tuple[Score, ...]
