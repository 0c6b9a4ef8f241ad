"""The work of a journal's thread on the tables of a store, in any database.

The lines of a hand that is played lie in ``lines``. With the deal of the next hand it is finished,
and some finished hands are packed together (:mod:`hearts_server.journal.lines`) by the commit that
finishes the last of them. Of a hand that is packed by the commit that begins it nothing ever is in
``lines``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from hearts.hosting.store import Session
from hearts.net.logline import EventLog

from .lines import PackedHand, UnpackedLines, UnreadableSession
from .rows import (
    ROWS_AT_ONCE,
    NotOwn,
    StoreTables,
    Value,
    among,
    change_seat,
    end_session,
    highest_number,
    insert_session,
    load_session,
    pack,
    read_row,
    session_rows,
)
from .store import (
    Begin,
    ChangeSeat,
    End,
    JournalStatistics,
    StoredItem,
    StoredLine,
    StoredSession,
    StoreTrouble,
)

log = EventLog(__name__)

GOING_ON = "WHERE ended IS NULL ORDER BY game_number"
LATELY_OVER = "WHERE ended >= ? ORDER BY ended DESC LIMIT ?"
_REACHED = (
    "SELECT game_number, max(number) FROM lines WHERE {0} GROUP BY game_number UNION ALL"
    " SELECT game_number, max(first + count) - 1 FROM hands WHERE {0} GROUP BY game_number"
)
"""The latest lines of sessions: of those that are not packed, and of the others."""
_Hands = list[tuple[int, PackedHand]]
"""Packed hands, each with its game."""


class JournalKeeper:
    """The tables of a store, written by the thread of a journal alone once that runs.

    A request that is repeated after StoreTrouble takes effect once: a first commit is found.
    """

    def __init__(self, tables: StoreTables, pack_at: int = 1) -> None:
        self.tables = tables
        self.statistics = JournalStatistics()
        self.pack_at = pack_at
        """The number of finished hands that are packed together."""
        self._unpacked: dict[int, UnpackedLines] = {}
        """The durable lines that are not packed of each session that goes on, and during a commit
        those that it stores."""
        self._finished: set[int] = set()
        """Of these, the sessions that have finished hands."""
        self._tried: set[int] = set()
        """Sessions whose beginning may be stored."""
        self._lost: set[int] = set()
        """Sessions that have lost durable lines in the database."""

    # Before the journal runs

    def highest_game_number(self) -> int:
        """Read the highest number that a stored session has; 0 without any. As :meth:`read`."""
        with self.tables.clear_errors():
            return highest_number(self.tables)

    # Reading

    def left(self, which: str, *values: Value) -> list[Session]:
        """Read sessions without their lines; ``which`` is the end of the statement.

        A damaged one is logged, left out, and left as it is.
        """
        found = []
        for row in session_rows(self.tables, which, *values):
            try:
                found.append(read_row(row).session())
            except UnreadableSession as error:
                self.refuse(row[0], error)
        return found

    def load(self, numbers: Iterable[int]) -> list[StoredSession]:
        """Read the sessions of these numbers; one that is damaged is logged and left out."""
        found = []
        for number in numbers:
            try:
                found.append(self.load_one(number))
            except UnreadableSession as error:
                self.refuse(number, error)
        return found

    def load_one(self, game_number: int) -> StoredSession:
        """Read a session. Raises UnreadableSession."""
        stored, unpacked = load_session(self.tables, game_number)
        if stored.ended is None:
            self._unpacked[game_number] = unpacked
            self._finished |= {game_number} if unpacked.finished else set()
        return stored

    def refuse(self, game_number: int, error: UnreadableSession) -> None:
        """Count and log a session that is damaged."""
        self.statistics.unreadable += 1
        log.error("session-unreadable", game=game_number, why=str(error))

    # Writing

    def commit(self, batch: Sequence[StoredItem]) -> None:
        """Make items durable, all or none of them; their ``durable`` is not called.

        After an error it may be given the same items again, whether they were stored or not.
        Raises StoreTrouble if another try may help, Fenced, and any other error for items that
        cannot be stored.
        """
        before: dict[int, int] = {}
        try:
            self._commit(batch, before)
        except BaseException as error:
            for number, count in before.items():
                self._unpacked[number].cut(count)
            if isinstance(error, StoreTrouble):
                self._tried.update(item.game_number for item in batch if isinstance(item, Begin))
            raise
        self._tried.difference_update(item.game_number for item in batch)

    def _commit(self, batch: Sequence[StoredItem], before: dict[int, int]) -> None:
        """As :meth:`commit`; ``before`` gets how many lines each session that changes had."""
        lines = [item for item in batch if isinstance(item, StoredLine)]
        ends = [item.game_number for item in batch if isinstance(item, End)]
        with self.connected():
            if not self._lost.isdisjoint(item.game_number for item in batch):
                raise NotOwn("the database has lost lines that were stored")
            kept, hands, finished = self._change(lines, ends, before)
            if len(batch) == len(kept) <= ROWS_AT_ONCE and not hands:
                # A statement on its own is a transaction on its own.
                self.tables.append(lines)
            else:
                with self.tables.transaction():
                    self._write(batch, kept, hands)
        for number, _ in hands:
            self._unpacked[number].drop_finished()
        self._finished = finished
        for number in ends:
            self._unpacked.pop(number, None)

    def _change(
        self, lines: list[StoredLine], ends: Sequence[int], before: dict[int, int]
    ) -> tuple[list[StoredLine], _Hands, set[int]]:
        """Add lines to those that are durable; return those of them that are not packed now, the
        hands that are, and the sessions that have finished hands then."""
        unpacked = self._unpacked
        for game_number, number, line, _ in lines:
            session = unpacked.get(game_number)
            if session is None:
                session = unpacked[game_number] = UnpackedLines(number)
            before.setdefault(game_number, len(session.lines))
            session.add(line)
        finished = self._finished.union(number for number in before if unpacked[number].finished)
        hands: _Hands = []
        if sum(unpacked[number].finished for number in finished) >= self.pack_at:
            hands = [(number, hand) for number in finished for hand in unpacked[number].hands()]
            finished = set()
            lines = [line for line in lines if line.number >= unpacked[line.game_number].open_from]
        for number in ends:
            if number in unpacked:
                hands += [(number, hand) for hand in unpacked[number].hands(whole=True)]
        return lines, hands, finished.difference(ends)

    def _write(self, batch: Sequence[StoredItem], lines: list[StoredLine], hands: _Hands) -> None:
        for item in batch:
            if isinstance(item, Begin):
                again = item.game_number in self._tried
                insert_session(self.tables, item.session, again=again)
        self.tables.append(lines)
        pack(self.tables, hands)
        for item in batch:
            match item:
                case ChangeSeat(number, player, seat):
                    change_seat(self.tables, number, player, seat)
                case End(number, ended, why):
                    end_session(self.tables, number, ended, why)

    # The connection

    @contextmanager
    def connected(self) -> Iterator[None]:
        """As :meth:`StoreTables.connected`; look for lost lines if the connection is a new one."""
        with self.tables.connected() as is_another:
            if is_another:
                self._find_lost()
            yield

    def _find_lost(self) -> None:
        """Find the sessions that go on whose latest durable line is not there.

        That happens after a failover to a standby that did not have everything.
        """
        latest = {n: each.following - 1 for n, each in self._unpacked.items() if each.following}
        if latest:
            reached: dict[int, int] = dict(sorted(self.tables.rows(_REACHED.format(among(latest)))))
            self._lost |= {n for n, number in latest.items() if reached.get(n, -1) < number}
