"""Bots with a mistake each, for those who say to its author what is wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

from hearts.bots import SimpleBot
from hearts.game.cards import Card
from hearts.game.view import View


class AnswersItsOwn(SimpleBot):
    """Gives an answer of its own for each card, or for the pass."""

    def __init__(self, card: object = None, cards: object = None) -> None:
        super().__init__()
        self._card = card
        self._cards = cards

    def choose_card(self, view: View) -> Card:
        return self._card if self._cards is None else super().choose_card(view)  # type: ignore[return-value]

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return super().choose_pass(view) if self._cards is None else self._cards  # type: ignore[return-value]


class Fails(SimpleBot):
    """Raises within what it calls."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return tuple(self._think())

    def _think(self) -> Sequence[Card]:
        return json.loads("no cards")  # type: ignore[no-any-return]


class WaitsLong(SimpleBot):
    """Thinks until somebody has said that it takes long."""

    def __init__(self) -> None:
        super().__init__()
        self.told = threading.Event()

    def choose_card(self, view: View) -> Card:
        self.told.wait()
        return super().choose_card(view)
