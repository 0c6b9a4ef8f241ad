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
        expect(state in self._waits, "{}, but it can be only in {}", frame, self._waits)
        if state == 401:
            free = sum(1 << player for player, info in self.people.items() if not info.kind)
            expect(players == free, "{}, but {:04b} is free", frame, free)
            self._told_free = True
            return
        expect(players > 0, "{} is for nobody", frame)
        expect(frame["waited"] >= 1000, "{} comes before a second", frame)
        there = all(
            info.kind != CPU and info.presence == THERE
            for player, info in self.people.items()
            if players >> player & 1
        )
        expect(
            not (there and self._limit) or frame["left"] >= 0, "{}: a clock runs for them", frame
        )
        if 406 <= state <= 409:
            expect(players & -players == 1 << (state - 406), "{}: not the lowest", frame)
            passed = bool(self._record.passed)
            expect(players >> self.me & 1 != passed, "{}, and have we passed: {}", frame, passed)
        elif 410 <= state <= 413:
            expect(players == 1 << (state - 410), "{}: another player", frame)
        self._check_rhythm(frame)

    def _check_rhythm(self, frame: Frame) -> None:
        """P_WAITING comes every 5 s, and earlier only where fewer are waited for."""
        waited, players = frame["waited"], frame["players"]
        before, self._waiting = self._waiting, (self._taken, waited, players)
        if before is None or before[0] != self._taken:
            return
        expect(players & ~before[2] == 0, "{}: more than {:04b}", frame, before[2])
        fewer = players != before[2]
        expect(waited >= before[1] + (0 if fewer else 1000), "{} after {}", frame, before[1])
