"""The connections to the chat that are not registered, and who gives way. Time is handed in."""

from __future__ import annotations

from math import inf
from typing import Generic, Protocol, TypeVar

from hearts.limits.crowd import Crowd

QUICKLY = 2.0
"""Seconds that somebody has to register while more than half of the places are taken."""


class Candidate(Protocol):
    """A connection on its way to a seat's chat."""

    @property
    def has_spoken(self) -> bool:
        """True if its numbers have come."""

    @property
    def is_registered(self) -> bool:
        """True if they were right and it has had its turn."""


CandidateT = TypeVar("CandidateT", bound=Candidate)


class Unregistered(Generic[CandidateT]):
    """Those who are not registered, refused ones too. Who is gets forgotten when somebody looks."""

    __slots__ = ("_begun", "_crowd")

    def __init__(self) -> None:
        self._crowd: Crowd[CandidateT] = Crowd(inf)
        # In the order in which they could begin to speak: since when.
        self._begun: dict[CandidateT, float] = {}

    def came(self, who: CandidateT, address: str) -> None:
        self._crowd.enter(who, address)

    def begins(self, who: CandidateT, now: float) -> None:
        """He can speak: his TLS is there, if there is any."""
        self._begun[who] = now

    def left(self, who: CandidateT) -> None:
        self._crowd.leave(who)
        self._begun.pop(who, None)

    def longest(self) -> CandidateT | None:
        """Who has waited longest of the network that has most of them; None for nobody."""
        for who in [who for who in self._crowd if who.is_registered]:
            self.left(who)
        return self._crowd.longest_idle()

    def slow(self, now: float) -> list[CandidateT]:
        """Those who have not spoken QUICKLY."""
        found = []
        while self._begun:
            who, since = next(iter(self._begun.items()))
            if not who.has_spoken:
                if now - since < QUICKLY:
                    break
                found.append(who)
            del self._begun[who]
        return found
