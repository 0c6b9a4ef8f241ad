"""Matches on all cores: worker processes that play chunks of them, and survive any player.

Results come in any order, but each match is the same wherever it is played: all that it follows
from is the plan and its number.

A player that is a Python class is trusted as far as it gets: it lives in a worker, and its times
are measured and not enforced. What it does to its worker costs itself, though. A worker that dies
is replaced, and the match that it was at is played once more; if that ends another worker, the
player who was asked last is to blame. So is one who does not come back from a call for ten times
the plan's limit of a hand. A player who is to blame gets a crash in that match, and a stand-in
plays all of it.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from ctypes import Array, c_longlong
from functools import partial
from itertools import chain, islice
from math import inf
from multiprocessing.connection import wait

from msgspec.msgpack import decode, encode

from hearts.errors import HeartsError
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import match_of
from hearts_arena.play.player_process import Pipe
from hearts_client.library.bot_faults import message
from hearts_client.library.call_watch import SLOW, CallWatch, SlowCall

from .faults import Complain, FirstFaults, Say, named
from .match_runner import MatchRunner
from .player_process import PlayerProcess, context
from .players import HANDS_TO_HANG, BadPlayer

MEMORY_LIMIT = 4 << 30
"""Bytes that a worker may have unless another limit is given."""
_MOST_DEATHS = 10
"""Workers that may die of one match: more than its players can be to blame for."""
_LARGEST_CHUNK = 256
_CHUNK_SECONDS = (0.05, 0.3)
"""A chunk that takes less is followed by a larger one, and one that takes more by a smaller one."""
_CHUNKS_AHEAD = 2
"""Chunks that a worker has: one that it plays, and one that waits for that."""
_LOOK_INTERVAL = 0.25
"""Seconds between two looks at whether a player has hung."""
_NO_MATCH = -1

Job = tuple[Match, frozenset[int]]
"""A match, and the seats whose players end the process that they play in."""
Fault = tuple[int, str, bool]
"""The entrant, the fault of its player in words, and True if it was a crash."""
Report = tuple[bytes, float]
"""Results of a chunk in MessagePack, and the seconds it took."""


class WorkerDied(HeartsError):
    """Workers end again and again, and no player is to blame; the text says what is known."""


def work(pipe: Pipe, under_way: Array[c_longlong], plan: Plan) -> None:
    """Be a worker: play chunks until the pipe is closed."""
    sending = threading.Lock()

    def send(message: Report | Fault | str | HeartsError) -> None:
        with sending:
            pipe.send(message)

    def report_slow(call: SlowCall) -> None:
        match, _ = runner.now
        what = f"has not answered for {SLOW:g} s"
        text = message("a call of it", what, runner.where(), call.line)
        with suppress(OSError):
            named(plan, send)(match.seats[under_way[1]], text, False)

    with suppress(EOFError, OSError):
        numbers = memoryview(under_way).cast("B").cast("q")
        first = FirstFaults(lambda *fault: send(fault))
        try:
            runner = MatchRunner(plan, first.receive, numbers)
        except BadPlayer as error:
            send(error)
            return
        watch = CallWatch(report_slow, progress=lambda: tuple(under_way))
        with watch.watching():
            while True:
                chunk: list[Job] = pipe.recv()
                begin = time.monotonic()
                try:
                    with watch.call("", ""):
                        results = encode([runner.play(match, dead) for match, dead in chunk])
                except Exception:
                    # Players cannot raise up to here: nobody of them is to blame.
                    send(WorkerDied(traceback.format_exc()))
                else:
                    send((results, time.monotonic() - begin))


def play_matches(
    plan: Plan,
    matches: Iterable[Match],
    *,
    workers: int,
    say: Say,
    memory_limit: int = MEMORY_LIMIT,
) -> Generator[MatchResult, None, None]:
    """Play matches in worker processes; yield the results as they come, in any order.

    ``matches`` are taken as they are needed. ``memory_limit`` is in bytes for each worker, 0 for
    none. Closing the iterator ends the workers, and their unfinished matches are lost.

    Raises BadPlayer for an entrant that cannot be had, and WorkerDied.
    """
    complain = FirstFaults(named(plan, say)).receive
    crew = Crew(plan, workers, complain, say, memory_limit)
    try:
        yield from crew.play(matches)
    finally:
        crew.stop()


class _Worker:
    def __init__(self, plan: Plan, memory_limit: int) -> None:
        self.under_way = context.RawArray("q", [_NO_MATCH, 0, 0])
        self.process = PlayerProcess(memory_limit, work, self.under_way, plan)
        self.chunks: deque[list[Job]] = deque()
        self.chunk_size = 1
        self._seen: tuple[int, ...] = ()
        self._stuck_for = 0.0

    def give(self, chunk: list[Job]) -> None:
        """Send it a chunk to play; if it has died, that shows later."""
        self.chunks.append(chunk)
        with suppress(OSError):
            self.process.pipe.send(chunk)

    def receive(self) -> Report | Fault | str | HeartsError | None:
        """Return its report, a fault, its words or its error; None if it has died."""
        try:
            if not self.process.pipe.poll():
                return None
            message: Report | Fault | str | HeartsError = self.process.pipe.recv()
        except (EOFError, OSError):
            return None
        match message:
            case bytes(), seconds:
                self.chunks.popleft()
                shortest, longest = _CHUNK_SECONDS
                if seconds < shortest:
                    self.chunk_size = min(2 * self.chunk_size, _LARGEST_CHUNK)
                elif seconds > longest:
                    self.chunk_size = max(self.chunk_size // 2, 1)
        return message

    def is_hung(self, seconds: float, limit: float) -> bool:
        """Return True if a call takes longer than ``limit``; ``seconds`` passed since the last
        look.
        """
        seen = tuple(self.under_way)
        if seen != self._seen or seen[0] == _NO_MATCH or not self.chunks:
            self._seen, self._stuck_for = seen, 0.0
        else:
            # The process that takes the results may have stood still itself meanwhile.
            self._stuck_for += min(seconds, 2 * _LOOK_INTERVAL)
        return self._stuck_for > limit


class Crew:
    def __init__(
        self, plan: Plan, workers: int, complain: Complain, say: Say, memory_limit: int
    ) -> None:
        """``complain`` hears of a fault at least once from each worker, and ``say`` of all else."""
        self._plan = plan
        self._new_worker = partial(_Worker, plan, memory_limit)
        self._complain = complain
        self._say = say
        self._again: deque[Job] = deque()
        self._deaths: Counter[int] = Counter()
        self._looked = time.monotonic()
        self._workers: list[_Worker] = []
        try:
            for _ in range(workers):
                self._workers.append(self._new_worker())
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for worker in self._workers:
            worker.process.end()
        self._workers.clear()

    def play(self, matches: Iterable[Match]) -> Iterator[MatchResult]:
        """Play all matches; a crew may be given more of them later.

        Raises BadPlayer and WorkerDied, and is of no use after that.
        """
        new_jobs: Iterator[Job] = ((match, frozenset()) for match in matches)
        while True:
            for worker in self._workers:
                self._supply(worker, new_jobs)
            if not any(worker.chunks for worker in self._workers):
                return
            signs: list[Pipe | int] = []
            for worker in self._workers:
                signs += worker.process.pipe, worker.process.sentinel
            ready = set(wait(signs, _LOOK_INTERVAL))
            for place, worker in enumerate(list(self._workers)):
                if ready & {worker.process.pipe, worker.process.sentinel}:
                    yield from self._attend(place)
            self._look()

    def _supply(self, worker: _Worker, new_jobs: Iterator[Job]) -> None:
        while len(worker.chunks) < _CHUNKS_AHEAD:
            if self._again:
                chunk = [self._again.popleft()]
            else:
                chunk = list(islice(new_jobs, worker.chunk_size))
            if not chunk:
                return
            worker.give(chunk)

    def _attend(self, place: int) -> Iterator[MatchResult]:
        match self._workers[place].receive():
            case None:
                self._replace(place, hung=False)
            case HeartsError() as error:
                raise error
            case str(text):
                self._say(text)
            case entrant, text, is_crash:
                self._complain(entrant, text, is_crash)
            case results, _:
                yield from decode(results, type=list[MatchResult])

    def _look(self) -> None:
        now = time.monotonic()
        seconds = now - self._looked
        if seconds < _LOOK_INTERVAL:
            return
        self._looked = now
        for place, worker in enumerate(self._workers):
            limit = self._hang_limit(worker)
            if worker.is_hung(seconds, limit or inf):
                self._replace(place, hung=True)

    def _hang_limit(self, worker: _Worker) -> float:
        """Return the seconds after which the player that was asked last counts as hung; 0 for
        never.
        """
        number, seat, _ = worker.under_way
        if number == _NO_MATCH:
            return HANDS_TO_HANG * self._plan.hand_limit
        entrant = match_of(self._plan, number).seats[seat]
        return HANDS_TO_HANG * self._plan.limits_of(entrant)[1]

    def _replace(self, place: int, hung: bool) -> None:
        worker = self._workers[place]
        number, seat, _ = worker.under_way
        worker.process.end()
        self._workers[place] = self._new_worker()
        self._deaths[number] += 1
        if self._deaths[number] > _MOST_DEATHS:
            what = f"in match {number}"
            if number == _NO_MATCH:
                what = "before their first match, perhaps for want of memory (--memory)"
            raise WorkerDied(f"{_MOST_DEATHS} workers have died {what}")
        to_blame = hung or self._deaths[number] > 1
        for match, dead in chain(*worker.chunks):
            if match.number == number and to_blame:
                name = self._plan.entrants[match.seats[seat]].name
                what = (
                    "did not come back from a call"
                    if hung
                    else "ended the process that it plays in"
                )
                self._say(f"{name} {what}: a stand-in plays match {match.number}")
                dead |= {seat}
            self._again.append((match, dead))
