"""The work of a worker of dask: it plays a share of the matches as they are played anywhere.

The players are in a worker process of the arena, a child of the worker of dask. So a player can do
no more harm than at home, and one that dies, hangs or errs is blamed in the same way. Such a
process is kept for the next share of the same tournament, for some seconds.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import platform
import threading
import time

from msgspec import Struct

from hearts.errors import HeartsError
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import match_of
from hearts_arena.play.players import BadPlayer
from hearts_arena.play.workers import Crew, Fault

from .setups import Setup, setup_of, what_is_wrong

_KEPT_SECONDS = 30.0
"""Seconds that a process waits for another share."""


class Task(Struct, frozen=True, gc=False):
    plan: Plan
    memory: int
    """Bytes that a process of players may have; 0 for no limit."""
    setup: Setup
    """The setup of the machine that the results go to."""


class Share(Struct, frozen=True):
    results: list[MatchResult]
    faults: list[Fault]
    """Of players; the same may stand in other shares."""
    said: list[str]
    """All else that players have done to themselves, in words."""
    seconds: float


class OtherSetup(HeartsError):
    """A machine that would play in another way than the one that asks; the text says in what."""


class KeptCrew(Crew):
    """A worker process of the arena, with what is heard of its players."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._faults: list[Fault] = []
        self._said: list[str] = []
        super().__init__(
            *(task.plan, 1, lambda *fault: self._faults.append(fault)),
            *(lambda text: self._said.append(text), task.memory),
        )

    def play_share(self, numbers: list[int]) -> Share:
        """Play the matches with these numbers. Raises BadPlayer and WorkerDied."""
        begun = time.monotonic()
        results = list(self.play(match_of(self.task.plan, number) for number in numbers))
        faults, self._faults = self._faults, []
        said, self._said = self._said, []
        return Share(results, faults, said, time.monotonic() - begun)


class IdleCrews:
    """Crews that wait for another share."""

    def __init__(self, seconds: float) -> None:
        """Each is ended that has waited for so many seconds."""
        self._seconds = seconds
        self._clocks: dict[KeptCrew, threading.Timer] = {}
        self._lock = threading.Lock()

    def take(self, task: Task) -> KeptCrew | None:
        """Take a crew that has played for this tournament, if there is one; now it is the
        caller's.
        """
        with self._lock:
            for crew in self._clocks:
                if crew.task == task:
                    self._clocks.pop(crew).cancel()
                    return crew
        return None

    def keep(self, crew: KeptCrew) -> None:
        """Keep a crew that has nothing to play now."""
        clock = threading.Timer(self._seconds, self._end, [crew])
        clock.daemon = True
        with self._lock:
            self._clocks[crew] = clock
        clock.start()

    def _end(self, crew: KeptCrew) -> None:
        with self._lock:
            if self._clocks.pop(crew, None) is None:
                return
        crew.stop()


_idle = IdleCrews(_KEPT_SECONDS)


async def setup_there(plan: Plan, memory: int) -> Setup:
    """Return the setup of a worker of dask; runs in its loop. Raises BadPlayer."""
    _let_children_be()
    return await asyncio.to_thread(setup_of, plan, memory)


def play_share(task: Task, numbers: list[int]) -> Share:
    """Play the matches with these numbers, in a worker of dask.

    Raises OtherSetup where players cannot be had, or are others, and WorkerDied.
    """
    _let_children_be()
    crew = _idle.take(task) or _new_crew(task)
    try:
        share = crew.play_share(numbers)
    except BaseException:
        crew.stop()
        raise
    _idle.keep(crew)
    return share


def _new_crew(task: Task) -> KeptCrew:
    # The program that begins a tournament asks all workers first. Others may come later.
    there: Setup | BadPlayer
    try:
        there = setup_of(task.plan, task.memory)
    except BadPlayer as error:
        there = error
    wrong = what_is_wrong(task.setup, there)
    if wrong:
        raise OtherSetup(f"a worker of dask on {platform.node()} cannot be used: {wrong}")
    return KeptCrew(task)


def _let_children_be() -> None:
    """Let this process have children, which a worker of dask may not as it is started.

    They would outlive one that is killed. Those of the arena see that, and end.
    """
    multiprocessing.current_process().daemon = False
