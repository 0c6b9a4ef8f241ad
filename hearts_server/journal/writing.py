"""The thread that writes the journal: all waiting items in one transaction, until it works."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from queue import Empty, SimpleQueue

from hearts.net.logline import EventLog

from .archive import Pruner
from .keeper import JournalKeeper
from .spool import Spool
from .store import (
    Begin,
    ChangeSeat,
    End,
    Fenced,
    PruneTarget,
    StoredItem,
    StoredLine,
    StoreTrouble,
)

log = EventLog(__name__)

_REMIND_EVERY = 60.0
SILENT_AFTER = 4.0
"""Seconds after which a commit that is under way counts as trouble."""
STORE_EVERY = 2.0
"""Seconds after which the lines in the spool are stored, however few.

At full speed hands are over by then: they are stored as hands, and their lines never are.
"""
_LINES_AT_ONCE = 256
"""Lines in the spool, or those of one session, after which the thread rests."""
_REST = 0.01
"""Seconds. With every write to a connection the loop lets go of the interpreter; while the thread
is busy the loop gets it back late each time. So the thread is busy for a millisecond only, and as
evenly as it can: 10,000 tables have 90 such slices in two seconds."""
_REST_AFTER = 4
"""The rest after a slice of pruning is this many times as long as the slice."""


class Writer:
    """Writes the items that it is given, in order. All else in it belongs to the thread."""

    def __init__(
        self,
        keeper: JournalKeeper,
        tell: Callable[[Sequence[Callable[[], None]]], None],
        trouble: Callable[[str | None], None],
        refused: Callable[[int], None],
        spool: Spool | None,
    ) -> None:
        """``tell`` lets the loop call something, such as ``trouble`` and ``refused``."""
        self.retry_every = 1.0
        """Seconds between two tries to write while writing fails."""
        self.store_every = STORE_EVERY
        self._keeper = keeper
        self._statistics = keeper.statistics
        self._call_back = tell
        self._trouble = trouble
        self._refused_one = refused
        self._spool = spool
        self._queue: SimpleQueue[Sequence[StoredItem]] = SimpleQueue()
        self._jobs: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._stop = threading.Event()
        self._store_due = 0.0
        self._refused: set[int] = set()
        self._wanted_size: PruneTarget | None = None
        self._pruner: Pruner | None = None
        self._slice_due = 0.0
        self._lock = threading.Lock()
        """Held while the state of writing is compared, so that a failure is reported only once."""
        self._busy_since: float | None = None
        """``time.monotonic()`` at which the commit began that is under way."""
        self._reminder_due = 0.0
        self._gave_up = False
        self._given = 0
        self._taken = 0

    @property
    def waiting(self) -> int:
        """The number of items that it was given and has not taken yet."""
        return self._given - self._taken

    def give(self, items: Sequence[StoredItem]) -> None:
        """Queue items to be written."""
        self._given += len(items)
        self._queue.put(items)

    def prune(self, wanted: PruneTarget) -> None:
        """Delete old sessions while nothing waits to be written."""
        self._wanted_size = wanted
        self._queue.put([])

    def begin(self, item: Begin) -> None:
        """Queue a session that begins: it has no lines in the spool, and people wait for it."""
        self.do(partial(self._write, [item]))

    def do(self, job: Callable[[], object]) -> None:
        """Let the thread do something between two commits. An error in it ends the thread."""
        self._jobs.put(job)
        self._queue.put([])

    def stop(self) -> None:
        """Write what it was given, and end; while that fails, try it once more."""
        self._stop.set()
        self._queue.put([])

    def run(self) -> None:
        """Write until it is stopped."""
        while not self._stop.is_set() or self._queue.qsize():
            self.write_next()

    def write_next(self) -> None:
        """Write the waiting items, or wait for some; then do a slice of other work."""
        # In a frame of its own: while nothing waits, nothing holds the tables of the last batch.
        batch = self._take()
        self._do_jobs()
        is_due = time.monotonic() >= self._store_due or self._stop.is_set()
        if self._spool is not None and (batch or is_due or self._spool.fault):
            # After the batch was taken: whatever came before one of its items is there by now.
            self._store_due = time.monotonic() + self.store_every
            self._write_spool(self._spool)
        # A session's last lines have to be durable before it is packed as a whole.
        ends = [item for item in batch if isinstance(item, End)]
        done = self._write([item for item in batch if not isinstance(item, End)])
        self._gave_up = self._gave_up or not (done and self._write(ends))
        if not self._stop.is_set():
            self._prune_on()

    def _do_jobs(self) -> None:
        while not self._jobs.empty():
            self._jobs.get_nowait()()

    def _take(self) -> Sequence[StoredItem]:
        """Take everything that waits; wait while there is nothing else to do."""
        items: Sequence[StoredItem] = ()
        due = self._store_due if self._spool is not None else inf
        due = self._slice_due if self._pruner is not None else due
        limit = None if due == inf else max(0.0, due - time.monotonic())
        with contextlib.suppress(Empty):
            items = self._queue.get(timeout=limit)
            while True:
                items = [*items, *self._queue.get_nowait()]
        self._taken += len(items)
        return items

    def _write_spool(self, spool: Spool) -> None:
        games, numbers, texts = spool.take()
        by_game: defaultdict[int, list[int]] = defaultdict(list)
        for place, game_number in enumerate(games):
            by_game[game_number].append(place)
        while by_game and not self._gave_up:
            lines: list[StoredLine] = []
            while by_game and len(lines) < _LINES_AT_ONCE:
                game_number, places = by_game.popitem()
                lines += [StoredLine(game_number, numbers[at], texts[at]) for at in places]
            self._gave_up = not self._write(lines)
            self._rest()
        if not self._gave_up:
            spool.settle()

    def _rest(self) -> None:
        """Let the loop have the interpreter, unless somebody waits for the thread.

        After a restart people wait for their sessions to be read while others play already.
        """
        if self._stop.is_set():
            return
        self._do_jobs()
        if not self.waiting:
            time.sleep(_REST)

    def _write(self, batch: Sequence[StoredItem]) -> bool:
        """Write items; False if it gave up. Sessions that cannot be stored are left out."""
        if self._refused:
            batch = [item for item in batch if item.game_number not in self._refused]
        if not batch:
            return True
        try:
            return self._write_patiently(batch)
        except Fenced:
            raise
        except Exception as error:
            # It is not the disk: one of the sessions cannot be stored, and must not stop others.
            games = {item.game_number for item in batch}
            if len(games) == 1:
                self._refuse(games.pop(), error)
                return True
            parts = [[item for item in batch if item.game_number == game] for game in sorted(games)]
            done = [self._write(part) for part in parts]
            return all(done)

    def _write_patiently(self, batch: Sequence[StoredItem]) -> bool:
        while True:
            began = time.perf_counter()
            self._busy_since = time.monotonic()
            try:
                self._keeper.commit(batch)
                break
            except StoreTrouble as error:
                self._report(str(error), len(batch))
            finally:
                self._busy_since = None
            if self._stop.is_set():
                log.error("journal-gave-up", unwritten=len(batch))
                return False
            self._stop.wait(self.retry_every)
        with self._lock:
            failing_since = self._statistics.failing_since
        statistics = self._statistics
        statistics.batches += 1
        statistics.largest_batch = max(statistics.largest_batch, len(batch))
        statistics.commit_seconds += time.perf_counter() - began
        statistics.lines_written += len([item for item in batch if isinstance(item, StoredLine)])
        if failing_since is not None:
            self._recovered(failing_since)
        waited = (None if isinstance(item, ChangeSeat) else item.durable for item in batch)
        if callbacks := [durable for durable in waited if durable is not None]:
            self._call_back(callbacks)
        return True

    def look(self) -> None:
        """On the loop: report a commit that is under way for long."""
        now = time.monotonic()
        with self._lock:
            since = self._busy_since
            if since is None or now - since < SILENT_AFTER:
                return
            if self._statistics.failing_since is not None:
                return
            self._statistics.failing_since = since
        why = f"no answer for {SILENT_AFTER:.0f} s"
        log.error("journal-failing", why=why, waiting=self.waiting)
        self._trouble(why)

    def _prune_on(self) -> None:
        if self._pruner is None and self._wanted_size is not None:
            self._pruner = Pruner(self._keeper, self._wanted_size)
            self._wanted_size = None
        pruner = self._pruner
        # What is played goes first, and a slice is followed by a longer rest.
        if pruner is None or not self._queue.empty() or time.monotonic() < self._slice_due:
            return
        try:
            if pruner.go_on():
                self._slice_due = time.monotonic() + _REST_AFTER * pruner.slice_seconds
                return
        except StoreTrouble as error:
            log.error("pruning-failed", why=str(error))
        self._pruner = None
        if pruner.done.sessions:
            done = pruner.done
            log.info("pruned", sessions=done.sessions, lines=done.lines, bytes=done.bytes)

    def _report(self, why: str, waiting: int) -> None:
        now = time.monotonic()
        with self._lock:
            since = self._statistics.failing_since
            if since is None:
                self._statistics.failing_since = now
        if since is None:
            log.error("journal-failing", why=why, waiting=waiting)
            self._call_back([partial(self._trouble, why)])
        elif now < self._reminder_due:
            return
        else:
            waiting += self.waiting
            log.error("journal-still-failing", why=why, waiting=waiting, seconds=int(now - since))
        self._reminder_due = now + _REMIND_EVERY

    def _recovered(self, since: float) -> None:
        self._statistics.failing_since = None
        log.warning("journal-works-again", seconds=time.monotonic() - since)
        self._call_back([partial(self._trouble, None)])

    def _refuse(self, game_number: int, error: Exception) -> None:
        log.error("journal-refused", game=game_number, why=str(error))
        self._refused.add(game_number)
        self._call_back([partial(self._refused_one, game_number)])
