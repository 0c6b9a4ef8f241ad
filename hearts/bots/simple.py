"""A bot with the sound habits of a fair player, without search or luck.

It weighs for each legal card the cost of the trick, if the card takes it, against the cost of
keeping the card. Ducking, dumping the queen, short suits and high cards early follow from that.
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
        """As :func:`is_better_on_others`."""
        return is_better_on_others(view)


def is_better_on_others(view: View) -> bool:
    """Tell whether the player wins more often with 26 on the others than with 26 off.

    Either gains as much. On the others it brings the end nearer, so it is for who leads then, or
    wins at once. Of 1,500 moons among players such as :class:`SimpleBot` that was the better choice
    in 95 to 97 of 100.
    """
    outcome = moon_on_others(view)
    if outcome.over:
        return view.player in outcome.winners
    return outcome.scores[view.player] == min(outcome.scores)


def moon_on_others(view: View) -> Outcome:
    """Compute the outcome if the player's moon counts 26 on each of the others."""
    points = hand_points(view.taken, view.rules, moon_on_others=True)
    return add_points(view.scores, points, view.rules, view.end_score)
