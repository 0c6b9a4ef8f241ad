"""The lines of one session on their way into the journal."""

from __future__ import annotations

import time
from collections.abc import Callable

from hearts.hosting.store import Description, Done

from .items import Describe, End, Move, StoredItem, StoredLine


class QueuedStore:
    """The lines of one session on their way into the journal."""

    __slots__ = ("_game_number", "_number", "_put")

    def __init__(self, put: Callable[[StoredItem], None], game_number: int, number: int) -> None:
        self._put = put
        self._game_number = game_number
        self._number = number

    def append(self, line: str, durable: Done) -> None:
        """Store a line; ``durable`` is called on the loop when it is."""
        self._put(StoredLine(self._game_number, self._number, line, durable))
        self._number += 1

    def move_seat(self, player: int, network: str) -> None:
        """The client of a seat is in this network now."""
        self._put(Move(self._game_number, player, network))

    def describe_seat(self, player: int, said: Description) -> None:
        """The player of a seat says this of himself now."""
        self._put(Describe(self._game_number, player, said))

    def end(self, why: str) -> None:
        """The session is over now."""
        self._put(End(self._game_number, int(time.time()), why))
