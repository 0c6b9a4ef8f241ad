"""What the server says beside the play of a hand (DealerSpec.md section 14.3)."""

from __future__ import annotations

from typing import Annotated

from hearts.game.events import ChosenBy
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
    Coded,
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
from .numbers import AbortLater, DealerState, MessageType
from .structures import PLAYER_INFO, RULES, PlayerInfo, RulesInfo, RulesPayload, Score

_LATER = Coded("what can follow a game", {each: each.value for each in AbortLater})


class AbortGame(Message, frozen=True, gc=False):
    TYPE = MessageType.ABORT_GAME
    later: Annotated[AbortLater, _LATER]
    why: Annotated[str, WORDS]


class AbortHandMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.ABORT_HAND
    deal: Annotated[int, COUNT]


class EndGame(Message, frozen=True, gc=False):
    TYPE = MessageType.END_GAME
    scores: Annotated[tuple[Score, ...], SCORES]
    winners: Annotated[tuple[int, ...], PLAYERS]
    decider: Annotated[int | None, PLAYER_OR_NOBODY]


class NewGame(RulesPayload, Message, frozen=True, gc=False):
    TYPE = MessageType.NEW_GAME
    rules: Annotated[RulesInfo, RULES]
    turn_limit: Annotated[int, MILLISECONDS]
    """Milliseconds; 0 for no limit."""


class NewRulesMessage(RulesPayload, Message, frozen=True, gc=False):
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


class QueryNewRules(RulesPayload, Message, frozen=True, gc=False):
    TYPE = MessageType.QUERY_NEW_RULES
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    rules: Annotated[RulesInfo, RULES]


class RegisterOpponents(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_OPPONENTS
    players: Annotated[tuple[PlayerInfo, ...], Times(SEATS, PLAYER_INFO)]


class RegisterPlayer(Message, frozen=True, gc=False):
    TYPE = MessageType.REGISTER_PLAYER
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    player: Annotated[int, PLAYER]


class Waiting(Message, frozen=True, gc=False):
    TYPE = MessageType.WAITING
    state: Annotated[DealerState, STATE]
    players: Annotated[tuple[int, ...], PLAYERS]
    waited: Annotated[int, MILLISECONDS]
    left: Annotated[int | None, LEFT]


class PlayerChange(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAYER_CHANGE
    change: Annotated[int, COUNT]
    """A hearts.table.Change; a later version may know more."""
    info: Annotated[PlayerInfo, PLAYER_INFO]


class PlayAgainMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.PLAY_AGAIN
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    bank: Annotated[tuple[int, int] | None, BANK] = None


class ServerNotice(Message, frozen=True, gc=False):
    TYPE = MessageType.SERVER_NOTICE
    text: Annotated[str, WORDS]


class SeatedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.SEATED
    player: Annotated[int, Number("a player or a watcher", 0, WATCHER)]
    game_number: Annotated[int, INT]
    game_id: Annotated[int, INT]
    table: Annotated[str, Text(NAME_LIMIT)]


class RefusedMessage(Message, frozen=True, gc=False):
    TYPE = MessageType.REFUSED
    code: Annotated[int, INT]
    why: Annotated[str, WORDS]


class Replay(Message, frozen=True, gc=False):
    TYPE = MessageType.REPLAY
    begins: Annotated[bool, FLAG]


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


class TableMessage(RulesPayload, Message, frozen=True, gc=False):
    """A table as it is now: the client's own, or one that it has asked for."""

    TYPE = MessageType.TABLE
    table: Annotated[str, Text(NAME_LIMIT)]
    game_number: Annotated[int, COUNT]
    """0 while it is forming."""
    private: Annotated[bool, FLAG]
    opener: Annotated[int | None, PLAYER_OR_NOBODY]
    """Who may start it with computers; None where nobody may."""
    open_seats: Annotated[int, Number("a number of open seats", 0, 4)]
    left: Annotated[int | None, LEFT]
    """Until computers take the free seats; None for never."""
    rules: Annotated[RulesInfo, RULES]
    turn_limit: Annotated[int, MILLISECONDS]
    names: Annotated[tuple[str, ...], Times(SEATS, Text(NAME_LIMIT))]
    """Of players 0-3; empty for a seat that nobody has."""


class TablesMessage(Message, frozen=True, gc=False):
    """So many tables were told of, in the messages before."""

    TYPE = MessageType.TABLES
    count: Annotated[int, COUNT]


class Taken(Message, frozen=True, gc=False):
    """A request is taken; what follows from it comes when it happens."""

    TYPE = MessageType.TAKEN
    type: Annotated[int, INT]


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


class InvitableMessage(Message, frozen=True, gc=False):
    """Somebody who can be invited to a table that forms."""

    TYPE = MessageType.INVITABLE
    number: Annotated[int, COUNT]
    """What he is invited by."""
    info: Annotated[PlayerInfo, PLAYER_INFO]


class InvitableCount(Message, frozen=True, gc=False):
    """So many who can be invited were told of, in the messages before."""

    TYPE = MessageType.ASK_INVITABLE
    count: Annotated[int, COUNT]


class InvitationMessage(RulesPayload, Message, frozen=True, gc=False):
    """The client is invited to a table that forms."""

    TYPE = MessageType.INVITATION
    left: Annotated[int | None, LEFT]
    state: Annotated[DealerState, STATE]
    inviter: Annotated[int, PLAYER]
    table: Annotated[str, Text(NAME_LIMIT)]
    private: Annotated[bool, FLAG]
    rules: Annotated[RulesInfo, RULES]
    turn_limit: Annotated[int, MILLISECONDS]
    names: Annotated[tuple[str, ...], Times(SEATS, Text(NAME_LIMIT))]
    """Of players 0-3 there; empty for a seat that nobody has."""


class InvitationOver(Message, frozen=True, gc=False):
    """An invitation is settled; told to who was invited and to who invited him."""

    TYPE = MessageType.INVITATION_OVER
    number: Annotated[int, COUNT]
    agreed: Annotated[bool, FLAG]
    why: Annotated[str, WORDS]


class SeatMoved(Message, frozen=True, gc=False):
    """The client has another seat of the table that forms, as it wished."""

    TYPE = MessageType.MOVE_SEAT
    player: Annotated[int, PLAYER]


class PlayerCommentMessage(Message, frozen=True, gc=False):
    """Something that a player says while the table is forming."""

    TYPE = MessageType.PLAYER_COMMENT
    player: Annotated[int, PLAYER]
    text: Annotated[str, WORDS]


class ScoreCard(Message, frozen=True, gc=False):
    """Where the players stand at the begin of what follows."""

    TYPE = MessageType.STANDING
    scores: Annotated[tuple[Score, ...], SCORES]
