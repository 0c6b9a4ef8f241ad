"""Who has connected to the chat and said nothing yet, and who gives way. Time is handed in."""

from __future__ import annotations

from math import inf
from typing import Generic, Protocol, TypeVar

from hearts.limits.crowd import Crowd

QUICKLY = 2.0
"""Seconds that somebody has to register while more than half of the places are taken."""


class Silent(Protocol):
    """A connection that may have said its numbers by now."""

    @property
    def has_spoken(self) -> bool:
        """Whether it has."""


SilentT = TypeVar("SilentT", bound=Silent)


class Unregistered(Generic[SilentT]):
    """Those who have said nothing yet. Who has is forgotten when somebody looks."""

    __slots__ = ("_begun", "_crowd")

    def __init__(self) -> None:
        self._crowd: Crowd[SilentT] = Crowd(inf)
        # In the order in which they could begin to speak: since when.
        self._begun: dict[SilentT, float] = {}

    def came(self, who: SilentT, address: str) -> None:
        """Somebody has connected."""
        self._crowd.enter(who, address)

    def begins(self, who: SilentT, now: float) -> None:
        """He can speak: his TLS is there, if there is any."""
        self._begun[who] = now

    def left(self, who: SilentT) -> None:
        """He is gone."""
        self._crowd.leave(who)
        self._begun.pop(who, None)

    def longest(self) -> SilentT | None:
        """Who has waited longest of the network that has most of them; None for nobody."""
        for who in [who for who in self._crowd if who.has_spoken]:
            self.left(who)
        return self._crowd.longest_idle()

    def slow(self, now: float) -> list[SilentT]:
        """Those who have not spoken QUICKLY."""
        found = []
        while self._begun:
            who, since = next(iter(self._begun.items()))
            if not who.has_spoken:
                if now - since < QUICKLY:
                    break
                found.append(who)
            self.left(who)
        return found
