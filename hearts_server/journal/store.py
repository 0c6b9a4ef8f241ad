"""The journal's port: takes the sessions of a server, and gives them back to the next one.

A journal that outlives its server is :class:`hearts_server.journal.threaded.ThreadedJournal`, with
SQLite behind it (:mod:`hearts_server.journal.sqlite`) or PostgreSQL
(:mod:`hearts_server.postgres.journal`). Their common contract is in ``tests/journal/contract.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from msgspec import Struct

from hearts.errors import HeartsError
from hearts.hosting.store import Done, Session, Store, StoredSeat
from hearts.settings.table import ConfigError


class Closable(Protocol):
    """Something that can be closed, such as a connection."""

    def close(self) -> None: ...


class StoreTrouble(HeartsError):
    """The database is away, or has a trouble that may pass; the text says which."""


class TryLater(ConfigError):
    """Something is missing that may come back by itself, such as room on a disk."""


class Fenced(ConfigError):
    """Another server has what this one stored to; nobody may be told anything any more."""


@contextmanager
def closed_on_error(connection: Closable) -> Iterator[None]:
    """Close a connection if the block fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


class StoredSession(Struct, frozen=True):
    """A session as far as it was stored."""

    session: Session
    lines: Sequence[str]
    """Every durable line, in order (:mod:`hearts.table.steps`)."""
    ended: int | None
    """Unix time in seconds; None for a session that goes on."""
    why: str
    """The reason of its end; empty for a session that goes on."""


# What a journal is given to store, item by item, on its way to the thread that writes


class StoredLine(NamedTuple):
    """A line of a session."""

    game_number: int
    number: int
    line: str
    durable: Done | None = None
    """Called on the loop when the line is durable; None if it is already, and nobody waits."""


class Begin(NamedTuple):
    """A new session."""

    game_number: int
    session: Session
    durable: Done


class ChangeSeat(NamedTuple):
    """Network or description of a seat are these now."""

    game_number: int
    player: int
    seat: StoredSeat


class End(NamedTuple):
    """A session is over."""

    game_number: int
    ended: int
    why: str
    durable: Done


StoredItem = Begin | StoredLine | ChangeSeat | End


class PruneTarget(NamedTuple):
    """The size and the time that a journal is to be pruned to."""

    size: int
    """Bytes beyond which it shrinks, if there is enough that may be deleted."""
    keep_since: int
    """Unix time; sessions that ended then or later are kept, and those that go on."""


class JournalStatistics(Struct):
    """Counters since the journal was opened; the journal writes them, anybody may read them."""

    lines_written: int = 0
    batches: int = 0
    largest_batch: int = 0
    """Lines, beginnings and ends of sessions in the largest transaction."""
    commit_seconds: float = 0.0
    """Spent in transactions, the waiting for the disk included."""
    failing_since: float | None = None
    """``time.monotonic()`` at which writing began to fail; None while it works."""
    unreadable: int = 0
    """Sessions that were found to be damaged, at the start or by the check beside play."""


class Journal(Protocol):
    """Takes the sessions of a server."""

    def begin(self, session: Session, durable: Done) -> Store:
        """Store a new session and call ``durable`` when it is safe, which may be at once."""

    def take_up(self, stored: StoredSession) -> Store:
        """Go on with a session that was stored before."""
