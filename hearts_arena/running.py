"""Plays what is left of a tournament: in worker processes, and at tables for programs on the wire.

The two take turns: first the matches of players who are asked by a call, on all cores, then those
in which a program takes part. Or workers on other machines play all. Results are kept as they come.
"""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import closing
from time import monotonic
from typing import TYPE_CHECKING

import trio

from hearts.errors import HeartsError, MissingExtra, leaves

from .kept.result_store import ResultStore
from .numbers.tally import Tally
from .plan.deals import secret
from .plan.plan import Plan
from .plan.results import Match, MatchResult
from .plan.schedules import match_of
from .play.faults import Say, named
from .play.players import BadPlayer, OnWire, parse_player
from .play.workers import play_matches
from .wire.matches import wire_matches

if TYPE_CHECKING:
    from .elsewhere.dask_workers import DaskWorkers

_BATCH = 64
"""Results that are kept together, so that the disk is not asked for each."""
_BATCH_SECONDS = 0.5
OUTPUT_FOLDER = "output"
"""Where in a tournament's folder is what the programs have printed."""


def connect(address: tuple[str, int], plan: Plan, memory: int) -> DaskWorkers:
    """The workers of a scheduler of dask, by its host and port, all of which can play a plan.

    ``memory`` is in bytes, for each process of players. Raises BadPlayer for a plan that cannot be
    played elsewhere, NoDask, and MissingExtra.
    """
    for entrant in plan.entrants:
        if isinstance(parse_player(entrant.spec), OnWire):
            raise BadPlayer(
                f"{entrant.name!r} has a connection, which nobody can have to workers elsewhere: "
                "leave out --on, or let it play by cmd:--line"
            )
    if plan.keeps_players:
        raise BadPlayer("players that are kept play in one process here: leave out --on")
    try:
        from .elsewhere.dask_workers import DaskWorkers
    except ImportError as error:
        raise MissingExtra("dask", "--on", error.name or "distributed") from error
    return DaskWorkers(address, plan, memory)


class Run:
    """One run of a tournament, from what is kept to the end or until it is stopped."""

    def __init__(
        self,
        store: ResultStore,
        tally: Tally,
        *,
        jobs: int,
        memory: int,
        say: Say,
        progress: Callable[[int, int], None],
        enough: Callable[[], bool] = lambda: False,
        wire_at_once: int = 1,
        elsewhere: DaskWorkers | None = None,
    ) -> None:
        """``tally`` has what is kept already. ``memory`` is for each process of a player, in bytes.

        ``say`` hears what players do to themselves, and ``progress`` how many more matches and
        hands were played. ``enough`` is asked now and then whether the rest need not be played.
        ``wire_at_once`` is how many matches a program plays at a time that connects by itself.
        With workers ``elsewhere``, who can play this plan, they are given all matches.
        """
        self._store = store
        self._tally = tally
        self._jobs = jobs
        self._memory = memory
        self._say = say
        self._progress = progress
        self._enough = enough
        self._wire_at_once = wire_at_once
        self._elsewhere = elsewhere
        self._wired = frozenset(
            number
            for number, entrant in enumerate(store.plan.entrants)
            if isinstance(parse_player(entrant.spec), OnWire)
        )
        self._batch: list[tuple[Match, MatchResult]] = []
        self._stopped = False

    def play(self) -> None:
        """Play what is left. Stopped by an exception, it has kept all that was played.

        Raises BadPlayer, WorkerDied, NoDask and StoreError, and KeyboardInterrupt for SIGTERM as
        well while programs on the wire play.
        """
        try:
            self._play_called()
            if self._wired and not self._enough():
                self._play_at_tables()
        finally:
            self._keep()

    def _play_at_tables(self) -> None:
        failures: list[BaseException] = []
        try:
            trio.run(self._play_wired)
        except* HeartsError as errors:
            failures = list(leaves(errors))
        if failures:
            raise failures[0]
        if self._stopped:
            raise KeyboardInterrupt

    def _pending(self, wired: bool) -> Iterator[Match]:
        for match in self._store.pending():
            is_wired = not self._wired.isdisjoint(match.seats)
            if is_wired is wired:
                yield match

    def _called(self) -> Generator[MatchResult, None, None]:
        """The results of players that are called, as they come."""
        matches = self._pending(wired=False)
        if self._elsewhere is not None:
            return self._elsewhere.play(matches, self._say)
        return play_matches(
            self._store.plan,
            matches,
            secret,
            # Who lives on sees the matches in their order, so one plays after the other.
            workers=1 if self._store.plan.keeps_players else self._jobs,
            say=self._say,
            memory_limit=self._memory,
        )

    def _play_called(self) -> None:
        kept_at = monotonic()
        with closing(self._called()) as results:
            for result in results:
                self._take(result)
                now = monotonic()
                if len(self._batch) >= _BATCH or now - kept_at >= _BATCH_SECONDS:
                    self._keep()
                    kept_at = now
                    if self._enough():
                        break

    async def _play_wired(self) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._stop_at_signal, signals, nursery.cancel_scope)
                await self._play_wired_matches()
                nursery.cancel_scope.cancel()

    async def _stop_at_signal(self, signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
        # Raised in the midst of trio, KeyboardInterrupt would leave programs behind.
        async for _ in signals:
            self._stopped = True
            scope.cancel()

    async def _play_wired_matches(self) -> None:
        async with (
            trio.open_nursery() as nursery,
            wire_matches(
                self._store.plan,
                secret,
                named(self._store.plan, self._say),
                self._store.folder / OUTPUT_FOLDER,
                memory=self._memory,
                say=self._say,
                at_once=self._wire_at_once,
            ) as table,
        ):
            nursery.start_soon(self._keep_now_and_then, nursery.cancel_scope)
            at_once = max(self._jobs, self._wire_at_once)
            await table.play_all(self._pending(wired=True), at_once, self._take)
            nursery.cancel_scope.cancel()

    async def _keep_now_and_then(self, playing: trio.CancelScope) -> None:
        while True:
            await trio.sleep(_BATCH_SECONDS)
            self._progress(0, 0)
            if self._batch:
                await trio.to_thread.run_sync(self._keep)
                if self._enough():
                    playing.cancel()

    def _take(self, result: MatchResult) -> None:
        match = match_of(self._store.plan, result.number)
        self._batch.append((match, result))

    def _keep(self) -> None:
        batch, self._batch = self._batch, []
        if not batch:
            return
        self._store.append(result for _, result in batch)
        for match, result in batch:
            self._tally.add(match, result)
        self._progress(len(batch), sum(len(result.points) for _, result in batch))
