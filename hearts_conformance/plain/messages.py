"""What the table tells a seat as single messages, each with the answer that it asks for."""

from __future__ import annotations

from msgspec import Struct

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
from hearts.table import AgainSettled, GameBegun, GameScored, Question, TableEvent
from hearts_conformance.checks import Check
from hearts_conformance.session.script import Twist

from . import checks

_INT = 4


class OutgoingMessage(Struct, frozen=True, gc=False):
    """Bytes for the client."""

    data: bytes
    ack: Check | None
    """Whose ack is due for it; None for a status, and for what is answered with a choice."""
    event: TableEvent | None = None


class ChoiceDue(Struct):
    """A choice that the client owes."""

    question: Question
    check: Check
    twist: Twist | None = None
    """What happens at it."""


def spell(data: bytes, event: TableEvent, me: int) -> list[OutgoingMessage]:
    """The messages that the bytes of an event are; none if the client is told nothing of it."""
    match event:
        case YourHand(_, direction, _):
            size = _INT * HAND_SIZE
            hold = checks.HOLD if direction is Direction.HOLD else None
            return [
                OutgoingMessage(data[:size], checks.HAND, event),
                OutgoingMessage(data[size:], hold),
            ]
        case AgainSettled():
            status = [OutgoingMessage(data[:_INT], None)] if len(data) > _INT else []
            return [*status, OutgoingMessage(data[-_INT:], checks.NEW_GAME, event)]
        case MoonChosen() | PassMade():
            return [OutgoingMessage(data, None, event)] if data else []
        case CardPlayed(player):
            return [OutgoingMessage(data, None if player == me else checks.CARD, event)]
        case TricksDone(shooter, decide):
            return [OutgoingMessage(data, None if decide and shooter == me else checks.MOON, event)]
        case TrickBegun():
            return [OutgoingMessage(data, checks.LEADS, event)]
        case TrickTaken():
            return [OutgoingMessage(data, checks.TALLIES, event)]
        case CardsReceived():
            return [OutgoingMessage(data, checks.RECEIVED, event)]
        case HandScored() | GameScored():
            return [OutgoingMessage(data, checks.SCORES, event)]
        case GameBegun():
            return [OutgoingMessage(data, checks.TABLE, event)]
        case _:
            assert not data, f"{type(event).__name__} is said in the plain dialect, and not known"
            return []


CHOICES = {
    Question.PASS: checks.PASS,
    Question.CARD: checks.INDEX,
    Question.MOON: checks.MOON_CHOICE,
    Question.AGAIN: checks.AGAIN,
}
"""What is asked of a choice."""
RETRIES = {
    Question.PASS: checks.RETRY_PASS,
    Question.CARD: checks.RETRY_CARD,
    Question.MOON: checks.RETRY_MOON,
}
"""What is asked after a choice that was refused."""
FORCED = {
    Question.PASS: checks.FORCED_PASS,
    Question.CARD: checks.FORCED_CARD,
    Question.MOON: checks.FORCED_MOON,
    Question.AGAIN: checks.FORCED_AGAIN,
}
"""What is asked after a choice that the table has made."""
