"""The figures that a server counts about itself, for its metrics page.

The tables, the connections and the journal call the counters as things happen; a number that can be
asked for at any time, such as that of the tables, is a gauge that is read when somebody looks. A
metric holds no name, no card and no address.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum
from pathlib import Path
from typing import TypeVar

import trio

from hearts.errors import Reason
from hearts.game.events import ChosenBy
from hearts.game.record import PLAYS
from hearts.hosting.hosted_client import ConnectionEnd
from hearts.hosting.ports import TableCounts
from hearts.session.messages import Refusal
from hearts.settings.version import program_version
from hearts.table.inputs import Question
from hearts_server.journal.threaded import ThreadedJournal

from .counting import Counter, Labels, Registry

# Figures of this process are read from /proc if there is one; elsewhere what the standard library
# knows is given, and the rest is left out.
_PROC = Path("/proc/self")
_STARTED = time.time()
LAG_INTERVAL = 0.25
"""Seconds between two looks at the lag of the event loop."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


_QUESTIONS = {
    "pass": Question.PASS,
    "play": Question.CARD,
    "moon": Question.MOON,
    "again": Question.AGAIN,
}
"""The first words of the lines that are choices."""


_READINGS = {
    "connections_too_fast_total": "Connections that were closed at once, for their network opened "
    "too many.",
    "journal_lines_total": "Lines made durable.",
    "journal_commits_total": "Commits, each of all lines that waited.",
    "journal_commit_seconds_total": "Seconds spent in commits.",
    "journal_queue": "Lines that wait for a commit.",
    "journal_failing": "1 while the journal cannot be written.",
    "journal_unreadable": "Stored sessions that were found to be damaged.",
    "announcements_total": "Announcements sent to the taunt server.",
    "announcements_dropped_total": "Announcements that the taunt server did not take in time.",
    "taunt_server_connected": "1 while the taunt server is there.",
    "log_lines_dropped_total": "Lines of the log that nobody can read.",
    "tasks": "Tasks of the event loop.",
}


def cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system


def resident_bytes() -> int:
    """Memory in use; if the system does not tell it, the most that was ever in use."""
    try:
        pages = int((_PROC / "statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_descriptors() -> int | None:
    for folder in (_PROC / "fd", Path("/dev/fd")):
        try:
            # The folder itself is open while it is read.
            return len(os.listdir(folder)) - 1
        except OSError:
            continue
    return None


def most_descriptors() -> float:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if most == resource.RLIM_INFINITY else most


_OF_PROCESS: tuple[tuple[str, str, Callable[[], float | None]], ...] = (
    ("process_cpu_seconds_total", "Processor time of the process.", cpu_seconds),
    ("process_resident_memory_bytes", "Memory in use.", resident_bytes),
    ("process_open_fds", "Open files and sockets.", open_descriptors),
    ("process_max_fds", "Files and sockets that may be open.", most_descriptors),
    ("process_start_time_seconds", "Unix time at which it began.", lambda: _STARTED),
)
"""Name, help and reading of each; None if this system does not tell it.

prometheus-client's own collector knows nothing of macOS.
"""


class TableState(Enum):
    """The state of a table."""

    FORMING = "forming"
    PLAYING = "playing"
    PAUSED = "paused"


class ConnectionState(Enum):
    """The state of a connection."""

    REGISTERING = "registering"
    PLAYING = "playing"
    WATCHING = "watching"
    RESERVE = "reserve"
    """Registering beyond the limits; it may only come back."""


_E = TypeVar("_E", bound=Enum)


class Metrics(TableCounts):
    """Every metric of a server; each call costs less than a microsecond."""

    def __init__(self) -> None:
        self._made = made = Registry()
        self.families = made.families

        def counter(name: str, text: str) -> Counter:
            return made.counter(f"hearts_{name}_total", text)

        self.tables = made.readings(
            "hearts_tables", "Tables by what they do.", _by("state", TableState)
        )
        self.connections = made.readings(
            "hearts_connections", "Open connections by what they do.", _by("state", ConnectionState)
        )
        self.connections_opened = counter("connections_opened", "Connections that were accepted.")
        self.connections_ended = made.counters(
            "hearts_connections_ended_total",
            "Connections that ended, by how they ended.",
            _by("how", ConnectionEnd),
        )
        self.connections_paused = counter(
            "connections_paused",
            "Connections that sent so much that they were not read for a while.",
        )
        self.registrations = counter("registrations", "Registrations that were completed.")
        self.refusals = made.counters(
            "hearts_refusals_total", "Registrations that were refused.", _coded(Refusal)
        )
        self.come_backs = counter("come_backs", "Players who came back to their seats.")
        self.choices = made.counters(
            "hearts_choices_total",
            "Choices that tables took, by who made them.",
            {
                (question, by): (("kind", question.value), ("by", by.value or "player"))
                for question in _QUESTIONS.values()
                for by in ChosenBy
            },
        )
        self.illegal_tries = made.counters(
            "hearts_illegal_tries_total", "Choices that the rules do not allow.", _coded(Reason)
        )
        self.hands = counter("hands", "Hands that were dealt.")
        self.games = counter("games", "Games that were played to their end.")
        self.game_over: Callable[[Sequence[str]], None] = lambda people: None
        """Hears of each such game, with the names of the people who are there."""
        self.tables_failed = counter("tables_failed", "Tables that an error of the server ended.")
        self.readings = {
            name: made.reading(f"hearts_{name}", text) for name, text in _READINGS.items()
        }
        """The numbers that others keep, by the names without ``hearts_``."""
        self.durable_seconds = made.histogram(
            "hearts_durable_seconds", "Time from a choice until it is durable.", _SECONDS
        )
        self.loop_lag_seconds = made.histogram(
            "hearts_loop_lag_seconds", "How late the event loop runs what is due.", _SECONDS
        )
        self.show(tasks=_tasks)
        for name, text, read in _OF_PROCESS:
            made.reading(name, text).read = read

        self._steps = {
            word: {by.value: self.choices[question, by] for by in ChosenBy if by.value}
            for word, question in _QUESTIONS.items()
        }
        self._own = {
            word: self.choices[question, ChosenBy.PLAYER] for word, question in _QUESTIONS.items()
        }
        self._plays = {line: self.choices[Question.CARD, play.by] for line, play in PLAYS.items()}

    def show(self, **readings: Callable[[], float | None]) -> None:
        for name, read in readings.items():
            self.readings[name].read = read

    # What the tables call (see hearts.hosting.ports)

    def count_illegal(self, reason: Reason) -> None:
        self.illegal_tries[reason].add()

    def count_game(self, people: Sequence[str]) -> None:
        self.games.add()
        self.game_over(people)

    def count_failure(self) -> None:
        self.tables_failed.add()

    def count_stored(self, line: str, seconds: float) -> None:
        # See hearts.table.steps.
        self.durable_seconds.observe(seconds)
        plays = self._plays.get(line)
        if plays is not None:
            plays.value += 1
            return
        word = line[: line.find(" ")]
        marks = self._steps.get(word)
        if marks is not None:
            marks.get(line[line.rfind(" ") + 1 :], self._own[word]).add()
        elif word == "deal":
            self.hands.add()

    def count_end(self, outcome: ConnectionEnd | Refusal, *, lost: bool) -> None:
        """Count a connection that ended; ``lost`` tells that it broke."""
        if isinstance(outcome, Refusal):
            self.refusals[outcome].add()
            outcome = ConnectionEnd.REFUSED
        elif lost and outcome is ConnectionEnd.LEFT:
            outcome = ConnectionEnd.LOST
        self.connections_ended[outcome].add()

    def watch_journal(self, journal: ThreadedJournal) -> None:
        statistics = journal.statistics
        self.show(
            journal_lines_total=lambda: statistics.lines_written,
            journal_commits_total=lambda: statistics.batches,
            journal_commit_seconds_total=lambda: statistics.commit_seconds,
            journal_queue=lambda: journal.waiting,
            journal_failing=lambda: statistics.failing_since is not None,
            journal_unreadable=lambda: statistics.unreadable,
        )

    def show_build(self) -> None:
        """Show what this server is made of. It reads a file, so it is for the start."""
        python = ".".join(str(part) for part in sys.version_info[:3])
        labels = (("version", program_version()), ("python", python), ("trio", trio.__version__))
        text = "What this server is made of; always 1."
        self._made.reading("hearts_build_info", text, labels).read = lambda: 1

    async def watch_loop(self) -> None:
        while True:
            due = trio.current_time() + LAG_INTERVAL
            await trio.sleep_until(due)
            self.loop_lag_seconds.observe(trio.current_time() - due)


def _by(label: str, members: type[_E]) -> dict[_E, Labels]:
    return {member: ((label, str(member.value)),) for member in members}


_C = TypeVar("_C", bound=IntEnum)


def _coded(members: type[_C]) -> dict[_C, Labels]:
    return {
        member: (("code", str(member.value)), ("reason", member.name.lower().replace("_", "-")))
        for member in members
    }


def _tasks() -> int:
    in_loop = trio.lowlevel.in_trio_run()
    return trio.lowlevel.current_statistics().tasks_living if in_loop else 0
