"""Who is at the table: clients who leave, resign, are removed or come back."""

from __future__ import annotations

from hearts.game.events import ChosenBy

from .ballot import Ballot
from .effects import Dismiss, Granted, Removed
from .games import Games
from .inputs import Resign
from .next_deal import NextDeal
from .outbox import Outbox
from .seat import Kind
from .seat_changes import SeatChanges
from .seat_requests import SeatRequests
from .seats import Seats
from .steps import Removal
from .turns import PlayerTurns

NOBODY_LEFT = "nobody is left at the table"
"""Why a session ends whose last player is gone for good."""


class Attendance:
    """What a client's coming and going changes for the votes, the turns and the whole table."""

    __slots__ = (
        "_ballot",
        "_games",
        "_next_deal",
        "_outbox",
        "_seat_changes",
        "_seat_requests",
        "_seats",
        "_turns",
    )

    def __init__(
        self,
        seats: Seats,
        games: Games,
        next_deal: NextDeal,
        seat_changes: SeatChanges,
        seat_requests: SeatRequests,
        ballot: Ballot,
        turns: PlayerTurns,
        outbox: Outbox,
    ) -> None:
        self._seats = seats
        self._games = games
        self._next_deal = next_deal
        self._seat_changes = seat_changes
        self._seat_requests = seat_requests
        self._ballot = ballot
        self._turns = turns
        self._outbox = outbox

    def leave(self, player: int, now: float) -> None:
        """The connection of a client is gone; the table pauses if it was the last one."""
        if not self._seats.leave(player, now):
            return
        self._ballot.refuse(player, "a player has left")
        self._seat_requests.lose(player)
        if self._seats.anybody_there:
            self._seats.announce_leaving(player)
        else:
            self._wait_for_anybody(now)

    def come_back(self, player: int, now: float) -> None:
        """A client who was gone has a connection again; a paused table goes on."""
        seat = self._seats[player]
        if seat.connected:
            return
        was_paused = self._seats.come_back(player, now)
        self._seat_changes.stay(player)
        notice = self._games.commitment
        if was_paused and notice is not None:
            # The chat may have forgotten it, and whoever comes now has not heard it.
            self._outbox.announce(notice)
        for waiting, request, by in self._seats.bots_on_turn():
            self._turns.decide_for(waiting, request, by)
        if not seat.votes:
            self._next_deal.sit_in_plain(player)

    def resign(self, resigned: Resign, now: float) -> None:
        """A client leaves for good; a computer gets the seat before the next hand."""
        player, seats = resigned.player, self._seats
        if not seats[player].connected:
            return
        self._seat_requests.forget(player)
        self._outbox.effects += (Granted(player, resigned), Dismiss(player))
        self._seat_changes.resign(player)
        seats.leave_for_good(player, now)
        self._ballot.refuse(player, "a player has left")
        if self.is_deserted:
            self._outbox.end("everybody has left")
        elif not seats.anybody_there:
            self._wait_for_anybody(now)
        else:
            self._next_deal.miss(player)
            for waiting, request, by in seats.bots_on_turn():
                if waiting == player:
                    self._turns.decide_for(player, request, by)

    def answer_for_seat(self, player: int, agreed: bool, now: float) -> None:
        """A player answers where he is asked for his seat; if he agrees he leaves for good."""
        if self._seat_requests.agrees(player, agreed):
            self.resign(Resign(player), now)
            if self._seat_requests.opens:
                self._seat_changes.open_afterwards(player)

    def remove(self, player: int) -> None:
        """The host removes a player, who is gone when that is durable."""
        seat = self._seats[player]
        if seat.kind is Kind.CLIENT and not seat.is_removed:
            self._outbox.propose(Removal(player))

    def was_removed(self, player: int, now: float) -> None:
        """That was stored before the server began: he does not come back."""
        seat = self._seats[player]
        if seat.kind is Kind.CLIENT and not seat.is_removed:
            self._seats.shut_out(player, now)
            self._seat_changes.resign(player)

    def shut_out(self, player: int, now: float) -> None:
        """It is durable that the host has removed a player; a computer gets the seat before the
        next hand."""
        seat = self._seats[player]
        # A computer may have got the seat since the host said so.
        if seat.kind is not Kind.CLIENT or seat.is_removed:
            return
        self._seat_requests.forget(player)
        self._seats.shut_out(player, now)
        self._outbox.effects.append(Removed(player))
        self._seat_changes.resign(player)
        self._ballot.refuse(player, "a player has left")
        request = seat.request
        if self.is_deserted:
            self._outbox.end(NOBODY_LEFT)
        elif not self._seats.anybody_there:
            if self._seats.paused_at is None:
                self._wait_for_anybody(now)
        elif request is not None and request.is_unanswered:
            self._turns.decide_for(player, request, ChosenBy.STAND_IN)

    @property
    def is_deserted(self) -> bool:
        """Whether computers have all seats, or get them before the next hand."""
        return all(
            seat.kind is Kind.COMPUTER or self._seat_changes.has_resigned(player)
            for player, seat in enumerate(self._seats)
        )

    def _wait_for_anybody(self, now: float) -> None:
        """Nobody is there: the table pauses, if it may."""
        if self._games.is_draining:
            self._outbox.stop()
        elif self._games.setting.pause_limit:
            self._seats.pause(now)
        else:
            self._outbox.end(NOBODY_LEFT)
