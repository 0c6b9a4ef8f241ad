"""Neutral values about tables and wishes, as frames (DealerSpec.md section 14.3).

A wish is a row of WISHES, what is told a row of BESIDE: the type of its frame, and which of its
fields are sent.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic

from msgspec import Struct

from hearts.errors import RemoteProtocolError
from hearts.game.cards import CARDS
from hearts.game.events import ChooseMoon, MoonChosen, Pass, Play, TrickBegun
from hearts.session import table_words as words
from hearts.session import wishes
from hearts.session.client_events import DoneHand
from hearts.session.wishes import Wish
from hearts.table import effects, inputs
from hearts.wire.codec import NAME_LIMIT, encode_int
from hearts.wire.text import MARKS_LIMIT, is_legible

from .frames import KINDS, LATER, DealerState, MessageType
from .layout import (
    CARD,
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
    SECONDS_LEFT,
    TRUTH,
    Coded,
    Counted,
    FieldKind,
    Fields,
    Known,
    Number,
    Payload,
    Raw,
    Rest,
    StructT,
    Text,
    Times,
    ValueT,
)
from .structures import (
    BY,
    COMMENT_LIMIT,
    DIGEST_BYTES,
    FOUR_OF_32,
    HAND_SIZE,
    LEVEL,
    PASS,
    PING_LIMIT,
    PLAYER_INFO,
    POINTS,
    RULES,
    SCORES,
    SEATS,
    STATE,
    WORDS,
    encode_more,
    with_more,
)

_NAME = Text(NAME_LIMIT)
_ASKED_LIMIT = 511
"""Bytes of what the host is asked."""
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
_OWN_KINDS = (words.PlayerKind.PROGRAM, words.PlayerKind.PERSON, words.PlayerKind.NOT_SAID)


class _IntroductionFields(Fields[words.Introduction]):
    """The words of a player about themselves; if they cut, a hash follows."""

    def encode(self, value: words.Introduction) -> bytes:
        data = super().encode(value)
        return data + OF_32.encode(value.next_hash) if value.cuts and value.next_hash else data

    def read(self, payload: Payload) -> dict[str, Any]:
        sent = super().read(payload)
        has_hash = sent["cuts"] and not payload.is_over
        return sent | {"next_hash": OF_32.decode(payload)} if has_hash else sent


class RulesFields(Fields[StructT]):
    """A value with rules and an end score, which are one structure; the rules from bit 21 on come
    after all other fields."""

    SKIPS_UNKNOWN: ClassVar[bool] = True
    """True if bits without a rule are passed over, as a client has to."""

    def encode(self, value: Any) -> bytes:
        game = value.rules, value.end_score
        fields = [
            kind.encode(game if kind is RULES else getattr(value, name))
            for name, kind in self.kinds.items()
        ]
        return b"".join(fields) + encode_more(value.rules)

    def read(self, payload: Payload) -> dict[str, Any]:
        sent = super().read(payload)
        rules, end_score = sent["rules"]
        more = with_more(rules, payload, self.SKIPS_UNKNOWN)
        return sent | {"rules": more, "end_score": end_score}


class _ProposalFields(RulesFields[inputs.ProposeRules]):
    """Rules that a client wants, all of which the server has to know."""

    SKIPS_UNKNOWN = False


class _PlayFields(Fields[Play]):
    """A card that is played. One comes with each play, so its bytes are looked up."""

    CARDS: ClassVar = {encode_int(card.wire): card for card in CARDS}

    def decode(self, data: Payload | bytes, /, **unsent: Any) -> Play:
        card = None if isinstance(data, Payload) else self.CARDS.get(data)
        return super().decode(data, **unsent) if card is None else Play(card=card, **unsent)


class Ping(Struct, frozen=True, gc=False):
    """Bytes that the server sends back."""

    payload: Annotated[bytes, Rest("a ping", PING_LIMIT)] = b""


PING = Fields(Ping)
INTRODUCTION = _IntroductionFields(
    words.Introduction,
    kind=Coded("a kind of player that may be said", {kind: KINDS[kind] for kind in _OWN_KINDS}),
    level=LEVEL,
    cuts=FLAG,
    comment=_OWN_COMMENT,
)
_PLAY = _PlayFields(Play, card=CARD)
_ABORT = Coded("0 or 1", {inputs.Abort.HAND: 0, inputs.Abort.GAME: 1})
WISHES: dict[int, Fields[Any]] = {
    MessageType.PROPOSE_RULES: _ProposalFields(inputs.ProposeRules, rules=RULES),
    MessageType.REPLACE_PLAYER: Fields(inputs.ReplacePlayer, seat=PLAYER),
    MessageType.OPEN_SEAT: Fields(inputs.OpenSeat, seat=PLAYER),
    MessageType.PLAYER_COMMENT: Fields(wishes.ChatWhileForming, text=_OWN_COMMENT),
    MessageType.START_TABLE: Fields(wishes.StartTable),
    MessageType.LEAVE_TABLE: Fields(inputs.Resign),
    MessageType.ASK_TABLES: Fields(wishes.AskForTables),
    MessageType.ASK_TABLE: Fields(wishes.AskForTable, table=_NAME),
    MessageType.MOVE_SEAT: Fields(wishes.MoveSeat, seat=PLAYER),
    MessageType.SEND_AWAY: Fields(wishes.SendAway, seat=PLAYER),
    MessageType.SET_LEVEL: Fields(wishes.SetLevel, seat=PLAYER, level=LEVEL),
    MessageType.ASK_HOST: Fields(wishes.AskHost, text=Text(_ASKED_LIMIT)),
    MessageType.INVITABLE: Fields(wishes.BeInvitable, wanted=TRUTH),
    MessageType.ASK_INVITABLE: Fields(wishes.AskForInvitable),
    MessageType.INVITE: Fields(wishes.Invite, number=INT),
    MessageType.CLAIM_REST: Fields(inputs.ClaimRest),
    MessageType.TAKE_BACK: Fields(inputs.TakeBack, again=FLAG),
    MessageType.PROPOSE_ABORT: Fields(inputs.ProposeAbort, what=_ABORT),
}
"""Wishes by the type of their frame. The player who has the wish is not sent."""
ANSWERED: dict[int, Fields[Any]] = {
    MessageType.DO_PASS: Fields(Pass, cards=PASS),
    MessageType.LEAD_CARD: _PLAY,
    MessageType.PLAY_CARD: _PLAY,
    MessageType.MOON_CHOICE: Fields(ChooseMoon, on_others=FLAG),
    MessageType.PLAY_AGAIN: Fields(inputs.AnswerAgain, yes=TRUTH),
    MessageType.CUT: Fields(inputs.Cut, value=OF_32, next_hash=OF_32),
    MessageType.QUERY_NEW_RULES: Fields(inputs.Vote, agreed=TRUTH),
    MessageType.QUERY_ABORT: Fields(inputs.Vote, agreed=TRUTH),
    MessageType.GIVE_SEAT: Fields(inputs.GiveSeat, agreed=TRUTH),
    MessageType.INVITATION: Fields(wishes.AnswerInvitation, agreed=TRUTH),
}
"""Answers to queries, in the same way."""
GIVEN = {
    **WISHES,
    **ANSWERED,
    MessageType.REGISTER_PLAYER: Fields(words.Introduced, said=INTRODUCTION),
}
"""All that a client's frames mean to its table."""
ANSWERS: dict[int, Fields[Any]] = {
    **GIVEN,
    MessageType.REGISTER_PLAYER: INTRODUCTION,
    MessageType.PING: PING,
}
"""All payloads of a client; the server skips a frame of another type."""
REQUESTS = frozenset({*WISHES, MessageType.PING})
"""The types that a client sends without being asked; REGISTER_PLAYER may come this way, too."""
WISH_TYPES: dict[type[Wish], int] = {
    **{fields.value: type for type, fields in WISHES.items()},
    wishes.AnswerInvitation: MessageType.INVITATION,
}


# Of the server

WAITED_IN: dict[DealerState, inputs.Question | None] = {
    DealerState.INIT: None,
    **{DealerState.passing(player): inputs.Question.PASS for player in range(SEATS)},
    **{DealerState.playing(player): inputs.Question.CARD for player in range(SEATS)},
    DealerState.SUMMING_HAND: inputs.Question.MOON,
    DealerState.SUMMING_GAME: inputs.Question.AGAIN,
    DealerState.SHUFFLING: inputs.Question.CUT,
}
"""Questions in the states in which a dealer waits for players."""
_STATES = {question: state for state, question in reversed(WAITED_IN.items())}
"""The other way round; of player 0, where each player has a state."""


class _WaitingFields(Fields[words.Waiting]):
    """The players that the table waits for, with the state of a dealer who waits for them."""

    def encode(self, value: words.Waiting) -> bytes:
        return STATE.encode(_state(value)) + super().encode(value)

    def read(self, payload: Payload) -> dict[str, Any]:
        state = STATE.decode(payload)
        if state not in WAITED_IN:
            raise RemoteProtocolError(f"nobody is waited for in the state {state.name}")
        return super().read(payload) | {"question": WAITED_IN[state]}


def _state(waiting: words.Waiting) -> DealerState:
    state = _STATES[waiting.question]
    each = waiting.question in (inputs.Question.PASS, inputs.Question.CARD)
    return DealerState(state + min(waiting.players, default=0)) if each else state


class InState(Generic[ValueT]):
    """A field of a query, followed by the state of its dealer."""

    def __init__(self, kind: FieldKind[ValueT], state: DealerState) -> None:
        self.kind = kind
        self.state = state

    def encode(self, value: ValueT) -> bytes:
        return self.kind.encode(value) + STATE.encode(self.state)

    def decode(self, payload: Payload) -> ValueT:
        value = self.kind.decode(payload)
        STATE.decode(payload)
        return value


class ToAbort:
    """A proposal to break off, after the state of a dealer who begins it again."""

    def encode(self, value: inputs.Abort) -> bytes:
        state = DealerState.NEW_GAME if value is inputs.Abort.GAME else DealerState.NEW_HAND
        return STATE.encode(state) + _ABORT.encode(value)

    def decode(self, payload: Payload) -> inputs.Abort:
        STATE.decode(payload)
        return _ABORT.decode(payload)


_DEAL = Number("the number of a deal", 1)
_DECIDER = Number("a player or nobody", -1, 3)
_WISH: Known[type[Wish]] = Known("a wish", dict(WISH_TYPES.items()))
BESIDE: dict[int, Fields[Any]] = {
    MessageType.ABORT_GAME: Fields(
        words.AbortGame, later=Coded("what can follow a game", LATER), why=WORDS
    ),
    MessageType.PLAYER_COMMENT: Fields(words.PlayerCommentMessage, player=PLAYER, text=WORDS),
    MessageType.REGISTER_OPPONENTS: Fields(
        words.RegisterOpponents, players=Times(SEATS, PLAYER_INFO)
    ),
    MessageType.WAITING: _WaitingFields(
        words.Waiting, players=PLAYERS, waited=MILLISECONDS, left=LEFT
    ),
    MessageType.PLAYER_CHANGE: Fields(
        words.PlayerChange,
        change=Known("a change", {change: change.value for change in effects.Change}),
        info=PLAYER_INFO,
    ),
    MessageType.MOVE_SEAT: Fields(words.SeatMoved, player=PLAYER),
    MessageType.INVITABLE: Fields(words.InvitableMessage, number=COUNT, info=PLAYER_INFO),
    MessageType.ASK_INVITABLE: Fields(words.InvitableCount, count=COUNT),
    MessageType.INVITATION: RulesFields(
        words.InvitationMessage,
        left=InState(LEFT, DealerState.INIT),
        inviter=PLAYER,
        table=_NAME,
        private=FLAG,
        rules=RULES,
        turn_limit=SECONDS,
        names=_NAMES,
    ),
    MessageType.INVITATION_OVER: Fields(words.InvitationOver, number=COUNT, agreed=FLAG, why=WORDS),
    MessageType.SERVER_NOTICE: Fields(words.ServerNotice, text=WORDS),
    MessageType.REFUSED: Fields(words.Refused, code=INT, reason=WORDS),
    MessageType.REPLAY: Fields(words.Replay, begins=FLAG),
    MessageType.TABLE: RulesFields(
        words.TableMessage,
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
    MessageType.TABLES: Fields(words.TablesMessage, count=COUNT),
    MessageType.TAKEN: Fields(words.Taken, wish=_WISH),
    MessageType.QUERY_NEW_RULES: RulesFields(
        effects.RulesProposed, left=InState(SECONDS_LEFT, DealerState.NEW_GAME), rules=RULES
    ),
    MessageType.NEW_RULES: RulesFields(effects.RulesAgreed, rules=RULES),
    MessageType.RULES_STAY: Fields(effects.RulesRefused, player=_DECIDER, why=WORDS),
    MessageType.QUERY_ABORT: Fields(effects.AbortProposed, left=SECONDS_LEFT, what=ToAbort()),
    MessageType.PLAY_GOES_ON: Fields(effects.AbortRefused, player=_DECIDER, why=WORDS),
    MessageType.ABORT_HAND: Fields(effects.HandAborted, deal=COUNT),
    MessageType.GIVE_SEAT: Fields(
        effects.SeatWanted,
        left=InState(SECONDS_LEFT, DealerState.NEW_HAND),
        asker=PLAYER,
        opens=FLAG,
    ),
    MessageType.SEAT_STAYS: Fields(effects.SeatKept, player=PLAYER, why=WORDS),
    MessageType.AGAIN_DECIDED: Fields(effects.AgainSettled, player=_DECIDER, yes=FLAG, by=BY),
    MessageType.FIRST_LEAD: Fields(TrickBegun, leader=PLAYER),
    MessageType.DONE_HAND: Fields(
        DoneHand,
        queen_winner=PLAYER_OR_NOBODY,
        jack_winner=PLAYER_OR_NOBODY,
        shooter=PLAYER_OR_NOBODY,
        scores=SCORES,
        game_winner=PLAYER_OR_NOBODY,
        points=POINTS,
        winners=PLAYERS,
    ),
    MessageType.MOON_CHOSEN: Fields(MoonChosen, player=PLAYER, on_others=FLAG, by=BY),
    MessageType.CLAIM_REST: Fields(
        effects.RestClaimed, player=PLAYER, cards=Counted(HAND_SIZE, CARD)
    ),
    MessageType.TAKE_BACK: Fields(effects.TakenBack, hands=Number("a number of hands", -1)),
    MessageType.DEAL_COMMITMENT: Fields(
        effects.DealPromised, deal=_DEAL, digest=Raw(DIGEST_BYTES), hashes=FOUR_OF_32
    ),
}
"""Words of no dialect, by the type of their frame."""
