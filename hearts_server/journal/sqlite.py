"""The journal in SQLite: what is played at every table, durable before anybody hears of it.

One thread writes. The event loop only puts items into a queue; the thread takes all that wait as
one transaction (group commit), and then lets the loop call what waits for them, in order.

The queue is bounded by the tables: a table proposes at most four lines (the passes) before one of
them is durable, so with a disk that fails nothing piles up.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import trio

from hearts.hosting.store import Description, Done, Session
from hearts.net.logline import EventLog
from hearts_server.config import ConfigError, Durability

from .check import JournalCheck
from .gathering import GATHER, Gathering
from .items import Begin, Describe, End, Move, StoredItem, StoredLine
from .lines import UnreadableSession
from .log import HandLog
from .migration import migrate
from .opening import BUSY_LIMIT, open_database
from .reading import SessionReader
from .store import JournalStatistics, PruneTarget, StoredSession
from .writing import RETRY_EVERY, Writer

log = EventLog(__name__)

END_LIMIT = 5.0
"""Seconds that the thread has at the end to write what waits."""


class SqliteStore:
    """The lines of one session on their way into the journal."""

    __slots__ = ("_game_number", "_number", "_put")

    def __init__(self, put: Callable[[StoredItem], None], game_number: int, number: int) -> None:
        self._put = put
        self._game_number = game_number
        self._number = number

    def append(self, line: str, durable: Done) -> None:
        """Store a line; ``durable`` is called on the loop when it is."""
        self._put(StoredLine(self._game_number, self._number, line, durable))
        self._number += 1

    def move_seat(self, player: int, network: str) -> None:
        """The client of a seat is in this network now."""
        self._put(Move(self._game_number, player, network))

    def describe_seat(self, player: int, said: Description) -> None:
        """The player of a seat says this of himself now."""
        self._put(Describe(self._game_number, player, said))

    def end(self, why: str) -> None:
        """The session is over now."""
        self._put(End(self._game_number, int(time.time()), why))


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

        Both callbacks run on the loop; :class:`hearts_server.journal.store.LastingJournal` says
        what they get.
        """
        connection = open_database(
            path, migrate, synchronous=durability.value, busy_limit=busy_limit
        )
        self._connection = connection
        self._path = path
        self.on_trouble = on_trouble
        self.on_refused = on_refused
        self.statistics = JournalStatistics()
        try:
            with self._readable():
                rows = HandLog(connection)
        except BaseException:
            connection.close()
            raise
        self._writer = Writer(
            connection,
            rows,
            self.statistics,
            self._tell,
            trouble=lambda why: self.on_trouble(why),
            refused=lambda game_number: self.on_refused(game_number),
            retry_every=retry_every,
        )
        self._check = JournalCheck(path, self.statistics)
        self._gathering = Gathering()
        self._collected: list[StoredItem] = []
        self._wanted = trio.Event()
        self._token: trio.lowlevel.TrioToken | None = None

    # Before the loop runs

    def read(self, finished_since: int, most_finished: int = 1000) -> list[StoredSession]:
        """The sessions that go on, and those that ended at a Unix time or later, by game number.

        Of those that ended at most ``most_finished`` are read, the latest.

        Waits for the disk; to be called before :meth:`run`. A session whose rows are damaged or
        make no sense is logged, left out and left as it is. Raises ConfigError where nothing can
        be read.
        """
        found = []
        with self._readable():
            reader = SessionReader(self._connection)
            for number in self._wanted_numbers(finished_since, most_finished):
                try:
                    found.append(reader.session(number))
                except UnreadableSession as error:
                    self.statistics.unreadable += 1
                    log.error("session-unreadable", game=number, why=str(error))
        return found

    def _wanted_numbers(self, finished_since: int, most_finished: int) -> list[int]:
        # The first without an index: one that is damaged must not hide a session.
        rows = self._connection.execute(
            "SELECT game_number FROM sessions WHERE +ended IS NULL"
            " UNION ALL SELECT game_number FROM (SELECT game_number FROM sessions"
            " WHERE ended >= ? ORDER BY ended DESC LIMIT ?)"
            " ORDER BY game_number",
            (finished_since, most_finished),
        )
        return [number for (number,) in rows.fetchall()]

    def highest_game_number(self) -> int:
        """The highest number that a stored session has; 0 without any. As :meth:`read`."""
        with self._readable():
            row = self._connection.execute("SELECT max(game_number) FROM sessions").fetchone()
        return int(row[0] or 0)

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(f"cannot read the journal {self._path}: {error}") from None

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
        return len(self._collected) + self._writer.waiting

    def begin(self, session: Session, durable: Done) -> SqliteStore:
        """Store a new session; ``durable`` is called on the loop when it is."""
        self._put(Begin(session.game_number, session, durable))
        return SqliteStore(self._put, session.game_number, 0)

    def take_up(self, stored: StoredSession) -> SqliteStore:
        """Go on with a session that :meth:`read` gave."""
        return SqliteStore(self._put, stored.session.game_number, len(stored.lines))

    def prune(self, wanted: PruneTarget) -> None:
        """Delete the oldest finished sessions, bit by bit, while nothing waits to be written."""
        self._writer.prune(wanted)

    def _put(self, item: StoredItem) -> None:
        self._collected.append(item)
        self._wanted.set()

    def _hand_over(self) -> None:
        items, self._collected = self._collected, []
        self._writer.give(items)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Write what comes until it is cancelled; then write what waits, and close the file.

        It has to outlive the tables: what comes after its end is not stored.
        """
        self._token = trio.lowlevel.current_trio_token()
        limit = trio.CancelScope(shield=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._own_thread, limit)
            nursery.start_soon(self._check.run)
            task_status.started()
            try:
                while True:
                    # All tables that are ready now have their turn before the thread is woken:
                    # to wake it for each line costs several times what the line does.
                    await self._wanted.wait()
                    games = (item.game_number for item in self._collected)
                    if self._gathering.waits(games, trio.current_time()):
                        await trio.sleep(GATHER)
                    self._wanted = trio.Event()
                    self._hand_over()
            finally:
                limit.deadline = trio.current_time() + END_LIMIT
                self._hand_over()
                self._writer.stop()

    async def _own_thread(self, limit: trio.CancelScope) -> None:
        with limit:
            await trio.to_thread.run_sync(
                self._write_all, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
            )
        if limit.cancelled_caught:
            log.error("journal-abandoned", seconds=END_LIMIT, waiting=self.waiting)

    def _write_all(self) -> None:
        try:
            self._writer.run()
        finally:
            # It reads the file, whose log could not be emptied meanwhile.
            self._check.stop()
            self.close()

    def _tell(self, callbacks: Sequence[Callable[[], None]]) -> None:
        assert self._token is not None
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._call, callbacks)

    @staticmethod
    def _call(callbacks: Sequence[Callable[[], None]]) -> None:
        for callback in callbacks:
            try:
                callback()
            except Exception:
                log.exception("journal-callback-failed")
