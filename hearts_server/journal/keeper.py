"""What the thread of a journal writes to: a database, as one connection of one thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from .items import StoredItem
from .store import PruneTarget, StoredSession


class Pruned(Struct, frozen=True, gc=False):
    """What was deleted."""

    sessions: int
    lines: int
    bytes: int
    """By how much what is stored takes less room, perhaps after a while."""


class SlicedPruning(Protocol):
    """Deletes the oldest finished sessions in small slices, until what is stored is small enough.

    A session goes as a whole: whatever moment the server dies at, it is there or it is not.
    """

    done: Pruned
    slice_seconds: float
    """How long the latest slice took."""

    def go_on(self) -> bool:
        """Do a slice; whether there is more to do. Raises an error of the database."""


class JournalDatabase(Protocol):
    """A database, written by the thread of a journal alone once that runs."""

    @property
    def errors(self) -> type[Exception]:
        """What the library of the database raises."""

    def read(self, finished_since: int, most_finished: int) -> list[StoredSession]:
        """As :meth:`hearts_server.journal.store.LastingJournal.read`."""

    def highest_game_number(self) -> int:
        """As :meth:`hearts_server.journal.store.LastingJournal.highest_game_number`."""

    def commit(self, batch: Sequence[StoredItem]) -> None:
        """Make items durable, all or none of them; their ``durable`` is not called.

        It may be given the same items again after an error, whatever became of them. Raises any
        error, :class:`hearts_server.journal.store.Fenced` among them.
        """

    def is_trouble(self, error: Exception) -> bool:
        """Whether another try may help: the database is at fault, and not what is stored."""

    def tidy(self) -> None:
        """Do a slice of what there is to do beside play, if there is something. As :meth:`commit`,
        but for what is wrong with a session."""

    def pruning(self, wanted: PruneTarget) -> SlicedPruning:
        """Begin to prune."""

    def close(self) -> None:
        """Let go of the database."""
