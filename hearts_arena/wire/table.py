"""The table of one match at which programs on the wire play, beside players that are called."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import trio

from hearts.bots import SimpleBot
from hearts.game.events import Deal
from hearts.game.rules import Rules
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.rejoin import Rejoin
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.table import Chosen, Kind, Setting, Table, Tick
from hearts.wire.credentials import SeatCredentials, issue
from hearts_arena.kept.captures import captures_of
from hearts_arena.kept.moves import moves_of
from hearts_arena.plan.results import Match, MatchResult

from .local import LocalSeat
from .seat import WireSeat
from .umpire import MatchUmpire


class MatchLog:
    """Keeps nothing; an error of ours ends the tournament."""

    def info(self, event: str, /, **values: object) -> None:
        pass

    def exception(self, event: str, /, **values: object) -> None:
        error = sys.exception()
        assert error is not None
        raise error


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
        turn_limit: int,
        seat_secret: bytes,
        keeps_record: bool = True,
    ) -> None:
        """``names`` are those of seats 0-3, ``secret_of`` gives the secret of each hand, from 0.

        With ``hands`` the match has so many, else it lasts to the end of the game. Programs are
        told the ``turn_limit``; ``seat_secret`` proves who has a seat.
        """
        self._match = match
        self._hands = hands
        self._names = names
        self._seat_secret = seat_secret
        self._keeps_record = keeps_record
        self._setting = Setting(rules, end_score, turn_limit, 0.0)
        players = [(name, Kind.CLIENT) for name in names]
        deals = _deals(secret_of).__next__
        self._table = Table(self._setting, players, deals, first_hand=match.first_hand)
        self.log = MatchLog()
        self._umpire: MatchUmpire
        self._host: HostedTable | None = None

    async def play(self, wired: Sequence[WireSeat], called: Sequence[LocalSeat]) -> MatchResult:
        """Play the match in these seats, whose players attend meanwhile."""
        for program in wired:
            await program.settled.wait()
        self._umpire = MatchUmpire(
            self._table,
            self._hands,
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
        return self._result(sorted(seats, key=lambda seat: seat.player))

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
        """A player that was called has chosen."""
        assert self._host is not None
        self._host.give(chosen)

    def lost(self, player: int) -> None:
        """A program plays no more; its open choice is the stand-in's."""
        if self._host is not None:
            self._umpire.give_up(player)
            self._host.give(Tick())

    def issue(self, player: int, process_id: int) -> SeatCredentials:
        """What proves that a program has a seat."""
        return issue(self._seat_secret, self._match.number + 1, player, process_id)

    @property
    def rejoin(self) -> Rejoin | None:
        """The way back to a seat, once the match is played."""
        return None if self._host is None else self._host.rejoin

    # The end

    def _result(self, seats: Sequence[WireSeat | LocalSeat]) -> MatchResult:
        umpire = self._umpire
        a, b, c, d = seats
        return MatchResult(
            self._match.number,
            tuple(umpire.points),
            umpire.scores[-1],
            umpire.winners,
            (a.conduct, b.conduct, c.conduct, d.conduct),
            (a.pace, b.pace, c.pace, d.pace),
            moves_of(self._table.past.game_actions) if self._keeps_record else "",
            captures_of(self._table.past.game_actions),
        )


def _deals(secret_of: Callable[[int], bytes]) -> Iterator[Deal]:
    return (Deal.from_secret(secret_of(hand)) for hand in count())
