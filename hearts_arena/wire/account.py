"""What a program on the wire is counted: its choices, its faults and its time."""

from __future__ import annotations

from math import ceil, inf

from msgspec import Struct

from hearts.game.events import ChosenBy
from hearts_arena.plan.results import Conduct, TimeTaken


class Limits(Struct, frozen=True, gc=False):
    """How long a player may take, in seconds; 0 for as long as he likes."""

    move: float
    """For a choice."""
    hand: float
    """For all choices of a hand; when they are used up, the clock makes the rest at once."""

    @property
    def told(self) -> int:
        """The limit of a choice as the Table message has it: whole seconds, never too few."""
        return ceil(self.move)


class Account:
    """One player of one match. The time is that of any clock that only goes forward."""

    __slots__ = (
        "_choices",
        "_crashes",
        "_did_something",
        "_illegal",
        "_latest",
        "_limits",
        "_seconds",
        "_since",
        "_slowest",
        "_spent",
        "_stood_in",
        "_timeouts",
    )

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._choices = self._illegal = self._timeouts = self._crashes = self._stood_in = 0
        self._seconds = self._slowest = 0.0
        self._since: float | None = None
        self._spent = 0.0
        self._did_something = True
        self._latest = ChosenBy.PLAYER

    def begin_hand(self) -> None:
        """A hand begins, and with it the time for it."""
        self._spent = 0.0
        self._did_something = False

    @property
    def responds(self) -> bool:
        """Whether he made the latest choice himself."""
        return self._latest is ChosenBy.PLAYER

    @property
    def hangs(self) -> bool:
        """Whether he did nothing since the hand began, not even try something illegal."""
        return not self._did_something

    def ask(self, now: float) -> float:
        """The player is asked for a choice; the seconds for it."""
        self._choices += 1
        self._since = now
        limits = self._limits
        return min(limits.move or inf, (limits.hand or inf) - self._spent)

    def refuse(self) -> None:
        """A try of his was not legal."""
        self._illegal += 1
        self._did_something = True

    def settle(self, by: ChosenBy, now: float) -> None:
        """A choice is made; by whom."""
        self._latest = by
        since, self._since = self._since, None
        if since is not None and by is not ChosenBy.STAND_IN:
            seconds = now - since
            self._spent += seconds
            self._seconds += seconds
            self._slowest = max(self._slowest, seconds)
        match by:
            case ChosenBy.CLOCK:
                self._timeouts += 1
            case ChosenBy.STAND_IN:
                self._stood_in += 1
            case _:
                self._did_something = True

    def crash(self) -> None:
        """He has hung up or died, and comes back no more."""
        self._crashes += 1

    @property
    def conduct(self) -> Conduct:
        """How he behaved."""
        return Conduct(self._choices, self._illegal, self._timeouts, self._crashes, self._stood_in)

    @property
    def pace(self) -> TimeTaken:
        """How long he took."""
        return TimeTaken(self._seconds, self._slowest)
