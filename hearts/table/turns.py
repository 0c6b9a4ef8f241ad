"""The turns of players: the table asks them, and checks a choice before it is stored.

A rest of a hand that a player has claimed is played out at once (DealerSpec.md section 14.8). The
claim itself is not stored. The cards that follow from it are, as choices of a computer. A table
that is taken up again in the middle of these cards goes on as if nobody had claimed anything.
"""

from __future__ import annotations

from typing import assert_never

from hearts.errors import Fault, IllegalAction, Reason
from hearts.game.cards import CARDS, by_wire
from hearts.game.events import BY_COMPUTER, ChosenBy, Pass, Play
from hearts.game.game import Phase
from hearts.game.view import card_of_rest, claim_in_words, proves_rest, view_of

from . import next_deal, seats
from .effects import (
    Ask,
    AskBot,
    Decline,
    Granted,
    Refuse,
    Restarted,
    RestClaimed,
    TakenBack,
    TellAgain,
)
from .inputs import CARD, QUESTIONS, AnswerAgain, Choice, ClaimRest, Cut, Question, TakeBack
from .seat import MAX_TRIES, Kind, Request
from .state import ClaimedRest, SessionState

MOST_TAKEN_BACK = 1000
"""Choices that are taken back in one game: each is stored."""


def ask_next(state: SessionState, now: float) -> None:
    """Ask all players that the game waits for and that are not asked yet."""
    game = state.game
    for player in game.waiting_for():
        if state.seats[player].request is None:
            ask(state, player, QUESTIONS[game.phase], now)


def ask(state: SessionState, player: int, question: Question, now: float) -> None:
    """Ask a player; if a bot plays for them, it is asked too, unless the table is paused."""
    seat = state.seats[player]
    hand = state.game.play if question is CARD else None
    is_claimed = hand is not None and hand is state.rest.hand
    by = ChosenBy.COMPUTER if is_claimed else seat.bot_for(question)
    legal = hand.legal() if hand is not None else 0
    request = seats.ask(state, player, question, now, legal, by)
    if by is None or seat.connected:
        # A player who is there is asked even if a bot answers at once: so they can show it.
        left = request.limit if by is None else 0.0
        account = seat.account
        state.effects.append(Ask(player, question, left, legal, 0, account.free, account.bank))
    if is_claimed:
        _choose_of_rest(state, player, request)
    elif by is not None and state.paused_at is None:
        decide_for(state, player, request, by)


def choose(state: SessionState, player: int, choice: Choice | None, now: float) -> None:
    """Take a client's choice; None for a card that the player does not hold."""
    seat = state.seats[player]
    request = seat.request
    if request is None or request.pending:
        return
    if type(choice) is Play and choice.player == player and request.legal >> choice.card & 1:
        pass
    elif choice is None:
        _refuse(state, player, request, Reason.NOT_HELD, now)
        return
    elif isinstance(choice, Cut):
        if not next_deal.cut(state, choice, request, now):
            _refuse(state, player, request, Reason.NOT_HELD, now)
        return
    elif isinstance(choice, Pass) and seat.skips_pass:
        return
    elif not isinstance(choice, AnswerAgain):
        try:
            state.game.check(choice)
        except IllegalAction as error:
            _refuse(state, player, request, error.reason, now)
            return
    seat.self_made = True
    if seat.is_played_for:
        seats.end_stand_in(state, player)
    seat.take(request, now)
    request.pending = True
    state.propose(choice)


def _refuse(state: SessionState, player: int, request: Request, reason: Reason, now: float) -> None:
    if request.question is not Question.CUT:
        seats.end_silence(state, player)
    request.tries += 1
    if request.tries < MAX_TRIES:
        state.effects.append(Refuse(player, reason))
    elif request.question is Question.CUT:
        seats.end_with_grace(state, player, now)
    else:
        state.seats[player].take(request, now)
        decide_for(state, player, request, ChosenBy.CLOCK)


def decide_for(state: SessionState, player: int, request: Request, by: ChosenBy) -> None:
    """Let a bot choose, or settle what needs no thought."""
    match request.question:
        case Question.CARD | Question.PASS | Question.MOON:
            before = state.past.undone.choice_of(player)
            if by is BY_COMPUTER and before is not None:
                request.pending = True
                state.propose(before)
                return
            request.bot = by
            view = view_of(state.game, player)
            state.effects.append(AskBot(request.number, request.question, view, by))
        case Question.CUT:
            next_deal.miss(state, player, by)
        case Question.AGAIN:
            request.pending = True
            others = (seat for seat in state.seats if seat is not state.seats[player])
            wants_more = any(seat.connected and seat.self_made for seat in others)
            state.propose(AnswerAgain(player, wants_more, by))
        case _:
            assert_never(request.question)


def take_answer(state: SessionState, number: int, choice: Choice) -> None:
    """Take a bot's choice for the request of a number; nothing if that is settled."""
    request = state.seats[choice.player].request
    if request is None or request.number != number or request.pending:
        return
    if type(choice) is not Play or not request.legal >> choice.card & 1:
        if isinstance(choice, (AnswerAgain, Cut)):
            raise AssertionError("a bot is asked about a pass, a card or the moon only")
        state.game.check(choice)
    request.pending = True
    state.propose(choice)


# The rest of a hand


def claim(state: SessionState, wish: ClaimRest) -> None:
    """Play the rest out if the player's own view proves that it is theirs."""
    player = wish.player
    seat, hand = state.seats[player], state.game.play
    request = seat.request
    is_asked = request is not None and request.question is Question.CARD
    if request is None or not is_asked or request.pending or hand is None or hand.trick:
        state.effects.append(Decline(player, wish, Fault.NOT_NOW))
        return
    if not proves_rest(view_of(state.game, player)):
        state.effects.append(Decline(player, wish, Fault.NOT_PROVEN))
        return
    seat.self_made = True
    if seat.is_played_for:
        seats.end_stand_in(state, player)
    rest = state.rest
    rest.claimer, rest.hand = player, hand
    rest.untold = RestClaimed(player, by_wire(hand.hands[player]))
    _choose_of_rest(state, player, request)


def _choose_of_rest(state: SessionState, player: int, request: Request) -> None:
    hand = state.rest.hand
    assert hand is not None
    card = card_of_rest(hand.legal(), is_claimed=player == state.rest.claimer)
    request.pending = True
    state.propose(Play(player, CARDS[card], ChosenBy.COMPUTER))


def notify_claim(state: SessionState, claimed: RestClaimed) -> None:
    """Tell everybody of a claim, now that its first card is durable."""
    state.rest.untold = None
    state.notify_all(claimed)
    state.announce(claim_in_words(state.seats[claimed.player].name, claimed.cards))


# Taking back, alone


def take_back(state: SessionState, wish: TakeBack, now: float) -> None:
    """Do again what was taken back, or agree to take a choice back; else tell why not.

    The choice goes back when no step waits to be durable.
    """
    if (fault := _fault(state, wish)) is not None:
        state.effects.append(Decline(wish.player, wish, fault))
        return
    state.effects.append(Granted(wish.player, wish))
    if wish.again:
        choose(state, wish.player, state.past.undone.choice_of(wish.player), now)
    else:
        state.votes.agreed_abort = wish


def _fault(state: SessionState, wish: TakeBack) -> Fault | None:
    past = state.past
    others = (each for each in enumerate(state.seats) if each[0] != wish.player)
    is_shared = any(seat.kind is Kind.CLIENT or n in state.plans.changes for n, seat in others)
    if is_shared or past.has_changed_seats or state.setting.limit:
        return Fault.NOT_ALONE
    if state.setting.is_fixed:
        return Fault.SAME_HANDS
    is_late = state.game.phase is Phase.OVER or past.takes_back >= MOST_TAKEN_BACK
    if is_late or state.votes.agreed_abort is not None:
        return Fault.NOT_NOW
    request = state.seats[wish.player].request
    is_chosen = request is not None and request.pending
    if wish.again:
        choice = past.undone.choice_of(wish.player)
        return Fault.NOT_NOW if request is None or is_chosen or choice is None else None
    return None if is_chosen or past.split(wish.player) else Fault.NOT_NOW


def undo(state: SessionState, taken: TakeBack) -> None:
    """Go back to a choice that is taken back, now that this is durable."""
    assert state.past.went_back is not None
    (state.game, hands), state.past.went_back = state.past.went_back, None
    state.rest = ClaimedRest()
    state.effects.append(Restarted("a choice was taken back"))
    state.notify_all(TakenBack(hands))
    state.effects.append(TellAgain(taken.player))
