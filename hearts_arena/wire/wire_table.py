"""The table of one match at which programs on the wire play, beside players that are called.

The game is that of a server's table, and so are all bytes. What differs is about time and faults,
for here nobody waits for a person:

- The clock of a choice starts when it is asked for, whatever the program still owes. A hand has a
  limit of its own; when it is used up the clock makes the rest of its choices at once.
- A program that is lost, or does nothing for a whole hand, plays no more: a stand-in does.
- Nobody cuts, votes, claims the rest or moves to another seat: the deals are those of the plan.
- The last hand of the match ends the game, whatever the scores are, and nobody is asked about
  another one. So a program ends as it does at a server.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from itertools import count
from math import ceil, inf

import trio
from msgspec.structs import replace

from hearts.bots import SimpleBot
from hearts.errors import Fault
from hearts.game.events import CardPlayed, ChosenBy, Deal, HandScored, MoonChosen, PassMade
from hearts.game.record import hands_of
from hearts.game.scoring import Four
from hearts.game.view import view_of
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.ports import StrictLog
from hearts.hosting.rejoin import Rejoin
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.table import effects, inputs
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import SECRET_BYTES, SeatCredentials, issue
from hearts_arena.kept.captures import captures_of
from hearts_arena.kept.moves import game_of, moves_of
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult, result_of

from .local import LocalSeat
from .wire_seat import WireSeat


class WireTable:
    """One match, from the registration of its programs to its result."""

    def __init__(self, plan: Plan, match: Match) -> None:
        self._plan = plan
        self._match = match
        self._names = [plan.entrants[entrant].name for entrant in match.seats]
        self._seat_secret = secrets.token_bytes(SECRET_BYTES)
        # All are told the same, so it is the longest.
        limits = [ceil(plan.limits_of(entrant)[0]) for entrant in match.seats]
        turn_limit = max(limits) if all(limits) else 0
        self._setting = inputs.Setting(plan.rules, plan.game_end, turn_limit, 0.0)
        players = [(name, Kind.CLIENT) for name in self._names]
        deals = (Deal.from_secret(secret(plan, match, hand)) for hand in count())
        self._table = Table(
            self._setting, players, deals.__next__, first_hand=match.first_hand, lost_limits=inf
        )
        self.log = StrictLog()
        self._host: HostedTable | None = None
        self._wired: Mapping[int, WireSeat] = {}
        self._called: Mapping[int, LocalSeat] = {}
        self._points: list[Four] = []
        self._scores: Four = (0, 0, 0, 0)
        self._winners: tuple[int, ...] = ()
        """Empty until the match is over."""

    async def play(self, wired: Sequence[WireSeat], called: Sequence[LocalSeat]) -> MatchResult:
        """Play the match in these seats, whose players attend meanwhile."""
        for program in wired:
            await program.settled.wait()
        self._wired = {seat.player: seat for seat in wired}
        self._called = {seat.player: seat for seat in called}
        host = self._host = self._hosted(wired)
        host.seat_clients(
            [
                (seat.client, seat.credentials)
                for seat in wired
                if seat.client is not None and seat.credentials is not None
            ]
        )
        host.begin(self._table.start(trio.current_time()))
        while not host.is_over:
            with trio.CancelScope(deadline=host.due) as host.alarm:
                await trio.sleep_forever()
            if not host.is_over:
                host.wake(trio.current_time())
        seats: list[WireSeat | LocalSeat] = [*wired, *called]
        for seat in seats:
            seat.finish()
        actions = self._table.past.game_actions
        counts = [seat.counts for seat in sorted(seats, key=lambda seat: seat.player)]
        moves = moves_of(actions) if self._plan.records else ""
        took = captures_of(hands_of(game_of(self._plan, self._match), actions))
        return result_of(
            self._match, self._points, self._scores, self._winners, counts, moves, took
        )

    def _hosted(self, wired: Sequence[WireSeat]) -> HostedTable:
        process_ids = {
            seat.player: seat.credentials.process_id for seat in wired if seat.credentials
        }
        a, b, c, d = (
            StoredSeat(name, Kind.CLIENT, process_ids.get(player, 0))
            for player, name in enumerate(self._names)
        )
        return HostedTable(
            self._table,
            Session(self._match.number + 1, "", True, self._setting, (a, b, c, d), 0),
            [SimpleBot()] * 4,
            secret=self._seat_secret,
            store=NoStore(),
            clock=trio.lowlevel.current_clock().current_time,
            log=self.log,
            umpire=self,
        )

    # What the seats say

    def chosen(self, chosen: inputs.Chosen) -> None:
        assert self._host is not None
        self._host.give(chosen)

    def lost(self, player: int) -> None:
        """Let the stand-in make the open choice of a program that plays no more."""
        if self._host is not None:
            self._host.give(inputs.GiveTime(player, 0.0))
            self._host.give(inputs.Tick())

    def issue(self, player: int, process_id: int) -> SeatCredentials:
        return issue(self._seat_secret, self._match.number + 1, player, process_id)

    @property
    def rejoin(self) -> Rejoin | None:
        """The way back to a seat, once the match is played."""
        return None if self._host is None else self._host.rejoin

    # What the umpire of the hosted table does

    @property
    def is_complete(self) -> bool:
        return bool(self._winners)

    def step(self, given: inputs.Input, now: float) -> list[effects.Effect]:
        if self._winners:
            return []
        match given:
            case inputs.ClientLeft(player):
                self._wired[player].hang_up()
                return []
            case inputs.Able() | inputs.ClientCameBack():
                return []
            case (
                inputs.ProposeRules()
                | inputs.ProposeAbort()
                | inputs.ReplacePlayer()
                | inputs.OpenSeat()
                | inputs.Resign()
                | inputs.ClaimRest()
                | inputs.TakeBack()
            ):
                return [effects.Decline(given.player, given, Fault.NOT_NOW)]
            case _:
                return self._watch(given, self._table.step(given, now), now)

    def _watch(
        self, given: inputs.Input, told: Sequence[effects.Effect], now: float
    ) -> list[effects.Effect]:
        done: list[effects.Effect] = []
        for effect in told:
            match effect:
                case effects.SendToAll(HandScored(points, scores) as event):
                    self._end_hand(points, scores)
                    if len(self._points) == self._plan.hands:
                        best = min(scores)
                        winners = tuple(player for player in range(4) if scores[player] == best)
                        return done + self._end(effects.GameScored(points, scores, winners, None))
                    self._notify(event)
                case effects.SendToAll(effects.GameScored(points, scores) as event):
                    self._end_hand(points, scores)
                    return done + self._end(replace(event, decider=None))
                case effects.SendToAll(event):
                    self._note(event, now)
                    self._notify(event)
                case effects.SendTo(_, event):
                    self._note(event, now)
                case effects.Ask():
                    effect = self._ask(effect, now)
                case effects.Refuse(player):
                    self._wired[player].account.refuse()
                case effects.AskBot():
                    seat = self._wired[effect.view.player]
                    if isinstance(given, inputs.Chosen):
                        # Too many tries were illegal.
                        seat.account.refuse()
                    elif seat.is_lost:
                        effect = replace(effect, by=ChosenBy.STAND_IN)
            done.append(effect)
        return done

    def _notify(self, event: effects.TableEvent) -> None:
        for seat in self._called.values():
            seat.notify(event)

    def _note(self, event: effects.TableEvent, now: float) -> None:
        match event:
            case CardPlayed(player, _, by) | PassMade(player, _, by) | MoonChosen(player, _, by):
                if player in self._wired:
                    self._wired[player].account.settle(by, now)
            case effects.DealPromised():
                for seat in self._wired.values():
                    seat.account.begin_hand()

    def _ask(self, asked: effects.Ask, now: float) -> effects.Ask:
        player = asked.player
        called = self._called.get(player)
        if called is not None:
            self._table.step(inputs.GiveTime(player, inf), now)
            called.ask(asked, view_of(self._table.game, player))
            return asked
        seat = self._wired[player]
        left = seat.account.ask(now)
        self._table.step(inputs.GiveTime(player, 0.0 if seat.is_lost else left), now)
        return replace(asked, left=left)

    def _end_hand(self, points: Four, scores: Four) -> None:
        self._points.append(points)
        self._scores = scores
        for seat in self._wired.values():
            seat.end_hand()

    def _end(self, scored: effects.GameScored) -> list[effects.Effect]:
        self._winners = scored.winners
        self._notify(scored)
        settled = effects.AgainSettled(-1, False, ChosenBy.CLOCK)
        return [
            effects.SendToAll(scored),
            effects.SendToAll(settled),
            effects.Ended("the match is over"),
        ]
