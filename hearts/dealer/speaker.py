"""What the server says beside the game, in frames that are counted."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.table import Change

from . import messages
from .frames import HEADER
from .messages import Message
from .numbers import AbortLater, DealerState
from .structures import PlayerInfo


class Speaker:
    """Makes frames, each with the next sequence."""

    __slots__ = ("_sequence",)

    def __init__(self) -> None:
        self._sequence = 0

    def opponents(self, infos: Sequence[PlayerInfo]) -> bytes:
        """Who has seats 0-3."""
        return self._say(messages.RegisterOpponents(tuple(infos)))

    def refused(self, code: int, why: str) -> bytes:
        """The registration ends here."""
        return self._say(messages.RefusedMessage(code, why))

    def replay(self, begins: bool) -> bytes:
        """The past begins, or it is over."""
        return self._say(messages.Replay(begins))

    def change(self, change: Change, info: PlayerInfo) -> bytes:
        """Something has happened to a seat."""
        return self._say(messages.PlayerChange(change.value, info))

    def waiting(self, state: DealerState, players: int, waited_ms: int, left_ms: int) -> bytes:
        """Who is waited for, as bits; ``left_ms`` is -1 if there is no limit."""
        waited_for = tuple(player for player in range(4) if players >> player & 1)
        left = None if left_ms < 0 else left_ms
        return self._say(messages.Waiting(state, waited_for, waited_ms, left))

    def notice(self, text: str) -> bytes:
        """Something in words."""
        return self._say(messages.ServerNotice(text))

    def abort(self, later: bool, why: str) -> bytes:
        """The table ends before the players are done; ``later`` if it can be come back to."""
        follows = AbortLater.COME_BACK if later else AbortLater.NOTHING
        return self._say(messages.AbortGame(follows, why))

    def say(self, message: Message) -> bytes:
        """The bytes of any message."""
        return self._say(message)

    def _say(self, message: Message) -> bytes:
        return self._frame(message.TYPE, message.encode())

    def _frame(self, type: int, payload: bytes) -> bytes:
        self._sequence += 1
        return HEADER.pack(type, self._sequence, len(payload)) + payload
