"""Says how long a choice takes: to the person whose turn it is, and about the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter

import trio

_WARNINGS = (20.0, 5.0)
"""Seconds before the end of the person's own time at which he is reminded."""
_PATIENCE = 6.0
"""Seconds of silence after which it is said who is waited for."""


class TurnClock:
    """The time since somebody was asked. The server's clock decides; this one only tells."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._since = 0.0
        self._reminders: Sequence[tuple[float, Callable[[], str]]] = ()
        self._alarm = trio.CancelScope()

    @property
    def seconds(self) -> int:
        """Whole seconds since the latest start."""
        return int(trio.current_time() - self._since)

    def start_own(
        self,
        limit: int,
        until_bank: float | None = None,
        bank_line: Callable[[], str] = str,
    ) -> None:
        """The person is asked; ``limit`` is in seconds, 0 for none.

        What ``bank_line`` gives is said after ``until_bank`` seconds.
        """
        reminders: list[tuple[float, Callable[[], str]]] = [
            (limit - left, partial("{:g} seconds left.".format, left))
            for left in _WARNINGS
            if limit >= 2 * left
        ]
        if until_bank is not None:
            reminders.append((until_bank, bank_line))
        self._start(sorted(reminders, key=itemgetter(0)))

    def start_other(self, line: Callable[[], str]) -> None:
        """Somebody else is asked; what ``line`` gives is said if that takes long."""
        self._start([(_PATIENCE, line)])

    def stop(self) -> None:
        """Nobody is asked."""
        self._start([])

    def _start(self, reminders: Sequence[tuple[float, Callable[[], str]]]) -> None:
        self._since = trio.current_time()
        self._reminders = reminders
        self._alarm.cancel()

    async def run(self) -> None:
        """Say the reminders when they are due, until cancelled."""
        while True:
            self._alarm = trio.CancelScope()
            with self._alarm:
                for after, line in self._reminders:
                    await trio.sleep_until(self._since + after)
                    if text := line():
                        self._say(text)
                await trio.sleep_forever()
