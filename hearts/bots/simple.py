"""A bot with the sound habits of a fair player, without search or luck.

It weighs each legal card: what the trick may cost if the card takes it, against what it may cost to
keep the card. Ducking, dumping the queen, short suits and high cards early follow from that.
"""

from __future__ import annotations

from math import inf

from hearts.game.cards import CARDS, Card, cards_of
from hearts.game.scoring import Outcome, add_points, hand_points
from hearts.game.view import View

from .costs import cost_of
from .passing import cards_to_pass
from .reading import PastTricks, read
from .weighing import Weighing


class SimpleBot:
    """Chooses by rule of thumb under every variant; the same view gives the same choice."""

    __slots__ = ("_past",)

    def __init__(self) -> None:
        self._past = PastTricks()

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return cards_to_pass(view.hand, view.rules)

    def choose_card(self, view: View) -> Card:
        legal = view.legal
        if not legal & legal - 1:
            return CARDS[legal.bit_length() - 1]
        reading = read(view, self._past)
        weighing = Weighing(view, reading)
        chosen, least = CARDS[0], inf
        for card in cards_of(legal):
            total = cost_of(card, view, reading, weighing).total
            if total < least:
                chosen, least = card, total
        return chosen

    def choose_moon(self, view: View) -> bool:
        """Usually 26 off: it gains as much, and the game gives more time for the next gain.

        26 on the others if that wins the game, or if the player leads then in a game whose end is
        near.
        """
        outcome = moon_on_others(view)
        if outcome.over:
            return view.player in outcome.winners
        is_late = max(outcome.scores) * 2 >= view.end_score
        return is_late and outcome.scores[view.player] == min(outcome.scores)


def moon_on_others(view: View) -> Outcome:
    """What becomes of the game if the player's moon counts 26 on each of the others."""
    points = hand_points(view.taken, view.rules, moon_on_others=True)
    return add_points(view.scores, points, view.rules, view.end_score)
