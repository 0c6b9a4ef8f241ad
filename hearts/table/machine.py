"""The mid-end: :class:`Table` takes one input at a time and says what is to be done.

The road of every choice: checked by the rules, printed as a line, stored, and only when the store
says that it is durable does the game move and anybody hear of it. A step runs to its end and never
calls back, so a table of four bots does not recurse. The clock is the host's: seconds from any
start, handed in with each input.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import assert_never

from hearts.errors import IllegalAction, Reason
from hearts.events import Action, By, Deal, Event, HandScored, OpenEvent
from hearts.game import Game, Phase
from hearts.record import Record
from hearts.view import seen_by, view_of

from .messages import (
    AgainSettled,
    Announce,
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameLate,
    CaughtUp,
    Choice,
    Chosen,
    Drain,
    Durable,
    Effect,
    Ended,
    GameBegun,
    GameRecorded,
    GameScored,
    HandDone,
    Input,
    Left,
    Persist,
    Question,
    Refuse,
    Setting,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)
from .seat import MAX_TRIES, Kind, Request, Seat
from .steps import AskAgain, Step, format_step, parse_step

_QUESTIONS = {
    Phase.PASS: Question.PASS,
    Phase.PLAY: Question.CARD,
    Phase.MOON: Question.MOON,
}


class Table:
    """Four seats and the games that they play one after the other."""

    def __init__(
        self,
        setting: Setting,
        players: Sequence[tuple[str, Kind]],
        draw_secret: Callable[[], bytes],
    ) -> None:
        """``players`` are the names and kinds of seats 0-3; ``draw_secret`` gives the 16 random
        bytes of each deal."""
        self.setting = setting
        self.seats = tuple(Seat(name, kind) for name, kind in players)
        self.ended = False
        self.wake_at = inf
        """When the table wants a :class:`Tick` at the latest; it may be early, never late."""
        self.game = Game(setting.rules, setting.end_score)
        self._draw_secret = draw_secret
        self._actions: list[Action] = []
        self._proposed: deque[str] = deque()
        self._decider: int | None = None
        self._draining = False
        self._requests = 0
        self._effects: list[Effect] = []

    def record(self) -> Record:
        """The game under way as a record, as far as it went."""
        a, b, c, d = (seat.name for seat in self.seats)
        return Record(
            self.setting.rules, self.setting.end_score, (a, b, c, d), tuple(self._actions)
        )

    def start(self) -> list[Effect]:
        """Begin the first game; the effects, to be carried out in order."""
        self._begin_game()
        return self._take_effects()

    def step(self, given: Input, now: float) -> list[Effect]:
        """Take one input; the effects that follow, to be carried out in order.

        An input that comes too late for anything (after the end, for a request that is settled)
        has no effect.
        """
        if self.ended:
            return []
        match given:
            case Chosen(player, choice):
                self._chosen(player, choice)
            case Durable():
                self._commit(parse_step(self._proposed.popleft()), now)
            case CaughtUp(player):
                self.seats[player].caught_up(self.setting, now)
                self._wake_for(self.seats[player].request)
            case Answered(request, choice):
                self._answered(request, choice)
            case Tick():
                self._expire(now)
            case CameLate(player):
                self.seats[player].came_late(self.setting, now)
            case Left(player):
                self._left(player, now)
            case Drain():
                self._draining = True
            case _:
                assert_never(given)
        return self._take_effects()

    def _take_effects(self) -> list[Effect]:
        effects = self._effects
        self._effects = []
        return effects

    # From a choice to its proposal

    def _chosen(self, player: int, choice: Choice | None) -> None:
        seat = self.seats[player]
        request = seat.request
        if request is None or request.pending:
            return
        seat.misses = 0
        reason = Reason.NOT_HELD if choice is None else self._why_not(choice)
        if choice is None or reason is not None:
            self._refuse(player, request, reason or Reason.NOT_HELD)
            return
        seat.self_made = True
        request.pending = True
        self._propose(choice)

    def _why_not(self, choice: Choice) -> Reason | None:
        if isinstance(choice, AnswerAgain):
            return None
        try:
            self.game.check(choice)
        except IllegalAction as error:
            return error.reason
        return None

    def _refuse(self, player: int, request: Request, reason: Reason) -> None:
        request.tries += 1
        if request.tries < MAX_TRIES:
            self._effects.append(Refuse(player, reason))
        else:
            self._decide_for(player, request, By.CLOCK)

    def _answered(self, number: int, choice: Choice) -> None:
        request = self.seats[choice.player].request
        if request is None or request.number != number or request.pending:
            return
        if not isinstance(choice, AnswerAgain):
            self.game.check(choice)
        request.pending = True
        self._propose(choice)

    def _propose(self, step: Step) -> None:
        line = format_step(step)
        self._proposed.append(line)
        self._effects.append(Persist(line))

    # From a durable step to its consequences

    def _commit(self, step: Step, now: float) -> None:
        match step:
            case AskAgain(player):
                self._tell_all(GameScored(self.game.scores, self.game.winners, player))
                self._decider = player
                if player is None:
                    self._propose(AnswerAgain(-1, False, By.CLOCK))
                else:
                    self._ask(player, Question.AGAIN, now)
            case AnswerAgain():
                self._settle_again(step)
            case _:
                self._apply(step, now)

    def _apply(self, action: Action, now: float) -> None:
        if not isinstance(action, Deal):
            self.seats[action.player].request = None
        self._actions.append(action)
        for event in self.game.apply(action):
            self._tell(event)
            if isinstance(event, HandScored):
                self._after_hand(event)
                return
        question = _QUESTIONS[self.game.phase]
        for player in self.game.waiting_for():
            if self.seats[player].request is None:
                self._ask(player, question, now)

    def _tell(self, event: Event) -> None:
        if isinstance(event, HandScored) and event.winners:
            # GameScored says the same once it is stored who decides about another game.
            return
        if isinstance(event, OpenEvent):
            self._tell_all(event)
            return
        for player, seat in enumerate(self.seats):
            if seat.kind is Kind.CLIENT:
                seen = seen_by(event, player)
                if seen is not None:
                    self._effects.append(Tell(player, seen))

    def _tell_all(self, event: TableEvent) -> None:
        self._effects.append(TellAll(event))

    # Games and hands

    def _begin_game(self) -> None:
        self.game = Game(self.setting.rules, self.setting.end_score)
        self._actions = []
        self._tell_all(GameBegun(self.setting))
        self._deal()

    def _deal(self) -> None:
        self._propose(Deal.from_secret(self._draw_secret()))

    def _after_hand(self, scored: HandScored) -> None:
        self._effects.append(HandDone(self.game.secret))
        if scored.winners:
            self._effects.append(GameRecorded(self.record()))
            connected = (player for player in range(4) if self.seats[player].connected)
            self._propose(AskAgain(None if self._draining else next(connected, None)))
        elif self._draining:
            self._end("the server shuts down")
        else:
            self._deal()

    def _settle_again(self, answer: AnswerAgain) -> None:
        if answer.player >= 0:
            self.seats[answer.player].request = None
        another = answer.yes and not self._draining
        self._tell_all(AgainSettled(answer.player, answer.yes, answer.by, another))
        if another:
            self._begin_game()
        else:
            self._end("the players are done")

    def _end(self, why: str) -> None:
        self.ended = True
        self._effects.append(Ended(why))

    # Asking, and the clocks

    def _ask(self, player: int, question: Question, now: float) -> None:
        seat = self.seats[player]
        self._requests += 1
        request = seat.ask(self._requests, question, self.setting, now)
        if seat.kind is Kind.COMPUTER:
            self._decide_for(player, request, By.COMPUTER)
        elif seat.stand_in:
            self._decide_for(player, request, By.STAND_IN)
        else:
            self._wake_for(request)
            self._effects.append(Ask(player, question))

    def _wake_for(self, request: Request | None) -> None:
        if request is not None and request.deadline < self.wake_at and request.open:
            self.wake_at = request.deadline

    def _decide_for(self, player: int, request: Request, by: By) -> None:
        if request.question is Question.AGAIN:
            others = (seat for seat in self.seats if seat is not self.seats[player])
            yes = any(seat.connected and seat.self_made for seat in others)
            request.pending = True
            self._propose(AnswerAgain(player, yes, by))
            return
        request.bot = by
        view = view_of(self.game, player)
        self._effects.append(AskBot(request.number, request.question, view, by))

    def _expire(self, now: float) -> None:
        for player, seat in enumerate(self.seats):
            request = seat.request
            if request is None or not request.open or request.deadline > now:
                continue
            seat.self_made = False
            if seat.out_of_grace(self.setting, now):
                seat.stand_in = True
                self._effects.append(Announce(f"the computer plays for {seat.name} now"))
                self._decide_for(player, request, By.STAND_IN)
            else:
                seat.misses += 1
                self._decide_for(player, request, By.CLOCK)
        self.wake_at = inf
        for seat in self.seats:
            self._wake_for(seat.request)

    def _left(self, player: int, now: float) -> None:
        seat = self.seats[player]
        if not seat.connected:
            return
        seat.leave(self.setting, now)
        self._wake_for(seat.request)
        if any(other.connected for other in self.seats):
            grace = f"{self.setting.grace:g} s"
            self._effects.append(
                Announce(f"{seat.name} has left; the computer takes over after {grace}")
            )
        else:
            self._end("nobody is left at the table")
