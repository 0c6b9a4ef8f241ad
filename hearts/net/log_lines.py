"""The log of a program: its events as lines on standard error, which nobody waits for."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from math import inf

from hearts.limits.log_lines import LineLimiter

from .logline import EventLog, LineFormatter, kind_of
from .output import LineWriter, queued_output

log = EventLog(__name__)


class LogLines(logging.Handler):
    """Makes lines of events, as many of each kind as its limits allow."""

    def __init__(self, writer: LineWriter) -> None:
        """``writer`` writes them, some time later."""
        super().__init__()
        self.setFormatter(LineFormatter())
        self._writer = writer
        self._limiter = LineLimiter()

    @property
    def dropped(self) -> int:
        """Lines that nobody can read any more: too many of one kind, or nowhere to go."""
        return self._limiter.dropped + self._writer.lost

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of an event, or drop it and count it; never waits."""
        now = time.monotonic()
        try:
            kind = self._limiter.take(*kind_of(record), now)
            if kind is not None:
                self._writer.put(self.format(record).encode() + b"\n", kind)
            if self._limiter.due <= now:
                self._say_dropped(now)
        except Exception:
            self.handleError(record)

    def _say_dropped(self, now: float) -> None:
        for kind, lines in self._limiter.to_say(now):
            log.warning("lines-dropped", source=kind.source, what=kind.event, lines=lines)

    def say_rest(self) -> None:
        """Say what was dropped and is not said yet; the program ends."""
        self.acquire()
        try:
            self._say_dropped(inf)
        finally:
            self.release()


@contextlib.contextmanager
def log_lines(level: str) -> Iterator[LogLines]:
    """For the time of the block, events from ``level`` up go to standard error as lines.

    Nothing that is printed waits for who reads it, either (:func:`queued_output`).
    """
    with queued_output() as writer:
        handler = LogLines(writer)
        logging.basicConfig(level=level.upper(), handlers=[handler])
        try:
            yield handler
        finally:
            handler.say_rest()
