"""What a server counts about itself, for its metrics page.

The tables, the connections and the journal call the counters as things happen; what can be asked
for at any time (how many tables there are) is a gauge that is read when somebody looks. A metric
holds no name, no card and no address.
"""

from __future__ import annotations

import sys
from enum import Enum, IntEnum
from typing import TypeVar

import trio

from hearts.errors import Reason
from hearts.game.events import ChosenBy
from hearts.game.record import PLAYS
from hearts.hosting.client import ConnectionEnd
from hearts.session.messages import Refusal
from hearts.table import Question
from hearts_server import program_version
from hearts_server.journal.store import LastingJournal

from . import process
from .counting import Labels, Registry

LAG_INTERVAL = 0.25
"""Seconds between two looks at the lag of the event loop."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class TableState(Enum):
    """What a table does."""

    FORMING = "forming"
    PLAYING = "playing"
    PAUSED = "paused"


class ConnectionState(Enum):
    """What a connection does."""

    REGISTERING = "registering"
    PLAYING = "playing"
    WATCHING = "watching"
    RESERVE = "reserve"
    """Registering beyond the limits; it may only come back."""


_E = TypeVar("_E", bound=Enum)


class Metrics:
    """Every metric of a server; each call costs less than a microsecond."""

    def __init__(self) -> None:
        made = Registry()
        self.families = made.families
        self._registry = made
        self.tables = made.readings(
            "hearts_tables", "gauge", "Tables by what they do.", _by("state", TableState)
        )
        self.connections = made.readings(
            "hearts_connections",
            "gauge",
            "Open connections by what they do.",
            _by("state", ConnectionState),
        )
        self.connections_opened = made.counter(
            "hearts_connections_opened_total", "Connections that were accepted."
        )
        self.connections_too_fast = made.reading(
            "hearts_connections_too_fast_total",
            "counter",
            "Connections that were closed at once, for their network opened too many.",
        )
        self.connections_ended = made.counters(
            "hearts_connections_ended_total",
            "Connections that ended, by how they ended.",
            _by("how", ConnectionEnd),
        )
        self.connections_paused = made.counter(
            "hearts_connections_paused_total",
            "Connections that sent so much that they were not read for a while.",
        )
        self.registrations = made.counter(
            "hearts_registrations_total", "Registrations that were completed."
        )
        self.refusals = made.counters(
            "hearts_refusals_total", "Registrations that were refused.", _coded(Refusal)
        )
        self.come_backs = made.counter(
            "hearts_come_backs_total", "Players who came back to their seats."
        )
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
        self.hands = made.counter("hearts_hands_total", "Hands that were dealt.")
        self.games = made.counter("hearts_games_total", "Games that were played to their end.")
        self.tables_failed = made.counter(
            "hearts_tables_failed_total", "Tables that an error of the server ended."
        )

        self.journal_lines = made.reading(
            "hearts_journal_lines_total", "counter", "Lines made durable."
        )
        self.journal_commits = made.reading(
            "hearts_journal_commits_total", "counter", "Commits, each of all lines that waited."
        )
        self.journal_seconds = made.reading(
            "hearts_journal_commit_seconds_total", "counter", "Seconds spent in commits."
        )
        self.journal_queue = made.reading(
            "hearts_journal_queue", "gauge", "Lines that wait for a commit."
        )
        self.journal_failing = made.reading(
            "hearts_journal_failing", "gauge", "1 while the journal cannot be written."
        )
        self.journal_unreadable = made.reading(
            "hearts_journal_unreadable", "gauge", "Stored sessions that were found to be damaged."
        )
        self.durable_seconds = made.histogram(
            "hearts_durable_seconds", "Time from a choice until it is durable.", _SECONDS
        )

        self.announcements = made.reading(
            "hearts_announcements_total", "counter", "Announcements sent to the taunt server."
        )
        self.announcements_dropped = made.reading(
            "hearts_announcements_dropped_total",
            "counter",
            "Announcements that the taunt server did not take in time.",
        )
        self.taunt_server_connected = made.reading(
            "hearts_taunt_server_connected", "gauge", "1 while the taunt server is there."
        )
        self.log_lines_dropped = made.reading(
            "hearts_log_lines_dropped_total", "counter", "Lines of the log that nobody can read."
        )
        self.loop_lag_seconds = made.histogram(
            "hearts_loop_lag_seconds", "How late the event loop runs what is due.", _SECONDS
        )
        made.reading("hearts_tasks", "gauge", "Tasks of the event loop.").read = _tasks
        for name, kind, text, read in process.FIGURES:
            made.reading(name, kind, text).read = read

        self._steps = {
            word: {by.value: self.choices[question, by] for by in ChosenBy if by.value}
            for word, question in _QUESTIONS.items()
        }
        self._own = {
            word: self.choices[question, ChosenBy.PLAYER] for word, question in _QUESTIONS.items()
        }
        self._plays = {line: self.choices[Question.CARD, play.by] for line, play in PLAYS.items()}

    def count_illegal(self, reason: Reason) -> None:
        """A choice was not legal."""
        self.illegal_tries[reason].add()

    def count_game(self) -> None:
        """A game was played to its end."""
        self.games.add()

    def count_failure(self) -> None:
        """An error of the server has ended a table."""
        self.tables_failed.add()

    def count_stored(self, line: str, seconds: float) -> None:
        """A line of a table is durable, so long after it was made (:mod:`hearts.table.steps`)."""
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

    def watch_journal(self, journal: LastingJournal) -> None:
        """Show the figures of a journal."""
        statistics = journal.statistics
        self.journal_lines.read = lambda: statistics.lines_written
        self.journal_commits.read = lambda: statistics.batches
        self.journal_seconds.read = lambda: statistics.commit_seconds
        self.journal_queue.read = lambda: journal.waiting
        self.journal_failing.read = lambda: statistics.failing_since is not None
        self.journal_unreadable.read = lambda: statistics.unreadable

    def say_build(self) -> None:
        """Show what this server is made of. It reads a file, so it is for the start."""
        _add_build_info(self._registry)

    async def watch_loop(self) -> None:
        """Measure the lag of the event loop, until cancelled."""
        while True:
            due = trio.current_time() + LAG_INTERVAL
            await trio.sleep_until(due)
            self.loop_lag_seconds.observe(trio.current_time() - due)


_QUESTIONS = {
    "pass": Question.PASS,
    "play": Question.CARD,
    "moon": Question.MOON,
    "again": Question.AGAIN,
}
"""The first words of the lines that are choices."""


def _by(label: str, members: type[_E]) -> dict[_E, Labels]:
    return {member: ((label, str(member.value)),) for member in members}


_C = TypeVar("_C", bound=IntEnum)


def _coded(members: type[_C]) -> dict[_C, Labels]:
    return {
        member: (
            ("code", str(member.value)),
            ("reason", member.name.lower().replace("_", "-")),
        )
        for member in members
    }


def _add_build_info(registry: Registry) -> None:
    python = ".".join(str(part) for part in sys.version_info[:3])
    labels = (("version", program_version()), ("python", python), ("trio", trio.__version__))
    info = registry.readings(
        "hearts_build_info", "gauge", "What this server is made of; always 1.", {(): labels}
    )
    info[()].read = lambda: 1


def _tasks() -> int:
    in_loop = trio.lowlevel.in_trio_run()
    return trio.lowlevel.current_statistics().tasks_living if in_loop else 0
