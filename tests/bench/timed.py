"""``expert`` by the time of a choice: as many worlds as a number of milliseconds allows.

``hearts-arena run expert tests.bench.timed:timed,ms=30`` measures one. The time is that of the CPU,
so that other work on the machine takes nothing from a player.
"""

from __future__ import annotations

import time

from hearts.bots import Bot, Draw
from hearts.bots.levels import expert

MOST_WORLDS = 30_000
"""Worlds for a choice, however much time is left."""


def timed(draw: Draw, ms: float = 10.0) -> Bot:
    """Takes at most so many milliseconds for a card or a pass, and stops when it is sure.

    Raises MissingExtra if numba is not installed.
    """
    return expert(
        draw, worlds=MOST_WORLDS, pass_worlds=MOST_WORLDS, seconds=ms / 1000.0,
        clock=time.process_time,
    )  # fmt: skip
