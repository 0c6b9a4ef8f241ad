"""What is said beside the game in words of no dialect, as frames (DealerSpec.md section 14.3).

A wish is a row of WISHES, what is told a row of BESIDE: the type of its frame, and which of its
fields are sent.
"""

from __future__ import annotations

from typing import Any

from hearts.errors import RemoteProtocolError
from hearts.session.client_events import Refused
from hearts.session.table_words import (
    AbortGame,
    Beside,
    Declined,
    Introduction,
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerChange,
    PlayerCommentMessage,
    PlayerKind,
    RegisterOpponents,
    Replay,
    RulesInfo,
    SeatMoved,
    ServerNotice,
    TableMessage,
    TablesMessage,
    Taken,
    Waiting,
)
from hearts.session.wishes import (
    AnswerInvitation,
    BeInvitable,
    Invite,
    MoveSeat,
    SayWhileForming,
    SendAway,
    StartTable,
    TellInvitable,
    TellTable,
    TellTables,
    Wish,
)
from hearts.table import (
    Abort,
    Change,
    ClaimRest,
    GiveSeat,
    OpenSeat,
    ProposeAbort,
    ProposeRules,
    Question,
    ReplacePlayer,
    Resign,
    Vote,
)
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import MARKS_LIMIT, is_legible

from .layout import (
    COUNT,
    FLAG,
    INT,
    LEFT,
    MILLISECONDS,
    OF_32,
    PLAYER,
    PLAYER_OR_NOBODY,
    PLAYERS,
    SECONDS,
    TRUTH,
    Coded,
    Fields,
    Known,
    Number,
    Payload,
    Text,
    Times,
)
from .message import SEATS, STATE, WORDS
from .numbers import KINDS, LATER, DealerState, MessageType
from .structures import COMMENT_LIMIT, LEVEL, PLAYER_INFO, RULES
from .table_messages import AnswerError

_NAME = Text(NAME_LIMIT)
_NAMES = Times(SEATS, _NAME)


# Of a client


class _OwnComment(Text):
    """Words of a player, which must not paint over what others see around them."""

    def decode(self, payload: Payload) -> str:
        comment = super().decode(payload)
        if not is_legible(comment):
            raise RemoteProtocolError(f"a comment has at most {MARKS_LIMIT} marks in a row")
        return comment


_OWN_COMMENT = _OwnComment(COMMENT_LIMIT)
_OWN_KINDS = (PlayerKind.PROGRAM, PlayerKind.PERSON, PlayerKind.NOT_SAID)


class _IntroductionFields(Fields[Introduction]):
    """Words of a player about themselves, with a hash behind them if they cut."""

    def encode(self, value: Introduction) -> bytes:
        data = super().encode(value)
        return data + OF_32.encode(value.next_hash) if value.cuts and value.next_hash else data

    def decode(self, data: Payload | bytes, /, **unsent: object) -> Introduction:
        payload = Payload(data) if isinstance(data, bytes) else data
        sent = {name: kind.decode(payload) for name, kind in self.kinds.items()}
        has_hash = sent["cuts"] and not payload.is_over
        return Introduction(**sent, next_hash=OF_32.decode(payload) if has_hash else b"")


class _RulesProposal(Fields[ProposeRules]):
    """Rules that are proposed, which are one structure."""

    def encode(self, value: ProposeRules) -> bytes:
        return RULES.encode(RulesInfo(value.rules, value.end_score))

    def decode(self, data: Payload | bytes, /, **unsent: Any) -> ProposeRules:
        info = RULES.decode(Payload(data) if isinstance(data, bytes) else data)
        return ProposeRules(**unsent, rules=info.rules, end_score=info.end_score)


INTRODUCTION = _IntroductionFields(
    Introduction,
    kind=Coded("a kind of player that may be said", {kind: KINDS[kind] for kind in _OWN_KINDS}),
    level=LEVEL,
    cuts=FLAG,
    comment=_OWN_COMMENT,
)
WISHES: dict[int, Fields[Any]] = {
    MessageType.PROPOSE_RULES: _RulesProposal(ProposeRules, rules=RULES),
    MessageType.REPLACE_PLAYER: Fields(ReplacePlayer, seat=PLAYER),
    MessageType.OPEN_SEAT: Fields(OpenSeat, seat=PLAYER),
    MessageType.PLAYER_COMMENT: Fields(SayWhileForming, text=_OWN_COMMENT),
    MessageType.START_TABLE: Fields(StartTable),
    MessageType.LEAVE_TABLE: Fields(Resign),
    MessageType.ASK_TABLES: Fields(TellTables),
    MessageType.ASK_TABLE: Fields(TellTable, table=_NAME),
    MessageType.MOVE_SEAT: Fields(MoveSeat, seat=PLAYER),
    MessageType.SEND_AWAY: Fields(SendAway, seat=PLAYER),
    MessageType.INVITABLE: Fields(BeInvitable, wanted=TRUTH),
    MessageType.ASK_INVITABLE: Fields(TellInvitable),
    MessageType.INVITE: Fields(Invite, number=INT),
    MessageType.CLAIM_REST: Fields(ClaimRest),
    MessageType.PROPOSE_ABORT: Fields(
        ProposeAbort, what=Coded("0 or 1", {Abort.HAND: 0, Abort.GAME: 1})
    ),
}
"""Wishes by the type of their frame; whose they are is not sent."""
ANSWERED: dict[int, Fields[Any]] = {
    MessageType.QUERY_NEW_RULES: Fields(Vote, agreed=TRUTH),
    MessageType.QUERY_ABORT: Fields(Vote, agreed=TRUTH),
    MessageType.GIVE_SEAT: Fields(GiveSeat, agreed=TRUTH),
    MessageType.INVITATION: Fields(AnswerInvitation, agreed=TRUTH),
}
"""Answers to queries beside the game, in the same way."""
REQUESTS = frozenset({*WISHES, MessageType.PING})
"""What a client sends without being asked; REGISTER_PLAYER may come in this way too."""
WISH_TYPES: dict[type[Wish], int] = {
    **{fields.value: type for type, fields in WISHES.items()},
    AnswerInvitation: MessageType.INVITATION,
}


# Of the server

WAITED_IN: dict[DealerState, Question | None] = {
    DealerState.INIT: None,
    **{DealerState.passing(player): Question.PASS for player in range(SEATS)},
    **{DealerState.playing(player): Question.CARD for player in range(SEATS)},
    DealerState.SUMMING_HAND: Question.MOON,
    DealerState.SUMMING_GAME: Question.AGAIN,
    DealerState.SHUFFLING: Question.CUT,
}
"""What is asked in the states in which a dealer waits for players."""
_STATES = {question: state for state, question in reversed(WAITED_IN.items())}
"""The other way round; of player 0, where each player has a state."""


class _WaitingFields(Fields[Waiting]):
    """For whom the table waits, with the state of a dealer who waits for that."""

    def encode(self, value: Waiting) -> bytes:
        return STATE.encode(_state(value)) + super().encode(value)

    def decode(self, data: Payload | bytes, /, **unsent: object) -> Waiting:
        payload = Payload(data) if isinstance(data, bytes) else data
        state = STATE.decode(payload)
        if state not in WAITED_IN:
            raise RemoteProtocolError(f"nobody is waited for in the state {state.name}")
        return super().decode(payload, question=WAITED_IN[state], **unsent)


def _state(waiting: Waiting) -> DealerState:
    state = _STATES[waiting.question]
    each = waiting.question in (Question.PASS, Question.CARD)
    return DealerState(state + waiting.players[0]) if each else state


class _LeftAtInit:
    """The time to answer a query while a table forms, with the state of its dealer."""

    def encode(self, value: int | None) -> bytes:
        return LEFT.encode(value) + STATE.encode(DealerState.INIT)

    def decode(self, payload: Payload) -> int | None:
        left = LEFT.decode(payload)
        STATE.decode(payload)
        return left


BESIDE: dict[int, Fields[Any]] = {
    MessageType.ABORT_GAME: Fields(
        AbortGame, later=Coded("what can follow a game", LATER), why=WORDS
    ),
    MessageType.PLAYER_COMMENT: Fields(PlayerCommentMessage, player=PLAYER, text=WORDS),
    MessageType.REGISTER_OPPONENTS: Fields(RegisterOpponents, players=Times(SEATS, PLAYER_INFO)),
    MessageType.WAITING: _WaitingFields(Waiting, players=PLAYERS, waited=MILLISECONDS, left=LEFT),
    MessageType.PLAYER_CHANGE: Fields(
        PlayerChange, change=Known({change: change.value for change in Change}), info=PLAYER_INFO
    ),
    MessageType.MOVE_SEAT: Fields(SeatMoved, player=PLAYER),
    MessageType.INVITABLE: Fields(InvitableMessage, number=COUNT, info=PLAYER_INFO),
    MessageType.ASK_INVITABLE: Fields(InvitableCount, count=COUNT),
    MessageType.INVITATION: Fields(
        InvitationMessage,
        left=_LeftAtInit(),
        inviter=PLAYER,
        table=_NAME,
        private=FLAG,
        rules=RULES,
        turn_limit=SECONDS,
        names=_NAMES,
    ),
    MessageType.INVITATION_OVER: Fields(InvitationOver, number=COUNT, agreed=FLAG, why=WORDS),
    MessageType.SERVER_NOTICE: Fields(ServerNotice, text=WORDS),
    MessageType.REFUSED: Fields(Refused, code=INT, reason=WORDS),
    MessageType.REPLAY: Fields(Replay, begins=FLAG),
    MessageType.TABLE: Fields(
        TableMessage,
        table=_NAME,
        game_number=COUNT,
        private=FLAG,
        opener=PLAYER_OR_NOBODY,
        open_seats=Number("a number of open seats", 0, 4),
        left=LEFT,
        rules=RULES,
        turn_limit=SECONDS,
        names=_NAMES,
    ),
    MessageType.TABLES: Fields(TablesMessage, count=COUNT),
    MessageType.TAKEN: Fields(Taken, wish=Known(WISH_TYPES)),
}
"""What is said in no dialect's words, by the type of its frame."""
_FRAMES: dict[type, tuple[int, Fields[Any]]] = {
    fields.value: (type, fields) for rows in (WISHES, BESIDE) for type, fields in rows.items()
}


def as_frame(said: Beside | Wish) -> tuple[int, bytes]:
    """The type and the payload of something beside the game."""
    if isinstance(said, Declined):
        assert said.wish is not None, "an answer is refused by its number"
        fault, wish = said.fault, WISH_TYPES[said.wish]
        return MessageType.ANSWER_ERROR, AnswerError(0, wish, fault, -1, fault.text).encode()
    type_, fields = _FRAMES[type(said)]
    return type_, fields.encode(said)
