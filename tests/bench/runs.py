"""One run of a server under its load, and what it came to."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .load import LoadResult
from .processes import ROOT, Subject, ThreadTimes, clients, listening
from .report import percentile
from .script import SessionScript, save_script

HUMAN_PAUSE = ("0.05", "0.2")
"""Seconds before each choice at a human pace: at least and at most."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a server and its load came to."""

    load: LoadResult
    cpu: ThreadTimes
    hands: float

    @property
    def cpu_per_hand(self) -> float:
        """Seconds of all threads of the server."""
        return self.cpu.total / self.hands

    @property
    def hands_per_second(self) -> float:
        """Hands of all tables."""
        return self.hands / self.load.seconds

    def latency(self, percent: float) -> float:
        """Seconds that so many per cent of the plays do not exceed."""
        return percentile(sorted(self.load.latencies), percent)


@contextmanager
def written(script: SessionScript) -> Iterator[Path]:
    """A script in a file, for the processes of a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script"
        save_script(script, path)
        yield path


def run_plain(
    subject: Subject,
    script: SessionScript,
    path: Path,
    tables: int,
    options: Sequence[str] = (),
    *,
    root: Path = ROOT,
) -> Run:
    """So many tables of the plain dialect at a server; ``root`` is the folder of its code."""
    with (
        listening(subject, script, path, root) as server,
        clients(server, path, tables, options) as players,
    ):
        load, cpu = players.play()
        return Run(load, cpu, script.hands_of(load.received))


def run_dealer(
    script: SessionScript, path: Path, tables: int, watchers: int = 0, *, root: Path = ROOT
) -> Run:
    """The same with the dealer dialect, and watchers at each table."""
    options = ["--watchers", str(watchers)]
    with (
        listening(Subject.SERVER, script, path, root) as server,
        clients(server, path, tables, options, dealer=True) as players,
    ):
        load, cpu = players.play()
        return Run(load, cpu, script.hands * tables)
