"""How long the table waits for one player in one hand (SocketSpec.md section 5.4)."""

from __future__ import annotations

from math import inf

from msgspec import Struct

OWING_LIMITS = 1
"""A clock starts at the latest after so many limits, whatever the client still owes."""
LOST_LIMITS = 2
"""Limits that the table loses to the clock, at most, for one player in one hand."""
HURRIED_LIMIT = 3.0
"""Seconds for a choice of a player for whom they are lost, and of whom something was heard."""

FREE_PART = 3
"""One of so many parts of the limit is taken from no bank, for each choice."""
BANK_LIMITS = 4
"""Limits in the bank of a hand."""
LEAST_BANK = 120.0
"""Seconds in it, at least."""
LEAST_LIMIT = 8.0
"""Seconds for a choice with an empty bank, at least, if the turn limit is not less."""

_ROUNDING = 0.001
"""Deadlines are sums of seconds: what is left of a bank below this is their rounding."""


class TimeAccount(Struct):
    """The seconds that a player has in one hand, for each choice and for all together."""

    turn_limit: float
    """Seconds for a choice; inf for no clock."""
    patience: float
    """Seconds that the table waits for choices that the clock makes in the end."""
    bank: float
    """Seconds for what takes longer than :attr:`free`; inf if that is not counted."""
    free: float
    """Seconds of each choice that are taken from no bank; inf if there is none."""

    @classmethod
    def open(cls, turn_limit: int, *, is_absent: bool, has_bank: bool) -> TimeAccount:
        """The account of a hand that begins; ``turn_limit`` is 0 for no clock."""
        limit = turn_limit or inf
        bank = max(BANK_LIMITS * limit, LEAST_BANK) if has_bank else inf
        free = limit / FREE_PART if has_bank else inf
        return cls(limit, 0.0 if is_absent else LOST_LIMITS * limit, bank, free)

    @property
    def longest(self) -> float:
        """Seconds from a question to its decision, at most, whatever the client still owes."""
        turn_limit = self.turn_limit
        return min(
            self.patience or min(turn_limit, HURRIED_LIMIT),
            (1 + OWING_LIMITS) * turn_limit,
            max(self.free + self.bank, min(turn_limit, LEAST_LIMIT)),
        )

    def after(self, seconds: float) -> tuple[float, float]:
        """What is :attr:`free`, and in the bank, when a choice has taken so long already."""
        return max(self.free - seconds, 0.0), _left(self.bank, seconds - self.free)

    def take(self, seconds: float) -> None:
        """A choice has taken so long."""
        _, self.bank = self.after(seconds)

    def lose(self, seconds: float) -> None:
        """The table has waited so long for a choice that the clock makes now."""
        self.take(seconds)
        self.patience = _left(self.patience, seconds)


def _left(seconds: float, taken: float) -> float:
    left = seconds - max(taken, 0.0)
    return left if left > _ROUNDING else 0.0
