"""The journal in PostgreSQL: the sessions of a server, in a database that may be elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hearts.hosting.store import Done, Session
from hearts_server.cluster.shared import SessionOwner
from hearts_server.journal.items import Begin
from hearts_server.journal.store import JournalStatistics, StoredSession
from hearts_server.journal.threaded import ThreadedJournal
from hearts_server.journal.writing import RETRY_EVERY

from .connecting import Database
from .keeping import PACK_AT, PostgresKeeper
from .opening import open_alone, open_life
from .sharing import SharedSessions


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

    def begin_for(self, owner: int, session: Session, durable: Done) -> None:
        """Store a new session that another node has from then on; ``durable`` is called on the
        loop when it is."""
        self._put(Begin(session.game_number, session, durable, owner))

    async def going_on(self) -> list[tuple[Session, int]]:
        """The sessions that go on, each with the life that has it.

        Each of these waits until the database answers; if the own life is over, :meth:`run` raises
        Fenced.
        """
        return await self.in_thread(self._shared.going_on)

    async def highest(self) -> int:
        """The highest game number that a stored session has; 0 without any."""
        return await self.in_thread(self._shared.highest_game_number)

    async def look_for(self, game_number: int) -> SessionOwner:
        """The owner of a session. If its life is over it is claimed, and so it is the own one's."""
        return await self.in_thread(partial(self._shared.look_for, game_number))

    async def claim_left(self, most: int) -> tuple[list[int], list[StoredSession]]:
        """Have at most so many of the sessions whose life is over; their numbers, and those that
        are not damaged."""
        return await self.in_thread(partial(self._shared.claim_left, most))

    async def own(self) -> list[int]:
        """The numbers of the sessions that go on and are the own life's."""
        return await self.in_thread(self._shared.own)

    async def owners(self, numbers: Sequence[int]) -> dict[int, int]:
        """The lives of those of these sessions that go on."""
        return await self.in_thread(partial(self._shared.owners, numbers))
