"""The table of one match at which programs on the wire play, beside players that are called."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import count
from math import ceil, inf

import trio

from hearts.bots import SimpleBot
from hearts.game.events import Deal
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Rejoin
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.table.inputs import Chosen, GiveTime, Setting, Tick
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import SECRET_BYTES, SeatCredentials, issue
from hearts_arena.kept.captures import captures_of
from hearts_arena.kept.moves import moves_of
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult, result_of

from .local import LocalSeat
from .seat import WireSeat
from .umpire import MatchUmpire


class MatchLog:
    """Keeps nothing; an error of ours ends the tournament."""

    def info(self, event: str, /, **values: object) -> None:
        pass

    def exception(self, event: str, /, **values: object) -> None:
        raise


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
        self._setting = Setting(plan.rules, plan.game_end, turn_limit, 0.0)
        players = [(name, Kind.CLIENT) for name in self._names]
        deals = (Deal.from_secret(secret(plan, match, hand)) for hand in count())
        self._table = Table(
            self._setting, players, deals.__next__, first_hand=match.first_hand, lost_limits=inf
        )
        self.log = MatchLog()
        self._umpire: MatchUmpire
        self._host: HostedTable | None = None

    async def play(self, wired: Sequence[WireSeat], called: Sequence[LocalSeat]) -> MatchResult:
        """Play the match in these seats, whose players attend meanwhile."""
        for program in wired:
            await program.settled.wait()
        self._umpire = MatchUmpire(
            self._table,
            self._plan.hands,
            {seat.player: seat for seat in wired},
            {seat.player: seat for seat in called},
        )
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
        umpire, actions = self._umpire, self._table.past.game_actions
        counts = [seat.counts for seat in sorted(seats, key=lambda seat: seat.player)]
        moves = moves_of(actions) if self._plan.records else ""
        took = captures_of(actions)
        return result_of(
            self._match, umpire.points, umpire.scores[-1], umpire.winners, counts, moves, took
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
            umpire=self._umpire,
        )

    # What the seats say

    def chosen(self, chosen: Chosen) -> None:
        assert self._host is not None
        self._host.give(chosen)

    def lost(self, player: int) -> None:
        """Let the stand-in make the open choice of a program that plays no more."""
        if self._host is not None:
            self._host.give(GiveTime(player, 0.0))
            self._host.give(Tick())

    def issue(self, player: int, process_id: int) -> SeatCredentials:
        return issue(self._seat_secret, self._match.number + 1, player, process_id)

    @property
    def rejoin(self) -> Rejoin | None:
        """The way back to a seat, once the match is played."""
        return None if self._host is None else self._host.rejoin
