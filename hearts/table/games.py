"""The games of a table, one after the other: the steps between two hands and two games.

A session has a bound of hands: a player who comes back may ask for all of them again, so it cannot
go on for ever.
"""

from __future__ import annotations

from hearts.game.deal import disclosure_notice
from hearts.game.events import AbortHand, ChosenBy, HandScored

from . import next_deal, wishes
from .effects import (
    AgainSettled,
    DealDisclosed,
    GameAborted,
    GameBegun,
    GamePlayed,
    GameScored,
    HandAborted,
    Restarted,
)
from .inputs import QUESTIONS, Abort, AnswerAgain, Question, TakeBack
from .seats import are_asked, decider
from .state import SessionState
from .steps import AbandonGame, AskAgain

LAST_HANDS = 50
"""With fewer hands left than that, the game under way is the session's last."""
_TOLD_AT = (LAST_HANDS, 10, 1)


def begin(state: SessionState, now: float) -> None:
    state.game = state.past.new_game()
    state.notify_all(GameBegun(state.setting))
    _deal_again(state, now)


def _begin_another(state: SessionState, now: float) -> None:
    state.votes.proposals = 0
    state.setting = state.past.current_setting
    # Seats that are given away by the counts of the game that is over change hands by them.
    begin(state, now)
    for seat in state.seats:
        seat.begin_game()
    state.plans.wanted.clear()


def end_hand(state: SessionState, scored: HandScored, now: float) -> None:
    """Go on when a hand is scored: the next one follows, or the question about another game."""
    game = state.game
    wishes.end_hand(state, is_last=bool(scored.winners))
    _disclose(state, state.past.deals_over + 1)
    if scored.winners:
        # GameScored says the scores once it is stored who decides about another game.
        state.effects.append(GamePlayed(len(state.past.game_actions)))
        hands_left = state.most_hands - state.past.deals_over - 1
        is_last = state.is_draining or (state.most_hands > 0 and hands_left < LAST_HANDS)
        state.propose(AskAgain(None if is_last else decider(state, now)))
    else:
        state.notify_all(scored)
        state.past.note_scores(game)
        _announce_deal(state)
        _deal_again(state, now)


def end(state: SessionState, asked: int | None) -> None:
    """Tell the scores of a game, once the player who decides about another one is stored."""
    game = state.game
    state.notify_all(GameScored(game.points, game.scores, game.winners, asked))
    state.past.note_scores(game)
    _announce_deal(state)
    if asked is None:
        state.propose(AnswerAgain(-1, False, ChosenBy.CLOCK))


def settle(state: SessionState, answer: AnswerAgain, now: float) -> None:
    """Begin another game or end the session, once that is durable."""
    if answer.player >= 0:
        state.seats[answer.player].request = None
    state.notify_all(AgainSettled(answer.player, answer.yes, answer.by))
    if answer.yes:
        _begin_another(state, now)
    else:
        state.is_complete = True
        state.end("the players are done")


def abort_if_agreed(state: SessionState) -> bool:
    """Break off the hand if all agree, or take a choice back, and no choice waits to be durable;
    True if that is done.
    """
    agreed = state.votes.agreed_abort
    if agreed is None or state.proposed or state.game.phase not in QUESTIONS:
        return False
    if isinstance(agreed, TakeBack):
        state.votes.agreed_abort = None
        # Somebody may have come with a new hand.
        if state.past.has_changed_seats or state.past.split(agreed.player) is None:
            return False
    for seat in state.seats:
        seat.request = None
    state.propose(agreed if isinstance(agreed, TakeBack) else AbortHand())
    return True


def abort_hand(state: SessionState, now: float) -> None:
    """Deal again a hand that was broken off, once that is durable, or break the game off with
    it.
    """
    deal = state.past.deals_over
    _disclose(state, deal)
    _announce_deal(state)
    state.game.apply(AbortHand())
    why = "the players have broken the hand off"
    state.notify_all(HandAborted(deal))
    state.effects.append(Restarted(why))
    state.announce(why)
    agreed, state.votes.agreed_abort = state.votes.agreed_abort, None
    if agreed is Abort.GAME:
        state.propose(AbandonGame())
    else:
        _deal_again(state, now)


def abort_game(state: SessionState, now: float) -> None:
    """Begin another game in place of one that was broken off, once that is durable."""
    why = "the players have broken the game off; another one begins"
    state.notify_all(GameAborted())
    # Somebody may have come since the hand was broken off.
    state.effects.append(Restarted(why))
    state.announce(why)
    _begin_another(state, now)


def _deal_again(state: SessionState, now: float) -> None:
    hands_left = state.most_hands - state.past.deals_over
    text = bound_notice(hands_left, is_first=not state.past.deals_over)
    if text is not None:
        state.notify(text)
    deal(state, now)


def deal(state: SessionState, now: float) -> None:
    """Go on with the next hand, or with what comes before it."""
    if state.is_draining:
        # Who was removed has no seat any more, also in the server's next life.
        if not wishes.propose_changes(state, now, only_removed=True):
            state.stop()
    elif is_bound_reached(state):
        state.end(why_bound(state))
    elif not wishes.propose_changes(state, now):
        next_deal.propose(state, now)


def drain(state: SessionState) -> None:
    """Deal no further hand; between two of them the table stops at once."""
    state.is_draining = True
    if state.paused_at is not None or are_asked(state, Question.AGAIN, Question.CUT):
        state.stop()


def _disclose(state: SessionState, deal: int) -> None:
    """Disclose the secret and the cuts of a deal that is over to the players."""
    game = state.game
    if game.secret is not None:
        state.notify_all(DealDisclosed(deal, game.secret, game.cuts, game.shown))


def _announce_deal(state: SessionState) -> None:
    game = state.game
    if game.secret is not None:
        state.announce(disclosure_notice(state.past.deals_over, game.secret, game.cuts))


# The bound


def is_bound_reached(state: SessionState) -> bool:
    return 0 < state.most_hands <= state.past.deals_over


def why_bound(state: SessionState) -> str:
    return f"a session has at most {state.most_hands} hands here"


def bound_notice(left: int, *, is_first: bool) -> str | None:
    """Return the words for the players before a hand, if any; ``left`` hands can follow."""
    if not 1 <= left <= LAST_HANDS or (not is_first and left not in _TOLD_AT):
        return None
    more = "one more hand" if left == 1 else f"{left} more hands"
    return f"this session ends after {more} at the latest, and with the game that is played"
