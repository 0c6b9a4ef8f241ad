"""Whether a disk has room for new tables. What is free is handed in."""

from __future__ import annotations

_ENOUGH_AGAIN = 1.1
"""Times the mark that has to be free before new tables begin again."""


class FreeSpace:
    """Compares what is free with a mark, and does not change its mind at every byte."""

    __slots__ = ("_mark", "low")

    def __init__(self, mark: int) -> None:
        """``mark`` is in bytes; with 0 there is always enough."""
        self._mark = mark
        self.low = False
        """Whether there is too little."""

    def see(self, free: int) -> bool:
        """So many bytes are free now; whether :attr:`low` has changed by that."""
        mark = self._mark * _ENOUGH_AGAIN if self.low else self._mark
        changed = self.low != (free < mark)
        self.low = free < mark
        return changed
