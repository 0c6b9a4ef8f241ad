"""The passes of trio's event loop: how long the present one has gone on."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

import trio


class LoopPass(trio.abc.Instrument):
    """Measures the CPU time of each pass, in which everything else waits.

    It is CPU time, so that a machine with other work makes no difference.
    """

    def __init__(self, most: float, clock: Callable[[], float] = thread_time) -> None:
        """``most`` seconds make a long pass. ``clock`` is that of the thread."""
        self.most = most
        self._clock = clock
        self._began = clock()

    def after_io_wait(self, timeout: float) -> None:
        self._began = self._clock()

    def is_long(self) -> bool:
        """Return True if the pass has gone on for so long that no more should be begun."""
        return self._clock() - self._began >= self.most
