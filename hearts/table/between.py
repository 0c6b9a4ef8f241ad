"""What happens at a table between two hands and two games, and what it asks of whom.

SocketSpec.md section 14.8 has cuts, other rules, and seats that change hands.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from hearts.errors import Fault
from hearts.game.deal import NO_CUT, commitment
from hearts.game.events import (
    By,
    Deal,
    HandScored,
)
from hearts.game.game import Game
from hearts.game.proof import commitment_notice, disclosure_notice
from hearts.game.view import view_of

from .ballot import MOST_PROPOSALS, VOTE_LIMIT, Ballot
from .core import TableCore
from .effects import (
    Ask,
    AskBot,
    Change,
    Decline,
    GameRecorded,
    Notify,
    Tell,
)
from .messages import (
    AnswerAgain,
    Cut,
    OpenSeat,
    ProposeRules,
    Question,
    ReplacePlayer,
    Wish,
)
from .past import QUESTIONS
from .seat import Kind, Request
from .steps import AskAgain, NewRules, Promise, SeatChange
from .told import (
    AgainSettled,
    CutSettled,
    DealPromised,
    GameBegun,
    RulesProposed,
    RulesRefused,
)


class Between(TableCore):
    """A table that deals, begins games, and lets player 0 have his wishes."""

    # Asking

    def _ask(self, player: int, question: Question, now: float) -> None:
        request = self.seats.ask(player, question, now)
        seat = self.seats[player]
        by = None if question is Question.CUT else seat.bot
        if by is None or seat.connected:
            # Who is there is asked even if a bot answers at once: he can show that he is there.
            left = request.limit if by is None else 0.0
            self._effects.append(Ask(player, question, left, self._legal(question)))
        if by is not None and self.seats.paused_at is None:
            self._decide_for(player, request, by)

    def _legal(self, question: Question) -> int:
        play = self.game.play
        return play.legal() if question is Question.CARD and play is not None else 0

    def _decide_for(self, player: int, request: Request, by: By) -> None:
        if request.question is Question.CUT:
            self._cut(Cut(player, NO_CUT), by)
            return
        if request.question is Question.AGAIN:
            request.pending = True
            self._propose(AnswerAgain(player, self.seats.others_want_more(player), by))
            return
        request.bot = by
        view = view_of(self.game, player)
        self._effects.append(AskBot(request.number, request.question, view, by))

    # Games and hands

    def _begin_game(self) -> None:
        self.game = Game(self.setting.rules, self.setting.end_score)
        self._proposals = 0
        self._tell_all(GameBegun(self.setting))
        self._tell_bound()
        self._deal()

    def _tell_bound(self) -> None:
        text = self._bound.notice(self.past.hands_scored())
        if text is not None:
            self._effects.append(Notify(text))

    def _deal(self) -> None:
        if self._draining:
            self._stop()
            return
        if self._bound.is_reached(self.past.hands_scored()):
            self._end(self._bound.why)
            return
        changes = self._moves.due()
        for change in changes:
            self._propose(change)
        if changes:
            return
        deal = self._next_deal()
        if deal.secret is not None and self.seats.cutters:
            self._propose(Promise(deal.secret))
        else:
            self._propose(deal)

    def _after_hand(self, scored: HandScored, now: float) -> None:
        if scored.winners:
            self._effects.append(GameRecorded(self.record()))
            is_last = self._draining or not self._bound.allows_game(self.past.hands_scored() + 1)
            self._propose(AskAgain(None if is_last else self.seats.decider(now)))
        else:
            self.past.note_scores(self.game)
            self._announce_disclosure()
            self._tell_bound()
            self._deal()

    def _settle_again(self, answer: AnswerAgain) -> None:
        if answer.player >= 0:
            self.seats[answer.player].request = None
        self._tell_all(AgainSettled(answer.player, answer.yes, answer.by))
        if answer.yes:
            if self._agreed is not None:
                agreed, self._agreed = self._agreed, None
                self.setting = replace(self.setting, rules=agreed.rules, end_score=agreed.end_score)
            self.past.note_game(self.setting)
            self._begin_game()
        else:
            self.is_complete = True
            self._end("the players are done")

    # Promises and cuts

    @property
    def commitment(self) -> str | None:
        """The notice of the deal that is promised or played; None if there is nothing to prove."""
        secret = self._promised or (self.game.secret if self.game.phase in QUESTIONS else None)
        if secret is None:
            return None
        return commitment_notice(self.past.hands_scored() + 1, secret)

    def _announce_commitment(self) -> None:
        notice = self.commitment
        if notice is not None:
            self._announce(notice)

    def _announce_disclosure(self) -> None:
        game = self.game
        if game.secret is not None:
            self._announce(disclosure_notice(self.past.hands_scored(), game.secret, game.cuts))

    def _promise(self, secret: bytes) -> None:
        self._promised = secret
        self._announce_commitment()
        number = self.past.hands_scored() + 1
        self._tell_all(DealPromised(number, commitment(secret)))

    def _take_promise(self, deal: Deal) -> None:
        if deal.secret is not None and self._promised is None:
            self._promise(deal.secret)
        self._promised = None

    def _let_cut(self, secret: bytes, now: float) -> None:
        self._promise(secret)
        self._cuts.clear()
        for player in self.seats.cutters:
            self._ask(player, Question.CUT, now)
        self._deal_if_cut()

    def _let_cut_again(self, now: float) -> None:
        """The server was started again before the promised deal: what was cut is not known.

        Who was there before has his grace period to come back and say that he cuts.
        """
        for player, seat in enumerate(self.seats):
            if seat.kind is Kind.CLIENT and not seat.stand_in:
                self.seats.ask(player, Question.CUT, now)
        self._deal_if_cut()

    def _introduce(self, player: int, votes: bool, cuts: bool) -> None:
        seat = self.seats[player]
        was_cutter = seat.is_cutter
        seat.votes, seat.cuts = votes, cuts
        request = seat.request
        if not seat.connected or request is None or request.question is not Question.CUT:
            return
        if not seat.is_cutter:
            self._leave_uncut(player)
        elif not was_cutter:
            self._effects.append(Ask(player, Question.CUT, request.limit, 0))

    def _leave_uncut(self, player: int) -> None:
        request = self.seats[player].request
        if request is not None and request.question is Question.CUT:
            self._decide_for(player, request, By.CLOCK)

    def _cut(self, cut: Cut, by: By) -> None:
        self.seats[cut.player].request = None
        self._effects.append(Tell(cut.player, CutSettled(cut.player, by)))
        self._cuts[cut.player] = cut.data
        self._deal_if_cut()

    def _deal_if_cut(self) -> None:
        if self._promised is not None and not self.seats.are_asked(Question.CUT):
            cuts = b"".join(self._cuts.get(player, NO_CUT) for player in range(4))
            self._propose(Deal.from_secret(self._promised, cuts))

    # What player 0 may ask for, or who has his powers

    def _grant(self, wish: Wish, now: float) -> None:
        if wish.player != self.seats.first_client(now):
            self._effects.append(Decline(wish.player, wish, Fault.NOT_PLAYER_0))
            return
        match wish:
            case ProposeRules(player, rules, end_score):
                done = self._propose_rules(NewRules(rules, end_score), player, now)
            case ReplacePlayer(_, seat):
                done = self._moves.replace(seat)
            case OpenSeat(_, seat):
                done = self._moves.open(seat)
                if done:
                    self._changed(seat, Change.OPENED)
            case _:
                assert_never(wish)
        if not done:
            self._effects.append(Decline(wish.player, wish, Fault.NOT_NOW))

    def _propose_rules(self, wanted: NewRules, proposer: int, now: float) -> bool:
        if self._ballot is not None or self._proposals >= MOST_PROPOSALS:
            return False
        self._proposals += 1
        ballot = Ballot.open(wanted.rules, wanted.end_score, proposer, self.seats, now)
        if isinstance(ballot, int):
            self._tell_all(RulesRefused(ballot, "a player cannot be asked"))
        elif not ballot.waiting:
            self._propose(wanted)
        else:
            self._ballot = ballot
            proposed = RulesProposed(wanted.rules, wanted.end_score, VOTE_LIMIT)
            self._effects += (Tell(player, proposed) for player in sorted(ballot.waiting))
        return True

    def _vote(self, player: int, agreed: bool) -> None:
        ballot = self._ballot
        if ballot is None or player not in ballot.waiting:
            return
        ballot.waiting.discard(player)
        if not agreed:
            self._refuse_rules(player, "a player does not agree")
        elif not ballot.waiting:
            self._ballot = None
            self._propose(NewRules(ballot.rules, ballot.end_score))

    def _refuse_rules(self, player: int, why: str) -> None:
        self._ballot = None
        self._tell_all(RulesRefused(player, why))

    def _change_seat(self, change: SeatChange) -> None:
        self.seats.change(change.seat, change.name, change.kind)
        taken = change.kind is Kind.CLIENT
        self._changed(change.seat, Change.TAKEN if taken else Change.COMPUTER)
        self._moves.under_way -= 1
        if self._moves.under_way <= 0:
            self._deal()
