"""The four seats together: their open questions and deadlines, and the bots that play for them."""

from __future__ import annotations

from math import inf

from hearts.game.events import ChosenBy
from hearts.wire.text import quoted

from .effects import Change
from .inputs import Question
from .seat import Kind, Request
from .state import SessionState

HASH_LIMIT = 2.0
"""Seconds that a promise waits for a client that has just come to say whether it cuts."""


def are_asked(state: SessionState, *questions: Question) -> bool:
    """Tell whether a question of these kinds is open for anybody."""
    return any(
        seat.request is not None and seat.request.question in questions for seat in state.seats
    )


def decider(state: SessionState, now: float) -> int | None:
    """Return the player who is asked about another game: the first client for whom no bot plays."""
    for player, seat in enumerate(state.seats):
        is_here = seat.kind is Kind.CLIENT and not seat.out_of_grace(state.setting, now)
        if is_here and not seat.is_played_for:
            return player
    return state.first_client(now)


# Questions and clocks


def ask(
    state: SessionState,
    player: int,
    question: Question,
    now: float,
    legal: int = 0,
    by: ChosenBy | None = None,
) -> Request:
    """Open a request; its clock runs unless a bot chooses at once, as ``by``.

    ``legal`` are the cards that may be played, if a card is asked for.
    """
    seat = state.seats[player]
    longest = seat.account.longest
    limit = min(seat.account.turn_limit, longest)
    owing = seat.connected
    latest = now + longest
    state.requests += 1
    request = seat.request = Request(
        state.requests, question, legal, owing, limit, now, latest, latest, latest
    )
    if not owing:
        seat.start_clock(request, state.setting, now)
    if by is None and request.deadline < state.clock_ends:
        wake_for(state, request)
    return request


def wait_for_hash(state: SessionState, player: int, now: float) -> None:
    """Let the next promise wait until a client has said whether it cuts, but not for long.

    A client that is gone has its grace period to come.
    """
    seat, away = state.seats[player], state.setting.grace
    ends = now + HASH_LIMIT if seat.gone_at is None else seat.gone_at + away
    latest = now + away + HASH_LIMIT
    state.requests += 1
    seat.request = Request(
        state.requests,
        Question.CUT,
        0,
        False,
        HASH_LIMIT,
        now,
        latest,
        ends,
        ends,
        is_for_hash=True,
    )
    wake_for(state, seat.request)


def catch_up(state: SessionState, player: int, now: float) -> None:
    """Begin the clock of a client that owes nothing earlier than its open request."""
    seat = state.seats[player]
    request = seat.request
    if request is not None and request.owing:
        seat.start_clock(request, state.setting, now)
        wake_for(state, request)


def wake_for(state: SessionState, request: Request | None) -> None:
    """Set the alarm no later than the deadline of a request, unless the table is paused."""
    if request is None or request.deadline >= state.clock_ends:
        return
    if request.is_unanswered and state.paused_at is None:
        state.clock_ends = request.deadline


def set_alarm(state: SessionState) -> None:
    """Set the alarm to the earliest deadline."""
    state.clock_ends = inf
    for seat in state.seats:
        wake_for(state, seat.request)


def due(state: SessionState, now: float) -> list[tuple[int, Request]]:
    """Return the players whose time is up, and their requests."""
    return [
        (player, request)
        for player, request in state.waited_for()
        if request.is_unanswered and request.deadline <= now
    ]


def lose(state: SessionState, player: int, request: Request, now: float) -> ChosenBy:
    """Note that the time for a choice is up; return the role in which a bot makes it."""
    seat = state.seats[player]
    if request.is_for_hash:
        return ChosenBy.CLOCK
    was_played_for = seat.is_played_for
    seat.lose(request)
    is_away = seat.out_of_grace(state.setting, now)
    if is_away:
        seat.silent = True
    if seat.is_played_for and not was_played_for:
        announce_stand_in(state, player)
    return ChosenBy.STAND_IN if is_away else ChosenBy.CLOCK


def begin_hand(state: SessionState) -> None:
    """Begin the clocks of a hand; for some no stand-in plays any more."""
    people = sum(seat.kind is Kind.CLIENT for seat in state.seats)
    setting = state.setting
    has_bank = setting.is_public and setting.limit > 0 and people > 1
    for player, seat in enumerate(state.seats):
        was_played_for = seat.is_played_for
        seat.begin_hand(setting.limit, state.lost_limits, has_bank=has_bank)
        if was_played_for:
            _announce_back(state, player)


def end_with_grace(state: SessionState, player: int, now: float) -> None:
    """Let the clock of a player's open choice end after a grace period at the latest."""
    request = state.seats[player].request
    if request is not None:
        request.deadline = min(request.deadline, now + state.setting.grace)
        wake_for(state, request)


def give_time(state: SessionState, player: int, seconds: float, now: float) -> None:
    """Set the clock of a player's open choice."""
    request = state.seats[player].request
    if request is not None:
        request.owing = False
        request.deadline = now + seconds
        set_alarm(state)


# Bots in the place of players


def bots_on_turn(state: SessionState) -> list[tuple[int, Request, ChosenBy]]:
    """Return the requests that bots are to answer, with the player and the role of each."""
    return [
        (player, request, by)
        for player, request in state.waited_for()
        if request.is_unanswered
        and request.question is not Question.CUT
        and (by := state.seats[player].bot_for(request.question)) is not None
    ]


def forget_bot(state: SessionState, request: Request | None) -> None:
    """Let the answer of a bot that was asked mean nothing."""
    if request is not None and request.bot is not None and not request.pending:
        state.requests += 1
        request.number = state.requests
        request.bot = None


def stand_in_for(state: SessionState, player: int) -> None:
    """Let a stand-in play for a client until something is heard of the player."""
    was_played_for = state.seats[player].is_played_for
    state.seats[player].silent = True
    if not was_played_for:
        announce_stand_in(state, player)


def end_silence(state: SessionState, player: int) -> None:
    """Ask a player again before a bot, because their choice was illegal or late."""
    seat = state.seats[player]
    if seat.connected and seat.silent:
        seat.silent = False
        _announce_back(state, player)


def end_stand_in(state: SessionState, player: int) -> None:
    """Let no bot play any more for a player who has made a choice."""
    seat = state.seats[player]
    seat.silent = seat.is_absent = False
    _announce_back(state, player)


def skip_pass(state: SessionState, player: int) -> None:
    """Let a stand-in pass for a client, whatever is heard of the player."""
    seat = state.seats[player]
    was_played_for, seat.skips_pass = seat.is_played_for, True
    if not was_played_for:
        announce_stand_in(state, player)


def end_skipped_pass(state: SessionState, player: int) -> None:
    """Let a player go on whose stand-in has passed."""
    state.seats[player].skips_pass = False
    _announce_back(state, player)


def announce_stand_in(state: SessionState, player: int) -> None:
    """Tell everybody that a bot plays for a client now."""
    state.announce(f"the computer plays for {quoted(state.seats[player].name)} now", player)
    state.changed(player, Change.STAND_IN)


def _announce_back(state: SessionState, player: int) -> None:
    seat = state.seats[player]
    if seat.connected and not seat.is_played_for:
        state.announce(f"{quoted(seat.name)} is back", player)
        state.changed(player, Change.BACK)
