"""The sessions that an earlier server left, and the journal with them, as a server begins."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio
from msgspec import Struct

from hearts.hosting.store import Session
from hearts.net.logline import EventLog
from hearts_server.config import JOURNAL_FILE, Config, Durability, psycopg_wanted
from hearts_server.datadir import DataDir, KeptBytes, KeptNetworks
from hearts_server.days import OF_DAYS, of_days
from hearts_server.journal.keeper import GOING_ON, LATELY_OVER
from hearts_server.journal.store import StoredSession, TryLater
from hearts_server.journal.threaded import ThreadedJournal
from hearts_server.lobby.awaited import Read
from hearts_server.lobby.sessions import FINISHED_KEPT, MOST_FINISHED

log = EventLog(__name__)


class LeftSessions(Struct, frozen=True):
    """The sessions that a server goes on with."""

    going_on: list[Session]
    over: list[Session]
    """Those that have just ended."""
    read: Read
    """Reads some of them with their lines."""
    of_days: list[Session] = []
    """Tables of days that are over, and whose days are not forgotten."""


@asynccontextmanager
async def own_journal(
    config: Config, data_dir: DataDir
) -> AsyncIterator[tuple[ThreadedJournal | None, LeftSessions]]:
    """Open the journal of a server on its own, if one is kept, and what is left. It outlives the
    block.

    Raises ConfigError.
    """
    if config.journal is Durability.OFF:
        yield None, LeftSessions([], [], _nothing)
        return
    journal = await trio.to_thread.run_sync(_open_journal, config)
    finished_since = int(time.time() - FINISHED_KEPT)
    try:
        data_dir.skip_to(await trio.to_thread.run_sync(journal.keeper.highest_game_number) + 1)
        left = await trio.to_thread.run_sync(_left_in, journal, finished_since)
    except BaseException:
        journal.close()
        raise
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        yield journal, left
        nursery.cancel_scope.cancel()


def _left_in(journal: ThreadedJournal, finished_since: int) -> LeftSessions:
    keeper = journal.keeper
    with keeper.tables.clear_errors():
        over = keeper.left(LATELY_OVER, finished_since, MOST_FINISHED)
        played = keeper.left(OF_DAYS, *of_days(time.time()))
        return LeftSessions(keeper.left(GOING_ON), over, journal.load, played)


async def _nothing(numbers: Sequence[int]) -> list[StoredSession]:  # noqa: ASYNC124
    return []


def _open_journal(config: Config) -> ThreadedJournal:
    """Open the journal that is configured, which waits for its database. Raises ConfigError."""
    # The libraries of the store that is not used are not imported.
    if config.store:
        with psycopg_wanted():
            from hearts_server.postgres.journal import PostgresJournal
        return PostgresJournal(config.store)
    from hearts_server.journal.sqlite import SqliteJournal

    return SqliteJournal(config.data_dir / JOURNAL_FILE, config.journal)


@asynccontextmanager
async def claimed_journal(
    config: Config, data_dir: DataDir, life: int
) -> AsyncIterator[tuple[ThreadedJournal, LeftSessions, KeptNetworks]]:
    """Open the journal of a node that plays from now on, with what other lives have left, and the
    networks and the rest that outlast it.

    It outlives the block. Raises ConfigError.
    """
    from hearts_server.postgres.journal import PostgresJournal

    journal = await trio.to_thread.run_sync(lambda: PostgresJournal(config.store, life=life))
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        finished_since = int(time.time() - FINISHED_KEPT)
        claimed = await journal.claim_left(finished_since, MOST_FINISHED)
        try:
            await trio.to_thread.run_sync(data_dir.skip_to, claimed.highest + 1)
        except OSError as error:
            raise TryLater(f"--data-dir: cannot write {data_dir.path}: {error.strerror}") from None
        played = await journal.in_thread(
            lambda: journal.keeper.left(OF_DAYS, *of_days(time.time()))
        )
        left = LeftSessions(claimed.going_on, claimed.over, journal.load, played)

        keep_known = partial(trio.from_thread.run, partial(journal.keep_known))
        known = KeptBytes(claimed.known_networks, keep_known)

        def other(name: str) -> KeptBytes:
            keep = partial(trio.from_thread.run, partial(journal.keep_other, name))
            return KeptBytes(claimed.others.get(name, b""), keep)

        yield journal, left, KeptNetworks(known, other)
        nursery.cancel_scope.cancel()
