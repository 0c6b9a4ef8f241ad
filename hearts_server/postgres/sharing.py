"""The sessions that nodes share: who has which, and those that a life which is over has left."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.hosting.store import Session
from hearts_server.cluster.shared import SessionOwner
from hearts_server.journal.lines import UnreadableSession
from hearts_server.journal.rows import read_row
from hearts_server.journal.store import StoredSession

from .connecting import Connection
from .keeping import HOLD, PostgresKeeper
from .lives import claim, claim_some
from .rows import SELECT

_OWNER = (
    "SELECT life, ended IS NULL,"
    " EXISTS (SELECT FROM nodes WHERE nodes.life = sessions.life AND live)"
    " FROM sessions WHERE game_number = %s"
)
_OWN = "SELECT game_number FROM sessions WHERE ended IS NULL AND life = %s ORDER BY game_number"
_OWNERS = "SELECT game_number, life FROM sessions WHERE ended IS NULL AND game_number = ANY(%s)"


class SharedSessions:
    """Questions of a node about the sessions of all; in the thread of its journal.

    Each raises StoreTrouble, or Fenced if the own life is over.
    """

    def __init__(self, keeper: PostgresKeeper) -> None:
        self._keeper = keeper

    def going_on(self) -> list[tuple[Session, int]]:
        """The sessions that go on, each with the life that has it."""
        keeper, found = self._keeper, []
        with keeper.connected() as connection, connection.transaction():
            connection.execute(HOLD, (keeper.life,))
            statement = f"{SELECT} WHERE ended IS NULL ORDER BY game_number"
            lives = dict(
                connection.execute(
                    "SELECT game_number, life FROM sessions WHERE ended IS NULL"
                ).fetchall()
            )
            for values in connection.execute(statement).fetchall():
                number = int(values[0] or 0)
                try:
                    found.append((read_row(values).session(), lives.get(number, 0)))
                except UnreadableSession as error:
                    keeper.refuse(number, error)
        return found

    def highest_game_number(self) -> int:
        """The highest number that a session has; 0 without any."""
        with self._keeper.connected() as connection:
            row = connection.execute("SELECT max(game_number) FROM sessions").fetchone()
        return int((row and row[0]) or 0)

    def look_for(self, game_number: int) -> SessionOwner:
        """The owner of a session. If its life is over it is claimed, and so it is the own one's."""
        keeper = self._keeper
        with keeper.connected() as connection:
            while True:
                with connection.transaction():
                    connection.execute(HOLD, (keeper.life,))
                    found = connection.execute(_OWNER, (game_number,)).fetchone()
                    if found is None:
                        return SessionOwner(keeper.life)
                    life, goes_on, is_live = found
                    if goes_on and is_live and life != keeper.life:
                        return SessionOwner(life)
                    if goes_on and life != keeper.life:
                        claim(connection, keeper.life, [game_number])
                        continue
                # Not before a claim is committed: only then nobody else adds to it.
                return SessionOwner(keeper.life, self._load_one(connection, game_number))

    def _load_one(self, connection: Connection, game_number: int) -> StoredSession | None:
        return next(iter(self._keeper.load(connection, [game_number])), None)

    def claim_left(self, most: int) -> tuple[list[int], list[StoredSession]]:
        """Have at most so many of the sessions whose life is over; their numbers, and those that
        are not damaged."""
        keeper = self._keeper
        with keeper.connected() as connection:
            with connection.transaction():
                connection.execute(HOLD, (keeper.life,))
                numbers = claim_some(connection, keeper.life, most)
            return numbers, keeper.load(connection, numbers)

    def own(self) -> list[int]:
        """The numbers of the sessions that go on and are the own life's."""
        with self._keeper.connected() as connection:
            found = connection.execute(_OWN, (self._keeper.life,)).fetchall()
        return [number for (number,) in found]

    def owners(self, numbers: Sequence[int]) -> dict[int, int]:
        """The lives of those of these sessions that go on."""
        with self._keeper.connected() as connection:
            found = connection.execute(_OWNERS, (list(numbers),)).fetchall()
        return dict(found)
