"""A process of our own beside the server, which is started again when it ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from math import inf

import trio

from hearts.errors import HeartsError, leaves
from hearts.settings.readers import place_text
from hearts.settings.table import option, rows
from hearts_server.config import Config

START_LIMIT = 10.0
"""Seconds in which such a process has to say where it listens."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 60.0
"""Seconds before it is started again: FIRST_PAUSE, then twice as long each time."""
GOOD_RUN = 60.0
"""Seconds after which one that has ended is started again as quickly as the first time."""
_TOLD_EVERY = 60.0
"""Seconds between two calls that say that it cannot be started."""


class NotStarted(HeartsError):
    """The program did not start the first time; the text says why."""


async def keep_running(
    run_once: Callable[..., Awaitable[object]],
    started: Callable[[str], object],
    not_started: Callable[[str], None],
    *,
    must_start: bool = True,
) -> None:
    """Run a process again and again, until cancelled.

    ``run_once`` starts it in a task, is started itself with the line in which it says where it
    listens, or with "" for none, and ends with it. ``started`` gets that line the first time, and
    ``not_started`` the reason if it could not be started. Raises NotStarted if that fails the first
    time and it ``must_start``.
    """
    pause, told, is_first = FIRST_PAUSE, -inf, True
    while True:
        began, why = trio.current_time(), "it did not say where it listens"
        line = ""
        try:
            async with trio.open_nursery() as nursery:
                line = await nursery.start(run_once)
                if line and is_first:
                    is_first = False
                    started(line)
        except* OSError as errors:
            why = str(next(leaves(errors)))
        if is_first and must_start:
            raise NotStarted(why)
        now = trio.current_time()
        if not line and now - told >= _TOLD_EVERY:
            told = now
            not_started(why)
        if line and now - began >= GOOD_RUN:
            pause = FIRST_PAUSE
        await trio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def child_options(config: Config, child: str) -> list[str]:
    options = []
    for name, row in rows(Config).items():
        if child in row.children:
            match getattr(config, name):
                case None:
                    texts: Sequence[str] = ()
                case (str(), int()) as place:
                    texts = (place_text(place),)
                case tuple() as several:
                    texts = several
                case value:
                    texts = (str(value),)
            for text in texts:
                options += [option(name.removeprefix(f"{child}_")), text]
    return options
