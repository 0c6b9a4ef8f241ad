"""What a client of the dealer dialect hears beside what both dialects bring.

The events of :mod:`hearts.session.client_events` are the same here. Those that the dealer tells
more are below, or are its own messages as they came: RegisterOpponents, PlayerChange, Waiting,
DoneHand, ServerNotice, AbortGame, and what answers our own requests.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.errors import Fault
from hearts.game.events import HandBegun
from hearts.session.client_events import ClientEvent
from hearts.table import (
    AbortProposed,
    AbortRefused,
    DealDisclosed,
    DealPromised,
    GameAborted,
    HandAborted,
    RestClaimed,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)

from .deal_verifier import DealChecked as DealChecked
from .messages import (
    AbortGame,
    DoneHand,
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerChange,
    PlayerCommentMessage,
    RegisterOpponents,
    SeatMoved,
    ServerNotice,
    TableMessage,
    TablesMessage,
    Taken,
    Waiting,
)
from .numbers import MessageType


class Declined(Struct, frozen=True, gc=False):
    """Something that we sent is not taken, and nothing else has happened."""

    what: MessageType
    fault: Fault
    why: str
    """The server's words."""


class Watching(Struct, frozen=True, gc=False):
    """We watch a table. What follows is past, up to CaughtUp."""

    game_number: int
    table: str


SharedEvent = (
    RegisterOpponents
    | PlayerChange
    | DoneHand
    | ServerNotice
    | AbortGame
    | DealPromised
    | DealDisclosed
    | RestClaimed
    | RulesAgreed
    | HandAborted
    | GameAborted
)
"""What those at the table and watchers hear alike."""
DealerEvent = (
    ClientEvent
    | SharedEvent
    | Waiting
    | TableMessage
    | TablesMessage
    | Taken
    | PlayerCommentMessage
    | SeatMoved
    | InvitableMessage
    | InvitableCount
    | InvitationMessage
    | InvitationOver
    | DealChecked
    | Declined
    | RulesProposed
    | RulesRefused
    | SeatWanted
    | SeatKept
    | AbortProposed
    | AbortRefused
    | Watching
    | HandBegun
)
"""Everything that a client may hear in either dialect, and a watcher too."""
