"""Standard output, standard error and the log of a server that never waits for a reader.

A pipe that nobody reads, a stopped terminal or a hung collector of logs would stop the event loop
in the middle of a write. So a thread of its own writes, out of a queue that is bounded by what
each kind of line may have in it.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from math import inf
from queue import SimpleQueue
from typing import TextIO

from hearts.limits.log_lines import LineKind, LineLimiter
from hearts.net.system import PIPE_WRITE

from .logline import EventLog, LineFormatter, kind_of

LAST_LINES_LIMIT = 1.0
"""Seconds that the end of the program waits until what is queued is written."""
_REST = 0.02
"""Seconds between two writes, so that many lines cost one write and one wake-up."""
_LINES_AT_ONCE = 500
_LONGEST_PART = 1 << 16

log = EventLog(__name__)

_Item = tuple[bytes, LineKind] | None


class LineWriter:
    """Writes lines to a descriptor, in a thread of its own."""

    def __init__(self, descriptor: int | None) -> None:
        """Without a descriptor there is nobody to read, and every line is lost."""
        self._descriptor = descriptor
        self.writes = descriptor is not None
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._ending = threading.Event()
        self.lost = 0
        """Lines that could not be written, such as to a pipe whose reader is gone."""
        self._thread = threading.Thread(target=self._write_all, name="lines", daemon=True)
        if self.writes:
            self._thread.start()

    def put(self, line: bytes, kind: LineKind) -> None:
        """Have a line written that its kind has taken; never waits."""
        if not self.writes or self._ending.is_set():
            kind.written += 1
            self.lost += 1
        else:
            self._queue.put((line, kind))

    def end(self) -> None:
        """Write what is queued, and nothing more; later lines are lost."""
        if not self._ending.is_set():
            self._ending.set()
            self._queue.put(None)

    def wait(self, deadline: float) -> None:
        """Wait until that is done, until a time of ``time.monotonic()`` at most."""
        if self._thread.is_alive():
            self._thread.join(max(0.0, deadline - time.monotonic()))

    # In the thread

    def _write_all(self) -> None:
        while self._write_next():
            self._ending.wait(_REST)

    def _write_next(self) -> bool:
        lines, kinds = [], []
        item = self._queue.get()
        while item is not None:
            line, kind = item
            lines.append(line)
            kinds.append(kind)
            if self._queue.empty() or len(lines) == _LINES_AT_ONCE:
                break
            item = self._queue.get_nowait()
        for part in _parts(lines):
            self._write(part)
        for kind in kinds:
            kind.written += 1
        return item is not None

    def _write(self, lines: list[bytes]) -> None:
        assert self._descriptor is not None
        left = memoryview(b"".join(lines))
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])
            except OSError:
                self.lost += len(lines)
                return


def _parts(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Split lines into parts that are written at once.

    Two programs may share a pipe, and longer parts would be mixed up.
    """
    part: list[bytes] = []
    size = 0
    for line in lines:
        if part and size + len(line) > PIPE_WRITE:
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line)
    if part:
        yield part


class QueuedStream(io.TextIOBase):
    """A text stream in place of a standard one, for printed text."""

    def __init__(self, writer: LineWriter, replaced: TextIO) -> None:
        self.writer = writer
        self._replaced = replaced
        self._kind = LineKind("output", replaced.name, time.monotonic())
        self._part = ""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._replaced.encoding

    def fileno(self) -> int:
        return self._replaced.fileno()

    def isatty(self) -> bool:
        return self._replaced.isatty()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Have a text written, as soon as its line is complete; never waits."""
        whole, newline, self._part = (self._part + text).rpartition("\n")
        self._put(whole + newline)
        if len(self._part) > _LONGEST_PART:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Queue the line that is not complete."""
        part, self._part = self._part, ""
        self._put(part)

    def _put(self, text: str) -> None:
        if text and self._kind.take(time.monotonic()):
            self.writer.put(text.encode(self.encoding, "backslashreplace"), self._kind)


@contextlib.contextmanager
def queued_output() -> Iterator[LineWriter]:
    """Queue what is printed during the block, so that no slow reader holds the program up.

    Gives the writer to standard error. At the end what is queued is written, if somebody reads it
    within LAST_LINES_LIMIT. After an error that is done when the interpreter has said what it was.
    """
    before = sys.stdout, sys.stderr
    for stream in before:
        # Nothing is to be left in a buffer, which the interpreter would write at its end.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    output, error = LineWriter(_descriptor(sys.stdout)), LineWriter(_descriptor(sys.stderr))
    if output.writes:
        sys.stdout = QueuedStream(output, sys.stdout)
    if error.writes:
        sys.stderr = QueuedStream(error, sys.stderr)
    last_words = partial(_write_rest, output, error)
    atexit.register(last_words)
    yield error
    last_words()
    atexit.unregister(last_words)
    sys.stdout, sys.stderr = before


def _write_rest(*writers: LineWriter) -> None:
    deadline = time.monotonic() + LAST_LINES_LIMIT
    for writer in writers:
        writer.end()
    for writer in writers:
        writer.wait(deadline)


def _descriptor(stream: TextIO | None) -> int | None:
    # There is no stream if it was closed, and no descriptor if a test reads it.
    try:
        return None if stream is None else stream.fileno()
    except (OSError, ValueError):
        return None


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
                self._report_dropped(now)
        except Exception:
            self.handleError(record)

    def _report_dropped(self, now: float) -> None:
        for kind, lines in self._limiter.to_report(now):
            log.warning("lines-dropped", source=kind.source, what=kind.event, lines=lines)

    def report_rest(self) -> None:
        """Report the lines that were dropped and not reported yet, because the program ends."""
        self.acquire()
        try:
            self._report_dropped(inf)
        finally:
            self.release()


@contextlib.contextmanager
def log_lines(level: str) -> Iterator[LogLines]:
    """Write events from ``level`` up to standard error as lines, during the block.

    Nothing that is printed waits for who reads it, either (:func:`queued_output`).
    """
    with queued_output() as writer:
        handler = LogLines(writer)
        logging.basicConfig(level=level.upper(), handlers=[handler])
        try:
            yield handler
        finally:
            handler.report_rest()
