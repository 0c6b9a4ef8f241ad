"""A bot in whose place another chooses while there is no time for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.game.cards import Card
from hearts.game.view import View

from .player import Bot, choose_moon


class HurriedBot:
    """Plays as ``bot``, and as ``quick`` while ``in_a_hurry()`` says that others wait."""

    def __init__(self, bot: Bot, quick: Bot, in_a_hurry: Callable[[], bool]) -> None:
        self._bot = bot
        self._quick = quick
        self._in_a_hurry = in_a_hurry

    def _now(self) -> Bot:
        return self._quick if self._in_a_hurry() else self._bot

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._now().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        return self._now().choose_card(view)

    def choose_moon(self, view: View) -> bool:
        return choose_moon(self._now(), view)
