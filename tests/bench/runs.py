"""One run of a server under its load, and what it came to."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .load import LoadResult
from .processes import THREADS, Subject, Times, clients, listening
from .report import percentile
from .script import SessionScript, save_script
from .session import record_session

HUMAN_PAUSE = ("0.05", "0.2")
"""Seconds before each choice at a human pace: at least and at most."""


@dataclass(frozen=True, slots=True)
class BenchRun:
    """What a server and its load came to."""

    load: LoadResult
    cpu: Times
    hands: float

    @property
    def cpu_per_hand(self) -> float:
        """Seconds of all threads of the server."""
        return sum(self.cpu[name] for name in THREADS[:3]) / self.hands

    @property
    def hands_per_second(self) -> float:
        """Hands of all tables."""
        return self.hands / self.load.seconds

    def latency(self, percent: float) -> float:
        """Seconds that so many per cent of the plays do not exceed."""
        return percentile(sorted(self.load.latencies) or [0.0], percent)


@contextmanager
def written(script: SessionScript) -> Iterator[Path]:
    """A script in a file, for the processes of a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script"
        save_script(script, path)
        yield path


def run_once(
    subject: Subject,
    script: SessionScript,
    path: Path,
    tables: int,
    options: Sequence[str] = (),
) -> BenchRun:
    """Let so many tables play at a server, or as long as the options say."""
    with (
        listening(subject, script, path) as server,
        clients(server, path, tables, options, dealer=subject.dealer) as players,
    ):
        load, cpu = players.play()
        hands = load.plays / 52 if subject.dealer else script.hands_of(load.received)
        return BenchRun(load, cpu, hands)


def rounds(
    subjects: Sequence[Subject],
    count: int,
    hands: int,
    tables: int,
    options: Sequence[str] = (),
) -> dict[Subject, list[BenchRun]]:
    """Runs of all subjects in turn; each round begins at the other end."""
    runs: dict[Subject, list[BenchRun]] = {subject: [] for subject in subjects}
    script = record_session(hands)
    with written(script) as path:
        for number in range(count):
            for subject in subjects if number % 2 == 0 else reversed(subjects):
                runs[subject].append(run_once(subject, script, path, tables, options))
    return runs
