"""The four seats of a table together: who is there, who was asked, and when time is up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from hearts.game.events import By

from .messages import Question, Setting
from .seat import Kind, Request, Seat


class Seats:
    """Seats 0-3 of a table; while no client is connected it is paused, and no clock runs."""

    __slots__ = ("_requests", "_seats", "_setting", "paused_at", "wake_at")

    def __init__(self, setting: Setting, players: Sequence[tuple[str, Kind]]) -> None:
        """``players`` are the names and kinds of seats 0-3."""
        self._setting = setting
        self._seats = [Seat(name, kind) for name, kind in players]
        self._requests = 0
        self.wake_at = inf
        """When time is up for somebody; it may be early, never late."""
        self.paused_at: float | None = None
        """Since when no client is connected."""

    def __getitem__(self, player: int) -> Seat:
        return self._seats[player]

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats)

    @property
    def anybody_there(self) -> bool:
        """Whether a client is connected."""
        return any(seat.connected for seat in self._seats)

    def are_asked(self, question: Question) -> bool:
        """Whether a question of this kind is open for anybody."""
        return any(
            seat.request is not None and seat.request.question is question for seat in self._seats
        )

    @property
    def cutters(self) -> list[int]:
        """The players who are there and want to cut a deal."""
        return [player for player, seat in enumerate(self._seats) if seat.is_cutter]

    def waited_for(self) -> list[tuple[int, Request]]:
        """The players who have not chosen yet, and what they are asked."""
        return [
            (player, seat.request)
            for player, seat in enumerate(self._seats)
            if seat.request is not None and not seat.request.pending
        ]

    def change(self, player: int, name: str, kind: Kind) -> None:
        """Somebody else has a seat. A client counts as gone until it comes."""
        self._seats[player] = Seat(name, kind)

    def first_client(self, now: float) -> int | None:
        """The lowest client that is there or whose grace period runs; None among computers.

        Among clients that are all away for longer it is the lowest.
        """
        players = [player for player in range(4) if self._seats[player].kind is Kind.CLIENT]
        here = (p for p in players if not self._seats[p].out_of_grace(self._setting, now))
        return next(here, next(iter(players), None))

    def decider(self, now: float) -> int | None:
        """Who is asked about another game: the first client, but nobody for whom a bot plays."""
        for player, seat in enumerate(self._seats):
            is_here = seat.kind is Kind.CLIENT and not seat.out_of_grace(self._setting, now)
            if is_here and not seat.is_played_for:
                return player
        return self.first_client(now)

    def begin_hand(self) -> list[int]:
        """The clocks of a hand begin; the players for whom no stand-in plays any more."""
        back = []
        for player, seat in enumerate(self._seats):
            was_played_for = seat.is_played_for
            seat.begin_hand(self._setting)
            if was_played_for and not seat.is_played_for:
                back.append(player)
        return back

    def others_want_more(self, player: int) -> bool:
        """Whether somebody else is there who made his latest choice himself."""
        others = (seat for seat in self._seats if seat is not self._seats[player])
        return any(seat.connected and seat.self_made for seat in others)

    def ask(self, player: int, question: Question, now: float) -> Request:
        """Open a request; the alarm is set where its clock runs."""
        self._requests += 1
        seat = self._seats[player]
        if question is Question.CUT:
            request = seat.ask_for_cut(self._requests, self._setting, now)
        else:
            request = seat.ask(self._requests, question, self._setting, now)
        if seat.bot is None or question is Question.CUT:
            self.wake_for(request)
        return request

    def wake_for(self, request: Request | None) -> None:
        """Set the alarm no later than the deadline of a request, whose clock a pause stops."""
        if self.paused_at is not None:
            return
        if request is not None and request.deadline < self.wake_at and request.open:
            self.wake_at = request.deadline

    def set_alarm(self) -> None:
        """Set the alarm to the earliest deadline."""
        self.wake_at = inf
        for seat in self._seats:
            self.wake_for(seat.request)

    def due(self, now: float) -> list[tuple[int, Seat, Request]]:
        """Whose time is up."""
        return [
            (player, seat, request)
            for player, seat in enumerate(self._seats)
            if (request := seat.request) is not None and request.open and request.deadline <= now
        ]

    def bots_on_turn(self) -> list[tuple[int, Request, By]]:
        """The requests that bots are to be asked for, and as whom."""
        return [
            (player, request, by)
            for player, seat in enumerate(self._seats)
            if (request := seat.request) is not None
            and request.open
            and request.question is not Question.CUT
            and (by := seat.bot) is not None
        ]

    def leave(self, player: int, now: float) -> None:
        """A client is gone, and its grace period begins."""
        self._seats[player].leave(self._setting, now)
        self.wake_for(self._seats[player].request)

    def leave_all(self, now: float) -> None:
        """All clients are gone."""
        for seat in self._seats:
            if seat.kind is Kind.CLIENT:
                seat.leave(self._setting, now)

    def pause(self, now: float) -> None:
        """Stop all clocks and forget what bots think, until somebody comes back."""
        self.paused_at = now
        self.wake_at = now + self._setting.pause_limit
        for seat in self._seats:
            self._forget_bot(seat.request)

    def stood_still(self, seconds: float) -> None:
        """So much time has passed that counts for nobody."""
        self.wake_at += seconds
        # The whole of a pause is taken off when it ends.
        if self.paused_at is None:
            for seat in self._seats:
                seat.stood_still(seconds)

    def come_back(self, player: int, now: float) -> bool:
        """A client is there again; whether that ends a pause."""
        paused_at, self.paused_at = self.paused_at, None
        if paused_at is not None:
            for seat in self._seats:
                seat.shift(now - paused_at)
        seat = self._seats[player]
        self._forget_bot(seat.request)
        seat.come_back(now)
        self.set_alarm()
        return paused_at is not None

    def _forget_bot(self, request: Request | None) -> None:
        """Let the answer of a bot that was asked mean nothing."""
        if request is not None and request.bot is not None and not request.pending:
            self._requests += 1
            request.number = self._requests
            request.bot = None
