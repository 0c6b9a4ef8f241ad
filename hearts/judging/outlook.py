"""The expectations of some choices: the rest of the hand, in many deals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from hearts.game.cards import Card

Cards = tuple[Card, ...]
COST = 0
"""The place of the cost among the figures of :mod:`hearts.bots.search.swift_play`, which is large.
"""


class ChoiceOutlook(Struct, frozen=True, gc=False):
    """The expected end of a hand if a card is played, or three are passed; means over deals."""

    cards: Cards
    """The card, or the three of the pass, in their order."""
    loss: float
    """The points that it costs more than the best choice; 0 for the best. That is one's own points
    less the mean of the four."""
    error: float
    """The standard error of :attr:`loss`, from chance in the deals alone."""
    points: float
    """The points that the hand adds to the player's score."""
    queen: float
    """The chance that the player takes the queen of spades, 0 to 1, or has her already."""
    moon: float
    """The chance that they shoot the moon, 0 to 1."""
    other_moon: float
    """The chance that one of the others shoots the moon, 0 to 1."""
    trick: float
    """The chance that they take the trick under way; 0 for a pass."""

    @property
    def card(self) -> Card:
        return self.cards[0]


class Outlook(Struct, frozen=True):
    """The expected end with each legal card, or some passes."""

    choices: tuple[ChoiceOutlook, ...]
    """The best one first."""
    deals: int
    """The number of deals of the hidden cards that were played on."""

    @property
    def best(self) -> ChoiceOutlook:
        return self.choices[0]

    def of(self, *cards: Card) -> ChoiceOutlook:
        """Give the outlook of one card, or of a pass. Raises KeyError if it was not looked at."""
        for outlook in self.choices:
            if outlook.cards == cards:
                return outlook
        raise KeyError(cards)


def outlook_of(choices: Sequence[Cards], found: Sequence[Sequence[Sequence[float]]]) -> Outlook:
    """Sum up what was found: for each deal, for each choice, the figures of
    :mod:`hearts.bots.search.swift_play`.
    """
    deals = len(found)
    means = [
        [sum(column) / deals for column in zip(*rows, strict=True)]
        for rows in zip(*found, strict=True)
    ]
    best = min(range(len(choices)), key=lambda place: (means[place][COST], choices[place]))
    outlooks = []
    for place, cards in enumerate(choices):
        losses = [rows[place][COST] - rows[best][COST] for rows in found]
        loss = sum(losses) / deals
        spread = sum((one - loss) ** 2 for one in losses) / max(1, deals - 1)
        outlooks.append(ChoiceOutlook(cards, loss, sqrt(spread / deals), *means[place][COST + 1 :]))
    outlooks.sort(key=lambda one: (one.loss, one.cards))
    return Outlook(tuple(outlooks), deals)
