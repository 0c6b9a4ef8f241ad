"""The log: the lines of hands that are played, of all tables; each commit adds to its end.

With the deal of the next hand a hand is finished, and becomes a row of ``hands``. Of a hand that
begins and ends within one commit nothing is in the log. Now and then the older part of the log is
cut off, a little between two commits. Before that, the lines of a hand that is not finished, such
as that of a paused table, are written again at the end. So the log is as long as what is played
makes it, and not as what was played.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from .items import StoredLine
from .lines import PackedHand, UnreadableSession, line_checksum, lines_packed
from .opening import transaction
from .reading import LoggedSession, SessionReader
from .sessions import insert_hand, load_hands
from .unpacked import UnpackedLines

ROWS_AT_ONCE = 64
"""Lines that one statement stores."""
LEAST_ROWS = 4000
"""Rows of the log that are kept anyway."""
_ROWS_EACH = 4
"""Rows of the log for each line of an unfinished hand, beyond which its older part goes."""
_KEPT_EACH = 2
"""Rows for each such line that stay. A hand's lines are spread over twice as many rows where all
tables play at the same pace, so that they are seldom written again."""
_SESSIONS_A_SLICE = 32
_ROWS_A_SLICE = 2000


@cache
def _insert_lines(count: int) -> str:
    # One statement in place of many matters: each is a moment in which the threads of the process
    # fight for the interpreter.
    rows = ", ".join(["(?, ?, ?, ?)"] * count)
    return f"INSERT INTO log (game_number, number, line, checksum) VALUES {rows}"


class LogChange(NamedTuple):
    """What some lines change."""

    rows: Sequence[StoredLine]
    """Those of them that are of hands which are not finished: they go to the log."""
    hands: Sequence[tuple[int, PackedHand]]
    """The hands that are finished now, with their games."""
    sessions: Mapping[int, UnpackedLines]


class HandLog:
    """The log of a journal that one thread writes; what it knows is what is durable."""

    def __init__(self, connection: sqlite3.Connection, least_rows: int = LEAST_ROWS) -> None:
        """Read the log. Raises sqlite3.Error."""
        self._connection = connection
        self._least_rows = least_rows
        self._sessions: dict[int, UnpackedLines] = {}
        self._damaged: dict[int, int] = {}
        """Sessions that cannot be read, and the place of the first line that the log has of each.

        Their lines are kept as they are, in case that somebody can make sense of them."""
        reader = SessionReader(connection)
        self._begin: int
        self._end: int
        self._begin, self._end = connection.execute(
            "SELECT coalesce(min(id), 1), coalesce(max(id) + 1, 1) FROM log"
        ).fetchone()
        # Without an index: one that is damaged must not hide a session.
        going_on = connection.execute("SELECT game_number FROM sessions WHERE +ended IS NULL")
        for (game_number,) in going_on.fetchall():
            self._read(game_number, reader.log.get(game_number, LoggedSession()))
        self._tidy_at = 0
        self._cut: int = self._begin
        self._to_do: list[int] = []
        self._set_limit()

    def _read(self, game_number: int, found: LoggedSession) -> None:
        try:
            packed = lines_packed(load_hands(self._connection, game_number))
            lines = found.behind(packed)
        except UnreadableSession:
            if found.start:
                self._damaged[game_number] = found.start
            return
        if not lines:
            return
        session = self._sessions[game_number] = UnpackedLines(packed)
        for number, line in enumerate(lines, packed):
            session.add(line, found.ids[number])

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self._end - self._begin

    # Storing lines

    def change(self, lines: Sequence[StoredLine]) -> LogChange:
        """What is to be written for some lines; nothing is changed yet.

        Raises ValueError for a line of two lines.
        """
        sessions: dict[int, UnpackedLines] = {}
        for game_number, number, line, _ in lines:
            session = sessions.get(game_number)
            if session is None:
                known = self._sessions.get(game_number)
                session = UnpackedLines(number) if known is None else known.copy()
                sessions[game_number] = session
            session.add(line)
        hands = [(game, hand) for game, each in sessions.items() for hand in each.finished()]
        for each in sessions.values():
            each.drop_finished()
        rows = [line for line in lines if line.number >= sessions[line.game_number].first]
        return LogChange(rows, hands, sessions)

    def write(self, change: LogChange) -> int:
        """Write a change, as part of the caller's transaction; the place of its first row.

        When that is done, :meth:`took` has to be called. Raises sqlite3.Error.
        """
        for game_number, hand in change.hands:
            insert_hand(self._connection, game_number, hand)
        return self._insert(change.rows)

    def _insert(self, lines: Sequence[StoredLine]) -> int:
        end: int = 1
        for start in range(0, len(lines), ROWS_AT_ONCE):
            some = lines[start : start + ROWS_AT_ONCE]
            values = [
                value
                for game_number, number, line, _ in some
                for value in (game_number, number, line, line_checksum(game_number, number, line))
            ]
            cursor = self._connection.execute(_insert_lines(len(some)), values)
            assert cursor.lastrowid is not None
            end = cursor.lastrowid + 1
        return end - len(lines)

    def took(self, change: LogChange, first: int) -> None:
        """What :meth:`write` has written is durable."""
        if not change.rows:
            return
        for id, line in enumerate(change.rows, first):
            session = change.sessions[line.game_number]
            if line.number == session.first:
                session.begins = [(0, id)]
        self._sessions.update(change.sessions)
        self._end = first + len(change.rows)

    def pack_all(self, game_number: int) -> None:
        """Pack whatever there is of a session that ends, as part of the caller's transaction.

        When that is done, :meth:`forget` has to be called.
        """
        session = self._sessions.get(game_number)
        for hand in [] if session is None else session.all():
            insert_hand(self._connection, game_number, hand)

    def forget(self, game_number: int) -> None:
        """A session has ended: what the log has of it is of no use any more."""
        self._sessions.pop(game_number, None)

    def latest(self, game_number: int) -> tuple[int, str] | None:
        """How many lines a session has, and the last one; None if the log has none of it."""
        session = self._sessions.get(game_number)
        return None if session is None else (session.following, session.lines[-1])

    # Cutting its older part off

    def tidy(self) -> bool:
        """Do a slice of what there is to do, if the log is too long; whether there is more.

        Raises sqlite3.Error, and does nothing then.
        """
        if self._cut == self._begin:
            if self.rows <= self._tidy_at:
                return False
            self._plan()
        if self._to_do:
            self._save()
        else:
            self._delete()
        return self._cut > self._begin

    def _plan(self) -> None:
        # It never becomes empty: its places would be counted from 1 again.
        kept = 1 + self._least_rows // 4 + _KEPT_EACH * self._unfinished()
        self._cut = max(self._begin, self._end - kept)
        old = {number: each.begins[0][1] for number, each in self._sessions.items()}
        self._to_do = [number for number, id in (old | self._damaged).items() if id < self._cut]

    def _save(self) -> None:
        """Pack and copy what some sessions have in the part that goes."""
        chosen = list(islice(self._to_do, _SESSIONS_A_SLICE))
        sessions = [(n, self._sessions[n]) for n in chosen if n in self._sessions]
        again: list[StoredLine] = []
        with transaction(self._connection):
            for number, session in sessions:
                for hand in session.finished():
                    insert_hand(self._connection, number, hand)
                index, id = session.begins[-1]
                if id < self._cut:
                    lines = enumerate(session.lines[index:], session.first + index)
                    again += [StoredLine(number, at, line) for at, line in lines]
            first = self._insert(again)
            copies = {
                number: self._copy(number, self._damaged[number])
                for number in chosen
                if number in self._damaged
            }
        del self._to_do[: len(chosen)]
        for _, session in sessions:
            session.drop_finished()
            if session.begins[0][1] < self._cut:
                session.begins = [(0, first)]
                first += len(session.lines)
        self._end = max(self._end, first)
        for number, (copied, end) in copies.items():
            self._damaged[number] = copied
            self._end = max(self._end, end)

    def _copy(self, game_number: int, start: int) -> tuple[int, int]:
        """Write the rows of a session again as they are; where they begin, and what follows."""
        cursor = self._connection.execute(
            "INSERT INTO log (game_number, number, line, checksum)"
            " SELECT game_number, number, line, checksum FROM log"
            " WHERE game_number = ? AND id >= ? ORDER BY id",
            (game_number, start),
        )
        (end,) = self._connection.execute("SELECT max(id) + 1 FROM log").fetchone()
        return end - cursor.rowcount, end

    def _delete(self) -> None:
        end = min(self._cut, self._begin + _ROWS_A_SLICE)
        self._connection.execute("DELETE FROM log WHERE id < ?", (end,))
        self._begin = end
        if end == self._cut:
            self._set_limit()

    def _set_limit(self) -> None:
        self._tidy_at = self._least_rows + _ROWS_EACH * self._unfinished()

    def _unfinished(self) -> int:
        """How many lines all hands have that are not finished."""
        return sum(len(each.lines) - each.begins[-1][0] for each in self._sessions.values())
