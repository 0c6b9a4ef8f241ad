"""A server that is killed at random instants while tables play, and what must be true then."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

from hearts_server.journal.store import StoredSession
from tests.soak import evidence
from tests.soak.hall import Hall
from tests.soak.soak_server import ServerProcess

LIMIT = 120.0
"""Seconds in which all sessions have to end; a slow machine does not need them."""


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
    """Play until all sessions have ended, without a fault."""
    limit = time.monotonic() + LIMIT
    while not hall.is_over:
        assert time.monotonic() < limit, hall.counts
        hall.step()
    assert hall.faults == []


def stored(journal: Path | str) -> list[StoredSession]:
    with contextlib.closing(evidence.opened(journal)) as archive:
        return [archive.session(number) for number in archive.numbers()]


def check(hall: Hall, process: ServerProcess, expected: str = "") -> None:
    """Everything was as it should be, for every client of every session.

    ``expected`` is an event that the log may have.
    """
    process.terminate()
    process.wait_ended()
    said = [line for line in process.errors() if f" event={expected} " not in line]
    assert said == []
    assert hall.counts["by clock"] == hall.counts["by stand-in"] == 0
    assert hall.counts["tables not begun"] == hall.counts["seats lost at birth"] == 0
    assert hall.plan.journal is not None
    sessions = stored(hall.plan.journal)
    assert len(sessions) == hall.counts["sessions"]
    assert {session.why for session in sessions} == {"the players are done"}
    hands = sum(line.startswith("deal ") for session in sessions for line in session.lines)
    assert hands == hall.counts["hands"]
