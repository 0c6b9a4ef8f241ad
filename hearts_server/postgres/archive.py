"""What a host does with the sessions in a database, while servers may be writing others."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_server.journal.keeper import Pruned
from hearts_server.journal.pruning import refuse_deletion
from hearts_server.journal.rows import Value
from hearts_server.journal.store import StoredSession

from .connecting import Database
from .opening import open_existing
from .pruning import delete_ended
from .rows import load_session, rows


class PostgresArchive:
    """The sessions in a database: :class:`hearts_server.journal.archive.Archive`."""

    def __init__(self, url: str, *, write: bool = False) -> None:
        """``write`` is needed to delete. Raises ConfigError, saying what to do."""
        self._database = Database(url)
        self._connection = open_existing(self._database)
        if not write:
            with self._database.clear_errors():
                self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def session(self, game_number: int) -> StoredSession:
        with self._database.clear_errors():
            return load_session(self._connection, game_number)[0]

    def numbers(self) -> list[int]:
        return self._numbers("SELECT game_number FROM sessions ORDER BY game_number")

    def rows(self, first: int, most: int) -> list[Sequence[Value]]:
        which = "WHERE game_number >= %s ORDER BY game_number LIMIT %s"
        with self._database.clear_errors():
            return rows(self._connection, which, first, most)

    def ended_before(self, when: int) -> list[int]:
        return self._numbers(
            "SELECT game_number FROM sessions WHERE ended < %s ORDER BY game_number", when
        )

    def check_deletable(self, numbers: Sequence[int]) -> None:
        with self._database.clear_errors():
            found = self._connection.execute(
                "SELECT game_number, ended FROM sessions WHERE game_number = ANY(%s)",
                (list(numbers),),
            )
            refuse_deletion(numbers, dict(found.fetchall()))

    def delete(self, numbers: Sequence[int]) -> Pruned:
        with self._database.clear_errors():
            return delete_ended(self._connection, list(numbers))

    def close(self) -> None:
        self._connection.close()

    def _numbers(self, statement: str, *values: int) -> list[int]:
        with self._database.clear_errors():
            return [n for (n,) in self._connection.execute(statement, values).fetchall()]
