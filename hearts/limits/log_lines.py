"""Limits on the lines of each kind in a log, so that no kind can bury the others.

A kind is what the program itself calls an event. No clock: time is handed in.
"""

from __future__ import annotations

from math import inf

from .buckets import Bucket

LINES_A_SECOND = 5.0
"""Lines of one kind that are taken in the long run."""
LINES_AT_ONCE = 2000
"""Lines of one kind that are taken at once, and that may wait to be written."""
REPORT_EVERY = 60.0
"""Seconds between two lines about dropped lines of one kind."""
KINDS_KEPT = 128
"""Kinds that are told apart; any further ones are of one kind together."""

_OTHERS = ("", "others")


class LineKind:
    """The lines of one kind: how many were taken, are written, were dropped."""

    __slots__ = ("_bucket", "_said_at", "_taken", "_unsaid", "event", "source", "written")

    def __init__(self, source: str, event: str, now: float) -> None:
        self.source = source
        """The part of the program that logs it."""
        self.event = event
        self.written = 0
        """Lines that wait no more; counted by who writes them, in whatever thread."""
        self._bucket = Bucket(LINES_A_SECOND, LINES_AT_ONCE, now)
        self._taken = 0
        self._unsaid = 0
        self._said_at = -inf

    def take(self, now: float) -> bool:
        if self._taken - self.written < LINES_AT_ONCE and self._bucket.take(now):
            self._taken += 1
            return True
        self._unsaid += 1
        return False

    def due(self) -> float:
        return self._said_at + REPORT_EVERY if self._unsaid else inf

    def take_dropped(self, now: float) -> int:
        """Return the number of lines dropped since the last call, and count from 0 again."""
        unsaid, self._unsaid = self._unsaid, 0
        self._said_at = now
        return unsaid


class LineLimiter:
    """Takes lines by their kind, each with a rate and a room of its own."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], LineKind] = {}
        self.dropped = 0
        """All lines that were not taken."""
        self.due = inf
        """The time at which something is to be said of what was dropped."""

    def take(self, source: str, event: str, now: float) -> LineKind | None:
        kind = self._kinds.get((source, event)) or self._new_kind(source, event, now)
        if kind.take(now):
            return kind
        self.dropped += 1
        self.due = min(self.due, kind.due())
        return None

    def _new_kind(self, source: str, event: str, now: float) -> LineKind:
        if len(self._kinds) >= KINDS_KEPT:
            source, event = _OTHERS
        return self._kinds.setdefault((source, event), LineKind(source, event, now))

    def to_report(self, now: float) -> list[tuple[LineKind, int]]:
        """Return the kinds whose dropped lines are to be reported by now, with the number of
        lines.
        """
        due = [kind for kind in self._kinds.values() if kind.due() <= now and kind.due() < inf]
        said = [(kind, kind.take_dropped(now)) for kind in due]
        self.due = min((kind.due() for kind in self._kinds.values()), default=inf)
        return said
