"""Whether the journal waits a moment for more lines before it commits those that it has.

A commit and the waking of its thread cost several times what a line does, so tables share them.
Where many tables are played at full speed all that are ready come together anyway. Where people
think, the lines of a hundred tables come one by one, a millisecond apart. Then the first one waits
for :data:`GATHER`, which nobody notices.

A table is not held up that stored a line a moment ago: it plays faster than people do, alone or
with few others, and each of its lines waits for the one before. Nor is a line held up with which
no other is to be expected.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

GATHER = 0.002
"""Seconds that a line waits for others at most."""
EXPECTED = 0.01
"""Seconds since the lines before, within which others are expected."""
_FAST = 0.02
"""Seconds between two lines of a table that plays faster than people."""


class Gathering:
    """Looks at what comes, and decides."""

    def __init__(self) -> None:
        self._latest = -inf
        self._now: set[int] = set()
        self._before: set[int] = set()
        """The games with lines since a time, and those of :data:`_FAST` before it."""
        self._since = -inf

    def waits(self, games: Iterable[int], now: float) -> bool:
        """Whether the lines of these games wait for others."""
        if now - self._since >= _FAST:
            late = now - self._since >= 2 * _FAST
            self._before = set() if late else self._now
            self._now = set()
            self._since = now
        games = set(games)
        expected = now - self._latest < EXPECTED
        is_fast = not games.isdisjoint(self._now) or not games.isdisjoint(self._before)
        self._now |= games
        self._latest = now
        return expected and not is_fast
