"""A hearts-server that notes how long each pass of its event loop took, in CPU time.

    python -m tests.zoo.watched ...    # settings as those of hearts-server

Who is served waits for the pass that runs and for the one that reads his bytes. CPU time tells how
long a pass is even where the machine gives its cores to others meanwhile. At the end it says the
passes as one line of JSON: when each ended, by `time.monotonic`, and its seconds.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial

import trio

from hearts_server.given_settings import parse_config
from hearts_server.running import serve as app


class Passes(trio.abc.Instrument):
    """The passes of an event loop, from one wait for I/O to the next."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float]] = []
        self._begin: float | None = None

    def after_io_wait(self, timeout: float) -> None:
        self._begin = time.thread_time()

    def before_io_wait(self, timeout: float) -> None:
        if self._begin is not None:
            self.seen.append((time.monotonic(), time.thread_time() - self._begin))


def main() -> int:
    passes = Passes()
    # The program has no place for instruments, for nobody but a measure needs them.
    app.trio.run = partial(trio.run, instruments=[passes])  # type: ignore[attr-defined]
    status = app.serve(parse_config(sys.argv[1:]))
    print(json.dumps(passes.seen), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
