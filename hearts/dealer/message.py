"""What every message of the server is built of: sizes, kinds of fields, and the base class."""

from __future__ import annotations

from typing import ClassVar

from hearts.game.events import ChosenBy
from hearts.game.rules import Direction
from hearts.wire.codec import TEXT_LIMIT

from .layout import CARD, INT, OF_32, Coded, Packed, Text, Times, enum_kind
from .numbers import BY_NUMBERS, DealerState, MessageType
from .structures import SCORE

HAND_SIZE = 13
PASS_SIZE = 3
SEATS = 4
WATCHER = 4
"""The player number of P_SEATED for a watcher."""
PING_LIMIT = 64
DIGEST_BYTES = 32
SECRET_BYTES = 16

BY: Coded[ChosenBy] = Coded("who chose", BY_NUMBERS)
DIRECTION = enum_kind("a direction", Direction)
STATE = enum_kind("a state of the dealer", DealerState)
WORDS = Text(TEXT_LIMIT)
PASS = Times(PASS_SIZE, CARD)
POINTS = Times(SEATS, INT)
SCORES = Times(SEATS, SCORE)
FOUR_OF_32 = Times(SEATS, OF_32)


class Message(Packed, frozen=True):
    """A payload of the server, with its type."""

    TYPE: ClassVar[MessageType]
