"""The wishes of players besides choosing, and their effects (DealerSpec.md section 14.8).

Some of it is proposed to all: other rules for the next game, or that the hand or the game is broken
off. The rest is about seats: they change hands before the next hand is dealt.
"""

from __future__ import annotations

from math import inf
from typing import assert_never

from msgspec.structs import replace

from hearts.errors import Fault
from hearts.game.game import Phase
from hearts.wire.text import quoted

from .effects import (
    AbortProposed,
    AbortRefused,
    Change,
    Decline,
    Granted,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
    SendTo,
)
from .inputs import QUESTIONS, Abort, OpenSeat, ProposeAbort, ProposeRules, ReplacePlayer, TakeBack
from .seat import Kind, Seat
from .state import SessionState
from .steps import NewRules, SeatChange

SEAT_LIMIT = 60.0
"""Seconds that a player has to give up their seat; if they say nothing it stays theirs."""
VOTE_LIMIT = 60.0
"""Seconds that the players have to agree."""

MOST_PROPOSALS = 10
"""Proposals in one game: each that is agreed to is stored, and each asks everybody."""


def grant(
    state: SessionState, wish: ProposeRules | ProposeAbort | ReplacePlayer | OpenSeat, now: float
) -> None:
    """Do what a player wishes for, or tell why that is not possible."""
    is_about_absent = isinstance(wish, ReplacePlayer | OpenSeat) and _is_away(state, wish.seat)
    if state.setting.is_fixed:
        state.effects.append(Decline(wish.player, wish, Fault.NOT_NOW))
        return
    # At a public table no one player gives a seat away.
    needs_player_0 = not (is_about_absent and state.setting.is_public)
    if needs_player_0 and wish.player != state.first_client(now):
        state.effects.append(Decline(wish.player, wish, Fault.NOT_PLAYER_0))
        return
    match wish:
        case ProposeRules(player, rules, end_score):
            done = _propose(state, NewRules(rules, end_score), player, now)
        case ProposeAbort(player, what):
            phase = state.game.phase
            may = phase in QUESTIONS if what is Abort.HAND else phase is not Phase.OVER
            done = may and _propose(state, what, player, now)
        case OpenSeat(_, seat) if _open_seat(state, seat):
            return  # That everybody is told at once.
        case ReplacePlayer(player, seat) | OpenSeat(player, seat):
            ask = _give_away if is_about_absent else _ask_for_seat
            done = ask(state, seat, player, now, opens=isinstance(wish, OpenSeat))
        case _:
            assert_never(wish)
    state.effects.append(
        Granted(wish.player, wish) if done else Decline(wish.player, wish, Fault.NOT_NOW)
    )


def _propose(state: SessionState, wanted: NewRules | Abort, proposer: int, now: float) -> bool:
    """Ask everybody but the proposer and the computers, who agree; True if that is possible now."""
    votes = state.votes
    if votes.wanted is not None or votes.agreed_abort is not None:
        return False
    if votes.proposals >= MOST_PROPOSALS:
        return False
    votes.proposals += 1
    asked = [p for p in range(4) if p != proposer and state.seats[p].kind is Kind.CLIENT]
    votes.wanted = wanted
    for player in asked:
        if not (state.seats[player].connected and state.seats[player].votes):
            refuse(state, player, "a player cannot be asked")
            return True
    votes.waiting = frozenset(asked)
    votes.deadline = now + VOTE_LIMIT
    if isinstance(wanted, Abort):
        proposed: AbortProposed | RulesProposed = AbortProposed(wanted, VOTE_LIMIT)
    else:
        proposed = RulesProposed(wanted.rules, wanted.end_score, VOTE_LIMIT)
    state.effects += (SendTo(player, proposed) for player in asked)
    _count(state)
    return True


def vote(state: SessionState, player: int, agreed: bool) -> None:
    if player not in state.votes.waiting:
        return
    if not agreed:
        refuse(state, player, "a player does not agree")
        return
    state.votes.waiting -= {player}
    _count(state)


def _count(state: SessionState) -> None:
    votes = state.votes
    if votes.waiting or votes.wanted is None:
        return
    if isinstance(votes.wanted, Abort):
        votes.agreed_abort = votes.wanted
    else:
        state.propose(votes.wanted)
    _close(state)


def refuse(state: SessionState, player: int, why: str) -> None:
    """Refuse the open proposal, if there is one; ``player`` is -1 if nobody refused it."""
    wanted = state.votes.wanted
    if wanted is not None:
        _close(state)
        is_abort = isinstance(wanted, Abort)
        state.notify_all((AbortRefused if is_abort else RulesRefused)(player, why))


def expire(state: SessionState, now: float) -> None:
    """Settle what was not answered in time."""
    if now >= state.votes.deadline:
        refuse(state, -1, "not everybody has answered in time")
    if now >= state.plans.deadline:
        _keep(state, "the player has not answered in time")


def end_hand(state: SessionState, *, is_last: bool) -> None:
    """Refuse a proposal to break off the hand that is over, and with the last one the game."""
    votes = state.votes
    over = (Abort.HAND, Abort.GAME) if is_last else (Abort.HAND,)
    why = "it is over"
    if is_last and isinstance(votes.agreed_abort, TakeBack):
        state.effects.append(Decline(votes.agreed_abort.player, votes.agreed_abort, Fault.NOT_NOW))
        votes.agreed_abort = None
    if votes.agreed_abort in over:
        votes.agreed_abort = None
        state.notify_all(AbortRefused(-1, why))
    elif votes.wanted in over:
        refuse(state, -1, why)


def _close(state: SessionState) -> None:
    state.votes.wanted = None
    state.votes.waiting = frozenset()
    state.votes.deadline = inf


# Seats that change hands


def _give_away(state: SessionState, seat: int, asker: int, now: float, *, opens: bool) -> bool:
    """Give the seat of a client who is out of grace to a computer, and open it then, if enough
    players want that. True if it is possible, or waits for somebody else."""
    plans = state.plans
    if seat in plans.changes or not state.seats[seat].out_of_grace(state.setting, now):
        return False
    asking = plans.wanted.setdefault((seat, opens), set())
    is_new = asker not in asking
    asking.add(asker)
    can = {
        player
        for player, other in enumerate(state.seats)
        if player != seat and other.connected and other.votes
    }
    name = quoted(state.seats[seat].name)
    if len(asking & can) < min(2 if state.setting.is_public else 1, len(can)):
        if is_new:
            wanted = "an open seat" if opens else "a computer"
            state.notify(
                f"{quoted(state.seats[asker].name)} wants {wanted} in place of {name}, who has"
                " been away for long; so it is if somebody else asks for that too"
            )
        return is_new
    _forget_wishes(state, seat)
    give_to_computer(state, seat)
    if opens:
        plans.opened |= {seat}
    state.notify(f"a computer has the seat of {name} if nobody is back before a new hand")
    return True


def keep_seat(state: SessionState, seat: int) -> None:
    _forget_wishes(state, seat)
    state.plans.opened -= {seat}
    state.plans.changes.pop(seat, None)


def withdraw(state: SessionState, player: int) -> None:
    """Drop the wishes, about seats of others, of a player who has left."""
    for asking in state.plans.wanted.values():
        asking.discard(player)


def _forget_wishes(state: SessionState, seat: int) -> None:
    for opens in (False, True):
        state.plans.wanted.pop((seat, opens), None)


def _is_away(state: SessionState, seat: int) -> bool:
    """Tell whether a client has the seat, and its connection is lost."""
    if seat not in range(4):
        return False
    return state.seats[seat].kind is Kind.CLIENT and not state.seats[seat].connected


def give_to_computer(state: SessionState, seat: int) -> None:
    """Give the seat of a client who leaves for good to a computer, unless they come back."""
    changes = state.plans.changes
    names = [seat.name for seat in state.seats]
    for change in changes.values():
        names[change.seat] = change.name
    del names[seat]
    name = next(name for name in state.computer_names if name not in names)
    changes[seat] = SeatChange(seat, Kind.COMPUTER, 0, name)


def has_resigned(state: SessionState, seat: int) -> bool:
    """Tell whether a client who is away loses the seat before the next hand."""
    return seat in state.plans.changes and _is_away(state, seat)


def _open_seat(state: SessionState, seat: int) -> bool:
    """Open a computer's seat for a person; True if that is possible."""
    if seat not in range(4) or state.seats[seat].kind is not Kind.COMPUTER:
        return False
    if state.setting.is_closed or state.seats[seat].open or seat in state.plans.changes:
        return False
    state.seats[seat].open = True
    state.changed(seat, Change.OPENED)
    return True


def take_seat(state: SessionState, seat: int, name: str, process_id: int) -> None:
    """Keep an open seat for a person who has registered for it."""
    state.seats[seat].open = False
    state.plans.changes[seat] = SeatChange(seat, Kind.CLIENT, process_id, name)


def leave_seat(state: SessionState, seat: int) -> None:
    """Open a seat again, because its new person has left before it was theirs."""
    if state.plans.changes.pop(seat, None) is not None:
        state.seats[seat].open = True


def propose_changes(state: SessionState, now: float, *, only_removed: bool = False) -> bool:
    """Propose the changes that are due between two hands; True if there are any.

    Nobody loses a seat before their grace is over, even if the change was granted. ``only_removed``
    leaves it at the seats of players whom the host has removed.
    """
    plans, seats = state.plans, state.seats
    changes = [
        change
        for change in plans.changes.values()
        if change.kind is Kind.CLIENT or seats[change.seat].out_of_grace(state.setting, now)
        if seats[change.seat].is_removed or not only_removed
    ]
    plans.changes.clear()
    plans.opened &= {change.seat for change in changes}
    plans.under_way = len(changes)
    for change in changes:
        state.propose(change)
    return bool(changes)


def make_change(state: SessionState, change: SeatChange) -> bool:
    """Make a change that is durable; True if it was the last of those that were proposed."""
    plans = state.plans
    state.seats[change.seat] = Seat(change.name, change.kind)
    taken = change.kind is Kind.CLIENT
    people = sum(seat.kind is Kind.CLIENT for seat in state.seats)
    state.setting = replace(state.setting, turn_limit=state.past.set_clocks(people))
    state.changed(change.seat, Change.TAKEN if taken else Change.COMPUTER)
    if change.seat in plans.opened:
        plans.opened -= {change.seat}
        _open_seat(state, change.seat)
    plans.under_way -= 1
    return plans.under_way <= 0


# A player who is there is asked, one at a time


def _ask_for_seat(state: SessionState, player: int, asker: int, now: float, *, opens: bool) -> bool:
    """Ask a player for their seat, to open it for a person if ``opens``; True if that is
    possible."""
    plans = state.plans
    if plans.asked >= 0 or player == asker or player not in range(4):
        return False
    seat = state.seats[player]
    if not (seat.connected and seat.votes) or seat.keeps_seat:
        return False
    plans.asked, plans.asker, plans.opens = player, asker, opens
    plans.deadline = now + SEAT_LIMIT
    state.effects.append(SendTo(player, SeatWanted(asker, opens, SEAT_LIMIT)))
    return True


def gives_up(state: SessionState, player: int, agreed: bool) -> bool:
    """Take a player's answer; True if they were asked and give up their seat."""
    if player != state.plans.asked:
        return False
    if not agreed:
        _keep(state, "the player does not agree")
        return False
    ask_no_more(state, player)
    return True


def keep_if_gone(state: SessionState, player: int) -> None:
    """Keep the seat of a player who was asked for it, if their connection is gone."""
    if player == state.plans.asked:
        _keep(state, "the player has left", may_ask_again=True)


def ask_no_more(state: SessionState, player: int) -> None:
    """Ask a player no more, if they were asked."""
    if player == state.plans.asked:
        state.plans.asked = state.plans.asker = -1
        state.plans.deadline = inf


def _keep(state: SessionState, why: str, *, may_ask_again: bool = False) -> None:
    player, asker = state.plans.asked, state.plans.asker
    if not may_ask_again:
        state.seats[player].keeps_seat = True
    ask_no_more(state, player)
    kept = SeatKept(player, why)
    state.effects += (SendTo(player, kept), SendTo(asker, kept))
