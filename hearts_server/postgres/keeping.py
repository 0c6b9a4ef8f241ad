"""What the journal's thread does with its connection to the database, and without one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

import psycopg

from hearts.net.logline import EventLog
from hearts_server.journal.items import Begin, ChangeSeat, End, StoredItem, StoredLine
from hearts_server.journal.lines import PackedHand, UnreadableSession, line_checksum
from hearts_server.journal.rows import changed_seat, ended_row
from hearts_server.journal.store import Fenced, JournalStatistics, PruneTarget, StoredSession
from hearts_server.journal.unpacked import UnpackedLines

from .connecting import Connection, Database, StoreTrouble, may_pass, text_of
from .lives import end_connections, fence, name_connection
from .opening import is_usable
from .pruning import PostgresPruner
from .rows import (
    NotOwn,
    insert_session,
    load_hands,
    load_row,
    load_session,
    replace_row,
    room_of,
)
from .schema import FENCED

log = EventLog(__name__)

PACK_AT = 16
"""Finished hands that are packed together."""
_APPEND = (
    "SELECT append(%s::bigint, %s::int[], %s::int[], (string_to_array(%s, E'\\n'))[2:], %s::int[])"
)
"""The lines stand behind line breaks: an empty text would be no line, and not an empty one."""
_PACK = "SELECT pack(%s::bigint, %s::int[], %s::int[], %s::int[], %s::bytea[], %s::int[])"
HOLD = "SELECT hold(%s::bigint)"
_IS_THERE = (
    "SELECT game_number FROM unnest(%s::int[], %s::int[]) AS u (g, n)"
    " JOIN sessions ON game_number = g WHERE ended IS NOT NULL"
    " OR EXISTS (SELECT FROM lines WHERE lines.game_number = g AND number = n)"
)
"""One that has ended has its lines elsewhere: its end was not answered."""


class PostgresKeeper:
    """A store in which a server has a life, and its connection, which it makes again if it breaks.

    Whatever is asked for again after an error is done once: what was committed already is found.
    """

    errors = StoreTrouble

    def __init__(
        self,
        database: Database,
        connection: Connection,
        life: int,
        statistics: JournalStatistics,
        pack_at: int = PACK_AT,
    ) -> None:
        """``connection`` is of that life. Raises ConfigError where nothing can be read."""
        self.life = life
        self._database = database
        self._statistics = statistics
        self._pack_at = pack_at
        self._warnings: list[str] = []
        self._unpacked: dict[int, UnpackedLines] = {}
        self._finished = 0
        """About how many finished hands are not packed."""
        self._lost: set[int] = set()
        """Sessions of which the database has forgotten lines that were durable."""
        self._tried: set[int] = set()
        """The new sessions of a commit of which nobody knows whether it was done."""
        self._connection: Connection | None = connection
        self._pid = connection.info.backend_pid
        """The process that the database has, or had, for it."""
        connection.add_notice_handler(self._noticed)

    # Before anything is written

    def read(self, finished_since: int, most_finished: int) -> list[StoredSession]:
        with self._database.clear_errors():
            wanted = _wanted_numbers(self._open, finished_since, most_finished)
            return self.load(self._open, wanted)

    def load(self, connection: Connection, numbers: Iterable[int]) -> list[StoredSession]:
        """The sessions of these numbers; one that is damaged is logged and left out."""
        found = []
        for number in numbers:
            try:
                stored, packed = load_session(connection, number)
            except UnreadableSession as error:
                self.refuse(number, error)
                continue
            found.append(stored)
            if stored.ended is None:
                self._unpacked.pop(number, None)
                self._took(number, packed, stored.lines[packed:])
        return found

    def refuse(self, game_number: int, error: UnreadableSession) -> None:
        """A session is damaged."""
        self._statistics.unreadable += 1
        log.error("session-unreadable", game=game_number, why=str(error))

    def highest_game_number(self) -> int:
        with self._database.clear_errors():
            row = self._open.execute("SELECT max(game_number) FROM sessions").fetchone()
        return int((row and row[0]) or 0)

    @property
    def _open(self) -> Connection:
        assert self._connection is not None
        return self._connection

    # Writing

    def commit(self, batch: Sequence[StoredItem]) -> None:
        try:
            self._commit(batch)
        except StoreTrouble:
            self._tried.update(item.game_number for item in batch if isinstance(item, Begin))
            raise
        self._tried.difference_update(item.game_number for item in batch)

    def _commit(self, batch: Sequence[StoredItem]) -> None:
        lines = [item for item in batch if isinstance(item, StoredLine)]
        with self.connected() as connection:
            if not self._lost.isdisjoint(item.game_number for item in batch):
                raise NotOwn("the database has lost lines that were stored")
            if len(lines) == len(batch):
                # A statement on its own is a transaction on its own.
                self._append(connection, lines)
            else:
                with connection.transaction():
                    connection.execute(HOLD, (self.life,))
                    for item in batch:
                        if isinstance(item, Begin):
                            again = item.game_number in self._tried
                            insert_session(connection, self.life, item.session, again=again)
                    self._append(connection, lines)
                    for item in batch:
                        match item:
                            case ChangeSeat(number, player, seat):
                                row = changed_seat(load_row(connection, number), player, seat)
                                replace_row(connection, self.life, row)
                            case End():
                                self._end(connection, item)
        for line in lines:
            self._took(line.game_number, line.number, [line.line])
        for item in batch:
            if isinstance(item, End):
                self._unpacked.pop(item.game_number, None)

    def is_trouble(self, error: Exception) -> bool:
        return isinstance(error, StoreTrouble)

    def _append(self, connection: Connection, lines: Sequence[StoredLine]) -> None:
        if not lines:
            return
        for line in lines:
            if "\n" in line.line:
                raise ValueError("a line has a line break")
        games, numbers, texts, _ = zip(*lines, strict=True)
        checksums = [line_checksum(*line[:3]) for line in lines]
        text = "\n".join(("", *texts))
        values = (self.life, _array(games), _array(numbers), text, _array(checksums))
        connection.execute(_APPEND, values)

    def _end(self, connection: Connection, end: End) -> None:
        number = end.game_number
        row = load_row(connection, number)
        if (row.ended, row.why) == (end.ended, end.why):
            # An earlier try did it, whose answer was lost.
            return
        unpacked = self._unpacked.get(number)
        hands = [] if unpacked is None else unpacked.all()
        _pack(connection, self.life, [(number, hand) for hand in hands])
        hands = load_hands(connection, number)
        replace_row(
            connection, self.life, ended_row(row, hands, end.ended, end.why), room_of(hands)
        )

    def _took(self, game_number: int, first: int, lines: Sequence[str]) -> None:
        """Some lines are durable."""
        unpacked = self._unpacked.get(game_number)
        if unpacked is None:
            unpacked = self._unpacked[game_number] = UnpackedLines(first)
        for line in lines:
            hands = len(unpacked.begins)
            unpacked.add(line)
            self._finished += hands > 0 and len(unpacked.begins) > hands

    # Beside play

    def tidy(self) -> None:
        if self._finished < self._pack_at:
            return
        sessions = [(n, each) for n, each in self._unpacked.items() if len(each.begins) > 1]
        hands = [(number, hand) for number, each in sessions for hand in each.finished()]
        with self.connected() as connection:
            _pack(connection, self.life, hands)
        for _, each in sessions:
            each.drop_finished()
        self._finished = 0

    def pruning(self, wanted: PruneTarget) -> PostgresPruner:
        return PostgresPruner(self.connected, wanted)

    def close(self) -> None:
        if self._connection is None:
            return
        with contextlib.suppress(psycopg.Error):
            # So that the next server needs not wait for this one to be gone.
            fence(self._connection, self.life)
        self._disconnect()

    # The connection

    @contextlib.contextmanager
    def connected(self) -> Iterator[Connection]:
        """The connection, made again if it is broken.

        Raises StoreTrouble for what may pass, whatever became of a commit; Fenced; and ValueError
        or NotOwn for what cannot be stored.
        """
        self._warnings.clear()
        try:
            if self._connection is None:
                self._connection = self._reconnected()
            yield self._connection
        except psycopg.Error as error:
            if error.sqlstate == FENCED:
                raise self._fenced() from None
            if not may_pass(error):
                raise ValueError(text_of(error)) from None
            self._disconnect()
            raise StoreTrouble(text_of(error)) from None
        if self._warnings:
            # It is committed here, and perhaps on no standby. Whoever tries again waits for that.
            raise StoreTrouble(f"a commit is not certain: {self._warnings[0]}")

    def _reconnected(self) -> Connection:
        connection = self._database.connect("hearts")
        try:
            if not is_usable(connection):
                raise self._fenced()
            name_connection(connection, self.life)
            # What the broken one has not committed must not come later.
            end_connections(connection, self.life, self._pid)
            connection.execute(HOLD, (self.life,))
            self._lost |= self._find_lost(connection)
            connection.add_notice_handler(self._noticed)
        except BaseException:
            connection.close()
            raise
        self._pid = connection.info.backend_pid
        return connection

    def _find_lost(self, connection: Connection) -> set[int]:
        """The sessions that go on whose latest durable line is not there.

        So it is after a failover to a standby that had not everything.
        """
        latest = {n: each.following - 1 for n, each in self._unpacked.items() if each.lines}
        found = connection.execute(_IS_THERE, (list(latest), list(latest.values())))
        return latest.keys() - {number for (number,) in found.fetchall()}

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _noticed(self, notice: psycopg.errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(" ".join((notice.message_primary or "").split()))

    def _fenced(self) -> Fenced:
        return Fenced(
            f"--store: another hearts-server has taken over the {self._database}; this one has "
            "ended, and what it has told is stored"
        )


def _array(numbers: Iterable[int]) -> str:
    """Numbers as PostgreSQL reads them; psycopg takes six times as long over a list."""
    return f"{{{','.join(map(str, numbers))}}}"


def _pack(connection: Connection, life: int, hands: Sequence[tuple[int, PackedHand]]) -> None:
    """Store finished hands, in place of their lines."""
    if hands:
        rows = [(n, hand.first, hand.count, hand.lines, hand.checksum(n)) for n, hand in hands]
        connection.execute(_PACK, (life, *map(list, zip(*rows, strict=True))))


def _wanted_numbers(connection: Connection, since: int, most: int) -> list[int]:
    found = connection.execute(
        "SELECT game_number FROM sessions WHERE ended IS NULL"
        " UNION ALL SELECT game_number FROM (SELECT game_number FROM sessions"
        " WHERE ended >= %s ORDER BY ended DESC LIMIT %s) AS latest"
        " ORDER BY game_number",
        (since, most),
    )
    return [number for (number,) in found.fetchall()]
