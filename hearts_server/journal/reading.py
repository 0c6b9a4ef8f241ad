"""Reading sessions back: the lines of the log, and those of hands that were packed before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from .lines import PackedHand, StoredLines, UnreadableSession, line_checksum, lines_packed
from .rows import SessionRow
from .sessions import load_hands, load_row
from .spool import SpooledLine, following
from .store import StoredSession

_SELECT_LOG = "SELECT id, game_number, number, line, checksum FROM log ORDER BY id"


class LoggedSession:
    """What the log has of one session, the lines of hands that are packed by now among it."""

    __slots__ = ("_damage", "_lines", "ids", "start")

    def __init__(self, start: int = 0) -> None:
        self.start = start
        """The place of its first row, damaged or not; 0 if there is none."""
        self.ids: dict[int, int] = {}
        """The latest place in the log of each line."""
        self._lines: dict[int, str] = {}
        self._damage = ""

    def add(self, id: int, game_number: object, number: object, line: object, stored: int) -> None:
        """A row of the log that says that it is of this session."""
        if (
            not isinstance(game_number, int)
            or not isinstance(number, int)
            or not isinstance(line, str)
            or line_checksum(game_number, number, line) != stored
        ):
            self._damage = self._damage or f"row {id} of the log does not fit its checksum"
            return
        self._lines[number] = line
        self.ids[number] = id

    def behind(self, packed: int) -> list[str]:
        """The lines from a number on. Raises UnreadableSession if they are not whole."""
        if self._damage:
            raise UnreadableSession(self._damage)
        lines = self._lines
        count = max(lines, default=-1) + 1 - packed
        try:
            return [lines[number] for number in range(packed, packed + count)]
        except KeyError as missing:
            raise UnreadableSession(f"its line {missing.args[0]} is missing") from None


def assembled(row: SessionRow, hands: Sequence[PackedHand], logged: LoggedSession) -> StoredSession:
    """A session out of what is stored of it. Raises UnreadableSession."""
    packed = lines_packed(hands)
    latest: list[str] = []
    if row.ended is None:
        latest = logged.behind(packed)
    elif packed != row.lines:
        raise UnreadableSession(f"it has {packed} of its {row.lines} lines")
    return StoredSession(row.session(), StoredLines(hands, latest), row.ended, row.why)


class SessionReader:
    """Reads sessions of the journal as it is at one moment."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        spooled: Mapping[int, Sequence[SpooledLine]] = MappingProxyType({}),
    ) -> None:
        """``spooled`` are the lines of a spool that was read before that moment."""
        self._connection = connection
        self._spooled = spooled
        self._log: dict[int, LoggedSession] | None = None

    @property
    def log(self) -> dict[int, LoggedSession]:
        """What the log has of each session; it is read once."""
        if self._log is None:
            self._log = read_log(self._connection)
        return self._log

    def session(self, game_number: int) -> StoredSession:
        """A session, whose packed hands are unpacked when they are asked for.

        Raises UnreadableSession.
        """
        row = load_row(self._connection, game_number)
        hands = load_hands(self._connection, game_number)
        logged = self.log.get(game_number) if row.ended is None else None
        stored = assembled(row, hands, logged or LoggedSession())
        if row.ended is not None or game_number not in self._spooled:
            return stored
        lines, last = stored.lines, "".join(stored.lines[-1:])
        spooled = following(self._spooled[game_number], game_number, len(lines), last)
        return msgspec.structs.replace(stored, lines=(*lines, *spooled))

    def numbers(self) -> list[int]:
        """The numbers of all sessions, in order."""
        found = self._connection.execute("SELECT game_number FROM sessions ORDER BY game_number")
        return [number for (number,) in found.fetchall()]


def read_log(connection: sqlite3.Connection) -> dict[int, LoggedSession]:
    """All lines of the log, by the number of their session."""
    rows: Iterable[tuple[int, int, int, str, int]] = connection.execute(_SELECT_LOG)
    found: dict[int, LoggedSession] = {}
    for row in rows:
        lines = found.get(row[1])
        if lines is None:
            lines = found[row[1]] = LoggedSession(row[0])
        lines.add(*row)
    return found
