"""The table of one match at which programs on the wire play, beside players that are called.

The game is that of a server's table (:mod:`hearts.table`), and so are all bytes. What differs is
about time and faults, for here nobody waits for a person:

- The clock of a choice starts when it is asked for, whatever the program still owes. A hand has a
  limit of its own; when it is used up the clock makes the rest of its choices at once.
- Who has lost the connection has a few seconds to come back. Who does not, or does nothing for a
  whole hand, is lost: a stand-in plays for him to the end.
- Nobody cuts, votes or moves to another seat: the deals are those of the plan.
- The last hand of the match ends the game, whatever the scores are, and nobody is asked about
  another one. So a program ends as it does at a server.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import inf
from typing import assert_never

import trio

from hearts.game.events import (
    CardPlayed,
    ChosenBy,
    Deal,
    HandScored,
    MoonChosen,
    PassMade,
)
from hearts.game.rules import Rules
from hearts.game.scoring import Four
from hearts.game.view import view_of
from hearts.table import (
    AgainSettled,
    Announce,
    Answered,
    Ask,
    AskBot,
    Changed,
    Chosen,
    DealPromised,
    Decline,
    Durable,
    Effect,
    Ended,
    GameRecorded,
    GameScored,
    Input,
    Kind,
    Notify,
    Persist,
    Refuse,
    SessionTotals,
    Setting,
    Show,
    Stopped,
    Table,
    TableEvent,
    Tell,
    TellAll,
)

from .results import Conduct, Match, MatchResult, Pace
from .wire_account import Account, Limits
from .wire_local import LocalSeat
from .wire_record import record_text, stand_in_choice
from .wire_seat import WireSeat

_DURABLE = Durable()


class WireTable:
    """One match, from the registration of its programs to its result."""

    def __init__(
        self,
        match: Match,
        *,
        names: Sequence[str],
        rules: Rules,
        end_score: int,
        hands: int | None,
        secret_of: Callable[[int], bytes],
        limits: Limits,
        keeps_record: bool = True,
    ) -> None:
        """``names`` are those of seats 0-3, ``secret_of`` gives the secret of each hand, from 0.

        With ``hands`` the match has so many, else it lasts to the end of the game.
        """
        self._match = match
        self._limits = limits
        self._hands = hands
        self._names = names
        self._keeps_record = keeps_record
        self._points: list[Four] = []
        self._scores: list[Four] = []
        self._winners: tuple[int, ...] = ()
        setting = Setting(rules, end_score, limits.told, 0.0)
        players = [(name, Kind.CLIENT) for name in names]
        self._table = Table(setting, players, _deals(secret_of).__next__)
        self._seats: list[WireSeat | LocalSeat] = []
        self._accounts = [Account(limits) for _ in range(4)]
        self._asked: dict[int, tuple[Ask, float]] = {}
        """Whose choice on the wire is open, and when its time is up."""
        self._inputs: deque[Input] = deque()
        self._running = False
        self._alarm = trio.CancelScope()
        self._over = trio.Event()

    async def play(self, seats: Sequence[WireSeat | LocalSeat]) -> MatchResult:
        """Play the match in these seats, whose players attend meanwhile."""
        self._seats = list(seats)
        for seat in self._wire_seats():
            await seat.settled.wait()
        effects = self._table.start()
        # A single hand is played with the pass of whichever hand of a game it stands for.
        self._table.game.hand_number = self._match.first_hand - 1
        for seat in self._wire_seats():
            seat.begin()
        self._turn(effects)
        while not self._over.is_set():
            with trio.CancelScope(deadline=self._next_deadline()) as self._alarm:
                await self._over.wait()
            self._expire(trio.current_time())
        return self._result()

    def _wire_seats(self) -> Iterator[WireSeat]:
        return (seat for seat in self._seats if isinstance(seat, WireSeat))

    # What the seats say

    def chosen(self, chosen: Chosen) -> None:
        """A player has made a choice."""
        self._give(chosen)

    def lost(self, player: int, why: str) -> None:
        """A program plays no more; its open choice is the stand-in's."""
        self._accounts[player].crash()
        if player in self._asked:
            self._choose_for(player, ChosenBy.STAND_IN)
            self._turn()

    def open_question(self, player: int) -> Ask | None:
        """What a program is asked and has not chosen yet, with the time that is left."""
        if player not in self._asked:
            return None
        asked, deadline = self._asked[player]
        return replace(asked, left=deadline - trio.current_time())

    def standing(self, hands: int) -> SessionTotals:
        """Where the players stood after so many hands."""
        return self._table.past.standing(None, hands)

    # Turns

    def _give(self, given: Input) -> None:
        self._inputs.append(given)
        self._turn()

    def _turn(self, effects: Sequence[Effect] = ()) -> None:
        if self._running:
            return
        self._running = True
        try:
            now = trio.current_time()
            self._carry_out(effects, now)
            while self._inputs and not self._over.is_set():
                self._carry_out(self._table.step(self._inputs.popleft(), now), now)
                if not self._inputs:
                    for seat in self._wire_seats():
                        seat.take_early()
        finally:
            self._running = False
        for seat in self._wire_seats():
            seat.flush()
        self._alarm.deadline = self._next_deadline()

    def _carry_out(self, effects: Sequence[Effect], now: float) -> None:
        for effect in effects:
            if self._over.is_set():
                return
            match effect:
                case TellAll(event):
                    self._tell_all(event, now)
                case Tell(player, event):
                    self._note(event, now)
                    self._seats[player].tell(event)
                case Persist():
                    self._inputs.append(_DURABLE)
                case Ask():
                    self._ask(effect, now)
                case Refuse(player, reason):
                    self._accounts[player].refuse()
                    seat = self._seats[player]
                    assert isinstance(seat, WireSeat)
                    seat.refuse(reason)
                case AskBot(request, question, view, by):
                    # Nobody else is decided for by the table: too many tries were illegal.
                    self._accounts[view.player].refuse()
                    self._inputs.append(Answered(request, stand_in_choice(question, view, by)))
                case Announce() | Notify() | Show() | Changed() | Decline() | GameRecorded():
                    pass
                case Ended() | Stopped():
                    raise AssertionError("a match is over before its table is")
                case _:
                    assert_never(effect)

    def _tell_all(self, event: TableEvent, now: float) -> None:
        match event:
            case HandScored(points, scores):
                self._end_hand(points, scores)
                if len(self._points) == self._hands:
                    best = min(scores)
                    winners = tuple(player for player in range(4) if scores[player] == best)
                    self._end_match(GameScored(points, scores, winners, None))
                    return
            case GameScored(points, scores):
                self._end_hand(points, scores)
                self._end_match(replace(event, decider=None))
                return
            case _:
                self._note(event, now)
        for seat in self._seats:
            seat.tell(event)

    def _note(self, event: TableEvent, now: float) -> None:
        match event:
            case CardPlayed(player, _, by) | PassMade(player, _, by) | MoonChosen(player, _, by):
                if self._asked.pop(player, None) is not None:
                    self._accounts[player].settle(by, now)
            case DealPromised():
                for account in self._accounts:
                    account.begin_hand()
            case _:
                pass

    # Choices

    def _ask(self, asked: Ask, now: float) -> None:
        player = asked.player
        seat = self._seats[player]
        if isinstance(seat, LocalSeat):
            seat.ask(asked, view_of(self._table.game, player))
            return
        deadline = self._accounts[player].ask(now)
        asked = replace(asked, left=deadline - now)
        self._asked[player] = asked, deadline
        seat.ask(asked)
        if seat.is_lost:
            self._choose_for(player, ChosenBy.STAND_IN)
        elif deadline <= now:
            self._choose_for(player, ChosenBy.CLOCK)

    def _choose_for(self, player: int, by: ChosenBy) -> None:
        # With its mark the choice takes the same road as one of the player's own.
        question = self._asked[player][0].question
        view = view_of(self._table.game, player)
        self._inputs.append(Chosen(player, stand_in_choice(question, view, by)))

    def _next_deadline(self) -> float:
        return min((deadline for _, deadline in self._asked.values()), default=inf)

    def _expire(self, now: float) -> None:
        for player, (_, deadline) in self._asked.items():
            if deadline <= now:
                self._choose_for(player, ChosenBy.CLOCK)
        self._turn()

    # The end

    def _end_hand(self, points: Four, scores: Four) -> None:
        self._points.append(points)
        self._scores.append(scores)
        for seat in self._wire_seats():
            if self._accounts[seat.player].hangs:
                seat.lose("it did nothing for a whole hand")

    def _end_match(self, scored: GameScored) -> None:
        self._winners = scored.winners
        for seat, account in zip(self._seats, self._accounts, strict=True):
            seat.tell(scored)
            seat.tell(AgainSettled(-1, False, ChosenBy.CLOCK))
            seat.finish(account.responds)
        self._over.set()

    def _result(self) -> MatchResult:
        a, b, c, d = self._conducts()
        e, f, g, h = self._paces()
        return MatchResult(
            self._match.number,
            tuple(self._points),
            self._scores[-1],
            self._winners,
            (a, b, c, d),
            (e, f, g, h),
            self._record(),
        )

    def _conducts(self) -> Iterator[Conduct]:
        for seat, account in zip(self._seats, self._accounts, strict=True):
            yield seat.conduct if isinstance(seat, LocalSeat) else account.conduct

    def _paces(self) -> Iterator[Pace]:
        for seat, account in zip(self._seats, self._accounts, strict=True):
            yield seat.pace if isinstance(seat, LocalSeat) else account.pace

    def _record(self) -> str:
        if not self._keeps_record:
            return ""
        names, game = self._names, self._table.game
        actions = self._table.past.game_actions
        return record_text(game.rules, game.end_score, names, actions, self._scores)


def _deals(secret_of: Callable[[int], bytes]) -> Iterator[Deal]:
    return (Deal.from_secret(secret_of(hand)) for hand in count())
