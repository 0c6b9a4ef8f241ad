"""What a player was told and asked, to be told again when he comes back."""

from __future__ import annotations

from hearts.game.events import HandScored
from hearts.table import GameBegun, Question, TableEvent


class Heard:
    """What a player who misses nothing was told and asked so far in a match."""

    __slots__ = ("_hands_at", "_items")

    def __init__(self) -> None:
        self._items: list[TableEvent | Question] = []
        self._hands_at = [1]

    def add(self, item: TableEvent | Question) -> None:
        """He is told or asked something; first of all what is played."""
        self._items.append(item)
        if isinstance(item, HandScored):
            self._hands_at.append(len(self._items))

    @property
    def hands_scored(self) -> int:
        """For how many hands he was told the scores."""
        return len(self._hands_at) - 1

    @property
    def game_begun(self) -> GameBegun:
        """What is played."""
        begun = self._items[0]
        assert isinstance(begun, GameBegun)
        return begun

    def since(self, hands: int) -> list[TableEvent | Question]:
        """What came after the scores of so many hands; with -1, from the latest deal on."""
        return self._items[self._hands_at[hands] :]
