"""The lease of the game server that started this one: without it another one may play by now."""

from __future__ import annotations

from collections.abc import Callable

import trio

LEASE = 3.0
"""Seconds for which it is valid after the parent has said so."""
_LOOK_EVERY = 0.25


class ParentsLease:
    """Lets all players go when the lease is over, and nobody in until it is renewed."""

    def __init__(self, let_go: Callable[[str], None]) -> None:
        """``let_go`` ends all connections, for a reason."""
        self._let_go = let_go
        self._until = trio.current_time() + LEASE
        self._is_over = False

    def renew(self, _line: str) -> None:
        """The parent has said that it may play."""
        self._until, self._is_over = trio.current_time() + LEASE, False

    def admitting(self, admits: Callable[[str], bool]) -> Callable[[str], bool]:
        """The same check of an address, which lets nobody in while the lease is over."""
        return lambda address: not self._is_over and admits(address)

    async def watch(self) -> None:
        """Let the players go each time that the lease is over, until cancelled."""
        while True:
            await trio.sleep(_LOOK_EVERY)
            if not self._is_over and trio.current_time() > self._until:
                self._is_over = True
                self._let_go("the game server has lost its lease")
