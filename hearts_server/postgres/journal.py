"""The journal in PostgreSQL: the sessions of a server, in a database that may be elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from hearts.hosting.store import Session
from hearts_server.journal.archive import Archive
from hearts_server.journal.keeper import GOING_ON, LATELY_OVER, JournalKeeper
from hearts_server.journal.lines import UnreadableSession
from hearts_server.journal.rows import Value, highest_number, read_row, session_rows
from hearts_server.journal.store import StoredSession
from hearts_server.journal.threaded import ThreadedJournal

from .connecting import Database
from .lives import claim
from .opening import open_alone, open_existing, open_life
from .tables import PostgresTables

_PACK_AT = 16
"""Finished hands that are packed together."""


class ClaimedSessions(Struct, frozen=True):
    """The sessions that a life has claimed, without their lines."""

    going_on: list[Session]
    over: list[Session]
    """The sessions that ended lately, the latest first."""
    highest: int
    """The highest game number that a stored session has; 0 without any."""
    known_networks: bytes
    """The networks that know the password, as the last node has kept them."""


class PostgresJournal(ThreadedJournal):
    """The journal of a server that has its database for itself, or of the node that plays.

    What is durable is committed. A server whose life another one has ended
    (:mod:`hearts_server.postgres.lives`) tells nobody anything more: its :meth:`run` raises Fenced.
    """

    def __init__(self, url: str, *, life: int | None = None) -> None:
        """Connect and begin a life, which waits for the database. Raises ConfigError or TryLater.

        ``url`` is what libpq takes, such as ``postgresql://user@host/database``. ``life`` is that
        of a node, which has begun.
        """
        database = Database(url)
        if life is None:
            connection, life = open_alone(database, "alone")
        else:
            connection = open_life(database, life)
        self._tables = PostgresTables(database, connection, life)
        super().__init__(JournalKeeper(self._tables, _PACK_AT))

    async def claim_left(self, finished_since: int, most_finished: int) -> ClaimedSessions:
        """Claim all sessions whose life is over; only the life that plays may do that.

        Of those that ended at a Unix time or later at most so many are told. It waits until the
        database answers; if the own life is over, :meth:`run` raises Fenced.
        """
        return await self.in_thread(partial(self._claim_left, finished_since, most_finished))

    def _claim_left(self, finished_since: int, most_finished: int) -> ClaimedSessions:
        tables = self._tables
        with self.keeper.connected():
            with tables.transaction():
                claim(tables.connection, tables.life)
            # Not before the claim is committed: only then nobody else adds to them.
            return ClaimedSessions(
                self._read(GOING_ON),
                self._read(LATELY_OVER, finished_since, most_finished),
                highest_number(tables),
                tables.rows("SELECT known_networks FROM active")[0][0],
            )

    def _read(self, which: str, *values: Value) -> list[Session]:
        found = []
        for row in session_rows(self._tables, which, *values):
            try:
                found.append(read_row(row).session())
            except UnreadableSession as error:
                self.keeper.refuse(row[0], error)
        return found

    async def keep_known_networks(self, data: bytes) -> None:
        """Keep the networks that know the password, for the next node that plays."""
        await self.in_thread(partial(self._keep_known_networks, data))

    def _keep_known_networks(self, data: bytes) -> None:
        with self.keeper.connected(), self._tables.transaction():
            self._tables.change("UPDATE active SET known_networks = ?", data)

    async def load(self, numbers: Sequence[int]) -> list[StoredSession]:
        """Read the sessions of these numbers with their lines; damaged ones are left out.

        It waits as :meth:`claim_left`.
        """
        return await self.in_thread(partial(self._load, numbers))

    def _load(self, numbers: Sequence[int]) -> list[StoredSession]:
        with self.keeper.connected():
            return self.keeper.load(numbers)


def database_archive(url: str, *, write: bool = False) -> Archive:
    """Open the sessions in a database. Raises ConfigError, saying what to do.

    ``write`` is needed to delete.
    """
    database = Database(url)
    connection = open_existing(database)
    if not write:
        with database.clear_errors():
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return Archive(PostgresTables(database, connection), {})
