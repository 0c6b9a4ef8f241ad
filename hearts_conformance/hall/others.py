"""Everybody at the table but the client under test."""

from __future__ import annotations

from collections.abc import Callable

from hearts.bots import Draw, RandomBot
from hearts.game.cards import Card
from hearts.game.view import View
from hearts.hosting.seats import Give
from hearts.plain.seat import PlainSeat
from hearts.table import Ask, Choice, Chosen, Question, RulesProposed, TableEvent, Vote


class KitBot(RandomBot):
    """Chooses for all seats; for the client if its time is up."""

    __slots__ = ("_client", "avoided")

    def __init__(self, draw: Draw, client: int) -> None:
        """``client`` is the player under test."""
        super().__init__(draw)
        self._client = client
        self.avoided = 0
        """Cards, as a mask, that are not chosen for the client if there are others."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return super().choose_pass(view._replace(hand=self._allowed(view, view.hand)))

    def choose_card(self, view: View) -> Card:
        return super().choose_card(view._replace(legal=self._allowed(view, view.legal)))

    def choose_moon(self, view: View) -> bool:
        return True

    def _allowed(self, view: View, cards: int) -> int:
        if view.player != self._client:
            return cards
        return cards & ~self.avoided or cards


class OtherPlayer(PlainSeat):
    """The seat of another person, who answers at once and agrees to all rules."""

    def __init__(self, player: int, choose: Callable[[int, Question], Choice], give: Give) -> None:
        super().__init__(player)
        self._choose = choose
        self._give = give

    def tell(self, event: TableEvent) -> bytes:
        if isinstance(event, RulesProposed):
            self._give(Vote(self.player, True))
        return b""

    def ask(self, asked: Ask) -> bytes:
        self._give(Chosen(self.player, self._choose(self.player, asked.question)))
        return b""
