"""The bot that chooses by chance: a yardstick for others, and quick enough for bulk tests."""

from __future__ import annotations

from hearts.game.cards import CARDS, Card, cards_of
from hearts.game.game import PASS_SIZE
from hearts.game.view import View

from .player import Draw


class RandomBot:
    """Passes and plays by chance, every possibility alike."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        cards = list(cards_of(view.hand))
        return tuple([cards.pop(int(self._draw() * len(cards))) for _ in range(PASS_SIZE)])

    def choose_card(self, view: View) -> Card:
        return self.choose_of(view.legal)

    def choose_of(self, legal: int) -> Card:
        """Choose a card from the legal cards alone, given as a mask."""
        skip = int(self._draw() * legal.bit_count())
        while skip:
            legal &= legal - 1
            skip -= 1
        return CARDS[(legal & -legal).bit_length() - 1]

    def choose_moon(self, view: View) -> bool:
        return self._draw() < 0.5
