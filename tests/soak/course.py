"""The course of a soak: clients in processes of their own, samples, kills, and an end in order."""

from __future__ import annotations

import itertools
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from .gateway import GatewayProcess
from .plan import TablePlan
from .samples import (
    Sample,
    client_figures,
    journal_figures,
    metrics_figures,
    process_figures,
    without_clients,
)
from .server import ServerProcess
from .siege import Siege
from .worker import CLOSE_DOORS, END, Order, WorkerReport, main

TICK = 0.02
ENDING_LIMIT = 180.0
"""Seconds that the sessions have to end in, when the time is over."""
IDLE_LIMIT = 60.0
"""Seconds in which a gateway lets go of clients that are gone."""
_AT_START = 0.15
"""The part of the kills that meet a server that has only just begun."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a soak is to do."""

    tables: int
    seconds: float
    processes: int
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
class Life:
    """One life of the server, as it was just before its end."""

    number: int
    ready: float
    """Seconds until it listened."""
    figures: Sample


@dataclass(frozen=True, slots=True)
class Locked:
    """A second server, which asks for a password."""

    server: ServerProcess
    plan: TablePlan
    tables: int


class Soak:
    def __init__(
        self,
        course: Course,
        address: tuple[str, int],
        plan: TablePlan,
        faults: Path,
        server: ServerProcess | None,
        pid: int | None,
        *,
        siege: Siege | None = None,
        locked: Locked | None = None,
        gateway: GatewayProcess | None = None,
    ) -> None:
        """``server`` is None where somebody else's is used; ``pid`` is that one's, if known."""
        self.siege = siege
        self.course = course
        self.address = address
        self.samples: list[Sample] = []
        self.lives: list[Life] = []
        self.faults: list[str] = []
        self.seconds = 0.0
        self._plan = plan
        self._server = server
        self._pid = pid
        self._tell: Callable[[str], None]
        self._chance = random.Random(course.seed)
        self._ready = 0.0
        self._begun = time.monotonic()
        self._reports: dict[int, WorkerReport] = {}
        self._workers: list[tuple[BaseProcess, Connection]] = []
        self._orders = self._divide(plan, faults)
        self._gateway = gateway
        if gateway is not None:
            self._orders = [replace(order, pages=gateway.address) for order in self._orders]
        self._locked = locked
        if locked is not None:
            first = course.tables
            address = (self.address[0], locked.server.port)
            tables = range(first, first + locked.tables)
            self._orders.append(Order(address, locked.plan, tables, course.seed, 0.0, faults))

    def _divide(self, plan: TablePlan, faults: Path) -> list[Order]:
        course = self.course
        count = max(1, min(course.processes, course.tables))
        edges = [n * course.tables // count for n in range(count + 1)]
        drops = course.drops_per_minute / count
        return [
            Order(self.address, plan, range(first, last), course.seed, drops, faults)
            for first, last in itertools.pairwise(edges)
        ]

    @property
    def counts(self) -> Counter[str]:
        """What the clients counted, all together."""
        total: Counter[str] = Counter()
        for report in self._reports.values():
            total.update(report.counts)
        return total

    @property
    def _refusals(self) -> float:
        return sum(n for what, n in self.counts.items() if what.startswith("refused "))

    @property
    def playing(self) -> int:
        """Clients that have their seats now."""
        return sum(report.playing for report in self._reports.values())

    def run(self, tell: Callable[[str], None]) -> None:
        """From the first client to the last; ``tell`` gets a line now and then."""
        self._tell = tell
        context = multiprocessing.get_context("spawn")
        if self._locked is not None:
            self._locked.server.begin()
        if self._server is not None:
            self._server.begin()
            self._ready = self._server.wait_ready()
        if self._locked is not None:
            self._locked.server.wait_ready()
        try:
            for order in self._orders:
                ours, theirs = context.Pipe()
                worker: BaseProcess = context.Process(
                    target=main, args=(theirs, order), daemon=True
                )
                worker.start()
                theirs.close()
                self._workers.append((worker, ours))
            self._play()
            if self.siege is not None:
                self.siege.close(time.monotonic(), self._refusals)
                self.faults += self.siege.faults
            self._let_end()
        finally:
            if self.siege is not None:
                self.siege.end()
            for worker, pipe in self._workers:
                try:
                    pipe.send(END)
                except OSError:
                    worker.kill()
                worker.join(5)
                if worker.is_alive():
                    worker.kill()
        for report in self._reports.values():
            self.faults += report.faults
        if self._gateway is not None:
            self._wait_for(self._gateway)

    # While it runs

    def _play(self) -> None:
        course = self.course
        self._begun = time.monotonic()
        end = self._begun + course.seconds
        next_sample = self._begun + course.sample_every
        every_line = 60.0 if course.seconds > 180 else 10.0
        next_line = self._begun + every_line
        next_kill = self._next_kill()
        while (now := time.monotonic()) < end:
            if now >= next_kill:
                self._kill()
                if course.kills and len(self.lives) >= course.kills:
                    break
                next_kill = self._next_kill()
            if now >= next_sample:
                self.samples.append(self._sample())
                next_sample += course.sample_every
            if self.siege is not None:
                self.siege.step(now, self._refusals)
            if now >= next_line:
                self._tell(self._line(end - now))
                next_line += every_line
            self._look()
        self.seconds = time.monotonic() - self._begun

    def _next_kill(self) -> float:
        course = self.course
        if course.kills:
            return time.monotonic() + self._chance.uniform(0, 2 * course.life)
        if course.kills_per_minute:
            return time.monotonic() + self._chance.expovariate(course.kills_per_minute / 60)
        return float("inf")

    def _look(self) -> None:
        """Hear what the workers say, for a moment."""
        time.sleep(TICK)
        for number, (worker, pipe) in enumerate(self._workers):
            while pipe.poll():
                try:
                    report: WorkerReport = pipe.recv()
                except EOFError:
                    break
                self._reports[number] = report
                if self.siege is not None:
                    is_locked = self._locked is not None and number == len(self._workers) - 1
                    self.siege.hear(report, is_locked=is_locked)
            if not worker.is_alive():
                raise RuntimeError("a process of clients has ended by itself")
        if self._server is not None and self._server.has_ended:
            raise RuntimeError(f"the server has ended by itself: {self._server.log_tail()}")
        if self._locked is not None and self._locked.server.has_ended:
            raise RuntimeError("the server with a password has ended by itself")

    def _kill(self) -> None:
        server = self._server
        assert server is not None
        figures = self._figures() | {"sessions": self.counts["sessions"]}
        server.kill()
        self.lives.append(Life(server.lives, self._ready, figures))
        server.begin()
        if self._chance.random() < _AT_START:
            time.sleep(self._chance.uniform(0, max(0.2, self._ready)))
            server.kill()
            server.begin()
        self._ready = server.wait_ready()

    def _let_end(self) -> None:
        self._look()
        for _, pipe in self._workers:
            pipe.send(CLOSE_DOORS)
        limit = time.monotonic() + ENDING_LIMIT
        while not self._is_over:
            if time.monotonic() > limit:
                self.faults.append(f"sessions have not ended {ENDING_LIMIT:g} s after the time")
                return
            self._look()

    @property
    def _is_over(self) -> bool:
        """Whether all clients are gone."""
        numbers = range(len(self._workers))
        return all(n in self._reports and self._reports[n].is_over for n in numbers)

    def _wait_for(self, gateway: GatewayProcess) -> None:
        """All clients are gone, so the gateway has nothing to hold."""
        limit = time.monotonic() + IDLE_LIMIT
        while not gateway.is_idle:
            if time.monotonic() > limit:
                self.faults.append(f"the gateway holds what is gone: {gateway.figures()}")
                return
            time.sleep(TICK)

    # Samples

    def _figures(self) -> Sample:
        pid = self._server.pid if self._server is not None else self._pid
        figures = process_figures(pid) if pid is not None else {}
        if isinstance(self._plan.journal, Path):
            figures |= journal_figures(self._plan.journal)
        if self.course.metrics_port:
            figures |= metrics_figures(self.course.metrics_port)
        if self._gateway is not None:
            figures |= self._gateway.figures()
        return without_clients(figures)

    def _sample(self) -> Sample:
        sample = {"seconds": time.monotonic() - self._begun, "life": len(self.lives) + 1}
        sample |= self._figures()
        return sample | client_figures(self.counts, self.playing)

    def _line(self, left: float) -> str:
        counts = self.counts
        done = time.monotonic() - self._begun
        latest: Sequence[Sample] = self.samples[-1:]
        known = bool(latest) and "memory MiB" in latest[0]
        memory = f", {latest[0]['memory MiB']:.0f} MiB" if known else ""
        kills = f", {len(self.lives)} kills" if self.lives else ""
        return (
            f"{done / 60:5.1f} min, {max(0.0, left) / 60:.1f} left: {self.playing} clients play, "
            f"{counts['hands']:.0f} hands ({counts['hands'] / done:.1f} a second), "
            f"{counts['sessions']:.0f} sessions{kills}, {counts['come-backs']:.0f} come-backs, "
            f"{counts['sessions out of step']:.0f} out of step{memory}"
        )
