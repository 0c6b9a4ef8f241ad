"""The journal in PostgreSQL: the sessions of a server, in a database that may be elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hearts_server.journal.store import JournalStatistics, StoredSession
from hearts_server.journal.threaded import ThreadedJournal
from hearts_server.journal.writing import RETRY_EVERY

from .connecting import Database
from .keeping import PACK_AT, PostgresKeeper
from .opening import open_alone, open_life
from .sharing import ClaimedSessions, SharedSessions


class PostgresJournal(ThreadedJournal):
    """The journal of a server that has its database for itself, or of the node that plays.

    What is durable is committed. A server whose life another one has ended
    (:mod:`hearts_server.postgres.lives`) tells nobody anything more: its :meth:`run` raises Fenced.
    """

    def __init__(
        self,
        url: str,
        *,
        on_trouble: Callable[[str | None], None] = lambda why: None,
        on_refused: Callable[[int], None] = lambda game_number: None,
        retry_every: float = RETRY_EVERY,
        pack_at: int = PACK_AT,
        life: int | None = None,
    ) -> None:
        """Connect and begin a life, which waits for the database. Raises ConfigError or TryLater.

        ``url`` is what libpq takes, such as ``postgresql://user@host/database``. ``pack_at`` is
        how many finished hands are packed together. ``life`` is that of a node, which has begun.

        Both callbacks run on the loop; :class:`hearts_server.journal.store.LastingJournal` says
        what they get.
        """
        database = Database(url)
        if life is None:
            connection, life = open_alone(database, "alone")
        else:
            connection = open_life(database, life)
        statistics = JournalStatistics()
        keeper = PostgresKeeper(database, connection, life, statistics, pack_at)
        self._shared = SharedSessions(keeper)
        super().__init__(
            keeper,
            statistics,
            on_trouble=on_trouble,
            on_refused=on_refused,
            retry_every=retry_every,
        )

    async def claim_left(self, finished_since: int, most_finished: int) -> ClaimedSessions:
        """Claim all sessions whose life is over; only the life that plays may do that.

        Of those that ended at a Unix time or later at most so many are told. It waits until the
        database answers; if the own life is over, :meth:`run` raises Fenced.
        """
        return await self.in_thread(partial(self._shared.claim_left, finished_since, most_finished))

    async def keep_known_networks(self, data: bytes) -> None:
        """Keep the networks that know the password, for the next node that plays."""
        await self.in_thread(partial(self._shared.keep_known_networks, data))

    async def load(self, numbers: Sequence[int]) -> list[StoredSession]:
        """The sessions of these numbers with their lines; damaged ones are left out. Waits as
        :meth:`claim_left`."""
        return await self.in_thread(partial(self._shared.load, numbers))
