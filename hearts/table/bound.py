"""How many hands a session has at most, and what its players are told of that.

A player who comes back may ask for all of them again, so a session cannot go on for ever.
"""

from __future__ import annotations

LAST_HANDS = 50
"""With fewer hands left than that, the game under way is the session's last."""
_TOLD_AT = (LAST_HANDS, 10, 1)


class Bound:
    """The bound of one session; every method is asked with the hands that were scored so far."""

    __slots__ = ("_most",)

    def __init__(self, most: int) -> None:
        """``most`` of 0 means that there is no bound."""
        self._most = most

    def is_reached(self, hands: int) -> bool:
        """Whether the session ends now."""
        return 0 < self._most <= hands

    def allows_game(self, hands: int) -> bool:
        """Whether another game may begin."""
        return not self._most or self._most - hands >= LAST_HANDS

    def notice(self, hands: int) -> str | None:
        """What the players are to be told before the next hand, if anything."""
        left = self._most - hands
        if not self._most or left < 1 or (hands and left not in _TOLD_AT) or left > LAST_HANDS:
            return None
        more = "one more hand" if left == 1 else f"{left} more hands"
        return f"this session ends after {more} at the latest, and with the game that is played"

    @property
    def why(self) -> str:
        """Why a session ends that has reached it."""
        return f"a session has at most {self._most} hands here"
