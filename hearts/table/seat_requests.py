"""A player who is there is asked to give up his seat (DealerSpec.md section 14.8)."""

from __future__ import annotations

from math import inf

from .effects import Tell
from .events import SeatKept, SeatWanted
from .outbox import Outbox
from .seats import Seats

SEAT_LIMIT = 60.0
"""Seconds that a player has to give up his seat; if he says nothing it stays his."""


class SeatRequests:
    """The player who is asked for his seat, one at a time."""

    __slots__ = ("_asked", "_asker", "_opens", "_outbox", "_seats", "deadline")

    def __init__(self, seats: Seats, outbox: Outbox) -> None:
        self._seats = seats
        self._outbox = outbox
        self._asked = -1
        """The player who is asked; -1 for nobody."""
        self._asker = -1
        self._opens = False
        self.deadline = inf
        """When the seat stays his at the latest."""

    def ask(self, player: int, asker: int, now: float, *, opens: bool) -> bool:
        """Ask a player for his seat, which is ``opens`` for a person then; whether that is
        possible."""
        if self._asked >= 0 or player == asker or player not in range(4):
            return False
        seat = self._seats[player]
        if not (seat.connected and seat.votes) or seat.keeps_seat:
            return False
        self._asked, self._asker, self._opens = player, asker, opens
        self.deadline = now + SEAT_LIMIT
        self._outbox.effects.append(Tell(player, SeatWanted(asker, opens, SEAT_LIMIT)))
        return True

    def agrees(self, player: int, agreed: bool) -> bool:
        """A player answers; whether he was asked, and gives up his seat."""
        if player != self._asked:
            return False
        if not agreed:
            self._seats[player].keeps_seat = True
            self._keep("the player does not agree")
            return False
        self._close()
        return True

    @property
    def opens(self) -> bool:
        """Whether the seat that was given up last is to be open for a person."""
        return self._opens

    def lose(self, player: int) -> None:
        """The connection of a player is gone, who may have been asked."""
        if player == self._asked:
            self._keep("the player has left")

    def forget(self, player: int) -> None:
        """A player loses his seat in another way."""
        if player == self._asked:
            self._close()

    def expire(self, now: float) -> None:
        """The time to answer may be up."""
        if now >= self.deadline:
            self._seats[self._asked].keeps_seat = True
            self._keep("the player has not answered in time")

    def _keep(self, why: str) -> None:
        player, asker = self._asked, self._asker
        self._close()
        kept = SeatKept(player, why)
        self._outbox.effects += (Tell(player, kept), Tell(asker, kept))

    def _close(self) -> None:
        self._asked = self._asker = -1
        self.deadline = inf
