"""What a journal is given to store, item by item, on its way to the thread that writes."""

from __future__ import annotations

from typing import NamedTuple

from hearts.hosting.store import Done, Session, StoredSeat


class StoredLine(NamedTuple):
    """A line of a session."""

    game_number: int
    number: int
    line: str
    durable: Done | None = None
    """Called on the loop when it is; None if nobody waits, for it is durable already."""


class Begin(NamedTuple):
    """A new session."""

    game_number: int
    session: Session
    durable: Done


class ChangeSeat(NamedTuple):
    """Network, description or mute of a seat are these now."""

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
