"""The mid-end: :class:`Table` takes one input at a time and says what is to be done.

The road of every choice: checked by the rules, printed as a line, stored, and only when the store
says that it is durable does the game move and anybody hear of it. A step runs to its end and never
calls back, so a table of four bots does not recurse. The clock is the host's: seconds from any
start, handed in with each input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from hearts.errors import CorruptRecord
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import Record

from .attendance import NOBODY_LEFT, Attendance
from .ballot import Ballot
from .bound import Bound
from .durable_steps import DurableSteps
from .effects import Effect, Ended, Persist
from .games import Games
from .history import SessionHistory
from .inputs import (
    Able,
    AnswerAgain,
    Answered,
    CameLate,
    Chosen,
    ClaimRest,
    ClientCameBack,
    ClientCaughtUp,
    ClientLeft,
    Drain,
    Durable,
    GiveSeat,
    Input,
    LeaveSeat,
    OpenSeat,
    ProposeAbort,
    ProposeRules,
    RemovePlayer,
    ReplacePlayer,
    Resign,
    Setting,
    StoodStill,
    TakeSeat,
    Tick,
    Vote,
)
from .next_deal import NextDeal
from .outbox import Outbox
from .seat import COMPUTER_NAMES, Kind
from .seat_changes import SeatChanges
from .seat_requests import SeatRequests
from .seats import Seats
from .steps import NewRules, Removal, parse_step
from .turns import PlayerTurns
from .wishes import PlayerWishes


class Table:
    """Four seats and the games that they play one after the other.

    It owns its parts: seats, turns, history, games, next deal, changes of seats, votes, attendance.
    They know each other as far as they must, and the outbox, but not the table.
    """

    def __init__(
        self,
        setting: Setting,
        players: Sequence[tuple[str, Kind]],
        next_deal: Callable[[], Deal],
        computer_names: Sequence[str] = COMPUTER_NAMES,
        most_hands: int = 0,
        first_hand: int = 0,
    ) -> None:
        """``players`` are the names and kinds of seats 0-3; ``next_deal`` gives each deal.

        ``computer_names`` are four or more, for computers that get a seat later. The session ends
        after ``most_hands``; 0 for no bound. ``first_hand`` is the number in its game that the
        first hand has, from 0, so that it can have any pass.
        """
        self._outbox = outbox = Outbox()
        self.seats = seats = Seats(setting, players, outbox)
        self.past = past = SessionHistory(setting, first_hand)
        self._ballot = ballot = Ballot(seats, outbox)
        self._seat_changes = changes = SeatChanges(seats, computer_names, outbox)
        self._next_deal = deal = NextDeal(next_deal, seats, past, outbox)
        bound = Bound(most_hands)
        self._games = games = Games(setting, bound, seats, past, deal, changes, ballot, outbox)
        self.turns = turns = PlayerTurns(seats, games, deal, outbox)
        requests = SeatRequests(seats, outbox)
        self._wishes = PlayerWishes(seats, games, ballot, changes, requests, outbox)
        self._attendance = attendance = Attendance(
            seats, games, deal, changes, requests, ballot, turns, outbox
        )
        self._steps = DurableSteps(
            seats, games, past, deal, turns, ballot, changes, attendance, outbox
        )
        self.said_of_deals: list[str] = []
        """The announcements of deals that follow from stored lines, the oldest first."""

    # What can be asked

    @property
    def setting(self) -> Setting:
        """What is played, and how long anybody has."""
        return self._games.setting

    @property
    def game(self) -> Game:
        """The game under way."""
        return self._games.game

    @property
    def ended(self) -> bool:
        """Whether it takes no more input."""
        return self._outbox.is_closed

    @property
    def is_complete(self) -> bool:
        """Whether the players were done, and the session ended as it should."""
        return self._games.are_complete

    @property
    def wake_at(self) -> float:
        """When the table wants a :class:`Tick` at the latest; it may be early, never late."""
        return min(self.seats.wake_at, self._wishes.deadline)

    @property
    def commitment(self) -> str | None:
        """The notice of the deal that is promised or played; None if there is nothing to prove."""
        return self._games.commitment

    def record(self) -> Record:
        """The game under way as a record, as far as it went."""
        return self._games.record()

    # Beginning

    def start(self, now: float) -> list[Effect]:
        """Begin the first game; the effects, to be carried out in order."""
        self._games.begin(now)
        return self._outbox.effects

    def restore(self, lines: Iterable[str], now: float) -> list[Effect]:
        """In place of :meth:`start`: be again where the stored lines of a session lead.

        All clients count as gone, so the table is paused. Raises CorruptRecord if the rules do
        not allow what a line says.
        """
        outbox, games = self._outbox, self._games
        # The bound may have been another one when the lines were stored.
        bound, games.bound = games.bound, Bound(0)
        games.begin(now)
        for number, line in enumerate(lines, 1):
            try:
                step = parse_step(line)
            except CorruptRecord:
                # The text would be of hidden cards, and is on its way to a log.
                raise CorruptRecord(f"step {number} of the session cannot be read") from None
            if self.ended and isinstance(step, NewRules | Removal):
                continue
            if isinstance(step, Removal):
                # What was proposed is still to come, for nothing was proposed behind this.
                self._attendance.was_removed(step.seat, now)
                continue
            outbox.proposed.clear()
            if self.ended or not self.past.can_be_next(step, self.game):
                raise CorruptRecord(f"step {number} of the session does not fit the game")
            if isinstance(step, Play | Pass | ChooseMoon | AnswerAgain) and step.player >= 0:
                self.seats[step.player].remember(step.by, self.setting)
            self._steps.do(step, now, asks=False)
        # Whoever was asked on the way has chosen.
        self.turns.ask_next(now)
        games.bound = bound
        if bound.is_reached(self.past.deals_over) and self.past.is_between_hands(self.game):
            outbox.end(bound.why)
        elif self._attendance.is_deserted and not self.ended:
            outbox.end(NOBODY_LEFT)
        self.said_of_deals = outbox.said_of_deals()
        # A server can die after the last answer is stored and before the session's end is.
        outbox.effects = [effect for effect in outbox.effects if isinstance(effect, Ended)]
        if not self.ended:
            self.seats.leave_all(now)
            for seat in self.seats:
                seat.next_hash = None if seat.kind is Kind.CLIENT else b""
            if self._next_deal.is_under_way:
                outbox.proposed.clear()
                self._next_deal.take_up(now)
            outbox.effects = list(map(Persist, outbox.proposed))
        return outbox.effects

    def step(self, given: Input, now: float) -> list[Effect]:
        """Take one input; the effects that follow, to be carried out in order.

        An input that comes too late for anything (after the end, for a request that is settled)
        has no effect.
        """
        outbox = self._outbox
        if outbox.is_closed:
            return []
        outbox.effects = []
        # These come with each card; see "Values" in ARCHITECTURE.md.
        if type(given) is Chosen:
            self.turns.choose(given.player, given.choice, now)
            return outbox.effects
        if type(given) is Durable:
            self._steps.do(parse_step(outbox.proposed.popleft()), now)
            return outbox.effects
        if type(given) is ClientCaughtUp:
            self.seats.caught_up(given.player, now)
            return outbox.effects
        match given:
            case Answered(request, choice):
                self.turns.take_answer(request, choice)
            case Tick():
                self._expire(now)
            case StoodStill(seconds):
                self.seats.stood_still(seconds)
                self._wishes.stood_still(seconds)
            case CameLate(player):
                self.seats.hear(player)
            case ClientLeft(player):
                self._attendance.leave(player, now)
            case ClientCameBack(player):
                self._attendance.come_back(player, now)
            case Drain():
                self._games.drain()
            case Able(player, votes, next_hash):
                self.seats[player].votes = votes
                self._next_deal.offer(player, next_hash)
            case ProposeRules() | ProposeAbort() | ReplacePlayer() | OpenSeat():
                self._wishes.grant(given, now)
                self._steps.abort_if_agreed()
            case ClaimRest():
                self.turns.rest.claim(given)
            case Resign(player):
                self._attendance.resign(given, now)
            case Vote(player, agreed):
                self._ballot.vote(player, agreed)
                self._steps.abort_if_agreed()
            case GiveSeat(player, agreed):
                self._attendance.answer_for_seat(player, agreed, now)
            case TakeSeat(seat, name, process_id):
                self._seat_changes.take(seat, name, process_id)
            case LeaveSeat(seat):
                self._seat_changes.leave(seat)
            case RemovePlayer(seat):
                self._attendance.remove(seat)
            case _:
                assert_never(given)
        return outbox.effects

    # Clocks and wishes

    def _expire(self, now: float) -> None:
        if self.seats.paused_at is not None:
            if now >= self.wake_at:
                self._outbox.end("nobody came back")
            return
        self._wishes.expire(now)
        for player, request in self.seats.due(now):
            self.turns.decide_for(player, request, self.seats.lose(player, request, now))
        self.seats.set_alarm()
