"""What a durable step does: the game moves, everybody hears of it, and the next one is asked."""

from __future__ import annotations

from typing import assert_never

from hearts.game.events import (
    AbortHand,
    CardPlayed,
    ChooseMoon,
    Deal,
    HandDealt,
    HandScored,
    MoonChosen,
    Pass,
    PassesExchanged,
    PassMade,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
)

from .attendance import Attendance
from .ballot import Ballot
from .effects import TellAll
from .games import Games
from .history import SessionHistory
from .inputs import AnswerAgain, Question
from .next_deal import NextDeal
from .outbox import Outbox
from .replay import QUESTIONS
from .seat_changes import SeatChanges
from .seats import Seats
from .steps import (
    AbandonGame,
    AskAgain,
    NewRules,
    Promise,
    Removal,
    SeatChange,
    Step,
)
from .turns import PlayerTurns


class DurableSteps:
    """Does each step of a session once it is durable."""

    __slots__ = (
        "_attendance", "_ballot", "_games", "_next_deal", "_outbox", "_past", "_seat_changes",
        "_seats", "_turns",
    )  # fmt: skip

    def __init__(
        self,
        seats: Seats,
        games: Games,
        past: SessionHistory,
        next_deal: NextDeal,
        turns: PlayerTurns,
        ballot: Ballot,
        seat_changes: SeatChanges,
        attendance: Attendance,
        outbox: Outbox,
    ) -> None:
        self._seats = seats
        self._games = games
        self._past = past
        self._next_deal = next_deal
        self._turns = turns
        self._ballot = ballot
        self._seat_changes = seat_changes
        self._attendance = attendance
        self._outbox = outbox

    def do(self, step: Step, now: float, *, asks: bool = True) -> None:
        """Do a step, tell what follows, and with ``asks`` ask whoever is to choose next."""
        self._past.add(step)
        if type(step) is Play or isinstance(step, Pass | ChooseMoon):
            self._seats[step.player].request = None
            self._turns.rest.tell()
        elif isinstance(step, Deal):
            self._next_deal.deal(step)
        else:
            self._go_on(step, now, asks)
            return
        game, effects = self._games.game, self._outbox.effects
        for event in game.apply(step):
            if type(event) is CardPlayed or type(event) is TrickBegun or type(event) is TrickTaken:
                effects.append(TellAll(event))
                continue
            match event:
                case TricksDone() | MoonChosen():
                    effects.append(TellAll(event))
                case HandDealt() | PassMade() | PassesExchanged():
                    self._seats.tell_each(event)
                case HandScored():
                    self._games.end_hand(event, now)
                    return
                case _:
                    assert_never(event)
        if asks and not self.abort_if_agreed():
            self._turns.ask_next(now)

    def abort_if_agreed(self) -> bool:
        """Break the hand off if all agree and no choice waits to be durable; whether it is so."""
        if self._ballot.agreed_abort is None or self._outbox.proposed:
            return False
        if self._games.game.phase not in QUESTIONS:
            return False
        self._games.propose_abort()
        return True

    def _begin_game(self) -> None:
        """Begin to count anew what counts in one game, when its first seats are settled."""
        self._seats.begin_game()
        self._seat_changes.begin_game()

    def _go_on(
        self,
        step: AbortHand
        | AbandonGame
        | AskAgain
        | AnswerAgain
        | Promise
        | NewRules
        | SeatChange
        | Removal,
        now: float,
        asks: bool,
    ) -> None:
        """A step that is no part of a hand is durable."""
        match step:
            case AbortHand():
                self._games.abort_hand(now)
            case AbandonGame():
                self._games.abort_game(now)
                self._begin_game()
            case AskAgain(decider):
                self._games.end(decider)
                if decider is not None:
                    self._turns.ask(decider, Question.AGAIN, now)
            case AnswerAgain():
                self._games.settle(step, now)
                self._begin_game()
            case Promise():
                self._next_deal.promise(step)
                if asks:
                    self._next_deal.ask(step, now)
            case NewRules():
                self._ballot.agree(step)
            case SeatChange():
                if self._seat_changes.make(step):
                    self._games.deal(now)
            case Removal(seat):
                self._attendance.shut_out(seat, now)
                self.abort_if_agreed()
            case _:
                assert_never(step)
