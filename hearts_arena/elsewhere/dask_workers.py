"""Plays matches with the workers of a scheduler of dask.

What is played follows from the plan and the numbers of matches, so the results are those of workers
here. If a worker is lost, dask gives its shares to another one. The library has a thread of its own
for its loop of asyncio; whatever is waited for here has a limit.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
import warnings
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import islice
from queue import Empty, SimpleQueue

from distributed import Client, Future, KilledWorker, rpc
from distributed.versions import VersionMismatchWarning
from msgspec import Struct

from hearts.errors import HeartsError
from hearts.settings.readers import place_text
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.play.faults import FirstFaults, Say, named
from hearts_arena.play.workers import WorkerDied

from .setups import Setup, setup_here, setup_of, what_is_wrong
from .shares import Share, Task, play_share, setup_there

_SETUP_LIMIT = 150.0
"""Seconds for a worker to say with what it would play: to import players may take long."""
_LOOK_EVERY = 2.0
"""Seconds between two looks at how many workers there are."""
_SHARE_SECONDS = 5.0
"""A share takes about as long."""
_GROWTH = 4
"""If a share takes too little time, the next one may be larger by this factor at most."""
_LARGEST_SHARE = 10_000
_SHARES_AHEAD = 2
"""Shares for each thread of a worker: one that is played, and one that waits for that."""
_MOST_LOSSES = 3
"""Times that dask may give up a match, each after some workers have died of it."""


class Waits(Struct, frozen=True, gc=False):
    """Seconds."""

    answer: float = 30.0
    """For the scheduler to answer, to a first connection as well, and to hand a result over."""
    worker: float = 60.0
    """In which there may be no worker."""


class NoDask(HeartsError):
    """Workers that cannot be had, or not any more; the text gives the reason and a remedy."""


_WAITS = Waits()


class DaskWorkers:
    """The workers of a scheduler; all of them can play a plan. Close it, or use it in ``with``."""

    def __init__(
        self, address: tuple[str, int], plan: Plan, memory: int, waits: Waits = _WAITS
    ) -> None:
        """Connect to a host and a port, and see that all workers would play as this machine does.

        ``memory`` is in bytes, for each process of players; 0 for no limit. Raises NoDask, and
        BadPlayer for one that cannot be had here.
        """
        self._waits = waits
        self._address = place_text(address)
        self._task = Task(plan, memory, setup_of(plan, memory))
        # What it has to say is said here, by an error, if it matters.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.simplefilter("ignore", VersionMismatchWarning)
        url = f"tcp://{self._address}"
        try:
            # The library tries again and again where nobody listens.
            socket.create_connection(address, waits.answer).close()
            # Of another version it may not understand more than this question.
            there = asyncio.run(asyncio.wait_for(_version_at(url), waits.answer))
            if there == version("distributed"):
                self._client = Client(
                    url, timeout=waits.answer, set_as_default=False, name="hearts-arena"
                )
        except Exception as error:
            raise NoDask(
                f"no scheduler of dask answers at {self._address} ({str(error) or 'too late'}): "
                "'dask scheduler' starts one"
            ) from error
        if there != version("distributed"):
            raise NoDask(
                f"the scheduler at {self._address} has dask {there}, and here it is "
                f"{version('distributed')}: install the same"
            )
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> DaskWorkers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up. Shares that wait are dropped, and those that are played come to nothing."""
        with suppress(TimeoutError):
            self._client.close(timeout=self._waits.answer)

    def play(self, matches: Iterable[Match], say: Say) -> Generator[MatchResult, None, None]:
        """Play matches; the results as they come, in any order.

        ``matches`` are taken as they are needed, and ``say`` hears what players do to themselves.
        Raises NoDask and WorkerDied.
        """
        faults = FirstFaults(named(self._task.plan, say))
        shares = _Shares(match.number for match in matches)
        under_way: dict[Future[Share], list[int]] = {}
        done: SimpleQueue[Future[Share]] = SimpleQueue()
        threads, looked = self._threads(), time.monotonic()
        seen = looked
        while True:
            while len(under_way) < _SHARES_AHEAD * threads and (numbers := shares.next()):
                future = self._client.submit(play_share, self._task, numbers, pure=False)
                under_way[future] = numbers
                future.add_done_callback(done.put)
            if threads and not under_way:
                return
            now = time.monotonic()
            if now - looked >= _LOOK_EVERY:
                threads, looked = self._threads(), now
                if threads:
                    seen = now
                elif now - seen > self._waits.worker:
                    raise NoDask(f"the scheduler of dask at {self._address} has lost all workers")
            try:
                future = done.get(timeout=_LOOK_EVERY)
            except Empty:
                continue
            numbers = under_way.pop(future)
            share = self._share_of(future)
            if share is None:
                shares.lost(numbers)
                continue
            shares.played(share)
            for fault in share.faults:
                faults.receive(*fault)
            for text in share.said:
                say(text)
            yield from share.results

    def _share_of(self, future: Future[Share]) -> Share | None:
        """Return the share that was played; None if its workers were lost."""
        try:
            return future.result(timeout=self._waits.answer)
        except (KilledWorker, TimeoutError):
            return None
        except HeartsError:
            raise
        except Exception as error:
            if future.cancelled():
                raise self._gone() from None
            raise NoDask(f"a worker of dask fails: {type(error).__name__}: {error}") from error

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Raise NoDask if the scheduler does not answer in this block."""
        try:
            yield
        except OSError:
            raise self._gone() from None

    def _gone(self) -> NoDask:
        return NoDask(f"the scheduler of dask at {self._address} does not answer any more")

    def _threads(self) -> int:
        """Return the shares that the workers can play at once."""
        with self._asking():
            found: dict[str, int] = self._client.nthreads(callback_timeout=self._waits.answer)
        return sum(found.values())

    def _check(self) -> None:
        """See that scheduler and workers would play as this machine does."""
        try:
            self._client.wait_for_workers(1, timeout=self._waits.worker)
        except TimeoutError:
            raise NoDask(
                f"the scheduler of dask at {self._address} has no worker: "
                f"'dask worker {self._address}' starts one"
            ) from None
        plan, memory, here = self._task.plan, self._task.memory, self._task.setup
        with self._asking():
            found: dict[str, Setup | Exception] = self._client.run(
                setup_there, plan, memory, on_error="return", callback_timeout=_SETUP_LIMIT
            )
            scheduler: Setup | Exception
            try:
                scheduler = self._client.run_on_scheduler(
                    setup_here, callback_timeout=self._waits.answer
                )
            except OSError:
                raise
            except Exception as error:
                scheduler = error
        setups = {f"worker {worker}": there for worker, there in found.items()}
        for who, there in (setups | {"scheduler": scheduler}).items():
            # A worker that has just gone is no trouble, and one that comes is asked by its share.
            wrong = "" if isinstance(there, OSError) else what_is_wrong(here, there)
            if wrong:
                raise NoDask(f"the {who} of dask cannot be used: {wrong}")


async def _version_at(url: str) -> str:
    async with rpc(url) as scheduler:
        said: dict[str, dict[str, str]] = await scheduler.versions()
    return said["packages"]["distributed"]


class _Shares:
    """The matches to play next, in shares of suitable size."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._new = numbers
        self._again: deque[int] = deque()
        self._losses: Counter[int] = Counter()
        self._size = 1

    def next(self) -> list[int]:
        if self._again:
            return [self._again.popleft()]
        return list(islice(self._new, self._size))

    def played(self, share: Share) -> None:
        """Take the time of a share as that of the next ones."""
        fitting = len(share.results) * _SHARE_SECONDS / max(share.seconds, 1e-3)
        self._size = max(1, min(int(fitting), _GROWTH * len(share.results), _LARGEST_SHARE))

    def lost(self, numbers: list[int]) -> None:
        """Play matches again whose workers were lost, each by itself. Raises WorkerDied."""
        self._losses.update(numbers)
        for number in numbers:
            if self._losses[number] >= _MOST_LOSSES:
                raise WorkerDied(f"workers of dask are lost again and again in match {number}")
        self._again.extend(numbers)
