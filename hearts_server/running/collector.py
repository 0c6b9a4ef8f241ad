"""When the garbage collector looks, and how far: while it does, every table stands still."""

from __future__ import annotations

import gc
from collections.abc import Callable

import trio

YOUNG = 3_000
"""New objects, less those that are gone, after which it looks at the new ones."""
YOUNG_ROUNDS = 2
"""After more than so many of these rounds it looks at what they left as well.

That is at most 12,000 objects at once, 3.5 ms of CPU where an object takes 0.3 µs. By Python's own
thresholds it looks through whatever lives four times while 1,000 tables begin, 230 ms at worst; and
with as many as 50,000 new ones 17 ms.
"""
NEVER = 1_000_000_000
FULL_EVERY = 3600.0
"""Seconds between two looks at all objects, if there are few tables then."""
FEW_TABLES = 10
"""A table has about 330 objects that are looked at."""


def settle() -> None:
    """The server is ready: what lives now lives as long as it, and is never looked at again.

    From here on the collector looks at what is new. That finds the cycles of what goes wrong: an
    error with its traceback, a connection that never got a seat. Connections and tables that end
    in order leave none.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, YOUNG_ROUNDS, NEVER)


async def look_at_all(tables: Callable[[], int]) -> None:
    """Collect what grew old before it became garbage, when few tables wait; until cancelled."""
    while True:
        await trio.sleep(FULL_EVERY)
        if tables() <= FEW_TABLES:
            gc.collect()
