"""The games of a table, one after the other: what comes between two hands and two games."""

from __future__ import annotations

from typing import assert_never

from hearts.game.events import AbortHand, ChosenBy, HandScored
from hearts.game.game import Phase
from hearts.game.proof import commitment_notice, disclosure_notice
from hearts.game.record import Record

from .ballot import Ballot
from .bound import Bound
from .effects import GamePlayed, Restarted
from .events import (
    AgainSettled,
    DealDisclosed,
    GameAborted,
    GameBegun,
    GameScored,
    HandAborted,
)
from .history import SessionHistory
from .inputs import Abort, AnswerAgain, Question, Setting
from .next_deal import NextDeal
from .outbox import Outbox
from .replay import QUESTIONS
from .seat_changes import SeatChanges
from .seats import Seats
from .steps import AbandonGame, AskAgain


class Games:
    """The game under way, and what follows when its hand is over or it is over itself."""

    def __init__(
        self,
        setting: Setting,
        bound: Bound,
        seats: Seats,
        past: SessionHistory,
        next_deal: NextDeal,
        seat_changes: SeatChanges,
        ballot: Ballot,
        outbox: Outbox,
    ) -> None:
        self.setting = setting
        self.game = past.new_game()
        self.bound = bound
        self.is_draining = False
        """Whether no further hand is dealt, and the table stops."""
        self.are_complete = False
        """Whether the players were done, and the session ended as it should."""
        self._seats = seats
        self._past = past
        self._next_deal = next_deal
        self._seat_changes = seat_changes
        self._ballot = ballot
        self._outbox = outbox

    @property
    def commitment(self) -> str | None:
        """The notice of the deal that is promised or played; None if there is nothing to prove."""
        game = self.game
        promised = self._next_deal.promised
        if promised is not None:
            secret: bytes | None = promised.secret
        else:
            secret = game.secret if game.phase in QUESTIONS else None
        if secret is None:
            return None
        return commitment_notice(self._past.deals_over + 1, secret)

    def begin(self, now: float) -> None:
        """Begin a game."""
        self.game = self._past.new_game()
        self._outbox.tell_all(GameBegun(self.setting))
        self._tell_bound()
        self.deal(now)

    def record(self) -> Record:
        """The game under way as a record, as far as it went."""
        a, b, c, d = (seat.name for seat in self._seats)
        return Record(self.game.rules, self.game.end_score, (a, b, c, d), self._past.game_actions)

    def end_hand(self, scored: HandScored, now: float) -> None:
        """A hand is scored: the next one follows, or the question about another game."""
        game, deals = self.game, self._past.deals_over + 1
        self._ballot.end_hand(is_last=bool(scored.winners))
        if game.secret is not None:
            self._outbox.tell_all(DealDisclosed(deals, game.secret, game.cuts, game.shown))
        if scored.winners:
            # GameScored says the scores once it is stored who decides about another game.
            self._outbox.effects.append(GamePlayed(self._past.game_length))
            is_last = self.is_draining or not self.bound.allows_game(deals)
            self._outbox.propose(AskAgain(None if is_last else self._seats.decider(now)))
        else:
            self._outbox.tell_all(scored)
            self._note_scores()
            self._tell_bound()
            self.deal(now)

    def end(self, decider: int | None) -> None:
        """It is durable who decides about another game, if anybody does; so the scores count."""
        game = self.game
        self._outbox.tell_all(GameScored(game.points, game.scores, game.winners, decider))
        self._note_scores()
        if decider is None:
            self._outbox.propose(AnswerAgain(-1, False, ChosenBy.CLOCK))

    def settle(self, answer: AnswerAgain, now: float) -> None:
        """It is durable whether another game is played: it begins, or the session ends."""
        if answer.player >= 0:
            self._seats[answer.player].request = None
        self._outbox.tell_all(AgainSettled(answer.player, answer.yes, answer.by))
        if not answer.yes:
            self.are_complete = True
            self._outbox.end("the players are done")
            return
        self._begin_another(now)

    def _begin_another(self, now: float) -> None:
        self._ballot.begin_game()
        self.setting = self._past.current_setting
        self.begin(now)

    def can_abort(self, what: Abort) -> bool:
        """Whether there is a hand or a game to break off."""
        match what:
            case Abort.HAND:
                return self.game.phase in QUESTIONS
            case Abort.GAME:
                return self.game.phase is not Phase.OVER
            case _:
                assert_never(what)

    def propose_abort(self) -> None:
        """Break the hand under way off, for all have agreed; nobody chooses in it any more."""
        for seat in self._seats:
            seat.request = None
        self._outbox.propose(AbortHand())

    def abort_hand(self, now: float) -> None:
        """It is durable that a hand is broken off: it is dealt anew, or the game goes with it."""
        game, deal = self.game, self._past.deals_over
        if game.secret is not None:
            self._outbox.tell_all(DealDisclosed(deal, game.secret, game.cuts, game.shown))
            self._announce_deal()
        game.apply(AbortHand())
        why = "the players have broken the hand off"
        self._outbox.tell_all(HandAborted(deal))
        self._outbox.effects.append(Restarted(why))
        self._outbox.announce(why)
        if self._ballot.take_abort() is Abort.GAME:
            self._outbox.propose(AbandonGame())
        else:
            self._tell_bound()
            self.deal(now)

    def abort_game(self, now: float) -> None:
        """It is durable that the game is broken off: another one begins."""
        why = "the players have broken the game off; another one begins"
        self._outbox.tell_all(GameAborted())
        # Somebody may have come since the hand was broken off.
        self._outbox.effects.append(Restarted(why))
        self._outbox.announce(why)
        self._begin_another(now)

    def deal(self, now: float) -> None:
        """Go on with the next hand, or with what comes before it."""
        if self.is_draining:
            # Who was removed has his seat no more, also in the server's next life.
            if not self._seat_changes.propose(only_removed=True):
                self._outbox.stop()
        elif self.bound.is_reached(self._past.deals_over):
            self._outbox.end(self.bound.why)
        elif not self._seat_changes.propose():
            self._next_deal.propose(now)

    def drain(self) -> None:
        """Deal no further hand; between two of them the table stops at once."""
        self.is_draining = True
        seats = self._seats
        if seats.paused_at is not None or seats.are_asked(Question.AGAIN, Question.CUT):
            self._outbox.stop()

    def _note_scores(self) -> None:
        self._past.note_scores(self.game)
        self._announce_deal()

    def _announce_deal(self) -> None:
        """Tell the chat what the deal that is over followed from."""
        game = self.game
        if game.secret is not None:
            notice = disclosure_notice(self._past.deals_over, game.secret, game.cuts)
            self._outbox.announce(notice)

    def _tell_bound(self) -> None:
        text = self.bound.notice(self._past.deals_over)
        if text is not None:
            self._outbox.notify(text)
