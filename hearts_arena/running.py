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
from msgspec import Struct

from hearts.errors import HeartsError, MissingExtra, leaves

from .kept.result_store import ALL, Part, ResultStore
from .numbers.tally import Tally
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
"""The folder, in that of a tournament, for what the programs print."""


def connect(address: tuple[str, int], plan: Plan, memory: int) -> DaskWorkers:
    """Connect to the workers of a scheduler of dask, all of which can play a plan.

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


class Run(Struct):
    """One run of a tournament, from what is kept to the end or until it is stopped."""

    store: ResultStore
    tally: Tally
    jobs: int
    memory: int
    """For each process of a player, in bytes."""
    say: Say
    progress: Callable[[int, int], None]
    """Hears how many more matches and hands were played."""
    enough: Callable[[], bool] = lambda: False
    """Tells now and then whether the rest need not be played."""
    wire_at_once: int = 1
    """Matches that a program plays at a time that connects by itself."""
    elsewhere: DaskWorkers | None = None
    """They can play this plan, and are given all matches."""
    batch: list[MatchResult] = []
    is_stopped: bool = False
    part: Part = ALL
    """The blocks that are played here."""

    def play(self) -> None:
        """Play what is left. Stopped by an exception, it has kept all that was played.

        Raises BadPlayer, WorkerDied, NoDask and StoreError, and KeyboardInterrupt for SIGTERM as
        well while programs on the wire play.
        """
        try:
            self._play_called()
            if self._wired and not self.enough():
                self._play_at_tables()
        finally:
            self._keep()

    @property
    def _wired(self) -> frozenset[int]:
        entrants = enumerate(self.store.plan.entrants)
        return frozenset(n for n, each in entrants if isinstance(parse_player(each.spec), OnWire))

    def _play_at_tables(self) -> None:
        failures: list[BaseException] = []
        try:
            trio.run(self._play_wired)
        except* HeartsError as errors:
            failures = list(leaves(errors))
        if failures:
            raise failures[0]
        if self.is_stopped:
            raise KeyboardInterrupt

    def _pending(self, *, on_wire: bool) -> Iterator[Match]:
        wired = self._wired
        for match in self.store.pending(self.part):
            if wired.isdisjoint(match.seats) is not on_wire:
                yield match

    def _called(self) -> Generator[MatchResult, None, None]:
        matches = self._pending(on_wire=False)
        if self.elsewhere is not None:
            return self.elsewhere.play(matches, self.say)
        return play_matches(
            self.store.plan,
            matches,
            # Players that live on see the matches in their order, so one plays after the other.
            workers=1 if self.store.plan.keeps_players else self.jobs,
            say=self.say,
            memory_limit=self.memory,
        )

    def _play_called(self) -> None:
        kept_at = monotonic()
        with closing(self._called()) as results:
            for result in results:
                self._accept(result)
                now = monotonic()
                if len(self.batch) >= _BATCH or now - kept_at >= _BATCH_SECONDS:
                    self._keep()
                    kept_at = now
                    if self.enough():
                        break

    async def _play_wired(self) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with (
                trio.open_nursery() as nursery,
                wire_matches(
                    self.store.plan,
                    named(self.store.plan, self.say),
                    self.store.folder / OUTPUT_FOLDER,
                    memory=self.memory,
                    say=self.say,
                    at_once=self.wire_at_once,
                ) as table,
            ):
                nursery.start_soon(self._stop_at_signal, signals, nursery.cancel_scope)
                nursery.start_soon(self._keep_now_and_then, nursery.cancel_scope)
                at_once = max(self.jobs, self.wire_at_once)
                await table.play_all(self._pending(on_wire=True), at_once, self._accept)
                nursery.cancel_scope.cancel()

    async def _stop_at_signal(self, signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
        # Raised in the midst of trio, KeyboardInterrupt would leave programs behind.
        async for _ in signals:
            self.is_stopped = True
            scope.cancel()

    async def _keep_now_and_then(self, playing: trio.CancelScope) -> None:
        while True:
            await trio.sleep(_BATCH_SECONDS)
            self.progress(0, 0)
            if self.batch:
                await trio.to_thread.run_sync(self._keep)
                if self.enough():
                    playing.cancel()

    def _accept(self, result: MatchResult) -> None:
        self.batch.append(result)

    def _keep(self) -> None:
        batch, self.batch = self.batch, []
        if not batch:
            return
        self.store.append(batch)
        for result in batch:
            self.tally.add(match_of(self.store.plan, result.number), result)
        self.progress(len(batch), sum(len(result.points) for result in batch))
