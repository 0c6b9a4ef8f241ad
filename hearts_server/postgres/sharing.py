"""The sessions that other lives have left, for the node that plays."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from hearts.hosting.store import Session
from hearts_server.journal.lines import UnreadableSession
from hearts_server.journal.rows import read_row
from hearts_server.journal.store import StoredSession

from .connecting import Connection
from .keeping import HOLD, PostgresKeeper
from .lives import claim
from .rows import rows


class ClaimedSessions(Struct, frozen=True):
    """The sessions that a life has claimed, without their lines."""

    going_on: list[Session]
    over: list[Session]
    """Those that ended lately, the latest first."""
    highest: int
    """The highest game number that a stored session has; 0 without any."""
    known_networks: bytes
    """The networks that know the password, as the last node has kept them."""


class SharedSessions:
    """Claims and reads what other lives have left, in the thread of the journal.

    Each call raises StoreTrouble, or Fenced if the own life is over.
    """

    def __init__(self, keeper: PostgresKeeper) -> None:
        self._keeper = keeper

    def claim_left(self, finished_since: int, most_finished: int) -> ClaimedSessions:
        """Claim all sessions whose life is over; only the life that plays may do that.

        Of those that ended at a Unix time or later at most so many are told.
        """
        keeper = self._keeper
        with keeper.connected() as connection:
            with connection.transaction():
                connection.execute(HOLD, (keeper.life,))
                claim(connection, keeper.life)
            # Not before the claim is committed: only then nobody else adds to them.
            going_on = self._read(connection, "WHERE ended IS NULL ORDER BY game_number")
            latest = "WHERE ended >= %s ORDER BY ended DESC LIMIT %s"
            over = self._read(connection, latest, finished_since, most_finished)
            highest = connection.execute("SELECT max(game_number) FROM sessions").fetchone()
            known = connection.execute("SELECT known_networks FROM active").fetchone()
        return ClaimedSessions(
            going_on, over, (highest and highest[0]) or 0, (known and known[0]) or b""
        )

    def _read(self, connection: Connection, which: str, *values: int) -> list[Session]:
        found = []
        for row in rows(connection, which, *values):
            try:
                found.append(read_row(row).session())
            except UnreadableSession as error:
                self._keeper.refuse(int(row[0] or 0), error)
        return found

    def keep_known_networks(self, data: bytes) -> None:
        """Keep the networks that know the password, for the next node that plays."""
        keeper = self._keeper
        with keeper.connected() as connection, connection.transaction():
            connection.execute(HOLD, (keeper.life,))
            connection.execute("UPDATE active SET known_networks = %s", (data,))

    def load(self, numbers: Sequence[int]) -> list[StoredSession]:
        """The sessions of these numbers with their lines; damaged ones are left out."""
        with self._keeper.connected() as connection:
            return self._keeper.load(connection, numbers)
