"""The course of a soak: clients, samples, kills, and an end in order."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import samples
from .hall import Hall
from .plan import TablePlan
from .siege import Siege
from .soak_server import ServerProcess

TICK = 0.02
LOOK_EVERY = 0.2
ENDING_LIMIT = 180.0
"""Seconds that the sessions have to end in, when the time is over."""
_AT_START = 0.15
"""The part of the kills that meet a server that has only just begun."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a soak is to do."""

    tables: int
    seconds: float
    seed: int
    drops_per_minute: float
    kills_per_minute: float
    kills: int
    """Kills after which it is over; 0 for none."""
    life: float
    """Mean seconds of a life, with ``kills``."""
    sample_every: float
    metrics_port: int


@dataclass(frozen=True, slots=True)
class ServerLife:
    """One life of the server, as it was just before its end."""

    number: int
    ready: float
    """Seconds until it listened."""
    figures: samples.Sample


@dataclass(frozen=True, slots=True)
class Locked:
    """A second server, which asks for a password."""

    server: ServerProcess
    plan: TablePlan
    tables: int


class Soak:
    """Tables of clients at a server, in this process, while kills and attacks go on."""

    def __init__(
        self,
        course: Course,
        server: ServerProcess,
        plan: TablePlan,
        faults: Path,
        *,
        siege: Siege | None = None,
        locked: Locked | None = None,
    ) -> None:
        self.siege = siege
        self.course = course
        self.samples: list[samples.Sample] = []
        self.lives: list[ServerLife] = []
        self.faults: list[str] = []
        self.seconds = 0.0
        self._plan = plan
        self._server = server
        self._servers = [server, *([locked.server] if locked else ())]
        self._chance = random.Random(course.seed)
        self._threads = ThreadPoolExecutor(1)
        self._ready: Future[float]
        """The seconds until the server listened, or listens."""
        self._begun = 0.0
        self._hall = Hall(
            ("127.0.0.1", server.port),
            plan,
            range(course.tables),
            seed=course.seed,
            drops_per_minute=course.drops_per_minute,
            faults=faults,
        )
        self._halls = [self._hall]
        if locked is not None:
            tables = range(course.tables, course.tables + locked.tables)
            address = ("127.0.0.1", locked.server.port)
            self._halls.append(
                Hall(
                    address, locked.plan, tables, seed=course.seed, faults=faults, beside=self._hall
                )
            )

    @property
    def counts(self) -> Counter[str]:
        """What the clients counted, all together."""
        total: Counter[str] = Counter()
        for hall in self._halls:
            total.update(hall.counts)
        return total

    @property
    def _refusals(self) -> float:
        return sum(n for what, n in self.counts.items() if what.startswith("refused "))

    @property
    def playing(self) -> int:
        """Clients that have their seats now."""
        return sum(player.is_playing for hall in self._halls for player in hall.players)

    def run(self, tell: Callable[[str], None]) -> None:
        """From the first client to the last; ``tell`` gets a line now and then."""
        for server in self._servers:
            server.begin()
        for server in self._servers[1:]:
            server.wait_ready()
        self._await_ready()
        self._ready.result()
        try:
            self._play(tell)
            if self.siege is not None:
                self.siege.close(time.monotonic(), self._refusals)
            self._let_end()
        finally:
            if self.siege is not None:
                self.siege.end()
                self.faults += self.siege.faults
            for hall in reversed(self._halls):
                hall.close()
            self._threads.shutdown()
        for hall in self._halls:
            self.faults += hall.faults

    # While it runs

    def _play(self, tell: Callable[[str], None]) -> None:
        course = self.course
        self._begun = time.monotonic()
        end = self._begun + course.seconds
        next_sample = self._begun + course.sample_every
        every_line = 60.0 if course.seconds > 180 else 10.0
        next_line, next_look = self._begun + every_line, self._begun
        self._plan_kill()
        while (now := time.monotonic()) < end:
            if course.kills and len(self.lives) >= course.kills:
                break
            if now >= next_sample:
                self.samples.append(self._sample())
                next_sample += course.sample_every
            if now >= next_look:
                self._look(now)
                next_look = now + LOOK_EVERY
            if now >= next_line:
                tell(self._line(end - now))
                next_line += every_line
            self._hall.step()
        self.seconds = time.monotonic() - self._begun

    def _look(self, now: float) -> None:
        """See that the servers run; tell the siege what clients noticed, and that time goes on."""
        for server in self._servers:
            if server.has_ended:
                raise RuntimeError(f"a server has ended by itself: {server.log_tail()}")
        if self.siege is not None:
            for hall in self._halls:
                self.siege.receive(hall, is_locked=hall is not self._hall)
            self.siege.step(now, self._refusals)

    def _plan_kill(self) -> None:
        course = self.course
        if course.kills:
            self._hall.later(self._chance.uniform(0, 2 * course.life), self._kill)
        elif course.kills_per_minute:
            self._hall.later(self._chance.expovariate(course.kills_per_minute / 60), self._kill)

    def _kill(self) -> None:
        if self.seconds:
            return
        if not self._ready.done():
            self._hall.later(TICK, self._kill)
            return
        figures = self._figures() | {"sessions": self.counts["sessions"]}
        ready = self._ready.result()
        self.lives.append(ServerLife(self._server.lives, ready, figures))
        self._begin_again()
        if self._chance.random() < _AT_START:
            self._hall.later(self._chance.uniform(0, max(0.2, ready)), self._begin_again)
        self._plan_kill()

    def _begin_again(self) -> None:
        self._server.kill()
        self._server.begin()
        self._await_ready()

    def _await_ready(self) -> None:
        self._ready = self._threads.submit(self._server.wait_ready)

    def _let_end(self) -> None:
        for hall in self._halls:
            hall.close_doors()
        limit = time.monotonic() + ENDING_LIMIT
        while not all(hall.is_over for hall in self._halls):
            if time.monotonic() > limit:
                self.faults.append(f"sessions have not ended {ENDING_LIMIT:g} s after the time")
                return
            self._hall.step()

    # Samples

    def _figures(self) -> samples.Sample:
        figures = samples.process_figures(self._server.pid) | samples.metrics_figures(
            self.course.metrics_port
        )
        if isinstance(self._plan.journal, Path):
            figures |= samples.journal_figures(self._plan.journal)
        return samples.without_clients(figures)

    def _sample(self) -> samples.Sample:
        sample = {"seconds": time.monotonic() - self._begun, "life": len(self.lives) + 1}
        return sample | self._figures() | samples.client_figures(self.counts, self.playing)

    def _line(self, left: float) -> str:
        counts = self.counts
        done = time.monotonic() - self._begun
        latest = self.samples[-1:]
        memory = f", {latest[0]['memory MiB']:.0f} MiB" if latest else ""
        kills = f", {len(self.lives)} kills" if self.lives else ""
        return (
            f"{done / 60:5.1f} min, {max(0.0, left) / 60:.1f} left: {self.playing} clients play, "
            f"{counts['hands']:.0f} hands ({counts['hands'] / done:.1f} a second), "
            f"{counts['sessions']:.0f} sessions{kills}, {counts['come-backs']:.0f} come-backs, "
            f"{counts['sessions out of step']:.0f} out of step{memory}"
        )
