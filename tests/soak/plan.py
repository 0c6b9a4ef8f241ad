"""How tables of independent clients are played, and how far each of them has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from tests.independent.plain_client import Fact

HEARTS = 1 << 4
OWN_RULES = 1 << 20
RULES = (
    0,
    OWN_RULES,
    OWN_RULES | 1 << 9 | 1 << 14,
    OWN_RULES | 1 << 8 | 1 << 11 | 1 << 13,
    OWN_RULES | 1 << 8 | 2 << 9 | 2 << 11 | 2 << 16,
    OWN_RULES | 2 << 9 | 1 << 15 | 1 << 18,
)
"""Bits of block -2: the host's rules, standard ones, and some with other moons and passes."""


FULL = frozenset({-1, -2, -4, -106})
"""Refusals that another try may not meet: full, too many from here, shutting down, too slow."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """How tables are played."""

    end_score: int = 20
    again: int = 1
    computers: float = 0.2
    """The part of the tables that computers play at."""
    public: float = 0.0
    """The part of them that are public: strangers play there, with whoever comes."""
    wrong: float = 0.01
    think: float = 0.0
    """Seconds that each choice takes at most; 0 for as fast as it goes."""
    password: str | None = None
    prefix: str = "soak"
    journal: Path | str | None = None
    """The server's, to compare with; None where it cannot be read."""
    strangers_every: float = 0.0
    """Seconds from one honest stranger at the public tables to the next; 0 for none."""
    stuck_after: float = 120.0
    """Seconds without a word at a table that waits for nobody, after which it counts as stuck."""


class Drop(Enum):
    """How a client loses its connection."""

    CLOSE = auto()
    RESET = auto()
    TORN = auto()
    """In the middle of what it says next."""
    HALF_OPEN = auto()
    """It says nothing more, and leaves the connection open."""
    SILENCE = auto()
    """It reads nothing for a while, and then goes on."""


@dataclass(frozen=True, slots=True)
class ConnectionPart:
    """What came over one connection."""

    hands: int
    """Hands of the session that the client had the Scores of before."""
    facts: list[Fact]


class PlayerStanding(Enum):
    """How far a client has come."""

    COMING = auto()
    """It has no seat yet."""
    SEATED = auto()
    DONE = auto()
    UNSEATED = auto()
    """Its connection was lost before it had heard of a seat, so it cannot come back to one."""
    LOST = auto()
    """It was refused its own seat."""
    WRONG = auto()
    """It got out of step."""
