"""What one connection may make the server do, and when it is its turn."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.limits import WorkLimits, networks_of
from hearts.net import Link
from hearts.net.logline import EventLog

from .turns import IdleTurns, Turns

log = EventLog(__name__)


class Budget:
    """The work of one connection. If that is too much, it is not read for a while."""

    def __init__(
        self,
        link: Link,
        address: str,
        limits: WorkLimits,
        turns: Turns,
        idle_turns: IdleTurns,
        paused: Callable[[], None],
    ) -> None:
        """``paused`` is called once, when the connection is paused for the first time."""
        self._link = link
        self._address = address
        self._work = limits.of(address, trio.current_time())
        self._network = networks_of(address)[-1]
        self._turns = turns
        self._idle_turns = idle_turns
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
            self._was_slowed()

    def charge_idle(self, work: float) -> None:
        """The client has made the server do what nobody waited for.

        Beyond what is free it waits for its turn from then on, whenever it has said something,
        until it has been calm for a while.
        """
        if self._work is None:
            return
        seconds = self._work.spend_idle(work, trio.current_time())
        if seconds is None:
            return
        self._link.ask_turn = self._ask_turn
        if seconds:
            self._link.pause(seconds)

    def _ask_turn(self, take: Callable[[], None]) -> None:
        if self._work is None or self._work.is_calm(trio.current_time()):
            take()
        else:
            self._was_slowed()
            self._idle_turns.ask(self._address, take)

    def _was_slowed(self) -> None:
        if self._paused is not None:
            self._paused()
            self._paused = None
            log.info("slowed", address=self._address)
