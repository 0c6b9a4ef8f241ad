"""Who has the seats that changed hands, as the game server says it."""

from __future__ import annotations

from collections import OrderedDict

GAMES_WITH_HOLDERS = 16_384
"""Games that are remembered; the one that was used longest ago goes first. About 6 MiB at most.

A game is used by each notice and registration, so one that is played stays.
"""


class SeatHolders:
    """The Process ID that has a seat, of each seat that had another one before."""

    __slots__ = ("_games",)

    def __init__(self) -> None:
        self._games: OrderedDict[int, dict[int, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def set(self, game_number: int, player: int, process_id: int) -> None:
        """From now on nobody else has the seat."""
        seats = self._games.setdefault(game_number, {})
        seats[player] = process_id
        self.use(game_number)
        if len(self._games) > GAMES_WITH_HOLDERS:
            self._games.popitem(last=False)

    def use(self, game_number: int) -> None:
        """The game is played: forget others sooner."""
        if game_number in self._games:
            self._games.move_to_end(game_number)

    def allow(self, game_number: int, player: int, process_id: int) -> bool:
        """Whether somebody who had the seat at some time has it still."""
        return self._games.get(game_number, {}).get(player, process_id) == process_id
