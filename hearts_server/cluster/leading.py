"""What all doors do: connections that end with the life to which they lead, and last words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

import trio

from hearts.net import Link
from hearts.net.link import LINGER

from .membership import OverLives

T = TypeVar("T")


class LedConnections:
    """Connections that lead to other nodes."""

    def __init__(self) -> None:
        self._led: dict[trio.CancelScope, int] = {}
        self._over = OverLives()

    async def lead(self, life: int, run: Callable[[], Awaitable[T]]) -> T | None:
        """Do something that ends when this life does; None if it has ended so."""
        with trio.CancelScope() as scope:
            if life in self._over:
                # It has ended while it was called.
                scope.cancel()
            self._led[scope] = life
            try:
                return await run()
            finally:
                del self._led[scope]
        return None

    def lives_changed(self, lives: Collection[int]) -> None:
        """End the connections that lead to other lives than these: nobody answers there."""
        self._over.lives_changed(lives)
        for scope, life in self._led.items():
            if life not in lives:
                scope.cancel()


async def say_last(link: Link, data: bytes) -> None:
    """Say something, and let the peer read it and all that was said before."""
    link.write(data)
    link.end()
    with trio.move_on_after(LINGER):
        while await link.read():
            pass
