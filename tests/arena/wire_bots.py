"""A class that plays in tournaments, in every way that a match has to cope with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.bots import RandomBot
from hearts.game.cards import Card
from hearts.game.scoring import Four
from hearts.game.view import View


class Moody:
    """Plays by chance what it heard of last; then it tries illegal cards, and then it raises."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self._chance = RandomBot(draw)
        self._draw = draw
        self._hands = 0

    def begin_game(self, names: Sequence[str], seat: int) -> None:
        self._seat = seat

    def choose_pass(self, view: View) -> Sequence[Card]:
        return self._chance.choose_pass(view)

    def choose_card(self, view: View) -> Card:
        if self._hands > 20:
            raise RuntimeError("no more")
        if self._hands > 15 and self._draw() < 0.2:
            return view.history[0] if view.history else view.cards[-1]
        return self._chance.choose_card(view)

    def trick_taken(self, cards: Sequence[Card], leader: int, winner: int) -> None:
        assert len(cards) == 4
        if winner == self._seat:
            self._draw()

    def hand_done(self, points: Four, scores: Four) -> None:
        assert sum(points) <= sum(scores) + 100
        self._hands += 1
