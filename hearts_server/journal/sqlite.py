"""The journal in SQLite: what is played at every table, durable before anybody hears of it.

One thread writes. The event loop only puts items into a queue; the thread takes all that wait as
one transaction (group commit), and then lets the loop call what waits for them, in order.

The queue is bounded by the tables: a table proposes at most four lines (the passes) before one of
them is durable, so with a disk that fails nothing piles up.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

import trio
from msgspec import Struct

from hearts.hosting.store import Done, Session
from hearts.net.logline import EventLog
from hearts_server.config import ConfigError, Durability

from .pruning import Pruner, PruneTarget
from .rows import (
    UnreadableSession,
    end_session,
    insert_lines,
    insert_session,
    load_session,
    move_seat,
)
from .schema import BUSY_LIMIT, open_database
from .store import StoredSession

log = EventLog(__name__)

END_LIMIT = 5.0
"""Seconds that the thread has at the end to write what waits."""
RETRY_EVERY = 1.0
"""Seconds between two tries to write while writing fails."""
_REMIND_EVERY = 60.0
_ROWS_AT_ONCE = 64
_REST_AFTER = 4
"""Times as long as a slice of pruning is the rest that follows it."""


class JournalStatistics(Struct):
    """Counters since the journal was opened; the thread writes them, anybody may read them."""

    lines_written: int = 0
    batches: int = 0
    largest_batch: int = 0
    """Lines, beginnings and ends of sessions in the largest transaction."""
    commit_seconds: float = 0.0
    """Spent in transactions, the waiting for the disk included."""
    failing_since: float | None = None
    """``time.monotonic()`` at which writing began to fail; None while it works."""


class _Begin(NamedTuple):
    game_number: int
    session: Session
    durable: Done


class _StoredLine(NamedTuple):
    game_number: int
    number: int
    line: str
    durable: Done


class _Move(NamedTuple):
    game_number: int
    player: int
    network: str


class _End(NamedTuple):
    game_number: int
    ended: int
    why: str


_Item = _Begin | _StoredLine | _Move | _End


class SqliteStore:
    """The lines of one session on their way into the journal."""

    __slots__ = ("_game_number", "_number", "_put")

    def __init__(self, put: Callable[[_Item], None], game_number: int, number: int) -> None:
        self._put = put
        self._game_number = game_number
        self._number = number

    def append(self, line: str, durable: Done) -> None:
        """Store a line; ``durable`` is called on the loop when it is."""
        self._put(_StoredLine(self._game_number, self._number, line, durable))
        self._number += 1

    def move_seat(self, player: int, network: str) -> None:
        """The client of a seat is in this network now."""
        self._put(_Move(self._game_number, player, network))

    def end(self, why: str) -> None:
        """The session is over now."""
        self._put(_End(self._game_number, int(time.time()), why))


class SqliteJournal:
    """The journal of a server, in one file."""

    def __init__(
        self,
        path: Path,
        durability: Durability,
        *,
        on_trouble: Callable[[str | None], None] = lambda why: None,
        on_refused: Callable[[int], None] = lambda game_number: None,
        retry_every: float = RETRY_EVERY,
        busy_limit: float = BUSY_LIMIT,
    ) -> None:
        """Open the file, which waits for the disk. Raises ConfigError, saying what to do.

        ``durability`` is NORMAL or FULL. NORMAL holds against a killed process; a power cut may
        take the last seconds and leaves the rest whole. FULL waits for the disk each time.

        Both callbacks run on the loop. ``on_trouble`` gets the reason when writing begins to fail,
        and None when it works again. ``on_refused`` gets the number of a game that cannot be
        stored whatever is tried, such as a number that is taken: nothing of it is acknowledged
        any more, and its table has to end.
        """
        self._connection = open_database(path, synchronous=durability.value, busy_limit=busy_limit)
        self._path = path
        self.on_trouble = on_trouble
        self.on_refused = on_refused
        self._retry_every = retry_every
        self._queue: SimpleQueue[list[_Item]] = SimpleQueue()
        self._collected: list[_Item] = []
        self._given = 0
        self._taken = 0
        self._wanted = trio.Event()
        self._stop = threading.Event()
        self._token: trio.lowlevel.TrioToken | None = None
        self._refused: set[int] = set()
        self._wanted_size: PruneTarget | None = None
        self._pruner: Pruner | None = None
        self._slice_due = 0.0
        self.statistics = JournalStatistics()

    # Before the loop runs

    def read(self, finished_since: int, most_finished: int = 1000) -> list[StoredSession]:
        """The sessions that go on, and those that ended at a Unix time or later, by game number.

        Of those that ended at most ``most_finished`` are read, the latest.

        Waits for the disk; to be called before :meth:`run`. A session whose rows make no sense is
        logged, left out and left as it is. Raises ConfigError where nothing can be read.
        """
        try:
            numbers = self._connection.execute(
                "SELECT game_number FROM sessions WHERE ended IS NULL"
                " UNION ALL SELECT game_number FROM (SELECT game_number FROM sessions"
                " WHERE ended >= ? ORDER BY ended DESC LIMIT ?)"
                " ORDER BY game_number",
                (finished_since, most_finished),
            ).fetchall()
            return [stored for (number,) in numbers if (stored := self._load(number)) is not None]
        except sqlite3.Error as error:
            raise ConfigError(f"cannot read the journal {self._path}: {error}") from None

    def _load(self, game_number: int) -> StoredSession | None:
        try:
            return load_session(self._connection, game_number)
        except UnreadableSession as error:
            log.error("session-unreadable", game=game_number, why=str(error))
            return None

    def highest_game_number(self) -> int:
        """The highest number that a stored session has; 0 without any. As :meth:`read`."""
        try:
            row = self._connection.execute("SELECT max(game_number) FROM sessions").fetchone()
        except sqlite3.Error as error:
            raise ConfigError(f"cannot read the journal {self._path}: {error}") from None
        return int(row[0] or 0)

    def close(self) -> None:
        """Close a journal that does not run. The end of :meth:`run` closes it as well."""
        with contextlib.suppress(sqlite3.Error):
            # The log goes into the file now, though not at the price of waiting for a reader.
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._connection.close()

    # On the loop

    @property
    def waiting(self) -> int:
        """How many items the thread has not taken yet."""
        return self._given - self._taken

    def begin(self, session: Session, durable: Done) -> SqliteStore:
        """Store a new session; ``durable`` is called on the loop when it is."""
        self._put(_Begin(session.game_number, session, durable))
        return SqliteStore(self._put, session.game_number, 0)

    def take_up(self, stored: StoredSession) -> SqliteStore:
        """Go on with a session that :meth:`read` gave."""
        return SqliteStore(self._put, stored.session.game_number, len(stored.lines))

    def prune(self, wanted: PruneTarget) -> None:
        """Delete the oldest finished sessions, bit by bit, while nothing waits to be written."""
        self._wanted_size = wanted
        self._queue.put([])

    def _put(self, item: _Item) -> None:
        self._given += 1
        self._collected.append(item)
        self._wanted.set()

    def _hand_over(self) -> None:
        items, self._collected = self._collected, []
        self._queue.put(items)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Write what comes until it is cancelled; then write what waits, and close the file.

        It has to outlive the tables: what comes after its end is not stored.
        """
        self._token = trio.lowlevel.current_trio_token()
        limit = trio.CancelScope(shield=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._own_thread, limit)
            task_status.started()
            try:
                while True:
                    # All tables that are ready now have their turn before the thread is woken:
                    # to wake it for each line costs several times what the line does.
                    await self._wanted.wait()
                    self._wanted = trio.Event()
                    self._hand_over()
            finally:
                limit.deadline = trio.current_time() + END_LIMIT
                self._stop.set()
                self._hand_over()

    async def _own_thread(self, limit: trio.CancelScope) -> None:
        with limit:
            await trio.to_thread.run_sync(
                self._write_all, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
            )
        if limit.cancelled_caught:
            log.error("journal-abandoned", seconds=END_LIMIT, waiting=self.waiting)

    @staticmethod
    def _call(callbacks: Sequence[Callable[[], None]]) -> None:
        for callback in callbacks:
            try:
                callback()
            except Exception:
                log.exception("journal-callback-failed")

    # In the thread

    def _write_all(self) -> None:
        try:
            while not self._stop.is_set() or self._queue.qsize():
                self._write_next()
        finally:
            self.close()

    def _write_next(self) -> None:
        # In a frame of its own: while nothing waits, nothing holds the tables of the last batch.
        batch = self._take()
        if batch:
            self._write(batch)
        if not self._stop.is_set():
            self._prune_on()

    def _take(self) -> list[_Item]:
        """Everything that waits; waits itself while there is nothing else to do."""
        try:
            rest = self._slice_due - time.monotonic()
            items = self._queue.get(timeout=None if self._pruner is None else max(0.0, rest))
        except Empty:
            return []
        while not self._queue.empty():
            items += self._queue.get_nowait()
        self._taken += len(items)
        return [item for item in items if item.game_number not in self._refused]

    def _write(self, batch: Sequence[_Item]) -> None:
        try:
            self._write_patiently(batch)
        except Exception as error:
            # It is not the disk: one of the sessions cannot be stored, and must not stop others.
            games = {item.game_number for item in batch}
            if len(games) == 1:
                self._refuse(games.pop(), error)
                return
            for game in sorted(games):
                self._write([item for item in batch if item.game_number == game])

    def _write_patiently(self, batch: Sequence[_Item]) -> None:
        reminded = 0.0
        while True:
            began = time.perf_counter()
            try:
                self._commit(batch)
                break
            except sqlite3.DatabaseError as error:
                if not _is_trouble(error):
                    raise
                reminded = self._trouble(str(error), len(batch), reminded)
            if self._stop.is_set():
                log.error("journal-gave-up", unwritten=len(batch))
                return
            self._stop.wait(self._retry_every)
        statistics = self.statistics
        statistics.batches += 1
        statistics.largest_batch = max(statistics.largest_batch, len(batch))
        statistics.commit_seconds += time.perf_counter() - began
        if statistics.failing_since is not None:
            self._recovered(statistics.failing_since)
        self._tell([item.durable for item in batch if isinstance(item, _Begin | _StoredLine)])

    def _commit(self, batch: Sequence[_Item]) -> None:
        connection = self._connection
        lines = [item for item in batch if isinstance(item, _StoredLine)]
        if len(lines) == len(batch) <= _ROWS_AT_ONCE:
            # A statement on its own is a transaction on its own.
            self._insert(lines)
        else:
            connection.execute("BEGIN IMMEDIATE")
            try:
                for item in batch:
                    if isinstance(item, _Begin):
                        insert_session(connection, item.session)
                for start in range(0, len(lines), _ROWS_AT_ONCE):
                    self._insert(lines[start : start + _ROWS_AT_ONCE])
                for item in batch:
                    if isinstance(item, _Move):
                        move_seat(connection, *item)
                    elif isinstance(item, _End):
                        end_session(connection, *item)
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                raise
        self.statistics.lines_written += len(lines)

    def _insert(self, lines: Sequence[_StoredLine]) -> None:
        values = [value for line in lines for value in line[:3]]
        self._connection.execute(insert_lines(len(lines)), values)

    def _prune_on(self) -> None:
        if self._pruner is None and self._wanted_size is not None:
            self._pruner = Pruner(self._connection, self._wanted_size)
            self._wanted_size = None
        pruner = self._pruner
        # What is played goes first, and a slice is followed by a longer rest.
        if pruner is None or not self._queue.empty() or time.monotonic() < self._slice_due:
            return
        try:
            if pruner.go_on():
                self._slice_due = time.monotonic() + _REST_AFTER * pruner.slice_seconds
                return
        except sqlite3.Error as error:
            log.error("pruning-failed", why=str(error))
        self._pruner = None
        if pruner.done.sessions:
            done = pruner.done
            log.info("pruned", sessions=done.sessions, lines=done.lines, bytes=done.bytes)

    def _trouble(self, why: str, waiting: int, reminded: float) -> float:
        now = time.monotonic()
        if self.statistics.failing_since is None:
            self.statistics.failing_since = now
            log.error("journal-failing", why=why, waiting=waiting)
            self._tell([partial(self.on_trouble, why)])
            return now
        if now - reminded >= _REMIND_EVERY:
            seconds = int(now - self.statistics.failing_since)
            waiting += self.waiting
            log.error("journal-still-failing", why=why, waiting=waiting, seconds=seconds)
            return now
        return reminded

    def _recovered(self, since: float) -> None:
        self.statistics.failing_since = None
        log.warning("journal-works-again", seconds=time.monotonic() - since)
        self._tell([partial(self.on_trouble, None)])

    def _refuse(self, game_number: int, error: Exception) -> None:
        log.error("journal-refused", game=game_number, why=str(error))
        self._refused.add(game_number)
        self._tell([partial(self.on_refused, game_number)])

    def _tell(self, callbacks: Sequence[Callable[[], None]]) -> None:
        assert self._token is not None
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._call, callbacks)


def _is_trouble(error: sqlite3.DatabaseError) -> bool:
    """Whether another try may help: the disk or the file is at fault, and not what is stored."""
    return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError
