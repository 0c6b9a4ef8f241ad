"""What one connection may make the server do, and when it is its turn."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.limits import WorkLimits, networks_of
from hearts.net import Link
from hearts.net.logline import EventLog

from .turns import Turns

log = EventLog(__name__)


class Budget:
    """The work of one connection. If that is too much, it is not read for a while."""

    def __init__(
        self,
        link: Link,
        address: str,
        limits: WorkLimits,
        turns: Turns,
        paused: Callable[[], None],
    ) -> None:
        """``paused`` is called once, when the connection is paused for the first time."""
        self._link = link
        self._address = address
        self._work = limits.of(address, trio.current_time())
        self._network = networks_of(address)[-1]
        self._turns = turns
        self._paused: Callable[[], None] | None = paused

    async def turn(self) -> None:
        """Wait until the server has time for a stranger."""
        await self._turns.take(self._network)

    def charge(self, work: float) -> None:
        """The client has made the server work."""
        if self._work is None:
            return
        seconds = self._work.spend(work, trio.current_time())
        if seconds:
            self._link.pause(seconds, self.turn)
            if self._paused is not None:
                self._paused()
                self._paused = None
                log.info("slowed", address=self._address)
