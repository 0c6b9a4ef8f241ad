"""The check of all that is stored, beside play: whatever does not fit its checksum is reported.

At its start a server reads only what it needs, for to read a large journal takes many seconds.
Everything else is read here, slowly, in a thread and over a connection of its own.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import trio

from hearts.net.logline import EventLog

from .lines import UnreadableSession, lines_packed
from .opening import connect
from .rows import Value, read_row
from .sessions import load_hands, rows
from .store import JournalStatistics

log = EventLog(__name__)

SESSIONS_A_SLICE = 20
"""Sessions that are read as of one moment; what is written meanwhile waits for nothing."""
_REST_AFTER = 9
"""Times as long as a slice is the rest that follows it."""
_STOP_LIMIT = 1.0


class JournalCheck:
    """Reads every finished session of a journal once."""

    def __init__(self, path: Path, statistics: JournalStatistics) -> None:
        """``statistics`` get what was found."""
        self._path = path
        self._statistics = statistics
        self._stop = threading.Event()
        self._idle = threading.Event()
        self._idle.set()

    async def run(self) -> None:
        """Read in a thread, until all is read or :meth:`stop` is called."""
        self._idle.clear()
        await trio.to_thread.run_sync(
            self._read_all, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
        )

    def stop(self) -> None:
        """End within a moment, and wait for that; from another thread than the loop's."""
        self._stop.set()
        self._idle.wait(_STOP_LIMIT)

    def _read_all(self) -> None:
        try:
            with contextlib.closing(connect(self._path, "mode=ro")) as connection:
                began = time.monotonic()
                sessions = check_all(connection, self._statistics, self._stop)
                if sessions and not self._stop.is_set():
                    seconds = time.monotonic() - began
                    log.info("journal-checked", sessions=sessions, seconds=seconds)
        except sqlite3.Error as error:
            log.error("journal-not-checked", why=str(error))
        finally:
            self._idle.set()


def check_all(
    connection: sqlite3.Connection,
    statistics: JournalStatistics,
    stop: threading.Event | None = None,
) -> int:
    """Look at one session after the other; how many there were. It rests, if it can be stopped."""
    checked, after = 0, -(1 << 62)
    while stop is None or not stop.is_set():
        began = time.perf_counter()
        found = rows(
            connection,
            "WHERE game_number > ? ORDER BY game_number LIMIT ?",
            *(after, SESSIONS_A_SLICE),
        )
        if not found:
            break
        for row in found:
            assert isinstance(row[0], int)
            after = row[0]
            try:
                _check_one(connection, row)
            except UnreadableSession as error:
                statistics.unreadable += 1
                log.error("session-unreadable", game=after, why=str(error))
        checked += len(found)
        if stop is not None:
            stop.wait(_REST_AFTER * (time.perf_counter() - began))
    return checked


def _check_one(connection: sqlite3.Connection, values: Sequence[Value]) -> None:
    row = read_row(values)
    # What goes on was read at the start, or is from after it.
    if row.ended is None:
        return
    try:
        packed = lines_packed(load_hands(connection, row.game_number))
    except sqlite3.DatabaseError as error:
        raise UnreadableSession(f"its lines are damaged: {error}") from None
    if packed != row.lines:
        raise UnreadableSession(f"it has {packed} of its {row.lines} lines")
