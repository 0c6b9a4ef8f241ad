"""The time that the person has for a choice, if the server does not say."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import trio

from hearts.game.events import CardPlayed, ChosenBy, MoonChosen, PassMade, YourHand
from hearts.session.client_events import (
    CameBack,
    CaughtUp,
    ChoiceTerms,
    ConnectionLost,
    DealerEvent,
    YourChoice,
)
from hearts.session.messages import TableInfo

_LOST_LIMITS = 2
_SHORT_LIMIT = 3.0
"""Seconds for a choice after so many that were missed in a hand (SocketSpec.md section 5.4)."""

_INACCURACY = 2.0
"""Seconds by which our clock may be behind that of the server."""

SHORT = "If you choose in time, you have your full time again from the next hand on."
"""For who has only a short time."""


class OwnLimit:
    """Give it every event; it follows how many of our choices the clock has made."""

    def __init__(self, clock: Callable[[], float] = trio.current_time) -> None:
        """``clock`` gives seconds that only grow."""
        self._clock = clock
        self._turn_limit = 0
        self._misses = 0
        self._is_absent = False
        """True while the server waits a short time only, until we choose in time."""
        self._is_past = False
        self._left: float | None = None
        self._free = 0.0
        self._stock: float | None = None
        """Seconds in the bank of the hand when we were asked, if there is one and it is told."""
        self._asked_at = inf

    def receive(self, event: DealerEvent, player: int) -> None:
        """Take in what happens; ``player`` is our seat."""
        match event:
            case TableInfo():
                self._turn_limit = event.turn_limit
            case ChoiceTerms(_, left, _, free, stock):
                self._left = None if left is None else left / 1000
                self._free = 0.0 if free is None else free / 1000
                self._stock = None if stock is None else stock / 1000
            case YourChoice():
                self._asked_at = self._clock()
            case CameBack():
                self._is_past = True
                self._is_absent = False
            case CaughtUp() | ConnectionLost():
                self._is_past = False
            case YourHand():
                self._misses = _LOST_LIMITS if self._is_absent else 0
            case CardPlayed(who, _, by) | PassMade(who, _, by) | MoonChosen(who, _, by):
                if who == player and not self._is_past:
                    self._count(by)

    def _count(self, by: ChosenBy) -> None:
        if by is ChosenBy.PLAYER:
            self._is_absent = False
        elif by is ChosenBy.CLOCK and self.is_up:
            self._misses += 1
            self._is_absent = self._is_absent or self._misses == _LOST_LIMITS

    @property
    def is_up(self) -> bool:
        """True if the server may have chosen because our time was up.

        In the plain dialect it chooses in the same way where somebody has claimed the rest.
        """
        if self._misses >= _LOST_LIMITS:
            return True
        if self._left is None and not self._turn_limit:
            return False
        return self._clock() - self._asked_at >= self.seconds - _INACCURACY

    @property
    def seconds(self) -> float:
        """Seconds for a choice that is asked for now; 0 for no limit."""
        if self._left is not None:
            return self._left
        if self._misses >= _LOST_LIMITS:
            return min(self._turn_limit, _SHORT_LIMIT)
        return self._turn_limit

    @property
    def until_bank(self) -> float | None:
        """Seconds after the question from which on the bank is used; None if it is not."""
        return self._free if self._stock is not None and self._free < self.seconds else None

    @property
    def bank(self) -> float | None:
        """Seconds that are in the bank while it is used; None while it is not."""
        used = self._clock() - self._asked_at - self._free
        return max(self._stock - used, 0.0) if self._stock is not None and used >= 0 else None

    @property
    def is_short(self) -> bool:
        """True if it is the short one, and stays so until a choice is made in time."""
        return self._is_absent and 0 < self.seconds <= _SHORT_LIMIT < self._turn_limit
