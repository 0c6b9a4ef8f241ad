"""The messages that the bytes of an event are, each with the ack that it asks for."""

from __future__ import annotations

from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    HandScored,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.session.messages import HAND_SIZE
from hearts.table import AgainSettled, GameBegun, GameScored, TableEvent
from hearts_conformance.session.conversation import Outgoing

_INT = 4
_ACKS = {
    TrickBegun: "ack.leads",
    TrickTaken: "ack.tallies",
    CardsReceived: "ack.received",
    HandScored: "ack.scores",
    GameScored: "ack.scores",
    GameBegun: "ack.table",
}
"""Events that are one message each, which is always acked."""


def messages(data: bytes, event: TableEvent, me: int) -> list[Outgoing]:
    """Split the bytes of an event into messages; none if the client is told nothing of it."""
    match event:
        case YourHand(_, direction, _):
            size = _INT * HAND_SIZE
            hold = "ack.hold" if direction is Direction.HOLD else None
            return [Outgoing(data[:size], event, "ack.hand"), Outgoing(data[size:], None, hold)]
        case AgainSettled():
            status = [Outgoing(data[:_INT])] if len(data) > _INT else []
            return [*status, Outgoing(data[-_INT:], event, "ack.new")]
        case MoonChosen() | PassMade():
            return [Outgoing(data, event)] if data else []
        case CardPlayed(player):
            return [Outgoing(data, event, None if player == me else "ack.card")]
        case TricksDone(shooter, decide):
            return [Outgoing(data, event, None if decide and shooter == me else "ack.moon")]
        case _:
            ack = _ACKS.get(type(event))
            if ack is not None:
                return [Outgoing(data, event, ack)]
            assert not data, f"{type(event).__name__} is said in the plain dialect, and not known"
            return []
