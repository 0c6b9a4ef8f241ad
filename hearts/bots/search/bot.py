"""A bot that searches: it plays and passes as a search finds best."""

from __future__ import annotations

from collections.abc import Callable

from hearts.bots.player import Draw
from hearts.bots.reading import PastTricks
from hearts.bots.simple import is_better_on_others
from hearts.game.cards import Card
from hearts.game.view import View

from .engine import Engine
from .outlook import Outlook
from .position import position_of
from .search import Search, Strength


class SearchBot:
    """Plays under every variant. Its choice depends on the view, its draws, and on time if given.

    A choice takes milliseconds and more, so it is no bot for a thread that has others to serve.
    """

    __slots__ = ("_past", "_search")

    def __init__(
        self,
        engine: Engine,
        draw: Draw,
        strength: Strength,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """``clock`` is needed for :attr:`Strength.seconds`: it gives seconds, never going back."""
        self._search = Search(engine, draw, strength, clock)
        self._past = PastTricks()

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return self._search.best_pass(position_of(view))

    def choose_card(self, view: View) -> Card:
        return self._search.best_card(position_of(view, self._past))

    def choose_moon(self, view: View) -> bool:
        """As wins more often; in points both cost the same."""
        return is_better_on_others(view)

    def outlook(self, view: View) -> Outlook:
        """What the bot expects of each card, in a position in which it is on turn."""
        return self._search.outlook(position_of(view, self._past))
