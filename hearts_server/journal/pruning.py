"""Taking sessions out of the journal for ever, and giving their space back to the disk."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from hearts.errors import HeartsError

_PAGES_AT_ONCE = 500
"""Pages given back in one transaction, so that a server that runs does not wait long."""
_PAGES_A_SLICE = 100
"""The same for a server that prunes its own journal between two choices."""
_LINES_AT_ONCE = 1000
"""Lines that it deletes in one transaction."""


class NotDeletable(HeartsError):
    """A session that is not there or that goes on."""


class Pruned(Struct, frozen=True, gc=False):
    """What was deleted."""

    sessions: int
    lines: int
    bytes: int
    """By how much the file is smaller once the server has written its log into it."""


def ended_before(journal: sqlite3.Connection, when: int) -> list[int]:
    """The numbers of the sessions that ended before a Unix time."""
    rows = journal.execute(
        "SELECT game_number FROM sessions WHERE ended < ? ORDER BY game_number", (when,)
    )
    return [number for (number,) in rows.fetchall()]


def check_deletable(journal: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Raise NotDeletable for the first session that is not there or has not ended."""
    for number in numbers:
        row = journal.execute(
            "SELECT ended FROM sessions WHERE game_number = ?", (number,)
        ).fetchone()
        if row is None:
            raise NotDeletable(f"there is no session {number}; nothing was deleted")
        if row[0] is None:
            raise NotDeletable(f"session {number} has not ended; nothing was deleted")


def delete_sessions(journal: sqlite3.Connection, numbers: Iterable[int]) -> Pruned:
    """Delete those of some sessions that have ended, each in a transaction of its own."""
    sessions = lines = 0
    for number in numbers:
        with _transaction(journal):
            gone = journal.execute(
                "DELETE FROM sessions WHERE game_number = ? AND ended IS NOT NULL", (number,)
            )
            if gone.rowcount:
                sessions += 1
                journal.execute("DELETE FROM seats WHERE game_number = ?", (number,))
                steps = journal.execute("DELETE FROM steps WHERE game_number = ?", (number,))
                lines += steps.rowcount
    return Pruned(sessions, lines, _give_back(journal))


class PruneTarget(NamedTuple):
    """What a journal is to be pruned to."""

    size: int
    """Bytes to which it shrinks, if there is enough that may be deleted."""
    keep_since: int
    """Unix time; what ended then or later is kept, as is what has not ended."""


class Pruner:
    """Deletes the oldest finished sessions in small slices, until the journal is small enough."""

    def __init__(self, journal: sqlite3.Connection, wanted: PruneTarget) -> None:
        self._journal = journal
        self._wanted = wanted
        self._deleting = True
        self._half_gone = False
        self.done = Pruned(0, 0, 0)
        self.slice_seconds = 0.0
        """How long the latest slice took."""

    def go_on(self) -> bool:
        """Do a slice; whether there is more to do. Raises sqlite3.Error."""
        began = time.perf_counter()
        if self._deleting:
            wanted = self._half_gone or self._used() > self._wanted.size
            self._deleting = wanted and self._delete_some()
            more = True
        else:
            more = self._give_some_back()
        self.slice_seconds = time.perf_counter() - began
        return more

    def _used(self) -> int:
        pages = _number(self._journal, "page_count") - _number(self._journal, "freelist_count")
        return pages * _number(self._journal, "page_size")

    def _delete_some(self) -> bool:
        # A long session goes from its end on, so that what is left of it can be read meanwhile,
        # and is the oldest one still if the server dies before it is gone.
        journal = self._journal
        row = journal.execute(
            "SELECT game_number FROM sessions WHERE ended < ? ORDER BY ended LIMIT 1",
            (self._wanted.keep_since,),
        ).fetchone()
        if row is None:
            return False
        (number,) = row
        sessions, lines, given_back = self.done.sessions, self.done.lines, self.done.bytes
        with _transaction(journal):
            (last,) = journal.execute(
                "SELECT max(number) FROM steps WHERE game_number = ?", row
            ).fetchone()
            first = max(0, (-1 if last is None else last) + 1 - _LINES_AT_ONCE)
            lines += journal.execute(
                "DELETE FROM steps WHERE game_number = ? AND number >= ?", (number, first)
            ).rowcount
            self._half_gone = first > 0
            if not self._half_gone:
                journal.execute("DELETE FROM seats WHERE game_number = ?", row)
                journal.execute("DELETE FROM sessions WHERE game_number = ?", row)
                sessions += 1
        self.done = Pruned(sessions, lines, given_back)
        return True

    def _give_some_back(self) -> bool:
        journal = self._journal
        free = _number(journal, "freelist_count")
        journal.execute(f"PRAGMA incremental_vacuum({_PAGES_A_SLICE})").fetchall()
        gain = free - _number(journal, "freelist_count")
        given_back = self.done.bytes + gain * _number(journal, "page_size")
        self.done = Pruned(self.done.sessions, self.done.lines, given_back)
        return 0 < gain < free


def _number(journal: sqlite3.Connection, pragma: str) -> int:
    return int(journal.execute(f"PRAGMA {pragma}").fetchone()[0])


@contextlib.contextmanager
def _transaction(journal: sqlite3.Connection) -> Iterator[None]:
    journal.execute("BEGIN IMMEDIATE")
    try:
        yield
        journal.execute("COMMIT")
    except BaseException:
        if journal.in_transaction:
            journal.execute("ROLLBACK")
        raise


def _give_back(journal: sqlite3.Connection) -> int:
    """Cut the free pages off the file; how many bytes that are."""
    given = 0
    while free := _number(journal, "freelist_count"):
        journal.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        gain = free - _number(journal, "freelist_count")
        if gain <= 0:
            break
        given += gain
    return given * _number(journal, "page_size")
