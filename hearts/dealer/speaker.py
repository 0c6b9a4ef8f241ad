"""Words of the server beside the game, in frames that are counted, or not."""

from __future__ import annotations

from hearts.session.table_words import Beside

from .beside import as_frame
from .frames import HEADER
from .messages import Message


class Speaker:
    """Makes frames, each with the next sequence."""

    __slots__ = ("_sequence",)

    def __init__(self) -> None:
        self._sequence = 0

    def beside(self, told: Beside) -> bytes:
        """The bytes of something beside the game."""
        return self._frame(*as_frame(told))

    def _say(self, message: Message) -> bytes:
        return self._frame(message.TYPE, message.encode())

    def _frame(self, type: int, payload: bytes) -> bytes:
        self._sequence += 1
        return HEADER.pack(type, self._sequence, len(payload)) + payload


class Unnumbered(Speaker):
    """Makes frames for watchers, all with the number 0."""

    __slots__ = ()

    def _frame(self, type: int, payload: bytes) -> bytes:
        return HEADER.pack(type, 0, len(payload)) + payload
