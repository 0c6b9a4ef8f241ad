"""How a client of the soak stands, how it loses its connection, and where it runs."""

from __future__ import annotations

import selectors
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from tests.independent.client import Fact

FULL = frozenset({-1, -2, -4, -106})
"""Refusals that another try may not meet: full, too many from here, shutting down, too slow."""


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


class Floor(Protocol):
    """Where a client runs."""

    selector: selectors.BaseSelector
    address: tuple[str, int]
    pages: tuple[str, int] | None
    """Where the gateway for browsers is, if there is one."""

    @property
    def is_hasty(self) -> bool:
        """Whether nobody thinks any more."""

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something after a while."""

    def count(self, what: str, more: float = 1) -> None:
        """Count something that happened."""

    def answered(self, seconds: float) -> None:
        """Note how long a choice waited for its status."""

    def let_in(self, kind: str, seconds: float) -> None:
        """Note how long somebody was refused or waited before he had his seat."""


@dataclass(frozen=True, slots=True)
class Part:
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
