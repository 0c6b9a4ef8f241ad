"""The four seats of a table together: who is there, who was asked, and when time is up."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from hearts.game.events import ChosenBy, HandBegun, HandDealt, PassesExchanged, PassMade
from hearts.game.view import seen_by
from hearts.wire.text import quoted

from .effects import Change, Show, Tell
from .inputs import Question, Setting
from .outbox import Outbox
from .seat import Kind, Request, Seat


class Seats(list[Seat]):
    """Seats 0-3 of a table; while no client is connected it is paused, and no clock runs."""

    __slots__ = ("_outbox", "_requests", "_setting", "paused_at", "wake_at")

    def __init__(
        self, setting: Setting, players: Sequence[tuple[str, Kind]], outbox: Outbox
    ) -> None:
        """``players`` are the names and kinds of seats 0-3."""
        super().__init__(Seat(name, kind) for name, kind in players)
        self._setting = setting
        self._outbox = outbox
        self._requests = 0
        self.wake_at = inf
        """When time is up for somebody; it may be early, never late."""
        self.paused_at: float | None = None
        """Since when no client is connected."""

    @property
    def anybody_there(self) -> bool:
        """Whether a client is connected."""
        return any(seat.connected for seat in self)

    def are_asked(self, *questions: Question) -> bool:
        """Whether a question of these kinds is open for anybody."""
        return any(seat.request is not None and seat.request.question in questions for seat in self)

    def waited_for(self) -> list[tuple[int, Request]]:
        """The players who have not chosen yet, and what they are asked."""
        return [
            (player, seat.request)
            for player, seat in enumerate(self)
            if seat.request is not None and not seat.request.pending
        ]

    def is_out_of_grace(self, player: int, now: float) -> bool:
        """Whether a client is away for longer than the others have to wait for it."""
        seat = self[player]
        return seat.kind is Kind.CLIENT and seat.out_of_grace(self._setting, now)

    def agreeing(self, about: int) -> tuple[set[int], int]:
        """Who can agree to give away the seat of a player who is away, and how many have to."""
        can = {
            player
            for player, seat in enumerate(self)
            if player != about and seat.connected and seat.votes
        }
        return can, min(2 if self._setting.is_public else 1, len(can))

    def tell_each(self, event: HandDealt | PassMade | PassesExchanged) -> None:
        """Tell each client what it may see of cards that do not lie open."""
        effects = self._outbox.effects
        if isinstance(event, HandDealt):
            effects.append(Show(HandBegun(event.number, event.direction)))
        for player, seat in enumerate(self):
            if seat.kind is Kind.CLIENT:
                seen = seen_by(event, player)
                if seen is not None:
                    effects.append(Tell(player, seen))

    def first_client(self, now: float) -> int | None:
        """The lowest client that is there or whose grace period runs; None among computers.

        Among clients that are all away for longer it is the lowest.
        """
        players = [player for player in range(4) if self[player].kind is Kind.CLIENT]
        here = (p for p in players if not self[p].out_of_grace(self._setting, now))
        return next(here, next(iter(players), None))

    def decider(self, now: float) -> int | None:
        """The player who is asked about another game: the first client for whom no bot plays."""
        for player, seat in enumerate(self):
            is_here = seat.kind is Kind.CLIENT and not seat.out_of_grace(self._setting, now)
            if is_here and not seat.is_played_for:
                return player
        return self.first_client(now)

    def begin_game(self) -> None:
        """Another game begins."""
        for seat in self:
            seat.begin_game()

    def begin_hand(self) -> None:
        """The clocks of a hand begin, and for some no stand-in plays any more."""
        people = sum(seat.kind is Kind.CLIENT for seat in self)
        has_bank = self._setting.is_public and self._setting.turn_limit > 0 and people > 1
        for player, seat in enumerate(self):
            was_played_for = seat.is_played_for
            seat.begin_hand(self._setting, has_bank=has_bank)
            if was_played_for:
                self._announce_back(player)

    def others_want_more(self, player: int) -> bool:
        """Whether somebody else is there who made his latest choice himself."""
        others = (seat for seat in self if seat is not self[player])
        return any(seat.connected and seat.self_made for seat in others)

    def ask(
        self,
        player: int,
        question: Question,
        now: float,
        legal: int = 0,
        by: ChosenBy | None = None,
    ) -> Request:
        """Open a request; its clock runs unless a bot chooses at once, as ``by``.

        ``legal`` are the cards that may be played, if a card is asked for.
        """
        self._requests += 1
        seat = self[player]
        request = seat.ask(self._requests, question, legal, self._setting, now)
        if by is None and request.deadline < self.wake_at:
            self._wake_for(request)
        return request

    def wait_for_hash(self, player: int, now: float) -> None:
        """Let the next promise wait until a client has said whether it cuts, but not for long."""
        self._requests += 1
        self._wake_for(self[player].wait_for_hash(self._requests, self._setting, now))

    def caught_up(self, player: int, now: float) -> None:
        """A client owes nothing earlier than its open request, whose clock begins."""
        seat = self[player]
        request = seat.request
        if request is not None and request.owing:
            seat.start_clock(request, self._setting, now)
            self._wake_for(request)

    def _wake_for(self, request: Request | None) -> None:
        """Set the alarm no later than the deadline of a request, whose clock a pause stops."""
        if request is None or request.deadline >= self.wake_at:
            return
        if request.is_unanswered and self.paused_at is None:
            self.wake_at = request.deadline

    def set_alarm(self) -> None:
        """Set the alarm to the earliest deadline."""
        self.wake_at = inf
        for seat in self:
            self._wake_for(seat.request)

    def due(self, now: float) -> list[tuple[int, Request]]:
        """Whose time is up."""
        return [
            (player, request)
            for player, seat in enumerate(self)
            if (request := seat.request) is not None
            and request.is_unanswered
            and request.deadline <= now
        ]

    def lose(self, player: int, request: Request, now: float) -> ChosenBy:
        """The time for a choice is up; as whom a bot makes it."""
        seat = self[player]
        if request.is_for_hash:
            return ChosenBy.CLOCK
        was_played_for = seat.is_played_for
        seat.lose(request)
        is_away = seat.out_of_grace(self._setting, now)
        if is_away:
            seat.silent = True
        self._announce_stand_in(player, was_played_for)
        return ChosenBy.STAND_IN if is_away else ChosenBy.CLOCK

    def stand_in_for(self, player: int) -> None:
        """Let a stand-in play for a client until something is heard of the player."""
        was_played_for = self[player].is_played_for
        self[player].silent = True
        self._announce_stand_in(player, was_played_for)

    def _announce_stand_in(self, player: int, was_played_for: bool) -> None:
        seat = self[player]
        if seat.is_played_for and not was_played_for:
            self._outbox.announce(f"the computer plays for {quoted(seat.name)} now", player)
            self._outbox.changed(player, Change.STAND_IN)

    def bots_on_turn(self) -> list[tuple[int, Request, ChosenBy]]:
        """The requests that bots are to be asked for, and as whom."""
        return [
            (player, request, by)
            for player, seat in enumerate(self)
            if (request := seat.request) is not None
            and request.is_unanswered
            and request.question is not Question.CUT
            and (by := seat.bot) is not None
        ]

    def hear(self, player: int) -> None:
        """A choice has come that is illegal or late: the player is asked again before a bot."""
        seat = self[player]
        if seat.connected and seat.silent:
            seat.silent = False
            self._announce_back(player)

    def end_stand_in(self, player: int) -> None:
        """A player has made a choice himself, so no bot plays for him any more."""
        seat = self[player]
        seat.silent = seat.is_absent = False
        self._announce_back(player)

    def _announce_back(self, player: int) -> None:
        seat = self[player]
        if seat.connected and not seat.is_played_for:
            self._outbox.announce(f"{quoted(seat.name)} is back", player)
            self._outbox.changed(player, Change.BACK)

    def leave(self, player: int, now: float) -> bool:
        """A client is gone, and its grace period begins; whether that is news."""
        seat = self[player]
        if not seat.connected:
            return False
        seat.leave(self._setting, now)
        self._wake_for(seat.request)
        self._outbox.changed(player, Change.LEFT)
        return True

    def leave_for_good(self, player: int, now: float) -> None:
        """A client is gone and will not be back: a stand-in plays at once."""
        seat = self[player]
        self.leave(player, now)
        seat.gone_at = now - self._setting.grace
        seat.silent = True
        self._outbox.announce(f"{quoted(seat.name)} has left for good; the computer plays", player)
        self._outbox.changed(player, Change.STAND_IN)

    def shut_out(self, player: int, now: float) -> None:
        """The host takes a player from the table; his seat waits for the computer that follows."""
        seat = self[player]
        self.leave(player, now)
        seat.remove()
        self._outbox.changed(player, Change.STAND_IN)
        self._outbox.notify(f"the host has removed {quoted(seat.name)}; a computer has the seat")

    def announce_leaving(self, player: int) -> None:
        """Tell those who stay what follows from that."""
        seat = self[player]
        assert seat.gone_at is not None
        name, left = quoted(seat.name), seat.grace_ends(self._setting) - seat.gone_at
        self._outbox.announce(
            f"{name} has left; the computer takes over after {left:.6g} s", player
        )

    def pause(self, now: float) -> None:
        """Stop all clocks and forget what bots think, until somebody comes back."""
        self.paused_at = now
        self.wake_at = now + self._setting.pause_limit
        for seat in self:
            self._forget_bot(seat.request)

    def leave_all(self, now: float) -> None:
        """Every client is gone, as after a restart."""
        for player in range(4):
            self.leave(player, now)
        self.pause(now)

    def stood_still(self, seconds: float) -> None:
        """So much time has passed that counts for nobody."""
        self.wake_at += seconds
        # The whole of a pause is taken off when it ends.
        if self.paused_at is None:
            for seat in self:
                seat.stood_still(seconds)

    def come_back(self, player: int, now: float) -> bool:
        """A client is there again; whether that ends a pause."""
        paused_at, self.paused_at = self.paused_at, None
        if paused_at is not None:
            for seat in self:
                seat.stood_still(now - paused_at)
        seat = self[player]
        self._forget_bot(seat.request)
        seat.come_back(now)
        self.set_alarm()
        self._outbox.announce(f"{quoted(seat.name)} is back", player)
        self._outbox.changed(player, Change.BACK)
        return paused_at is not None

    def _forget_bot(self, request: Request | None) -> None:
        """Let the answer of a bot that was asked mean nothing."""
        if request is not None and request.bot is not None and not request.pending:
            self._requests += 1
            request.number = self._requests
            request.bot = None
