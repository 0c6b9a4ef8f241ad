"""The store port of a table: where the lines of its record go before they count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Store(Protocol):
    """Takes the lines of one table, in order."""

    def append(self, line: str, durable: Callable[[], None]) -> None:
        """Store a line and call ``durable`` when it is safe, which may be at once."""


class NoStore:
    """Keeps nothing and says "durable" at once."""

    def append(self, line: str, durable: Callable[[], None]) -> None:
        durable()
