"""The games of a session in the dealer dialect: how they begin, go on and end (DealerSpec.md 14.2).

Who comes back (14.7), takes an open seat (14.8) or looks on (14.9) hears first where the players
stand; from there on all is checked as it is for those who were there from the beginning. `Waits`
checks P_WAITING besides (14.3).
"""

from __future__ import annotations

from collections.abc import Generator

from . import dealer_frames as p
from .dealer_frames import CPU, THERE, FrameScore, ServerFrame, ToldRules, expect
from .dealer_hands import AGAIN, BEGINNING, Hands, bits_of
from .dealer_line import Heard
from .dealer_proof import SeatRecord
from .plain_client import Nonsense, Request, Talk
from .rules import finish


class HeardStory(Hands):
    """A session as all at the table hear it."""

    def _another_game(self, decider: int | None) -> Heard:
        return (yield from self._take(p.AGAIN_DECIDED, waits=AGAIN))

    def _games(self) -> Talk:
        yield from self._new_game()
        over = yield from self._resume()
        while True:
            while not over:
                over = yield from self._whole_hand()
            if not (yield from self._go_on()):
                break
            yield from self._new_game()
            self._sure_of_rules, over = True, False
        frame = yield from self._peek()
        raise Nonsense(f"{frame} after the last game")

    def _resume(self) -> Generator[Request, bytes, bool]:
        """What followed the last hand that we knew of; whether its game was over."""
        if not self._joins:
            return False
        standing = yield from self._take(p.STANDING)
        scores: tuple[FrameScore, ...] = standing["scores"]
        self._number, self._scores = None, scores
        ticket = self._came_with
        if ticket is None or ticket.hands < 0:
            return False
        last = self._last_scored(ticket.hands)
        if last is not None:
            self._number, due = last.number, last.scores
            expect(scores == due, "{}, but it was {} after deal {}", standing, due, last.deal)
        over = bool(ticket.flag & 1)
        _, ended, winners = finish(self.rules, self._end_score, [score.points for score in scores])
        if over:
            expect(ended and bits_of(winners) == ticket.flag >> 2, "{}: nobody has won", standing)
        self._decider = self.me if ticket.flag & 2 else None
        return over

    def _last_scored(self, hands: int) -> SeatRecord | None:
        """What we know of the latest of so many hands of ours; it sets which deal it was."""
        if self._newcomer:
            scored = [record for record in self.records.values() if record.scores is not None]
            return scored[hands - 1] if 0 < hands <= len(scored) else None
        self._deal = hands
        last = SeatRecord(0, self.me, scores=BEGINNING) if hands == 0 else self.records.get(hands)
        return last if last is not None and last.scores is not None else None

    def _new_game(self) -> Talk:
        frame = yield from self._take(p.NEW_GAME)
        rules: ToldRules = frame["rules"]
        expect(not self._sure_of_rules or rules == self._agreed, "{}, not {}", frame, self._agreed)
        self._agreed = rules
        self._rules, self._limit = rules.bits(), frame["turn limit"]
        self._end_score = rules.max_score
        expect(self._limit % 1000 == 0, "{}: the turn limit is not in whole seconds", frame)
        self._number = 0
        if self._scores is not None:
            self._scores = tuple(FrameScore(0, 0, 0, score.games) for score in self._scores)
        computers = bits_of(player for player, info in self.people.items() if info.kind == p.CPU)
        self._note("table", 1, self._rules, rules.max_score, self._limit // 1000, computers)

    def _go_on(self) -> Generator[Request, bytes, bool]:
        decider = self._decider
        frame = yield from self._another_game(decider)
        player, yes, by = frame["player"], frame["yes"], frame["by"]
        fits = player != self.me if decider is None else player == decider
        expect(fits, "{}, but {} decides", frame, decider)
        expect(player >= 0 or not yes, "{}, but nobody wants it", frame)
        expect(by != p.A_COMPUTER, "{}, but no computer is asked", frame)
        self._note("new game", yes)
        return bool(yes)


class WaitNotice(HeardStory):
    """A player who is told for whom the dealer waits."""

    _told_free = False
    """Whether P_WAITING followed the latest P_REGISTER_OPPONENTS of a forming table."""
    _waiting: tuple[int, int, int] | None = None
    """The latest P_WAITING: the place in the story, how long, and for whom."""

    def _check_waiting(self, frame: ServerFrame) -> None:
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

    def _check_rhythm(self, frame: ServerFrame) -> None:
        """P_WAITING comes every 5 s, and earlier only where fewer are waited for."""
        waited, players = frame["waited"], frame["players"]
        before, self._waiting = self._waiting, (self._taken, waited, players)
        if before is None or before[0] != self._taken:
            return
        expect(players & ~before[2] == 0, "{}: more than {:04b}", frame, before[2])
        fewer = players != before[2]
        expect(waited >= before[1] + (0 if fewer else 1000), "{} after {}", frame, before[1])
