"""The coming and going of clients: they leave, resign, are removed or come back."""

from __future__ import annotations

from math import inf

from hearts.game.events import ChosenBy
from hearts.wire.text import quoted

from . import next_deal, seats, turns, wishes
from .effects import Change, Dismiss, Granted, Removed
from .inputs import Resign
from .seat import Kind
from .state import SessionState
from .steps import Removal

NOBODY_LEFT = "nobody is left at the table"
"""The reason for the end of a session whose last player is gone for good."""
_HAS_LEFT = "a player has left"


def leave(state: SessionState, player: int, now: float) -> None:
    """Let the others go on without a client whose connection is gone; the table pauses if it was
    the last one."""
    seat = state.seats[player]
    if not seat.connected:
        return
    _disconnect(state, player, now)
    wishes.refuse(state, player, _HAS_LEFT)
    wishes.keep_if_gone(state, player)
    if any(each.connected for each in state.seats):
        left = seat.grace_ends(state.setting) - now
        name = quoted(seat.name)
        state.announce(f"{name} has left; the computer takes over after {left:.6g} s", player)
    else:
        _wait_for_anybody(state, now)


def _disconnect(state: SessionState, player: int, now: float) -> None:
    seat = state.seats[player]
    if seat.connected:
        seat.leave(state.setting, now)
        seats.wake_for(state, seat.request)
        wishes.withdraw(state, player)
        state.changed(player, Change.LEFT)


def come_back(state: SessionState, player: int, now: float) -> None:
    """Let a client play on that has a connection again; a paused table goes on."""
    seat = state.seats[player]
    if seat.connected:
        return
    paused_at, state.paused_at = state.paused_at, None
    if paused_at is not None:
        for each in state.seats:
            each.stood_still(now - paused_at)
    seats.forget_bot(state, seat.request)
    seat.come_back(now)
    seats.set_alarm(state)
    state.announce(f"{quoted(seat.name)} is back", player)
    state.changed(player, Change.BACK)
    if seat.skips_pass:
        seats.announce_stand_in(state, player)
    wishes.keep_seat(state, player)
    if paused_at is not None and state.commitment is not None:
        # The chat may have forgotten it, and a client that comes now has not heard it.
        state.announce(state.commitment)
    for waiting, request, by in seats.bots_on_turn(state):
        turns.decide_for(state, waiting, request, by)
    if not seat.votes:
        next_deal.sit_in_plain(state, player, now)


def resign(state: SessionState, resigned: Resign, now: float) -> None:
    """Let a client leave for good; a computer gets the seat before the next hand."""
    player = resigned.player
    seat = state.seats[player]
    if not seat.connected:
        return
    wishes.ask_no_more(state, player)
    state.effects += (Granted(player, resigned), Dismiss(player))
    wishes.give_to_computer(state, player)
    _disconnect(state, player, now)
    seat.gone_at = now - state.setting.grace
    seat.silent = True
    state.announce(f"{quoted(seat.name)} has left for good; the computer plays", player)
    state.changed(player, Change.STAND_IN)
    _go_on_without(state, player, now, "everybody has left")


def _go_on_without(state: SessionState, player: int, now: float, why_deserted: str) -> None:
    """Settle what waits for a player who is gone for good."""
    wishes.refuse(state, player, _HAS_LEFT)
    request = state.seats[player].request
    if is_deserted(state):
        state.end(why_deserted)
    elif not any(each.connected for each in state.seats):
        if state.paused_at is None:
            _wait_for_anybody(state, now)
    elif request is not None and request.is_unanswered:
        turns.decide_for(state, player, request, ChosenBy.STAND_IN)


def answer_for_seat(state: SessionState, player: int, agreed: bool, now: float) -> None:
    """Take a player's answer about their seat; if they agree they leave for good."""
    if wishes.gives_up(state, player, agreed):
        resign(state, Resign(player), now)
        if state.plans.opens:
            state.plans.opened |= {player}


def remove(state: SessionState, player: int) -> None:
    """Propose that the host removes a player, who is gone when that is durable."""
    if _can_remove(state, player):
        state.propose(Removal(player))


def _can_remove(state: SessionState, player: int) -> bool:
    seat = state.seats[player]
    return seat.kind is Kind.CLIENT and not seat.is_removed


def was_removed(state: SessionState, player: int, now: float) -> None:
    """Keep out a player whose removal was stored before the server began."""
    if _can_remove(state, player):
        _shut_out(state, player, now)
        wishes.give_to_computer(state, player)


def shut_out(state: SessionState, player: int, now: float) -> None:
    """Keep out a player, because their removal by the host is durable. A computer gets the seat
    before the next hand."""
    # A computer may have got the seat since the host said so.
    if not _can_remove(state, player):
        return
    wishes.ask_no_more(state, player)
    _shut_out(state, player, now)
    state.effects.append(Removed(player))
    wishes.give_to_computer(state, player)
    _go_on_without(state, player, now, NOBODY_LEFT)


def _shut_out(state: SessionState, player: int, now: float) -> None:
    seat = state.seats[player]
    _disconnect(state, player, now)
    # A bot plays at once, and nobody waits for the player.
    seat.is_removed = seat.silent = True
    seat.gone_at = -inf
    state.changed(player, Change.STAND_IN)
    state.notify(f"the host has removed {quoted(seat.name)}; a computer has the seat")


def is_deserted(state: SessionState) -> bool:
    """Tell whether computers have all seats, or get them before the next hand."""
    return all(
        seat.kind is Kind.COMPUTER or wishes.has_resigned(state, player)
        for player, seat in enumerate(state.seats)
    )


def _wait_for_anybody(state: SessionState, now: float) -> None:
    """Pause the table, if it may be paused."""
    if state.is_draining:
        state.stop()
    elif state.setting.pause_limit:
        pause(state, now)
    else:
        state.end(NOBODY_LEFT)


def pause(state: SessionState, now: float) -> None:
    """Stop all clocks and forget what bots think, until somebody comes back."""
    state.paused_at = now
    state.clock_ends = now + state.setting.pause_limit
    for seat in state.seats:
        seats.forget_bot(state, seat.request)


def leave_all(state: SessionState, now: float) -> None:
    """Treat every client as gone, as after a restart."""
    for player in range(4):
        _disconnect(state, player, now)
    pause(state, now)


def stand_still(state: SessionState, seconds: float) -> None:
    """Count seconds in which the host did nothing for nobody."""
    state.clock_ends += seconds
    state.votes.deadline += seconds
    state.plans.deadline += seconds
    # The whole of a pause is taken off when it ends.
    if state.paused_at is None:
        for seat in state.seats:
            seat.stood_still(seconds)
