"""A process of clients: it runs its tables and tells the soak how they are doing."""

from __future__ import annotations

import contextlib
import resource
import signal
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from .hall import Hall
from .plan import TablePlan

REPORT_EVERY = 1.0
CLOSE_DOORS = "close-doors"
END = "end"


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is to do."""

    address: tuple[str, int]
    plan: TablePlan
    tables: range
    seed: int
    drops_per_minute: float
    faults: Path
    pages: tuple[str, int] | None = None
    """The gateway for browsers."""


@dataclass(frozen=True, slots=True)
class WorkerReport:
    counts: Counter[str]
    faults: list[str]
    playing: int
    """Clients that are connected and have their seats."""
    is_over: bool
    answers: Counter[int]
    """How long choices waited for their statuses, since the report before."""
    waits: list[tuple[str, float]]
    """Who was let in, and the seconds that it took, since the report before."""
    longest_refused: float
    """Seconds for which somebody has been refused who still is."""


def allow_many_files() -> None:
    """Raise the limit of open files as far as the system grants it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main(pipe: Connection, order: Order) -> None:
    """Run until the soak says that it is the end, or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    allow_many_files()
    hall = Hall(
        order.address,
        order.plan,
        order.tables,
        seed=order.seed,
        drops_per_minute=order.drops_per_minute,
        faults=order.faults,
        pages=order.pages,
    )
    due = time.monotonic()
    with contextlib.closing(hall), contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            hall.step()
            if time.monotonic() < due:
                continue
            due = time.monotonic() + REPORT_EVERY
            playing = sum(player.is_playing for player in hall.players)
            pipe.send(
                WorkerReport(
                    hall.counts.copy(),
                    list(hall.faults),
                    playing,
                    hall.is_over,
                    hall.answers,
                    hall.waits,
                    hall.longest_refused,
                )
            )
            hall.answers, hall.waits = Counter(), []
            while pipe.poll():
                match pipe.recv():
                    case "close-doors":
                        hall.close_doors()
                    case _:
                        return
