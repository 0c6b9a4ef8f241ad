"""A bot in whose place another chooses while there is no time for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.game.cards import Card
from hearts.game.view import View

from .player import Bot, choose_moon


class HurriedBot:
    """Plays as ``bot`` if ``has_time()`` says so when it has to choose, and else as ``quick``."""

    def __init__(self, bot: Bot, quick: Bot, has_time: Callable[[], bool]) -> None:
        self._bot = bot
        self._quick = quick
        self._has_time = has_time

    def _now(self) -> Bot:
        return self._bot if self._has_time() else self._quick

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._now().choose_pass(view)

    def choose_card(self, view: View) -> Card:
        return self._now().choose_card(view)

    def choose_moon(self, view: View) -> bool:
        return choose_moon(self._now(), view)
