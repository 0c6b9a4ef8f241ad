"""The stored sessions as a host has them, while a server may be writing others; and the deletion of
old ones by a server itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import HeartsError

from .keeper import JournalKeeper
from .lines import UnreadableSession
from .rows import (
    Row,
    StoreTables,
    Value,
    among,
    game_numbers,
    load_session,
    read_row,
    session_rows,
)
from .spool import SpooledLine, following
from .store import PruneTarget, StoredSession

T = TypeVar("T")

_SESSIONS_AT_ONCE = 50
"""Sessions that are deleted in one transaction, so that a server that runs does not wait long."""
_PRUNED_TO = 0.95
"""Of its limit that a store is pruned to, so that there is not something to do all the time."""
_HANDS_AT_ONCE = 200
"""Hands of several sessions that a server deletes between two choices."""


class Pruned(Struct, frozen=True, gc=False):
    """Sessions that were deleted."""

    sessions: int = 0
    lines: int = 0
    bytes: int = 0
    """By about how much what is stored takes less room, perhaps after a while."""

    def __add__(self, other: Pruned) -> Pruned:
        return Pruned(
            self.sessions + other.sessions, self.lines + other.lines, self.bytes + other.bytes
        )


def _delete(tables: StoreTables, numbers: Sequence[int]) -> Pruned:
    """Delete those of some sessions that have ended, in one transaction."""
    with tables.transaction():
        gone = _sizes(tables, f"WHERE {among(numbers)} AND ended IS NOT NULL")
        if gone:
            of_them = among(number for number, *_ in gone)
            tables.change(f"DELETE FROM sessions WHERE {of_them}")
            tables.change(f"DELETE FROM hands WHERE {of_them}")
    return Pruned(len(gone), sum(row[2] for row in gone), sum(row[3] for row in gone))


def _sizes(tables: StoreTables, which: str, *values: Value) -> list[tuple[int, int, int, int]]:
    """Read the numbers of sessions, with their hands, lines and bytes: 0 if a row is damaged."""
    found = []
    for columns in session_rows(tables, which, *values):
        try:
            row = read_row(columns)
        except UnreadableSession:
            found.append((columns[0], 0, 0, 0))
        else:
            found.append((row.game_number, row.hands, row.lines, row.bytes))
    return found


class Archive(Struct, eq=False):
    """The sessions of a store. Reads between two deletions all show the store at one moment.

    Each method raises ConfigError or TryLater if the store cannot be used.
    """

    tables: StoreTables
    spooled: Mapping[int, Sequence[SpooledLine]]
    """The lines of the spool, read before anything in the store was read."""

    def session(self, game_number: int) -> StoredSession:
        """Read a session. Raises UnreadableSession, also if there is none of this number."""
        with self.tables.clear_errors():
            stored, _ = load_session(self.tables, game_number)
        if stored.ended is not None or game_number not in self.spooled:
            return stored
        lines = stored.lines
        spooled = following(self.spooled[game_number], game_number, len(lines), "".join(lines[-1:]))
        return replace(stored, lines=(*lines, *spooled))

    def numbers(self) -> list[int]:
        """Read the numbers of all sessions, in order."""
        with self.tables.clear_errors():
            return game_numbers(self.tables, "ORDER BY game_number")

    def rows(self, first: int, most: int) -> list[Row]:
        """Read the columns and checksums of at most so many sessions from a number on, in order."""
        which = "WHERE game_number >= ? ORDER BY game_number LIMIT ?"
        with self.tables.clear_errors():
            return session_rows(self.tables, which, first, most)

    def ended_before(self, when: int) -> list[int]:
        """Read the numbers of the sessions that ended before a Unix time, in order."""
        which = "WHERE ended < ? ORDER BY game_number"
        with self.tables.clear_errors():
            return game_numbers(self.tables, which, when)

    def do(self, work: Callable[[StoreTables], T]) -> T:
        """Let something use the tables of the store."""
        with self.tables.clear_errors():
            return work(self.tables)

    def check_deletable(self, numbers: Sequence[int]) -> None:
        """Raise HeartsError for the first session that is not there or has not ended."""
        which = f"SELECT game_number, ended FROM sessions WHERE {among(numbers)}"
        with self.tables.clear_errors():
            ends: dict[int, int | None] = dict(self.tables.rows(which))
        for game_number in numbers:
            if game_number not in ends:
                raise HeartsError(f"there is no session {game_number}; nothing was deleted")
            if ends[game_number] is None:
                raise HeartsError(f"session {game_number} has not ended; nothing was deleted")

    def delete(self, numbers: Sequence[int]) -> Pruned:
        """Delete those of some sessions that have ended."""
        done = Pruned()
        with self.tables.clear_errors():
            for start in range(0, len(numbers), _SESSIONS_AT_ONCE):
                done += _delete(self.tables, numbers[start : start + _SESSIONS_AT_ONCE])
            while self.tables.give_back():
                pass
        return done

    def close(self) -> None:
        """Let go of the store."""
        self.tables.close()


class Pruner:
    """Deletes the oldest finished sessions in small slices, until what is stored is small enough.

    A session goes as a whole: whatever moment the server dies at, it is there or it is not. The
    longest one that a table may play has 2,000 rows.
    """

    def __init__(self, keeper: JournalKeeper, wanted: PruneTarget) -> None:
        self._keeper = keeper
        self._wanted = wanted
        self._excess = 0
        """About how many bytes there are too many; 0 if it has to be found out."""
        self._is_deleting = True
        self.done = Pruned()
        self.slice_seconds = 0.0
        """The length of the latest slice."""

    def go_on(self) -> bool:
        """Do a slice; True if there is more to do. Raises StoreTrouble or Fenced."""
        began = time.perf_counter()
        with self._keeper.connected():
            self._is_deleting = self._is_deleting and self._delete_some(self._keeper.tables)
            more = self._is_deleting or self._keeper.tables.give_back()
        self.slice_seconds = time.perf_counter() - began
        return more

    def _delete_some(self, tables: StoreTables) -> bool:
        if self._excess <= 0:
            limit = self._wanted.size * (_PRUNED_TO if self.done.sessions else 1)
            self._excess = int(tables.size() - limit)
        chosen = []
        hands = 0
        which = "WHERE ended < ? ORDER BY ended LIMIT ?"
        for number, more_hands, _, size in _sizes(
            tables, which, self._wanted.keep_since, _SESSIONS_AT_ONCE
        ):
            if self._excess <= 0 or hands >= _HANDS_AT_ONCE:
                break
            chosen.append(number)
            hands += 1 + more_hands
            # If its row is damaged, the excess is to be found out again.
            self._excess = self._excess - size if size else 0
        if chosen:
            self.done += _delete(tables, chosen)
        return bool(chosen)
