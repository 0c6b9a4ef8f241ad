"""Honest strangers: each comes from a network of their own and wants a public table."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from .plan import FULL, HEARTS, PlayerStanding
from .player import SoakSeat

if TYPE_CHECKING:
    from .hall import Hall

STAYS = 30.0
"""Seconds for which one plays at most, for whom they met may never play."""
_FIRST_NUMBER = 12_000
"""Their addresses come behind those of the tables."""
_DIFFERENT = 10_000
_PATIENT = FULL | {-104}
"""A table may begin while one still registers."""


class Strangers:
    """They come one after the other, and stay for a while."""

    def __init__(self, hall: Hall, every: float, first: int, chance: random.Random) -> None:
        """One every so many seconds; ``first`` tells their addresses from those of other halls."""
        self._hall = hall
        self._every = every
        self._chance = chance
        self._count = first
        self.players: list[SoakSeat] = []
        hall.later(every * chance.random(), self._come)

    def _come(self) -> None:
        hall, chance = self._hall, self._chance
        if hall.is_closing:
            for player in self.players:
                player.give_up()
            self.players = []
            return
        self._count += 1
        hall.later(self._every * chance.uniform(0.5, 1.5), self._come)
        # A table that this one opens ends soon.
        settings = hall.settings(chance, f"Stranger {self._count}", (HEARTS, 1))
        source = hall.source(_FIRST_NUMBER + self._count % _DIFFERENT)

        def changed() -> None:
            self._changed(player)

        player = SoakSeat(hall, settings, chance, changed, source=source, patient=_PATIENT)
        self.players.append(player)
        player.connect()

    def _changed(self, player: SoakSeat) -> None:
        hall = self._hall
        match player.standing:
            case PlayerStanding.SEATED:
                hall.count("strangers seated")
                hall.let_in("stranger", player.moved - player.came)
                hall.later(STAYS, lambda: self._leave(player))
                return
            case PlayerStanding.UNSEATED:
                hall.count("strangers turned away")
            case PlayerStanding.COMING:
                return
        if player.trouble:
            hall.complain(f"a stranger: {player.trouble}")
        self._leave(player)

    def _leave(self, player: SoakSeat) -> None:
        if player in self.players:
            self.players.remove(player)
            player.give_up()
