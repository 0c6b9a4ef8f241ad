"""The store of a table: its session, the holders of its seats, and its lines before they count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from hearts.session.table_words import UNSAID, Description
from hearts.table.inputs import Setting
from hearts.table.seat import Kind

Done = Callable[[], None]
"""Called on the event loop's thread."""


class StoredSeat(Struct, frozen=True, array_like=True):
    """The holder of a seat of a session."""

    name: str
    kind: Kind
    process_id: int
    """Half of the proof of a client's seat; 0 for a computer."""
    network: str = ""
    """The narrowest network (:func:`~hearts.limits.networks.network_of`) that its client was last
    in; empty for a computer, and if it is not known."""
    said: Description = UNSAID
    muted: int | None = None
    """Nothing; seats that earlier servers have stored have a Process ID here."""
    level: int = 0
    """The level of a computer there, by its number in block -15; 0 for the host's own."""


class Session(Struct, frozen=True):
    """A table, without what is played at it."""

    game_number: int
    table_name: str
    private: bool
    setting: Setting
    seats: tuple[StoredSeat, StoredSeat, StoredSeat, StoredSeat]
    begun: int
    """Unix time in seconds."""
    opener: str = ""
    """The narrowest network of the player who opened the table; empty if it is not known."""


class Store(Protocol):
    """Takes the lines of one session, in order."""

    def append(self, line: str, durable: Done) -> None:
        """Store a line and call ``durable`` when it is safe, which may be at once."""

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        """Store network or description of a seat; nobody waits until that is durable.

        Whose the seat is follows from the lines.
        """

    def end(self, why: str, durable: Done) -> None:
        """Store that the session is over; call ``durable`` when that is safe, as for a line.

        It is never called for a session of which nothing can be stored any more.
        """


class NoStore:
    """Keeps nothing and says "durable" at once."""

    def append(self, line: str, durable: Done) -> None:
        durable()

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        pass

    def end(self, why: str, durable: Done) -> None:
        durable()
