"""The mid-end: :class:`Table` takes one input at a time and returns the effects to carry out.

The road of every choice: checked by the rules, printed as a line, stored, and only when the store
says that it is durable does the game move and anybody hear of it. A step runs to its end and never
calls back, so a table of four bots does not recurse. The clock is the host's: seconds from any
start, handed in with each input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from hearts.errors import CorruptRecord
from hearts.game import events
from hearts.game.events import CardPlayed, ChooseMoon, Deal, Pass, Play, TrickBegun, TrickTaken
from hearts.game.record import PLAYS, Record
from hearts.game.view import seen_by

from . import attendance, games, inputs, next_deal, seats, steps, turns, wishes
from .effects import Announce, Ask, Effect, Ended, Persist, RulesAgreed, SendTo, SendToAll, Show
from .inputs import AnswerAgain, Input, Question
from .seat import Kind
from .state import SessionState
from .steps import NewRules, Removal, Step, format_step, parse_step


class Table(SessionState):
    """Four seats and the games that they play one after the other."""

    # What can be asked

    @property
    def wake_at(self) -> float:
        """The time at which the table wants a :class:`Tick`; it may be early, never late."""
        return min(self.clock_ends, self.votes.deadline, self.plans.deadline)

    def record(self) -> Record:
        """Return the game under way as a record, as far as it went."""
        game = self.game
        a, b, c, d = (seat.name for seat in self.seats)
        actions, is_taken_back = self.past.game_actions, self.past.takes_back > 0
        return Record(game.rules, game.end_score, (a, b, c, d), actions, is_taken_back)

    def is_deciding(self, player: int) -> bool:
        """Tell whether a choice of the player is made, and waits to be durable."""
        request = self.seats[player].request
        return request is not None and request.pending

    def open_question(self, player: int, now: float) -> Ask | None:
        """Give the question that a player has not answered yet, with the time that is left."""
        request = self.seats[player].request
        if request is None or not request.is_unanswered or request.is_for_hash:
            return None
        left = request.deadline - now
        free, bank = self.seats[player].account.after(now - request.asked_at)
        return Ask(player, request.question, left, request.legal, request.tries, free, bank)

    # Beginning

    def start(self, now: float) -> list[Effect]:
        """Begin the first game; the effects, to be carried out in order."""
        games.begin(self, now)
        return self.effects

    def restore(self, lines: Iterable[str], now: float) -> list[Effect]:
        """Take up a stored session at its last line, in place of :meth:`start`.

        All clients count as gone, so the table is paused. Raises CorruptRecord if the rules do
        not allow what a line says.
        """
        # The bound may have been another one when the lines were stored.
        most_hands, self.most_hands = self.most_hands, 0
        self.is_read_back = True
        games.begin(self, now)
        for number, line in enumerate(lines, 1):
            play = PLAYS.get(line)
            if play is not None and self.game.retrace(play):
                # Nearly all lines, in 1.5 us in place of 6: nobody is told what follows.
                self.seats[play.player].remember(play.by, self.setting)
                self.past.add(play)
                continue
            try:
                step = parse_step(line)
            except CorruptRecord:
                # The text would be of hidden cards, and is on its way to a log.
                raise CorruptRecord(f"step {number} of the session cannot be read") from None
            if self.ended and isinstance(step, NewRules | Removal):
                continue
            if isinstance(step, Removal):
                # What was proposed is still to come, for nothing was proposed behind this.
                attendance.was_removed(self, step.seat, now)
                continue
            self.proposed.clear()
            if self.ended or not self.past.can_be_next(step, self.game):
                raise CorruptRecord(f"step {number} of the session does not fit the game")
            if isinstance(step, Play | Pass | ChooseMoon | AnswerAgain) and step.player >= 0:
                self.seats[step.player].remember(step.by, self.setting)
            self._do(step, now, asks=False)
        # All players who were asked on the way have chosen.
        self.is_read_back = False
        turns.ask_next(self, now)
        self.most_hands = most_hands
        if games.is_bound_reached(self) and self.past.is_between_hands(self.game):
            self.end(games.why_bound(self))
        elif attendance.is_deserted(self) and not self.ended:
            self.end(attendance.NOBODY_LEFT)
        said = [effect.text for effect in self.effects if isinstance(effect, Announce)]
        # A name is followed by a word, and only a deal by its number.
        self.deal_notices = [text for text in said if text[:5] == "deal " and text[5].isdigit()]
        # A server can die after the last answer is stored and before the session's end is.
        self.effects = [effect for effect in self.effects if isinstance(effect, Ended)]
        if not self.ended:
            attendance.leave_all(self, now)
            for seat in self.seats:
                seat.next_hash = None if seat.kind is Kind.CLIENT else b""
            if self.past.promise or (self.past.is_between_hands(self.game) and not self.proposed):
                next_deal.take_up(self, now)
            self.effects = [Persist(format_step(step)) for step in self.proposed]
        return self.effects

    def step(self, given: Input, now: float) -> list[Effect]:
        """Take one input; return the effects that follow, to be carried out in order.

        An input that comes too late for anything (after the end, for a request that is settled)
        has no effect.
        """
        if self.ended:
            return []
        self.effects = []
        # These come with each card; see hearts/README.md.
        if type(given) is inputs.Chosen:
            turns.choose(self, given.player, given.choice, now)
            return self.effects
        if type(given) is inputs.Durable:
            self._do(self.proposed.pop(0), now)
            return self.effects
        if type(given) is inputs.ClientCaughtUp:
            seats.catch_up(self, given.player, now)
            return self.effects
        if type(given) is inputs.Answered:
            turns.take_answer(self, given.request, given.choice)
            return self.effects
        match given:
            case inputs.Tick():
                self._expire(now)
            case inputs.GiveTime(player, seconds):
                seats.give_time(self, player, seconds, now)
            case inputs.StoodStill(seconds):
                attendance.stand_still(self, seconds)
            case inputs.CameLate(player):
                seats.end_silence(self, player)
            case inputs.ClientLeft(player):
                attendance.leave(self, player, now)
            case inputs.ClientCameBack(player):
                attendance.come_back(self, player, now)
            case inputs.Drain():
                games.drain(self)
            case inputs.Able(player, can_vote, next_hash):
                self.seats[player].votes = can_vote
                next_deal.offer(self, player, next_hash)
            case (
                inputs.ProposeRules()
                | inputs.ProposeAbort()
                | inputs.ReplacePlayer()
                | inputs.OpenSeat()
            ):
                wishes.grant(self, given, now)
                games.abort_if_agreed(self)
            case inputs.ClaimRest():
                turns.claim(self, given)
            case inputs.TakeBack():
                turns.take_back(self, given, now)
                games.abort_if_agreed(self)
            case inputs.Resign():
                attendance.resign(self, given, now)
            case inputs.Vote(player, agreed):
                wishes.vote(self, player, agreed)
                games.abort_if_agreed(self)
            case inputs.GiveSeat(player, agreed):
                attendance.answer_for_seat(self, player, agreed, now)
            case inputs.TakeSeat(seat, name, process_id):
                wishes.take_seat(self, seat, name, process_id)
            case inputs.LeaveSeat(seat):
                wishes.leave_seat(self, seat)
            case inputs.RemovePlayer(seat):
                attendance.remove(self, seat)
            case _:
                assert_never(given)
        return self.effects

    def _expire(self, now: float) -> None:
        if self.paused_at is not None:
            if now >= self.wake_at:
                self.end("nobody came back")
            return
        wishes.expire(self, now)
        for player, request in seats.due(self, now):
            turns.decide_for(self, player, request, seats.lose(self, player, request, now))
        seats.set_alarm(self)

    # What is durable

    def _do(self, step: Step, now: float, *, asks: bool = True) -> None:
        """Do a step, tell what follows, and with ``asks`` ask all who are to choose next."""
        self.past.add(step)
        if type(step) is Play or isinstance(step, (Pass, ChooseMoon)):
            self.seats[step.player].request = None
            if self.rest.untold is not None:
                turns.notify_claim(self, self.rest.untold)
            self._act(step, now, asks)
            return
        match step:
            case Deal():
                next_deal.deal(self, step)
                self._act(step, now, asks)
            case events.AbortHand():
                games.abort_hand(self, now)
            case steps.AbandonGame():
                games.abort_game(self, now)
            case steps.AskAgain(decider):
                games.end(self, decider)
                if decider is not None:
                    turns.ask(self, decider, Question.AGAIN, now)
            case AnswerAgain():
                games.settle(self, step, now)
            case steps.Promise():
                next_deal.promise(self, step)
                if asks:
                    next_deal.ask(self, step, now)
            case NewRules(rules, end_score):
                self.notify_all(RulesAgreed(rules, end_score))
            case steps.SeatChange():
                if wishes.make_change(self, step):
                    games.deal(self, now)
            case inputs.TakeBack():
                turns.undo(self, step)
                if asks and not games.abort_if_agreed(self):
                    turns.ask_next(self, now)
            case Removal(seat):
                attendance.shut_out(self, seat, now)
                games.abort_if_agreed(self)
            case _:
                assert_never(step)

    def _act(self, action: Play | Pass | ChooseMoon | Deal, now: float, asks: bool) -> None:
        for event in self.game.apply(action):
            # These come with each card; see hearts/README.md.
            if type(event) is CardPlayed or type(event) is TrickTaken or type(event) is TrickBegun:
                self.effects.append(SendToAll(event))
            elif isinstance(event, events.HandScored):
                games.end_hand(self, event, now)
                return
            elif not asks:
                pass  # It is read back, and nobody is told.
            elif isinstance(event, (events.HandDealt, events.PassMade, events.PassesExchanged)):
                self._notify_each(event)
            else:
                self.effects.append(SendToAll(event))
        if type(action) is Pass and self.seats[action.player].skips_pass:
            seats.end_skipped_pass(self, action.player)
        if asks and not (self.votes.agreed_abort and games.abort_if_agreed(self)):
            turns.ask_next(self, now)

    def _notify_each(
        self, event: events.HandDealt | events.PassMade | events.PassesExchanged
    ) -> None:
        """Tell each client what it may see of cards that do not lie open."""
        if isinstance(event, events.HandDealt):
            self.effects.append(Show(events.HandBegun(event.number, event.direction)))
        for player, seat in enumerate(self.seats):
            if seat.kind is Kind.CLIENT:
                seen = seen_by(event, player)
                if seen is not None:
                    self.effects.append(SendTo(player, seen))
