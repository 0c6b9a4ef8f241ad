"""The states of a client: what the server says next in each, and where that may lead.

SocketSpec.md section 2.2 has the same states. A choice and its status are one state here, because
a status may come before the choice is sent. FRAMES is where the dealer dialect takes over.
"""

from __future__ import annotations

from enum import Enum, auto

from .messages import HAND_SIZE, LookedTable, Scores, TableInfo


class State(Enum):
    """What is expected from the server next."""

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

LAYOUTS: dict[State, str] = {
    State.PLAYER_ID: INT,
    State.REASONS_REPLY: INT,
    State.DEALER_REPLY: INT,
    State.PASSWORD_REPLY: INT,
    State.LIST_SIZE: INT,
    State.LISTED_TABLE: NAME + 2 * INT + 4 * NAME,
    State.LOOK_REPLY: INT,
    State.LOOKED_TABLE: LookedTable.SIZE * INT + 5 * NAME,
    State.TABLE_REPLY: INT,
    State.COME_BACK_REPLY: INT,
    State.WATCH_REPLY: INT,
    State.GAME_NUMBER: INT,
    State.REFUSAL_REASON: TEXT,
    State.GAME_ID: INT + 4 * NAME,
    State.TABLE: TableInfo.SIZE * INT,
    State.HAND: HAND_SIZE * INT,
    State.PASS: INT,
    State.PASS_STATUS: INT,
    State.PASS_FORCED: 3 * INT,
    State.RECEIVED: 3 * INT,
    State.LEAD: INT,
    State.CARD: INT,
    State.PLAY_STATUS: INT,
    State.TALLIES: 5 * INT,
    State.MOON: 2 * INT,
    State.MOON_STATUS: INT,
    State.SCORES: Scores.SIZE * INT,
    State.AGAIN_STATUS: INT,
    State.NEW_GAME: INT,
}
"""The fields of the message that each state waits for; the last three wait for none."""

_REGISTERED = (State.REFUSAL_REASON, State.CLOSED, State.GAME_NUMBER, State.FRAMES)
_TRICK = (State.CARD, State.PLAY_STATUS, State.TALLIES)
_SCORED = (State.HAND, State.AGAIN_STATUS, State.NEW_GAME)
"""What follows Scores; who comes back goes on there, after the Table."""

NEXT: dict[State, tuple[State, ...]] = {
    State.PLAYER_ID: (State.REASONS_REPLY, State.CLOSED),
    State.REASONS_REPLY: (
        *_REGISTERED,
        State.PASSWORD_REPLY,
        State.DEALER_REPLY,
        State.LIST_SIZE,
        State.LOOK_REPLY,
        State.TABLE_REPLY,
        State.COME_BACK_REPLY,
    ),
    State.PASSWORD_REPLY: (
        *_REGISTERED,
        State.DEALER_REPLY,
        State.LIST_SIZE,
        State.LOOK_REPLY,
        State.TABLE_REPLY,
    ),
    State.DEALER_REPLY: (
        *_REGISTERED,
        State.TABLE_REPLY,
        State.COME_BACK_REPLY,
        State.WATCH_REPLY,
    ),
    State.LIST_SIZE: (State.REFUSAL_REASON, State.LISTED_TABLE, State.CLOSED),
    State.LISTED_TABLE: (State.LISTED_TABLE, State.CLOSED),
    State.LOOK_REPLY: (State.REFUSAL_REASON, State.LOOKED_TABLE, State.CLOSED),
    State.LOOKED_TABLE: (State.CLOSED,),
    State.TABLE_REPLY: _REGISTERED,
    State.COME_BACK_REPLY: _REGISTERED,
    State.WATCH_REPLY: _REGISTERED,
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
"""Where the message of a state may lead; the end of the stream leads from any state to CLOSED."""
