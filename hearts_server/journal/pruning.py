"""Taking sessions out of the journal for ever, and giving their space back to the disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence

from hearts.errors import HeartsError

from .keeper import Pruned
from .opening import number, transaction
from .store import PruneTarget

_PAGES_AT_ONCE = 500
"""Pages given back in one transaction, so that a server that runs does not wait long."""
_PAGES_A_SLICE = 100
"""The same for a server that prunes its own journal between two choices."""
_HANDS_AT_ONCE = 200
"""Hands of several sessions that it deletes in one transaction."""


class NotDeletable(HeartsError):
    """A session that is not there or that goes on."""


def ended_before(journal: sqlite3.Connection, when: int) -> list[int]:
    """The numbers of the sessions that ended before a Unix time."""
    rows = journal.execute(
        "SELECT game_number FROM sessions WHERE ended < ? ORDER BY game_number", (when,)
    )
    return [game_number for (game_number,) in rows.fetchall()]


def check_deletable(journal: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Raise NotDeletable for the first session that is not there or has not ended."""
    ends: dict[int, int | None] = {}
    for game_number in numbers:
        found = journal.execute(
            "SELECT game_number, ended FROM sessions WHERE game_number = ?", (game_number,)
        )
        ends.update(found.fetchall())
    refuse_deletion(numbers, ends)


def refuse_deletion(numbers: Iterable[int], ends: Mapping[int, int | None]) -> None:
    """Raise NotDeletable for the first session that is not among these or has not ended."""
    for game_number in numbers:
        if game_number not in ends:
            raise NotDeletable(f"there is no session {game_number}; nothing was deleted")
        if ends[game_number] is None:
            raise NotDeletable(f"session {game_number} has not ended; nothing was deleted")


def delete_sessions(journal: sqlite3.Connection, numbers: Iterable[int]) -> Pruned:
    """Delete those of some sessions that have ended, each in a transaction of its own."""
    sessions = lines = 0
    for game_number in numbers:
        with transaction(journal):
            gone = _delete(journal, game_number)
        if gone is not None:
            sessions += 1
            lines += gone[1]
    return Pruned(sessions, lines, _give_back(journal))


def _delete(journal: sqlite3.Connection, game_number: int) -> tuple[int, int] | None:
    """Delete a session that has ended; how many hands and lines it had, None for no such one."""
    gone = journal.execute(
        "DELETE FROM sessions WHERE game_number = ? AND ended IS NOT NULL", (game_number,)
    )
    if not gone.rowcount:
        return None
    (lines,) = journal.execute(
        "SELECT total(count) FROM hands WHERE game_number = ?", (game_number,)
    ).fetchone()
    hands = journal.execute("DELETE FROM hands WHERE game_number = ?", (game_number,))
    return hands.rowcount, int(lines)


class Pruner:
    """Deletes the oldest finished sessions in small slices, until the journal is small enough.

    The longest one that a table may play has 2,000 rows.
    """

    def __init__(self, journal: sqlite3.Connection, wanted: PruneTarget) -> None:
        self._journal = journal
        self._wanted = wanted
        self._deleting = True
        self.done = Pruned(0, 0, 0)
        self.slice_seconds = 0.0
        """How long the latest slice took."""

    def go_on(self) -> bool:
        """Do a slice; whether there is more to do. Raises sqlite3.Error."""
        began = time.perf_counter()
        if self._deleting:
            self._deleting = self._delete_some()
            more = True
        else:
            more = self._give_some_back()
        self.slice_seconds = time.perf_counter() - began
        return more

    def _excess(self) -> int:
        """Bytes that the journal is too large by."""
        pages = number(self._journal, "page_count") - number(self._journal, "freelist_count")
        return pages * number(self._journal, "page_size") - self._wanted.size

    def _delete_some(self) -> bool:
        sessions, lines, given_back = self.done.sessions, self.done.lines, self.done.bytes
        hands = 0
        with transaction(self._journal):
            while hands < _HANDS_AT_ONCE and self._excess() > 0:
                row = self._journal.execute(
                    "SELECT game_number FROM sessions WHERE ended < ? ORDER BY ended LIMIT 1",
                    (self._wanted.keep_since,),
                ).fetchone()
                gone = None if row is None else _delete(self._journal, row[0])
                if gone is None:
                    break
                hands += 1 + gone[0]
                sessions += 1
                lines += gone[1]
        self.done = Pruned(sessions, lines, given_back)
        return hands > 0

    def _give_some_back(self) -> bool:
        journal = self._journal
        free = number(journal, "freelist_count")
        journal.execute(f"PRAGMA incremental_vacuum({_PAGES_A_SLICE})").fetchall()
        gain = free - number(journal, "freelist_count")
        given_back = self.done.bytes + gain * number(journal, "page_size")
        self.done = Pruned(self.done.sessions, self.done.lines, given_back)
        return 0 < gain < free


def _give_back(journal: sqlite3.Connection) -> int:
    """Cut the free pages off the file; how many bytes that are."""
    given = 0
    while free := number(journal, "freelist_count"):
        journal.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        gain = free - number(journal, "freelist_count")
        if gain <= 0:
            break
        given += gain
    return given * number(journal, "page_size")
