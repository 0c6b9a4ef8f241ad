"""Taking sessions out of the journal for ever, and giving their space back to the disk."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hearts.errors import HeartsError

_PAGES_AT_ONCE = 500
"""Pages given back in one transaction, so that a server that runs does not wait long."""


class NotDeletable(HeartsError):
    """A session that is not there or that goes on."""


@dataclass(frozen=True, slots=True)
class Pruned:
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

    def number(pragma: str) -> int:
        return int(journal.execute(f"PRAGMA {pragma}").fetchone()[0])

    given = 0
    while free := number("freelist_count"):
        journal.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        gain = free - number("freelist_count")
        if gain <= 0:
            break
        given += gain
    return given * number("page_size")
