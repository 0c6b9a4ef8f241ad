"""The states of a client, each with the next message of the server and the states after it.

SocketSpec.md section 2.2 has the same states. A choice and its status are one state here, because
a status may come before the choice is sent. FRAMES is where the dealer dialect takes over.
"""

from __future__ import annotations

from collections import deque
from enum import Enum, auto

from msgspec import Struct

from hearts.errors import Reason, RemoteProtocolError
from hearts.game.rules import END_SCORES
from hearts.names.proof import CHALLENGE_BYTES, MOST_NOTES, NameState
from hearts.wire.codec import INT_MAX, INT_MIN, NAME_LIMIT, TEXT_LIMIT, Buffer

from .client_events import DealerEvent
from .messages import (
    DEALER_VERSION,
    HAND_SIZE,
    MAX_GREETING,
    MAX_LISTED_TABLES,
    TABLE_VERSION,
    LookReply,
)


class State(Enum):
    """The message that is expected from the server next."""

    PLAYER_ID = auto()
    REASONS_REPLY = auto()
    DEALER_REPLY = auto()
    PASSWORD_REPLY = auto()
    LIST_SIZE = auto()
    LISTED_TABLE = auto()
    LOOK_REPLY = auto()
    LOOKED_TABLE = auto()
    TABLE_REPLY = auto()
    COME_BACK_REPLY = auto()
    WATCH_REPLY = auto()
    LEVELS_REPLY = auto()
    LEVELS_ALLOWED = auto()
    GREETING_SIZE = auto()
    GREETING = auto()
    CHALLENGE_REPLY = auto()
    CHALLENGE = auto()
    PROOF_REPLY = auto()
    NOTES_SIZE = auto()
    NOTE = auto()
    GAME_NUMBER = auto()
    REFUSAL_REASON = auto()
    GAME_ID = auto()
    TABLE = auto()
    HAND = auto()
    PASS = auto()
    PASS_STATUS = auto()
    PASS_FORCED = auto()
    RECEIVED = auto()
    LEAD = auto()
    CARD = auto()
    PLAY_STATUS = auto()
    TALLIES = auto()
    MOON = auto()
    MOON_STATUS = auto()
    SCORES = auto()
    AGAIN_STATUS = auto()
    NEW_GAME = auto()
    FRAMES = auto()
    END = auto()
    CLOSED = auto()


INT, NAME, TEXT = "i", "n", "t"


class PlainField(Struct, frozen=True, gc=False):
    """A field of a message of the server, or so many of one kind."""

    name: str
    lowest: int = INT_MIN
    highest: int = INT_MAX
    count: int = 1
    kind: str = INT


_ONE = PlainField("granted", 1, 1)
_PLAYER_ID = PlainField("player id", 0, 3)
_GAME_NUMBER = PlainField("game number", 0)
_OPEN_SEATS = PlainField("open seats", 0, 4)
_NAMES = PlainField("name", count=4, kind=NAME)
_RULES = PlainField("rules")
_END = PlainField("end of game", END_SCORES.start, END_SCORES.stop - 1)
_TURN_LIMIT = PlainField("turn limit", 0)
_POINTS = PlainField("points", count=4)

FIELDS: dict[State, tuple[PlainField, ...]] = {
    State.PLAYER_ID: (_PLAYER_ID,),
    State.REASONS_REPLY: (_ONE,),
    State.DEALER_REPLY: (PlainField("version", 1, DEALER_VERSION),),
    State.PASSWORD_REPLY: (_ONE,),
    State.LIST_SIZE: (PlainField("count", 0, MAX_LISTED_TABLES),),
    State.LISTED_TABLE: (PlainField("table", kind=NAME), _GAME_NUMBER, _OPEN_SEATS, _NAMES),
    State.LOOK_REPLY: (PlainField("known", min(LookReply), max(LookReply)),),
    State.LOOKED_TABLE: (
        _GAME_NUMBER,
        PlainField("private", 0, 1),
        _OPEN_SEATS,
        _RULES,
        _END,
        _TURN_LIMIT,
        PlainField("opener", kind=NAME),
        _NAMES,
    ),
    State.TABLE_REPLY: (_PLAYER_ID,),
    State.COME_BACK_REPLY: (PlainField("1 + choices decided", 1),),
    State.WATCH_REPLY: (_ONE,),
    State.LEVELS_REPLY: (PlainField("granted", 0, 1),),
    State.LEVELS_ALLOWED: (PlainField("levels", 0),),
    State.GREETING_SIZE: (PlainField("texts", 0, MAX_GREETING),),
    State.GREETING: (PlainField("text", kind=TEXT),),
    State.CHALLENGE_REPLY: (PlainField("granted", 0, 1),),
    State.CHALLENGE: (PlainField("4 bytes", count=CHALLENGE_BYTES // 4),),
    State.PROOF_REPLY: (PlainField("state of the name", min(NameState), max(NameState)),),
    State.NOTES_SIZE: (PlainField("notes", 0, MOST_NOTES),),
    State.NOTE: (PlainField("note", kind=TEXT),),
    State.GAME_NUMBER: (_GAME_NUMBER,),
    State.REFUSAL_REASON: (PlainField("reason", kind=TEXT),),
    State.GAME_ID: (PlainField("game id", 0), _NAMES),
    State.TABLE: (
        PlainField("version", TABLE_VERSION, TABLE_VERSION),
        _RULES,
        _END,
        _TURN_LIMIT,
        PlainField("computers", 0, 15),
    ),
    State.HAND: (PlainField("card", 1, 52, HAND_SIZE),),
    State.PASS: (PlainField("direction", 0, 3),),
    State.PASS_STATUS: (PlainField("status", -1, 1),),
    State.PASS_FORCED: (PlainField("hand index", 0, HAND_SIZE - 1, 3),),
    State.RECEIVED: (PlainField("card", 1, 52, 3),),
    State.LEAD: (PlainField("leader", 0, 3),),
    State.CARD: (PlainField("card", 1, 52),),
    State.PLAY_STATUS: (PlainField("status", min(Reason), HAND_SIZE),),
    State.TALLIES: (PlainField("winner", 0, 3), _POINTS),
    State.MOON: (PlainField("shooter", -1, 3), PlainField("decide", 0, 1)),
    State.MOON_STATUS: (PlainField("status", -1, 2),),
    State.SCORES: (PlainField("score", count=4), PlainField("flag", 0, 63)),
    State.AGAIN_STATUS: (PlainField("status", 0, 2),),
    State.NEW_GAME: (PlainField("another game", 0, 1),),
}
"""The message that each state waits for; the last three wait for none."""
LAYOUTS = {
    state: [field for field in fields for _ in range(field.count)]
    for state, fields in FIELDS.items()
}
"""The same, with each of several of one kind."""
_SEATED = (State.REFUSAL_REASON, State.CLOSED, State.GAME_NUMBER, State.FRAMES)
_REGISTERED = (*_SEATED, State.LEVELS_REPLY)
_NAMED = (
    State.GAME_NUMBER,
    State.FRAMES,
    State.LEVELS_REPLY,
    State.LIST_SIZE,
    State.LOOK_REPLY,
    State.TABLE_REPLY,
    State.WATCH_REPLY,
)
_GREETED = (*_NAMED, State.LEVELS_ALLOWED, State.DEALER_REPLY, State.CHALLENGE_REPLY)
_ASKED = (State.REFUSAL_REASON, State.CLOSED, *_GREETED)
_TRICK = (State.CARD, State.PLAY_STATUS, State.TALLIES)
_SCORED = (State.HAND, State.AGAIN_STATUS, State.NEW_GAME)
"""The states after Scores. A client that comes back goes on with them, after the Table."""

NEXT: dict[State, tuple[State, ...]] = {
    State.PLAYER_ID: (State.REASONS_REPLY, State.CLOSED),
    State.REASONS_REPLY: (
        *_ASKED,
        State.PASSWORD_REPLY,
        State.COME_BACK_REPLY,
        State.GREETING_SIZE,
    ),
    State.PASSWORD_REPLY: (*_ASKED, State.GREETING_SIZE),
    State.GREETING_SIZE: (*_ASKED, State.GREETING),
    State.GREETING: (*_GREETED, State.GREETING),
    State.CHALLENGE_REPLY: (
        State.REFUSAL_REASON,
        State.CLOSED,
        State.CHALLENGE,
        *_NAMED,
    ),
    State.CHALLENGE: (State.PROOF_REPLY, *_NAMED),
    State.PROOF_REPLY: (State.REFUSAL_REASON, State.CLOSED, State.NOTES_SIZE, *_NAMED),
    State.NOTES_SIZE: (State.NOTE, *_NAMED),
    State.NOTE: (State.NOTE, *_NAMED),
    State.DEALER_REPLY: (
        *_REGISTERED,
        State.CHALLENGE_REPLY,
        State.TABLE_REPLY,
        State.COME_BACK_REPLY,
        State.WATCH_REPLY,
    ),
    State.LIST_SIZE: (State.REFUSAL_REASON, State.LISTED_TABLE, State.CLOSED),
    State.LISTED_TABLE: (State.LISTED_TABLE, State.LOOK_REPLY, State.CLOSED),
    State.LOOK_REPLY: (State.REFUSAL_REASON, State.LOOKED_TABLE, State.LOOK_REPLY, State.CLOSED),
    State.LOOKED_TABLE: (State.LOOK_REPLY, State.CLOSED),
    State.TABLE_REPLY: _REGISTERED,
    State.COME_BACK_REPLY: _SEATED,
    State.WATCH_REPLY: _SEATED,
    State.LEVELS_REPLY: (*_SEATED, State.LEVELS_ALLOWED),
    State.LEVELS_ALLOWED: (*_SEATED, State.LIST_SIZE),
    State.GAME_NUMBER: (State.REFUSAL_REASON, State.CLOSED, State.GAME_ID),
    State.REFUSAL_REASON: (State.CLOSED,),
    State.GAME_ID: (State.TABLE,),
    State.TABLE: _SCORED,
    State.HAND: (State.PASS,),
    State.PASS: (State.PASS_STATUS, State.LEAD),
    State.PASS_STATUS: (State.PASS_STATUS, State.PASS_FORCED, State.RECEIVED),
    State.PASS_FORCED: (State.RECEIVED,),
    State.RECEIVED: (State.LEAD,),
    State.LEAD: _TRICK,
    State.CARD: _TRICK,
    State.PLAY_STATUS: _TRICK,
    State.TALLIES: (State.LEAD, State.MOON),
    State.MOON: (State.MOON_STATUS, State.SCORES),
    State.MOON_STATUS: (State.MOON_STATUS, State.SCORES),
    State.SCORES: _SCORED,
    State.AGAIN_STATUS: (State.NEW_GAME,),
    State.NEW_GAME: (State.TABLE, State.END),
    State.FRAMES: (State.REFUSAL_REASON, State.CLOSED),
    State.END: (),
    State.CLOSED: (),
}
"""The states that may follow each state; the end of the stream leads from any to CLOSED."""
REPLIES = {State.PLAYER_ID, *(state for state in NEXT if State.REFUSAL_REASON in NEXT[state])}
"""The states in which a negative int is a refusal."""


class Conversation:
    """The state of a connection, with its input, its events and its output that wait."""

    def __init__(self) -> None:
        self.state = State.PLAYER_ID
        self._buffer = Buffer()
        self._ints: list[int] = []
        self._texts: list[str] = []
        self._out: list[bytes] = []
        self._events: deque[DealerEvent] = deque()

    def feed(self, data: bytes) -> None:
        self._buffer.feed(data)

    def next_message(self) -> tuple[list[int], list[str]] | None:
        """Return the ints and the texts of the message that the state waits for, when it is whole.

        Raises RemoteProtocolError for an int that cannot be, and for a text that is none.
        """
        ints, texts = self._ints, self._texts
        layout = LAYOUTS.get(self.state)
        if layout is None:
            return None
        for field in layout[len(ints) + len(texts) :]:
            if field.kind == INT:
                number = self._buffer.take_int()
                if number is None:
                    return None
                self._check(field, number)
                ints.append(number)
            else:
                text = self._buffer.take_str(NAME_LIMIT if field.kind == NAME else TEXT_LIMIT)
                if text is None:
                    return None
                texts.append(text)
        self._ints, self._texts = [], []
        return ints, texts

    def _check(self, field: PlainField, number: int) -> None:
        # A server that grants something with 0 does not grant it.
        is_free = field is _ONE or (number < 0 and self.state in REPLIES)
        if not is_free and not field.lowest <= number <= field.highest:
            limits = f"{field.lowest}..{field.highest}"
            raise RemoteProtocolError(
                f"at {self.state.name} a {field.name} of {number} is outside {limits}"
            )

    def take_rest(self) -> bytes:
        return self._buffer.take_bytes(len(self._buffer)) or b""

    def go(self, state: State) -> None:
        assert state in NEXT[self.state], (self.state, state)
        self.state = state

    def close(self) -> None:
        self.state = State.CLOSED

    def emit(self, event: DealerEvent) -> None:
        self._events.append(event)

    def next_event(self) -> DealerEvent | None:
        return self._events.popleft() if self._events else None

    def forget_events(self) -> None:
        self._events.clear()

    def send(self, data: bytes) -> None:
        self._out.append(data)

    def bytes_to_send(self) -> bytes:
        data = b"".join(self._out)
        self._out.clear()
        return data
