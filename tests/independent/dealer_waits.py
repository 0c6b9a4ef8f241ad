"""For whom the dealer waits, as P_WAITING tells it (DealerSpec.md 14.2 and 14.3)."""

from __future__ import annotations

from . import client
from .client import Ticket
from .dealer_frames import CPU, THERE, Frame, expect
from .dealer_proof import Record
from .dealer_story import Story


class Waits(Story):
    """A player who is told for whom the dealer waits."""

    def __init__(
        self,
        settings: client.Settings,
        ticket: Ticket | None = None,
        records: dict[int, Record] | None = None,
        *,
        committed: bool = True,
    ) -> None:
        super().__init__(settings, ticket, records, committed=committed)
        self._told_free = False
        """Whether P_WAITING followed the latest P_REGISTER_OPPONENTS of a forming table."""
        self._waiting: tuple[int, int, int] | None = None
        """The latest P_WAITING: the place in the story, how long, and for whom."""

    def _check_waiting(self, frame: Frame) -> None:
        state, players = frame["state"], frame["players"]
        expect(state in self._waits, f"{frame}, but it can be only in {self._waits}")
        if state == 401:
            free = sum(1 << player for player, info in self.people.items() if not info.kind)
            expect(players == free, f"{frame}, but {free:04b} is free")
            self._told_free = True
            return
        expect(players > 0, f"{frame} is for nobody")
        expect(frame["waited"] >= 1000, f"{frame} comes before a second")
        there = all(
            info.kind != CPU and info.presence == THERE
            for player, info in self.people.items()
            if players >> player & 1
        )
        expect(not (there and self._limit) or frame["left"] >= 0, f"{frame}: a clock runs for them")
        if 406 <= state <= 409:
            expect(players & -players == 1 << (state - 406), f"{frame}: not the lowest")
            passed = bool(self._record.passed)
            expect(players >> self.me & 1 != passed, f"{frame}, and have we passed: {passed}")
        elif 410 <= state <= 413:
            expect(players == 1 << (state - 410), f"{frame}: another player")
        self._check_rhythm(frame)

    def _check_rhythm(self, frame: Frame) -> None:
        """P_WAITING comes every 5 s, and earlier only where fewer are waited for."""
        waited, players = frame["waited"], frame["players"]
        before, self._waiting = self._waiting, (self._taken, waited, players)
        if before is None or before[0] != self._taken:
            return
        expect(players & ~before[2] == 0, f"{frame}: more than {before[2]:04b}")
        fewer = players != before[2]
        expect(waited >= before[1] + (0 if fewer else 1000), f"{frame} after {before[1]}")
