"""The next deal: it is promised with the hashes of those who cut, and dealt with their values.

DealerSpec.md section 14.8 has the cuts, SocketSpec.md section 7.6 the promise.
"""

from __future__ import annotations

from hearts.game.cards import four
from hearts.game.cuts import NO_HASHES, FourHashes, hash_of, shown_cuts
from hearts.game.deal import commitment, commitment_notice
from hearts.game.events import ChosenBy, Deal
from hearts.wire.text import quoted

from . import seats
from .effects import Ask, CutSettled, DealPromised, SendTo
from .inputs import Cut, Question
from .seat import Request
from .state import SessionState
from .steps import Promise


def propose(state: SessionState, now: float) -> None:
    """Propose a deal, or first its promise if somebody cuts it."""
    if state.is_read_back:
        return
    if (known := state.past.undone.deal) is not None:
        state.propose(known)
        return
    drawn = state.next_deal.drawn = state.draw()
    state.next_deal.waits = True
    if drawn.secret is not None:
        for player, seat in enumerate(state.seats):
            if seat.next_hash is None and not seat.stand_in:
                seats.wait_for_hash(state, player, now)
    _go_on(state)


def promise(state: SessionState, promised: Promise) -> None:
    """Tell of a promise that is durable now, and hold the players to it."""
    _begin(state, promised.secret, promised.hashes)
    for seat, digest in zip(state.seats, promised.hashes, strict=True):
        if seat.next_hash == digest:
            seat.next_hash = b""


def take_up(state: SessionState, now: float) -> None:
    """Go on with the next deal after a restart: clients send values and hashes again.

    A player's return is not stored, so a player who was played for last is waited for as well.
    """
    for seat in state.seats:
        if not seat.is_removed:
            seat.silent = seat.is_absent = False
    if state.past.promise is not None:
        seats.begin_hand(state)
        ask(state, state.past.promise, now)
    else:
        propose(state, now)


def ask(state: SessionState, promised: Promise, now: float) -> None:
    """Ask for the values of a promise, unless its deal is known."""
    if (known := state.past.undone.deal) is not None:
        state.propose(known)
        return
    state.next_deal.values.clear()
    state.next_deal.waits = True
    for player, digest in enumerate(promised.hashes):
        seat = state.seats[player]
        if digest and (seat.connected or not seat.stand_in):
            request = seats.ask(state, player, Question.CUT, now)
            if seat.connected and not seat.votes:
                seats.end_with_grace(state, player, now)
            elif seat.connected:
                limit, account = request.limit, seat.account
                state.effects.append(
                    Ask(player, Question.CUT, limit, 0, 0, account.free, account.bank)
                )
    _go_on(state)


def sit_in_plain(state: SessionState, player: int, now: float) -> None:
    """Wait no longer than a grace period for a value of a client whose dialect has no cuts."""
    offer(state, player, b"")
    if (request := state.seats[player].request) and request.question is Question.CUT:
        seats.end_with_grace(state, player, now)


def offer(state: SessionState, player: int, next_hash: bytes | None) -> None:
    """Keep the hash of a client's next value; one that has not said so yet is waited for."""
    seat = state.seats[player]
    if next_hash is None or next_hash == seat.used_hash != b"":
        # A client that comes back has not heard of that promise yet, and says another one then.
        seat.next_hash = seat.next_hash or None
        return
    seat.next_hash = next_hash
    request = seat.request
    if request is not None and request.is_for_hash:
        seat.request = None
        _go_on(state)


def cut(state: SessionState, shown: Cut, request: Request, now: float) -> bool:
    """Take a player's value if it fits its hash; True if it does."""
    promised, player = state.past.promise, shown.player
    if promised is None or not shown.value or hash_of(shown.value) != promised.hashes[player]:
        return False
    seat = state.seats[player]
    seat.take(request, now)
    state.next_deal.values[player] = shown.value
    seat.next_hash = shown.next_hash
    _settle(state, player, ChosenBy.PLAYER)
    return True


def miss(state: SessionState, player: int, by: ChosenBy = ChosenBy.STAND_IN) -> None:
    """Stop waiting for the value or hash of a player for the next deal, if it was asked for."""
    request = state.seats[player].request
    if request is None or request.question is not Question.CUT:
        return
    if request.is_for_hash:
        state.seats[player].next_hash = b""
    else:
        seats.stand_in_for(state, player)
    _settle(state, player, by)


def _settle(state: SessionState, player: int, by: ChosenBy) -> None:
    state.seats[player].request = None
    state.effects.append(SendTo(player, CutSettled(player, by)))
    _go_on(state)


def deal(state: SessionState, dealt: Deal) -> None:
    """Tell of a deal that is durable: its promise, if that was not told, and missing values."""
    if dealt.shown is None:
        _begin(state, dealt.secret, NO_HASHES)
        return
    _forget_requests(state)
    for player in dealt.shown.missing:
        name, number = quoted(state.seats[player].name), state.past.deals_over + 1
        state.announce(f"{name} has not shown a number for deal {number}")
        seats.skip_pass(state, player)


def _begin(state: SessionState, secret: bytes | None, hashes: FourHashes) -> None:
    state.next_deal.drawn = None
    _forget_requests(state)
    seats.begin_hand(state)
    for seat, digest in zip(state.seats, hashes, strict=True):
        seat.used_hash = digest
    if secret is not None:
        number = state.past.deals_over + 1
        state.announce(commitment_notice(number, secret))
        state.notify_all(DealPromised(number, commitment(secret), hashes))


def _forget_requests(state: SessionState) -> None:
    # When steps are read back, what was waited for then is settled by what was stored next.
    for seat in state.seats:
        if seat.request is not None and seat.request.question is Question.CUT:
            seat.request = None


def _go_on(state: SessionState) -> None:
    """Propose the deal or its promise, if nobody is waited for."""
    next_deal = state.next_deal
    if not next_deal.waits or seats.are_asked(state, Question.CUT):
        return
    next_deal.waits = False
    promised, drawn = state.past.promise, next_deal.drawn
    if promised is not None:
        values = [next_deal.values.get(player, b"") for player in range(4)]
        state.propose(Deal.from_shown(promised.secret, shown_cuts(promised.hashes, values)))
        return
    assert drawn is not None
    hashes = four(
        seat.next_hash or b"" if seat.connected or not seat.stand_in else b""
        for seat in state.seats
    )
    if drawn.secret is None or hashes == NO_HASHES or state.setting.is_fixed:
        state.propose(drawn)
    else:
        state.propose(Promise(drawn.secret, hashes))
