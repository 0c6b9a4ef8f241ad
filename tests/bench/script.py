"""What a session says, byte for byte: the data that the load and the bare server work from.

Nothing here knows the project, so that the load generator and the bare server do not either.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path

REGISTRATION_BYTES = 4 + 6 + 4
"""What every client sends first: a name of five letters and its Process ID."""
NOT_A_PLAY = -1
Writes = tuple[bytes, bytes, bytes, bytes]
"""What is written to each seat."""
Inputs = tuple[tuple[int, bytes], ...]
"""What the seats send, in one order that may happen."""


@dataclass(frozen=True, slots=True)
class AnsweredMessage:
    """One message to a seat, and what the seat answers."""

    end: int
    """The place in the stream to the seat at which the message is complete."""
    acks: bytes
    choice: bytes
    """The choice that the seat makes then; empty for none."""
    heard: int
    """Which play of the hand (0-51) it tells of somebody else; NOT_A_PLAY for none."""
    played: int
    """Which play of the hand the choice is; NOT_A_PLAY for a pass or none."""


@dataclass(frozen=True, slots=True)
class SeatScript:
    """The session as one seat has it, from the answer to its Process ID on."""

    stream: bytes
    """All that the seat is told. The first 8 bytes differ from table to table."""
    messages: tuple[AnsweredMessage, ...]
    sends: int
    """How many bytes the seat sends after its registration."""
    answers: tuple[bytes, ...]
    """The same choices as payloads of the dealer dialect."""


@dataclass(frozen=True, slots=True)
class TableTurn:
    """One turn of the table: whose bytes bring it about, and what it says to whom."""

    seat: int
    received: int
    """How many bytes of that seat, after its registration, make it due."""
    writes: Writes


@dataclass(frozen=True, slots=True)
class SessionScript:
    """A session of some hands."""

    hands: int
    secrets: tuple[bytes, ...]
    seats: tuple[SeatScript, SeatScript, SeatScript, SeatScript]
    begin: Writes
    """What the seats are told when the last one has registered."""
    steps: tuple[TableTurn, ...]
    inputs: Inputs
    computers: int = 0
    """How many of the last seats computers have."""

    def hands_of(self, received: int) -> float:
        """How many hands it is when the seats were told so many bytes since the first pass."""
        begun = sum(map(len, self.begin))
        total = sum(len(seat.stream) for seat in self.seats)
        return self.hands * received / (total - begun)

    @property
    def bytes_per_hand(self) -> float:
        """Bytes of all four seats in both directions, registration left out."""
        total = sum(len(seat.stream) + seat.sends for seat in self.seats)
        return total / self.hands


def save_script(script: SessionScript, path: Path) -> None:
    """Write a script for the other processes of a benchmark."""
    path.write_bytes(pickle.dumps(script))


def load_script(path: Path) -> SessionScript:
    """Read what :func:`save_script` wrote."""
    script = pickle.loads(path.read_bytes())
    assert isinstance(script, SessionScript)
    return script
