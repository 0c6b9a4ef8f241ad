"""Finds acks that a client holds back while it thinks: section 5.1."""

from __future__ import annotations

from statistics import median

_ENOUGH = 8
"""Acks of each kind from which it can be told."""
_HELD = 0.3
"""Seconds by which a choice has to delay the ack before it."""
_SLOWNESS = 5
"""The factor by which an ack may be slower than elsewhere, whatever the machine."""


class AckPace:
    """The times that a client takes for its acks, before choices and elsewhere."""

    def __init__(self) -> None:
        self._before_choice: list[float] = []
        self._elsewhere: list[float] = []

    def note(self, seconds: float, *, before_choice: bool) -> None:
        """An ack has taken so long."""
        (self._before_choice if before_choice else self._elsewhere).append(seconds)

    @property
    def is_known(self) -> bool:
        """There were enough acks to tell."""
        return min(len(self._before_choice), len(self._elsewhere)) >= _ENOUGH

    @property
    def held_back(self) -> str:
        """The time for which acks were held back, in words; empty if they were not."""
        choosing, elsewhere = median(self._before_choice), median(self._elsewhere)
        if choosing <= _HELD + _SLOWNESS * elsewhere:
            return ""
        return f"acks took {choosing:.2f} s where a choice follows, and {elsewhere:.2f} s elsewhere"
