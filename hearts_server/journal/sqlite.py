"""The journal in SQLite: one file in the data dir of the server."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from hearts.net.logline import EventLog
from hearts_server.config import ConfigError, Durability

from .check import JournalCheck
from .items import Begin, ChangeSeat, End, StoredItem, StoredLine
from .lines import UnreadableSession
from .log import ROWS_AT_ONCE, HandLog
from .opening import BUSY_LIMIT, clear_errors, open_database, transaction
from .pruning import Pruner
from .reading import SessionReader
from .sessions import change_seat, end_session, insert_session
from .spool import Spool, SpooledLine, following, read_spool, spool_path
from .store import JournalStatistics, PruneTarget, StoredSession
from .threaded import ThreadedJournal
from .writing import RETRY_EVERY

log = EventLog(__name__)


class SqliteKeeper:
    """A file of a journal that is open."""

    errors = sqlite3.Error

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        statistics: JournalStatistics,
        rows: HandLog | None = None,
    ) -> None:
        """Read the log, unless it was read. Raises ConfigError."""
        self._connection = connection
        self._path = path
        self._statistics = statistics
        with self._readable():
            self._log = rows or HandLog(connection)

    def read(self, finished_since: int, most_finished: int) -> list[StoredSession]:
        found = []
        with self._readable():
            reader = SessionReader(self._connection)
            for number in self._wanted_numbers(finished_since, most_finished):
                try:
                    found.append(reader.session(number))
                except UnreadableSession as error:
                    self._statistics.unreadable += 1
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
        with self._readable():
            row = self._connection.execute("SELECT max(game_number) FROM sessions").fetchone()
        return int(row[0] or 0)

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(f"cannot read the journal {self._path}: {error}") from None

    def take_in(self, spooled: Mapping[int, Sequence[SpooledLine]]) -> None:
        """Store what a server that was killed had in its spool. Raises sqlite3.Error.

        A session that cannot be stored is logged, and stays as it is.
        """
        count = 0
        for game_number, lines in spooled.items():
            if (end := self._end_of(game_number)) is None:
                continue
            found = following(lines, game_number, *end)
            missing = [StoredLine(game_number, n, line) for n, line in enumerate(found, end[0])]
            try:
                self.commit(missing)
            except Exception as error:
                if self.is_trouble(error):
                    raise
                log.error("journal-refused", game=game_number, why=str(error))
            else:
                count += len(missing)
        if count:
            log.info("spool-read", lines=count)

    def _end_of(self, game_number: int) -> tuple[int, str] | None:
        """How many lines of a session that goes on are stored, and the last one."""
        if (latest := self._log.latest(game_number)) is not None:
            return latest
        try:
            found = SessionReader(self._connection).session(game_number)
        except UnreadableSession:
            return None
        return None if found.ended is not None else (len(found.lines), "".join(found.lines[-1:]))

    def commit(self, batch: Sequence[StoredItem]) -> None:
        lines = [item for item in batch if isinstance(item, StoredLine)]
        others = [item for item in batch if not isinstance(item, StoredLine)]
        change = self._log.change(lines)
        if not others and len(lines) <= ROWS_AT_ONCE and not change.hands:
            # A statement on its own is a transaction on its own.
            first = self._log.write(change)
        else:
            with transaction(self._connection):
                for item in others:
                    if isinstance(item, Begin):
                        insert_session(self._connection, item.session)
                first = self._log.write(change)
                for item in others:
                    if isinstance(item, ChangeSeat):
                        change_seat(self._connection, *item)
                    elif isinstance(item, End):
                        self._log.pack_all(item.game_number)
                        end_session(self._connection, item.game_number, item.ended, item.why)
        self._log.took(change, first)
        for item in others:
            if isinstance(item, End):
                self._log.forget(item.game_number)

    def is_trouble(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError

    def tidy(self) -> None:
        self._log.tidy()

    def pruning(self, wanted: PruneTarget) -> Pruner:
        return Pruner(self._connection, wanted)

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            # The log goes into the file now, though not at the price of waiting for a reader.
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._connection.close()


class SqliteJournal(ThreadedJournal):
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

        ``durability`` is NORMAL or FULL. NORMAL has a spool, and holds against a killed process; a
        power cut may take the last seconds and leaves the rest whole. FULL waits for the disk each
        time. What is in the spool of a server that was killed is stored now.

        Both callbacks run on the loop; :class:`hearts_server.journal.store.LastingJournal` says
        what they get.
        """
        connection = open_database(path, synchronous=durability.value, busy_limit=busy_limit)
        statistics = JournalStatistics()
        spool = None
        try:
            keeper = SqliteKeeper(connection, path, statistics)
            with clear_errors(path):
                keeper.take_in(read_spool(spool_path(path)))
                if durability is Durability.NORMAL:
                    spool = Spool(path)
                else:
                    spool_path(path).unlink(missing_ok=True)
        except BaseException:
            connection.close()
            raise
        super().__init__(
            *(keeper, statistics),
            on_trouble=on_trouble,
            on_refused=on_refused,
            retry_every=retry_every,
            beside=JournalCheck(path, statistics),
            spool=spool,
        )
