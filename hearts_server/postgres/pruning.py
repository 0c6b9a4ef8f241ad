"""Taking sessions out of the database for ever. Their room is used again after its next vacuum."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from hearts_server.journal.keeper import Pruned
from hearts_server.journal.store import PruneTarget

from .connecting import Connection

_SESSIONS_AT_ONCE = 50


def delete_ended(connection: Connection, numbers: list[int]) -> Pruned:
    """Delete those of some sessions that have ended, all in one transaction."""
    with connection.transaction():
        gone = connection.execute(
            "DELETE FROM sessions WHERE game_number = ANY(%s) AND ended IS NOT NULL"
            " RETURNING game_number, lines, bytes",
            (numbers,),
        ).fetchall()
        deleted = [number for number, _, _ in gone]
        connection.execute("DELETE FROM hands WHERE game_number = ANY(%s)", (deleted,))
    lines, size = sum(row[1] for row in gone), sum(row[2] for row in gone)
    return Pruned(len(gone), lines, size)


class PostgresPruner:
    """Deletes the oldest finished sessions in small slices, until what is left is small enough."""

    def __init__(
        self, connected: Callable[[], AbstractContextManager[Connection]], wanted: PruneTarget
    ) -> None:
        """``connected`` gives the connection for a slice."""
        self._connected = connected
        self._wanted = wanted
        self._excess: int | None = None
        """Bytes that there are too many; None before somebody has looked."""
        self.done = Pruned(0, 0, 0)
        self.slice_seconds = 0.0

    def go_on(self) -> bool:
        """Do a slice; whether there is more to do. Raises what ``connected`` does."""
        began = time.perf_counter()
        with self._connected() as connection:
            more = self._delete_some(connection)
        self.slice_seconds = time.perf_counter() - began
        return more

    def _delete_some(self, connection: Connection) -> bool:
        if self._excess is None:
            self._excess = stored_bytes(connection) - self._wanted.size
        oldest = connection.execute(
            "SELECT game_number, bytes FROM sessions WHERE ended < %s ORDER BY ended LIMIT %s",
            (self._wanted.keep_since, _SESSIONS_AT_ONCE),
        ).fetchall()
        chosen = []
        excess = self._excess
        for number, size in oldest:
            if excess <= 0:
                break
            chosen.append(number)
            excess -= size
        if not chosen:
            return False
        gone = delete_ended(connection, chosen)
        self._excess -= gone.bytes
        done = self.done
        self.done = Pruned(
            done.sessions + gone.sessions, done.lines + gone.lines, done.bytes + gone.bytes
        )
        return gone.sessions > 0


def stored_bytes(connection: Connection) -> int:
    """About how many bytes the sessions take that have ended."""
    found = connection.execute(
        "SELECT coalesce(sum(bytes), 0)::bigint FROM sessions WHERE ended IS NOT NULL"
    ).fetchone()
    assert found is not None
    return int(found[0])
