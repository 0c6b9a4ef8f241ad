"""The mid-end: :class:`Table` takes one input at a time and says what is to be done.

The road of every choice: checked by the rules, printed as a line, stored, and only when the store
says that it is durable does the game move and anybody hear of it. A step runs to its end and never
calls back, so a table of four bots does not recurse. The clock is the host's: seconds from any
start, handed in with each input.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from hearts.errors import CorruptRecord, IllegalAction, Reason
from hearts.events import Action, By, Deal, Event, HandScored, OpenEvent
from hearts.game import Game
from hearts.proof import commitment_notice, disclosure_notice
from hearts.record import Record
from hearts.text import quoted
from hearts.view import seen_by, view_of

from .messages import (
    AgainSettled,
    Announce,
    AnswerAgain,
    Answered,
    Ask,
    AskBot,
    CameBack,
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
    Input,
    Left,
    Persist,
    Question,
    Refuse,
    Setting,
    Stopped,
    TableEvent,
    Tell,
    TellAll,
    Tick,
)
from .past import QUESTIONS, Past
from .seat import MAX_TRIES, Kind, Request
from .seats import Seats
from .steps import AskAgain, Step, format_step, parse_step


class Table:
    """Four seats and the games that they play one after the other."""

    def __init__(
        self,
        setting: Setting,
        players: Sequence[tuple[str, Kind]],
        next_deal: Callable[[], Deal],
    ) -> None:
        """``players`` are the names and kinds of seats 0-3; ``next_deal`` gives each deal."""
        self.setting = setting
        self.seats = Seats(setting, players)
        self.past = Past(setting)
        self.ended = False
        """Whether it takes no more input."""
        self.game = Game(setting.rules, setting.end_score)
        self._next_deal = next_deal
        self._proposed: deque[str] = deque()
        self._draining = False
        self._effects: list[Effect] = []

    def record(self) -> Record:
        """The game under way as a record, as far as it went."""
        a, b, c, d = (seat.name for seat in self.seats)
        return Record(
            self.setting.rules, self.setting.end_score, (a, b, c, d), self.past.game_actions
        )

    @property
    def wake_at(self) -> float:
        """When the table wants a :class:`Tick` at the latest; it may be early, never late."""
        return self.seats.wake_at

    @property
    def is_complete(self) -> bool:
        """Whether the players were done, and the session ended as it should."""
        return isinstance(self.past.last, AnswerAgain) and not self.past.last.yes

    def is_deciding(self, player: int) -> bool:
        """Whether a choice of the player is made, and waits to be durable."""
        request = self.seats[player].request
        return request is not None and request.pending

    def start(self) -> list[Effect]:
        """Begin the first game; the effects, to be carried out in order."""
        self._begin_game()
        return self._take_effects()

    def restore(self, lines: Iterable[str], now: float) -> list[Effect]:
        """In place of :meth:`start`: be again where the stored lines of a session lead.

        All clients count as gone, so the table is paused. Raises CorruptRecord where the rules do
        not allow what a line says.
        """
        self._begin_game()
        for number, line in enumerate(lines, 1):
            try:
                step = parse_step(line)
            except CorruptRecord:
                # The text would be of hidden cards, and is on its way to a log.
                raise CorruptRecord(f"step {number} of the session cannot be read") from None
            self._proposed.clear()
            if self.ended or not self.past.can_be_next(step, self.game):
                raise CorruptRecord(f"step {number} of the session does not fit the game")
            if not isinstance(step, Deal | AskAgain) and step.player >= 0:
                self.seats[step.player].remember(step.by)
            self._commit(step, now)
        # A server can die after the last answer is stored and before the session's end is.
        self._effects = [effect for effect in self._effects if isinstance(effect, Ended)]
        if not self.ended:
            self.seats.leave_all(now)
            self.seats.pause(now)
            self._effects += map(Persist, self._proposed)
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
                self.seats.wake_for(self.seats[player].request)
            case Answered(request, choice):
                self._answered(request, choice)
            case Tick():
                self._expire(now)
            case CameLate(player):
                self.seats[player].came_late(self.setting, now)
            case Left(player):
                self._left(player, now)
            case CameBack(player):
                self._came_back(player, now)
            case Drain():
                self._drain()
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
        self.past.add(step)
        match step:
            case AskAgain(player):
                self.past.note_scores()
                self._tell_all(GameScored(self.game.scores, self.game.winners, player))
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
        events = self.game.apply(action)
        if isinstance(action, Deal):
            self._announce_deal()
        for event in events:
            self._tell(event)
            if isinstance(event, HandScored):
                self._after_hand(event)
                return
        question = QUESTIONS[self.game.phase]
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

    def _announce(self, text: str) -> None:
        self._effects.append(Announce(text))

    def _announce_deal(self) -> None:
        secret = self.game.secret
        if secret is not None and self.game.phase in QUESTIONS:
            self._announce(commitment_notice(self.past.hands_scored + 1, secret))

    # Games and hands

    def _begin_game(self) -> None:
        self.game = Game(self.setting.rules, self.setting.end_score)
        self._tell_all(GameBegun(self.setting))
        self._deal()

    def _deal(self) -> None:
        if self._draining:
            self._stop()
        else:
            self._propose(self._next_deal())

    def _after_hand(self, scored: HandScored) -> None:
        if self.game.secret is not None:
            self._announce(disclosure_notice(self.past.hands_scored + 1, self.game.secret))
        if scored.winners:
            self._effects.append(GameRecorded(self.record()))
            self._propose(AskAgain(None if self._draining else self.seats.first_client))
        else:
            self.past.note_scores()
            self._deal()

    def _settle_again(self, answer: AnswerAgain) -> None:
        if answer.player >= 0:
            self.seats[answer.player].request = None
        self._tell_all(AgainSettled(answer.player, answer.yes, answer.by))
        if answer.yes:
            self.past.note_game()
            self._begin_game()
        else:
            self._end("the players are done")

    def _end(self, why: str) -> None:
        self.ended = True
        self._effects.append(Ended(why))

    def _stop(self) -> None:
        self.ended = True
        self._effects.append(Stopped("the server shuts down"))

    def _drain(self) -> None:
        self._draining = True
        if self.seats.paused_at is not None or self.seats.asked_about_another_game:
            self._stop()

    # Asking, and the clocks

    def _ask(self, player: int, question: Question, now: float) -> None:
        request = self.seats.ask(player, question, now)
        by = self.seats[player].bot
        if by is None:
            self._effects.append(Ask(player, question))
        elif self.seats.paused_at is None:
            self._decide_for(player, request, by)

    def _decide_for(self, player: int, request: Request, by: By) -> None:
        if request.question is Question.AGAIN:
            request.pending = True
            self._propose(AnswerAgain(player, self.seats.others_want_more(player), by))
            return
        request.bot = by
        view = view_of(self.game, player)
        self._effects.append(AskBot(request.number, request.question, view, by))

    def _expire(self, now: float) -> None:
        if self.seats.paused_at is not None:
            if now >= self.wake_at:
                self._end("nobody came back")
            return
        for player, seat, request in self.seats.due(now):
            seat.self_made = False
            if seat.out_of_grace(self.setting, now):
                seat.stand_in = True
                self._announce(f"the computer plays for {quoted(seat.name)} now")
                self._decide_for(player, request, By.STAND_IN)
            else:
                seat.misses += 1
                self._decide_for(player, request, By.CLOCK)
        self.seats.set_alarm()

    # Leaving and coming back

    def _left(self, player: int, now: float) -> None:
        seat = self.seats[player]
        if not seat.connected:
            return
        self.seats.leave(player, now)
        if self.seats.anybody_there:
            grace = f"{self.setting.grace:g} s"
            self._announce(f"{quoted(seat.name)} has left; the computer takes over after {grace}")
        elif self._draining:
            self._stop()
        elif self.setting.pause_limit:
            self.seats.pause(now)
        else:
            self._end("nobody is left at the table")

    def _came_back(self, player: int, now: float) -> None:
        seat = self.seats[player]
        if seat.connected:
            return
        was_paused = self.seats.come_back(player, now)
        self._announce(f"{quoted(seat.name)} is back")
        if was_paused:
            # The chat may have forgotten it, and whoever comes now has not heard it.
            self._announce_deal()
            for waiting, request, by in self.seats.bots_on_turn():
                self._decide_for(waiting, request, by)
