"""What a program on the wire is counted: its choices, its faults and its time."""

from __future__ import annotations

from math import inf

from hearts.game.events import ChosenBy
from hearts_arena.plan.results import SeatCounts


class Account(SeatCounts):
    """One player of one match. The time is that of any clock that only goes forward."""

    def __init__(self, move_limit: float, hand_limit: float) -> None:
        """The limits are seconds for a choice, and for all of a hand; 0 for none.

        When those of a hand are used up, the clock makes the rest of its choices at once.
        """
        super().__init__()
        self._move_limit = move_limit or inf
        self._hand_limit = hand_limit or inf
        self._since: float | None = None
        self._spent = 0.0
        self._did_something = True
        self._latest = ChosenBy.PLAYER

    def begin_hand(self) -> None:
        self._spent = 0.0
        self._did_something = False

    @property
    def responds(self) -> bool:
        """True if the player made the latest choice itself."""
        return self._latest is ChosenBy.PLAYER

    @property
    def hangs(self) -> bool:
        """True if the player did nothing since the hand began, not even try something illegal."""
        return not self._did_something

    def ask(self, now: float) -> float:
        """Begin the time of a choice; the seconds for it."""
        self.choices += 1
        self._since = now
        return min(self._move_limit, self._hand_limit - self._spent)

    def refuse(self) -> None:
        """Count a try that was not legal."""
        self.illegal += 1
        self._did_something = True

    def settle(self, by: ChosenBy, now: float) -> None:
        """Count a choice, by whoever made it."""
        self._latest = by
        since, self._since = self._since, None
        if since is not None and by is not ChosenBy.STAND_IN:
            self._spent += now - since
            self.take_time(now - since)
        match by:
            case ChosenBy.CLOCK:
                self.timeouts += 1
            case ChosenBy.STAND_IN:
                self.stood_in += 1
            case _:
                self._did_something = True
