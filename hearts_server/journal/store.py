"""The journal's port: takes the sessions of a server.

SQLite stands behind them in a server (:mod:`hearts_server.journal.sqlite`); nothing stands behind
them if the host wants no journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hearts.hosting.store import Done, NoStore, Session, Store


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as far as it was stored."""

    session: Session
    lines: tuple[str, ...]
    """Every durable line, in order (:mod:`hearts.table.steps`)."""
    ended: int | None
    """Unix time in seconds; None for a session that goes on."""
    why: str
    """Why it ended; empty for one that goes on."""


class Journal(Protocol):
    """Takes the sessions of a server."""

    def begin(self, session: Session, durable: Done) -> Store:
        """Store a new session and call ``durable`` when it is safe, which may be at once."""

    def take_up(self, stored: StoredSession) -> Store:
        """Go on with a session that was stored before."""


class NoJournal:
    """Keeps nothing."""

    def begin(self, session: Session, durable: Done) -> NoStore:
        durable()
        return NoStore()

    def take_up(self, stored: StoredSession) -> NoStore:
        return NoStore()
