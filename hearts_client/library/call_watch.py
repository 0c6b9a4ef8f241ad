"""A thread that reports which line of a bot runs, if the bot does not answer in time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from msgspec import Struct

from .bot_faults import line_of_frame, message

SLOW = 2.0
"""Seconds after which a bot that has not answered is told of."""
_LOOK_EVERY = 0.25


_Call = tuple[float, str, str]
"""The time of its begin, the method, and the moment of the game."""


class SlowCall(Struct, frozen=True):
    """A call that has not come back."""

    method: str
    when: str
    line: str
    """The author's own line that is executed now."""
    seconds: float

    @property
    def text(self) -> str:
        return message(
            self.method, f"has not answered for {self.seconds:g} s", self.when, self.line
        )


class CallWatch:
    """Watches the calls of one thread, and reports each that takes too long, once."""

    def __init__(
        self,
        say: Callable[[SlowCall], None],
        slow: float = SLOW,
        progress: Callable[[], object] = lambda: None,
    ) -> None:
        """``say`` is called in another thread than that of the calls.

        ``progress`` gives what changes whenever a call gets on: then its time begins anew.
        """
        self._say = say
        self._slow = slow
        self._progress = progress
        self._call: _Call | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the calls of this thread during the block."""
        over = threading.Event()
        watched = threading.get_ident()
        thread = threading.Thread(target=self._watch, args=(watched, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    @contextmanager
    def call(self, method: str, when: str) -> Iterator[None]:
        """Watch the call of a bot in this block."""
        self._call = monotonic(), method, when
        try:
            yield
        finally:
            self._call = None

    def _watch(self, watched: int, over: threading.Event) -> None:
        last: _Call | None = None
        seen: object = None
        since, told = 0.0, False
        while not over.wait(min(_LOOK_EVERY, self._slow)):
            call, now = self._call, monotonic()
            if call is None:
                continue
            began, method, when = call
            progress = self._progress()
            if call is not last or progress != seen:
                since, told = now if call is last else began, False
                last, seen = call, progress
            if not told and now - since >= self._slow:
                told = True
                line = line_of_frame(sys._current_frames().get(watched))
                self._say(SlowCall(method, when, line, self._slow))
