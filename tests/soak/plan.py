"""How tables of independent clients are played, and what they need of where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .floor import Floor
from .player import Player

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


class JudgedTable(Protocol):
    """A table of which something is said."""

    name: str

    @property
    def players(self) -> Sequence[Player]: ...


class Hall(Floor, Protocol):
    """Where tables stand."""

    plan: TablePlan
    is_closing: bool
    """Whether no new session is to begin."""
    holds_strangers: bool
    """Whether no strangers are to come to public tables for now."""

    def source(self, number: int) -> str:
        """The address of a client, in a network of its own; "" for any."""

    def complain(self, what: str) -> None:
        """Note something that must not happen."""

    def fault(self, what: str, table: JudgedTable) -> None:
        """Note something that must not happen."""
