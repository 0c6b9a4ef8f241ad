"""What a client of the dealer dialect hears beside what both dialects bring.

The events of :mod:`hearts.session.client_events` and :mod:`hearts.session.table_words` are the same
here. Those that the dealer tells more are below, or are its own message as it came: DoneHand.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.game.events import HandBegun
from hearts.session.client_events import ClientEvent
from hearts.session.table_words import TableNews
from hearts.table.effects import (
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
from .messages import DoneHand


class Watching(Struct, frozen=True, gc=False):
    """We watch a table. What follows is past, up to CaughtUp."""

    game_number: int
    table: str


SharedEvent = (
    DoneHand | DealPromised | DealDisclosed | RestClaimed | RulesAgreed | HandAborted | GameAborted
)
"""What those at the table and watchers hear alike."""
DealerEvent = (
    ClientEvent
    | SharedEvent
    | TableNews
    | DealChecked
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
