"""A real server is killed at random instants, again and again, and every session comes to its end.

The clients share no code with the server. They come back by themselves; what each of them saw over
all its connections is judged by the referee and compared with the journal (tests/soak).
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts_server.journal.opening import open_existing
from hearts_server.journal.reading import SessionReader
from hearts_server.journal.schema import JOURNAL_FILE
from hearts_server.journal.store import StoredSession
from tests.independent.rules import Foul
from tests.soak import evidence
from tests.soak.hall import Hall
from tests.soak.server import ServerProcess, server
from tests.soak.table import TablePlan

TABLES = 5
LIMIT = 120.0
"""Seconds in which all sessions have to end; a slow machine does not need them."""
ARGUMENTS = (
    *("--journal", "normal", "--grace", "60", "--pause-limit", "600", "--turn-limit", "0"),
    *("--log-level", "warning"),
)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ServerProcess]:
    with server(tmp_path / "data", *ARGUMENTS) as made:
        made.begin()
        made.wait_ready()
        yield made


@pytest.fixture
def hall(process: ServerProcess, tmp_path: Path) -> Iterator[Hall]:
    plan = TablePlan(end_score=30, journal=tmp_path / "data" / JOURNAL_FILE, stuck_after=LIMIT / 2)
    with contextlib.closing(
        Hall(("127.0.0.1", process.port), plan, range(TABLES), seed=1, faults=tmp_path / "faults")
    ) as made:
        yield made


class Killer:
    """Kills the server so many times, then lets the sessions end."""

    def __init__(self, hall: Hall, process: ServerProcess, kills: int) -> None:
        self._hall = hall
        self._process = process
        self._chance = random.Random(20)
        self._left = kills
        self._returned = 0.0
        self._plan()

    def _plan(self) -> None:
        # Some die while they begin, most while clients come back or play.
        if self._chance.random() < 0.2:
            self._hall.later(self._chance.uniform(0, 0.2), self._kill)
        else:
            self._await_somebody()

    def _await_somebody(self) -> None:
        heard = self._hall.counts["come-backs"] + self._hall.counts["hands"]
        if heard > self._returned:
            self._hall.later(self._chance.uniform(0, 0.25), self._kill)
        else:
            self._hall.later(0.005, self._await_somebody)

    def _kill(self) -> None:
        # A client that has not heard of its seat could not come back to it.
        if self._hall.has_newcomers:
            self._hall.later(0.005, self._kill)
            return
        self._returned = self._hall.counts["come-backs"] + self._hall.counts["hands"]
        self._process.kill()
        self._process.begin()
        self._left -= 1
        if self._left:
            self._plan()
        else:
            self._hall.close_doors()


def play_to_the_end(hall: Hall) -> None:
    limit = time.monotonic() + LIMIT
    while not hall.is_over:
        assert time.monotonic() < limit, hall.counts
        hall.step()
    assert hall.faults == []


def stored(path: Path) -> list[StoredSession]:
    with contextlib.closing(open_existing(path)) as journal:
        reader = SessionReader(journal)
        return [reader.session(number) for number in reader.numbers()]


def check(hall: Hall, process: ServerProcess) -> None:
    """Everything was as it should be, for every client of every session."""
    process.terminate()
    process.wait_ended()
    assert process.errors() == []
    assert hall.counts["by clock"] == hall.counts["by stand-in"] == 0
    assert hall.counts["tables not begun"] == hall.counts["seats lost at birth"] == 0
    assert hall.plan.journal is not None
    sessions = stored(hall.plan.journal)
    assert len(sessions) == hall.counts["sessions"]
    assert {session.why for session in sessions} == {"the players are done"}
    hands = sum(line.startswith("deal ") for session in sessions for line in session.lines)
    assert hands == hall.counts["hands"]


@pytest.mark.parametrize("kills", [6, pytest.param(20, marks=pytest.mark.heavy)])
def test_killed_again_and_again(kills: int, hall: Hall, process: ServerProcess) -> None:
    Killer(hall, process, kills)
    play_to_the_end(hall)
    process.wait_ready()
    assert process.lives == kills + 1
    assert hall.counts["come-backs"] > 4 * kills
    check(hall, process)


def test_ended_in_order_it_goes_on_where_the_hands_ended(
    hall: Hall, process: ServerProcess
) -> None:
    def end() -> None:
        if hall.counts["hands"] < TABLES or hall.has_newcomers:
            hall.later(0.005, end)
            return
        hall.close_doors()
        process.terminate()
        begin_again()

    def begin_again() -> None:
        if process.has_ended:
            process.wait_ended()
            process.begin()
        else:
            hall.later(0.01, begin_again)

    end()
    play_to_the_end(hall)
    process.wait_ready()
    parts = [part.facts for player in hall.players for part in player.parts]
    assert {facts[-2].kind for facts in parts} == {"scores", "new game"}
    assert len(parts) > len(hall.players)
    check(hall, process)
    a_difference_would_be_seen(hall)


def a_difference_would_be_seen(hall: Hall) -> None:
    """The comparison with the journal can fail."""
    player = hall.players[0]
    assert hall.plan.journal is not None
    assert player.ticket is not None
    true = evidence.load(hall.plan.journal, player.ticket.game)
    assert evidence.check(true, {player.seat: player.parts})["own"] > 13
    own = next(n for n, line in enumerate(true.lines) if line.startswith(f"play {player.seat} "))
    marked = [*true.lines[:own], f"{true.lines[own]} clock", *true.lines[own + 1 :]]
    for lines in (marked, true.lines[:own]):
        with pytest.raises(Foul):
            evidence.check(replace(true, lines=tuple(lines)), {player.seat: player.parts})
