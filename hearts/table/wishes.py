"""What player 0 may ask for, or whoever has his say, and what follows (DealerSpec.md 14.8)."""

from __future__ import annotations

from typing import assert_never

from hearts.errors import Fault

from .ballot import Ballot
from .effects import Decline, Granted
from .games import Games
from .inputs import OpenSeat, ProposeAbort, ProposeRules, ReplacePlayer
from .outbox import Outbox
from .seat_changes import SeatChanges
from .seat_requests import SeatRequests
from .seats import Seats
from .steps import NewRules


class PlayerWishes:
    """Takes wishes to the vote, or to the seats that they are about."""

    __slots__ = ("_ballot", "_games", "_outbox", "_seat_changes", "_seat_requests", "_seats")

    def __init__(
        self,
        seats: Seats,
        games: Games,
        ballot: Ballot,
        seat_changes: SeatChanges,
        seat_requests: SeatRequests,
        outbox: Outbox,
    ) -> None:
        self._seats = seats
        self._games = games
        self._ballot = ballot
        self._seat_changes = seat_changes
        self._seat_requests = seat_requests
        self._outbox = outbox

    @property
    def deadline(self) -> float:
        """When the time of somebody who was asked is up."""
        return min(self._ballot.deadline, self._seat_requests.deadline)

    def expire(self, now: float) -> None:
        """Settle what was not answered in time."""
        self._ballot.expire(now)
        self._seat_requests.expire(now)

    def stood_still(self, seconds: float) -> None:
        """So much time has passed that counts for nobody."""
        self._ballot.deadline += seconds
        self._seat_requests.deadline += seconds

    def grant(
        self, wish: ProposeRules | ProposeAbort | ReplacePlayer | OpenSeat, now: float
    ) -> None:
        """Do what is wished for, or say why not."""
        effects = self._outbox.effects
        changes, requests = self._seat_changes, self._seat_requests
        is_about_absent = isinstance(wish, ReplacePlayer | OpenSeat) and changes.is_away(wish.seat)
        # At a public table no one player gives a seat away.
        needs_player_0 = not (is_about_absent and self._games.setting.is_public)
        if needs_player_0 and wish.player != self._seats.first_client(now):
            effects.append(Decline(wish.player, wish, Fault.NOT_PLAYER_0))
            return
        match wish:
            case ProposeRules(player, rules, end_score):
                done = self._ballot.propose(NewRules(rules, end_score), player, now)
            case ProposeAbort(player, what):
                can_be = self._games.can_abort(what)
                done = can_be and self._ballot.propose(what, player, now)
            case ReplacePlayer(player, seat) | OpenSeat(player, seat) if is_about_absent:
                opens = isinstance(wish, OpenSeat)
                done = changes.give_away(seat, player, now, opens=opens)
            case ReplacePlayer(player, seat):
                done = requests.ask(seat, player, now, opens=False)
            case OpenSeat(player, seat):
                if changes.open(seat):
                    return  # That everybody is told at once.
                done = requests.ask(seat, player, now, opens=True)
            case _:
                assert_never(wish)
        effects.append(
            Granted(wish.player, wish) if done else Decline(wish.player, wish, Fault.NOT_NOW)
        )
