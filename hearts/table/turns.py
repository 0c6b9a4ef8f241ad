"""Whose choice is awaited: players are asked, and a choice is checked until it can be stored."""

from __future__ import annotations

from typing import assert_never

from hearts.errors import IllegalAction, Reason
from hearts.game.events import ChosenBy, Play
from hearts.game.view import view_of

from .claimed_rest import ClaimedRest
from .effects import Ask, AskBot, Refuse
from .games import Games
from .inputs import AnswerAgain, Choice, Cut, Question
from .next_deal import NextDeal
from .outbox import Outbox
from .replay import QUESTIONS
from .seat import MAX_TRIES, Request
from .seats import Seats


class PlayerTurns:
    """Asks players, and proposes what they choose or what is chosen for them."""

    __slots__ = ("_games", "_next_deal", "_outbox", "_seats", "rest")

    def __init__(self, seats: Seats, games: Games, next_deal: NextDeal, outbox: Outbox) -> None:
        self._seats = seats
        self._games = games
        self._next_deal = next_deal
        self._outbox = outbox
        self.rest = ClaimedRest(seats, games, outbox)
        """What a player has claimed of the hand."""

    def is_deciding(self, player: int) -> bool:
        """Whether a choice of the player is made, and waits to be durable."""
        request = self._seats[player].request
        return request is not None and request.pending

    def open_question(self, player: int, now: float) -> Ask | None:
        """What a player is asked and has not chosen yet, with the time that is left."""
        request = self._seats[player].request
        if request is None or not request.is_unanswered:
            return None
        if request.is_for_hash:
            return None
        left = request.deadline - now
        free, bank = self._seats[player].account.after(now - request.asked_at)
        return Ask(player, request.question, left, request.legal, request.tries, free, bank)

    def ask_next(self, now: float) -> None:
        """Ask all whose choice the game waits for and who are not asked yet."""
        game = self._games.game
        for player in game.waiting_for():
            if self._seats[player].request is None:
                self.ask(player, QUESTIONS[game.phase], now)

    def ask(self, player: int, question: Question, now: float) -> None:
        """Ask a player; if a bot plays for him, it is asked too, unless the table is paused."""
        seat = self._seats[player]
        play = self._games.game.play if question is Question.CARD else None
        is_claimed = self.rest.is_of(play)
        by = ChosenBy.COMPUTER if is_claimed else seat.bot
        legal = play.legal() if play is not None else 0
        request = self._seats.ask(player, question, now, legal, by)
        if by is None or seat.connected:
            # A player who is there is asked even if a bot answers at once: so he can show it.
            left = request.limit if by is None else 0.0
            account = seat.account
            self._outbox.effects.append(
                Ask(player, question, left, legal, 0, account.free, account.bank)
            )
        if is_claimed:
            self.rest.choose(player, request)
        elif by is not None and self._seats.paused_at is None:
            self.decide_for(player, request, by)

    def choose(self, player: int, choice: Choice | None, now: float) -> None:
        """A client has chosen; None for a card that the player does not hold."""
        seat = self._seats[player]
        request = seat.request
        if request is None or request.pending:
            return
        if isinstance(choice, Cut):
            if not self._next_deal.cut(choice, request, now):
                self._refuse(player, request, Reason.NOT_HELD, now)
            return
        if type(choice) is Play and choice.player == player and request.legal >> choice.card & 1:
            pass
        elif choice is None:
            self._refuse(player, request, Reason.NOT_HELD, now)
            return
        elif not isinstance(choice, AnswerAgain):
            try:
                self._games.game.check(choice)
            except IllegalAction as error:
                self._refuse(player, request, error.reason, now)
                return
        seat.self_made = True
        if seat.is_played_for:
            self._seats.end_stand_in(player)
        seat.take(request, now)
        request.pending = True
        self._outbox.propose(choice)

    def _refuse(self, player: int, request: Request, reason: Reason, now: float) -> None:
        if request.question is not Question.CUT:
            self._seats.hear(player)
        request.tries += 1
        if request.tries < MAX_TRIES:
            self._outbox.effects.append(Refuse(player, reason))
        else:
            self._seats[player].take(request, now)
            self.decide_for(player, request, ChosenBy.CLOCK)

    def decide_for(self, player: int, request: Request, by: ChosenBy) -> None:
        """Let a bot choose, or settle what needs no thought."""
        match request.question:
            case Question.CUT:
                self._next_deal.miss(player, by)
            case Question.AGAIN:
                request.pending = True
                wants_more = self._seats.others_want_more(player)
                self._outbox.propose(AnswerAgain(player, wants_more, by))
            case Question.PASS | Question.CARD | Question.MOON:
                request.bot = by
                view = view_of(self._games.game, player)
                self._outbox.effects.append(AskBot(request.number, request.question, view, by))
            case _:
                assert_never(request.question)

    def take_answer(self, number: int, choice: Choice) -> None:
        """A bot has chosen, for the request of a number; nothing if that is settled."""
        request = self._seats[choice.player].request
        if request is None or request.number != number or request.pending:
            return
        if isinstance(choice, AnswerAgain | Cut):
            raise AssertionError("a bot is asked about a pass, a card or the moon only")
        self._games.game.check(choice)
        request.pending = True
        self._outbox.propose(choice)
