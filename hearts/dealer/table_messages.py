"""What the server says beside the play of a hand (SocketSpec.md section 14.3)."""

from __future__ import annotations

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


class AbortGame(Message, frozen=True, gc=False):
    TYPE = MessageType.ABORT_GAME
    KINDS = (FLAG, WORDS)
    later: bool
    """Whether the session can be come back to."""
    why: str


class EndGame(Message, frozen=True, gc=False):
    TYPE = MessageType.END_GAME
    KINDS = (SCORES, PLAYERS, PLAYER_OR_NOBODY)
    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    decider: int | None


class NewGame(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_GAME
    KINDS = (RULES, MILLISECONDS)
    rules: RulesInfo
    turn_limit: int
    """Milliseconds; 0 for no limit."""


class NewRules(Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_RULES
    KINDS = (RULES,)
    rules: RulesInfo


class AnswerError(Message, frozen=True, gc=False):
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


class PassError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PASS_ERROR


class PlayError(AnswerError, frozen=True, gc=False):
    TYPE = MessageType.PLAY_ERROR


class QueryNewRules(Message, frozen=True, gc=False):
    TYPE = MessageType.QUERY_NEW_RULES
    KINDS = (LEFT, STATE, RULES)
    left: int | None
    state: DealerState
    rules: RulesInfo


class RegisterOpponents(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_OPPONENTS
    KINDS = (Times(SEATS, PLAYER_INFO),)
    players: tuple[PlayerInfo, ...]


class RegisterPlayer(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_PLAYER
    KINDS = (LEFT, STATE, PLAYER)
    left: int | None
    state: DealerState
    player: int


class Waiting(Message, frozen=True, gc=False):
    TYPE = MessageType.WAITING
    KINDS = (STATE, PLAYERS, MILLISECONDS, LEFT)
    state: DealerState
    players: tuple[int, ...]
    waited: int
    left: int | None


class PlayerChange(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAYER_CHANGE
    KINDS = (COUNT, PLAYER_INFO)
    change: int
    """A hearts.table.Change; a later version may know more."""
    info: PlayerInfo


class PlayAgain(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_AGAIN
    KINDS = (LEFT, STATE)
    left: int | None
    state: DealerState


class ServerNotice(Message, frozen=True, gc=False):
    TYPE = MessageType.SERVER_NOTICE
    KINDS = (WORDS,)
    text: str


class Seated(Message, frozen=True, gc=False):
    TYPE = MessageType.SEATED
    KINDS = (Number("a player or a watcher", 0, WATCHER), INT, INT, Text(NAME_LIMIT))
    player: int
    game_number: int
    game_id: int
    table: str


class Refused(Message, frozen=True, gc=False):
    TYPE = MessageType.REFUSED
    KINDS = (INT, WORDS)
    code: int
    why: str


class Replay(Message, frozen=True, gc=False):
    TYPE = MessageType.REPLAY
    KINDS = (FLAG,)
    begins: bool


class AgainDecided(Message, frozen=True, gc=False):
    TYPE = MessageType.AGAIN_DECIDED
    KINDS = (PLAYER_OR_NOBODY, FLAG, BY)
    player: int | None
    yes: bool
    by: ChosenBy


class RulesStay(Message, frozen=True, gc=False):
    TYPE = MessageType.RULES_STAY
    KINDS = (PLAYER_OR_NOBODY, WORDS)
    player: int | None
    why: str


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
    KINDS = (SCORES,)
    scores: tuple[Score, ...]
