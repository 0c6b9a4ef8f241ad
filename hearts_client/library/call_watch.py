"""Says where a bot is that does not answer: a thread beside the one in which bots are asked."""

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


class _Call(Struct, frozen=True):
    began: float
    method: str
    when: str


class CallWatch:
    """Watches the calls of one thread; of each that is too long it tells once."""

    def __init__(self, say: Callable[[str], None], slow: float = SLOW) -> None:
        """``say`` is called in another thread than that of the calls."""
        self._say = say
        self._slow = slow
        self._call: _Call | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """For the time of the block, watch the calls of this thread."""
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
        """A bot is asked in this block."""
        self._call = _Call(monotonic(), method, when)
        try:
            yield
        finally:
            self._call = None

    def _watch(self, watched: int, over: threading.Event) -> None:
        told: _Call | None = None
        while not over.wait(min(_LOOK_EVERY, self._slow)):
            call = self._call
            if call is None or call is told or monotonic() - call.began < self._slow:
                continue
            told = call
            line = line_of_frame(sys._current_frames().get(watched))
            what = f"has not answered for {self._slow:g} s"
            self._say(message(call.method, what, call.when, line))
