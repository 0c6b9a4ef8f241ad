"""Notices that the server stood still: stopped by a signal, or starved of its processor.

The time that passed meanwhile is nobody's fault, and is not to be taken off what players have.
"""

from __future__ import annotations

SHORTEST = 3.0
"""Seconds without a look that count as a standstill."""


class Standstill:
    """Looks at the clock again and again, and sees how long nobody did."""

    __slots__ = ("_looked",)

    def __init__(self, now: float) -> None:
        self._looked = now

    def look(self, now: float) -> float:
        """For how many seconds the server stood still until now; mostly 0."""
        seconds, self._looked = now - self._looked, now
        return seconds if seconds >= SHORTEST else 0.0
