"""The sessions that all nodes share, as one of them asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from hearts.hosting.store import Done, Session
from hearts_server.journal.store import LastingJournal, StoredSession


class SessionOwner(Struct, frozen=True):
    """The owner of a session."""

    life: int
    """The own one for a session that nobody goes on with, too."""
    stored: StoredSession | None = None
    """The session, if it is the own life's or has ended; None if there is none, or it is damaged.
    """


class SharedJournal(LastingJournal, Protocol):
    """The journal of a node. Each of these waits for the database; if the own life is over, ``run``
    raises Fenced."""

    def begin_for(self, owner: int, session: Session, durable: Done) -> None:
        """Store a new session that this life has from then on; does not wait."""

    async def going_on(self) -> list[tuple[Session, int]]:
        """The sessions that go on, each with the life that has it."""

    async def highest(self) -> int:
        """The highest game number that a stored session has; 0 without any."""

    async def look_for(self, game_number: int) -> SessionOwner:
        """The owner of a session. If its life is over it is claimed, and so it is the own one's."""

    async def claim_left(self, most: int) -> tuple[list[int], list[StoredSession]]:
        """Have at most so many of the sessions whose life is over; their numbers, and those that
        are not damaged."""

    async def own(self) -> list[int]:
        """The numbers of the sessions that go on and are the own life's."""

    async def owners(self, numbers: Sequence[int]) -> dict[int, int]:
        """The lives of those of these sessions that go on."""
