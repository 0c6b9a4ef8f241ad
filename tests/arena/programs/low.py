"""A player that knows one thing: low cards."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from hearts.game.cards import Card
from hearts.game.view import View


class Low:
    """Plays the lowest card that it may play, and passes the highest."""

    def choose_pass(self, view: View) -> Sequence[Card]:
        return sorted(view.cards, key=attrgetter("rank"))[-3:]

    def choose_card(self, view: View) -> Card:
        return min(view.legal_cards, key=attrgetter("rank"))
