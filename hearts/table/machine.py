"""The mid-end: :class:`Table` takes one input at a time and says what is to be done.

The road of every choice: checked by the rules, printed as a line, stored, and only when the store
says that it is durable does the game move and anybody hear of it. A step runs to its end and never
calls back, so a table of four bots does not recurse. The clock is the host's: seconds from any
start, handed in with each input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from hearts.errors import CorruptRecord, IllegalAction, Reason
from hearts.game.events import (
    Action,
    By,
    ChooseMoon,
    Deal,
    HandScored,
    Pass,
    Play,
)
from hearts.wire.text import quoted

from .between import Between
from .bound import Bound
from .effects import (
    Ask,
    Change,
    Effect,
    Ended,
    Persist,
    Refuse,
)
from .messages import (
    Able,
    AnswerAgain,
    Answered,
    CameBack,
    CameLate,
    CaughtUp,
    Choice,
    Chosen,
    Cut,
    Drain,
    Durable,
    Input,
    LeaveSeat,
    Left,
    OpenSeat,
    ProposeRules,
    Question,
    ReplacePlayer,
    StoodStill,
    TakeSeat,
    Tick,
    Vote,
)
from .past import QUESTIONS
from .seat import MAX_TRIES, Request
from .steps import AskAgain, NewRules, Promise, SeatChange, Step, parse_step
from .told import (
    GameScored,
    RulesAgreed,
)


class Table(Between):
    """Four seats and the games that they play one after the other."""

    def open_question(self, player: int, now: float) -> Ask | None:
        """What a player is asked and has not chosen yet, with the time that is left."""
        request = self.seats[player].request
        if request is None or not request.open:
            return None
        if request.question is Question.CUT and not self.seats[player].is_cutter:
            return None
        left = request.deadline - now
        return Ask(player, request.question, left, self._legal(request.question), request.tries)

    def start(self) -> list[Effect]:
        """Begin the first game; the effects, to be carried out in order."""
        self._begin_game()
        return self._take_effects()

    def restore(self, lines: Iterable[str], now: float) -> list[Effect]:
        """In place of :meth:`start`: be again where the stored lines of a session lead.

        All clients count as gone, so the table is paused. Raises CorruptRecord where the rules do
        not allow what a line says.
        """
        # The bound may have been another one when the lines were stored.
        bound, self._bound = self._bound, Bound(0)
        self._begin_game()
        for number, line in enumerate(lines, 1):
            try:
                step = parse_step(line)
            except CorruptRecord:
                # The text would be of hidden cards, and is on its way to a log.
                raise CorruptRecord(f"step {number} of the session cannot be read") from None
            self._proposed.clear()
            if self.ended and isinstance(step, NewRules):
                continue
            if self.ended or not self.past.can_be_next(step, self.game):
                raise CorruptRecord(f"step {number} of the session does not fit the game")
            if isinstance(step, Play | Pass | ChooseMoon | AnswerAgain) and step.player >= 0:
                self.seats[step.player].remember(step.by, self.setting)
            self._commit(step, now)
        self._bound = bound
        if bound.is_reached(self.past.hands_scored()) and self.past.is_between_hands(self.game):
            self._end(bound.why)
        # A server can die after the last answer is stored and before the session's end is.
        self._effects = [effect for effect in self._effects if isinstance(effect, Ended)]
        if not self.ended:
            self.seats.leave_all(now)
            self.seats.pause(now)
            if self._promised is not None:
                self._proposed.clear()
                self._let_cut_again(now)
            self._effects = list(map(Persist, self._proposed))
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
            case StoodStill(seconds):
                self._stood_still(seconds)
            case CameLate(player):
                self._hear(player)
            case Left(player):
                self._left(player, now)
            case CameBack(player):
                self._came_back(player, now)
            case Drain():
                self._drain()
            case Able(player, votes, cuts):
                self._introduce(player, votes, cuts)
            case ProposeRules() | ReplacePlayer() | OpenSeat():
                self._grant(given, now)
            case Vote(player, agreed):
                self._vote(player, agreed)
            case TakeSeat(seat, name, process_id):
                self._moves.take(seat, name, process_id)
            case LeaveSeat(seat):
                self._moves.leave(seat)
            case _:
                assert_never(given)
        return self._take_effects()

    # From a choice to its proposal

    def _chosen(self, player: int, choice: Choice | None) -> None:
        seat = self.seats[player]
        request = seat.request
        if request is None or request.pending:
            return
        if isinstance(choice, Cut):
            seat.uncut = 0
            self._cut(choice, By.PLAYER)
            return
        reason = Reason.NOT_HELD if choice is None else self._why_not(choice)
        if choice is None or reason is not None:
            if request.question is not Question.CUT:
                self._hear(player)
            self._refuse(player, request, reason or Reason.NOT_HELD)
            return
        if seat.is_played_for:
            seat.silent = seat.is_absent = False
            self._is_there(player)
        seat.self_made = True
        request.pending = True
        self._propose(choice)

    def _why_not(self, choice: Choice) -> Reason | None:
        if isinstance(choice, AnswerAgain | Cut):
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
        if isinstance(choice, AnswerAgain | Cut):
            raise AssertionError("a bot is asked about a pass, a card or the moon only")
        self.game.check(choice)
        request.pending = True
        self._propose(choice)

    # From a durable step to its consequences

    def _commit(self, step: Step, now: float) -> None:
        self.past.add(step)
        match step:
            case AskAgain(player):
                game = self.game
                self.past.note_scores(game)
                self._tell_all(GameScored(game.points, game.scores, game.winners, player))
                self._announce_disclosure()
                if player is None:
                    self._propose(AnswerAgain(-1, False, By.CLOCK))
                else:
                    self._ask(player, Question.AGAIN, now)
            case AnswerAgain():
                self._settle_again(step)
            case Promise(secret):
                self._let_cut(secret, now)
            case NewRules(rules, end_score):
                self._agreed = step
                self._tell_all(RulesAgreed(rules, end_score))
            case SeatChange():
                self._change_seat(step)
            case _:
                self._apply(step, now)

    def _apply(self, action: Action, now: float) -> None:
        if not isinstance(action, Deal):
            self.seats[action.player].request = None
        else:
            self._take_promise(action)
            for player in self.seats.begin_hand():
                self._is_there(player)
        for event in self.game.apply(action):
            self._tell(event)
            if isinstance(event, HandScored):
                self._after_hand(event, now)
                return
        question = QUESTIONS[self.game.phase]
        for player in self.game.waiting_for():
            if self.seats[player].request is None:
                self._ask(player, question, now)

    # Clocks, leaving and coming back

    def _expire(self, now: float) -> None:
        if self.seats.paused_at is not None:
            if now >= self.wake_at:
                self._end("nobody came back")
            return
        if self._ballot is not None and now >= self._ballot.deadline:
            self._refuse_rules(-1, "not everybody has answered in time")
        for player, seat, request in self.seats.due(now):
            if request.question is Question.CUT:
                seat.uncut += seat.cuts
                self._decide_for(player, request, By.CLOCK)
                continue
            seat.self_made = False
            was_played_for = seat.is_played_for
            seat.lose(request)
            is_away = seat.out_of_grace(self.setting, now)
            if is_away:
                seat.silent = True
            if seat.is_played_for and not was_played_for:
                self._announce(f"the computer plays for {quoted(seat.name)} now", player)
                self._changed(player, Change.STAND_IN)
            self._decide_for(player, request, By.STAND_IN if is_away else By.CLOCK)
        self.seats.set_alarm()

    def _stood_still(self, seconds: float) -> None:
        self.seats.stood_still(seconds)
        if self._ballot is not None:
            self._ballot.deadline += seconds

    def _hear(self, player: int) -> None:
        """A choice has come that is illegal or late: the player is asked again before a bot."""
        seat = self.seats[player]
        if seat.connected and seat.silent:
            seat.silent = False
            self._is_there(player)

    def _is_there(self, player: int) -> None:
        seat = self.seats[player]
        if seat.connected and not seat.is_played_for:
            self._announce(f"{quoted(seat.name)} is back", player)
            self._changed(player, Change.BACK)

    def _left(self, player: int, now: float) -> None:
        seat = self.seats[player]
        if not seat.connected:
            return
        self.seats.leave(player, now)
        self._changed(player, Change.LEFT)
        if self._ballot is not None:
            self._refuse_rules(player, "a player has left")
        if self.seats.anybody_there:
            grace = f"{self.setting.grace:g} s"
            after = f"the computer takes over after {grace}"
            self._announce(f"{quoted(seat.name)} has left; {after}", player)
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
        self._announce(f"{quoted(seat.name)} is back", player)
        self._changed(player, Change.BACK)
        if was_paused:
            # The chat may have forgotten it, and whoever comes now has not heard it.
            self._announce_commitment()
        for waiting, request, by in self.seats.bots_on_turn():
            self._decide_for(waiting, request, by)
        if not seat.votes:
            self._leave_uncut(player)

    def _drain(self) -> None:
        self._draining = True
        between = self.seats.are_asked(Question.AGAIN) or self.seats.are_asked(Question.CUT)
        if self.seats.paused_at is not None or between:
            self._stop()
