"""The findings of a search for each legal card: for a choice, a hint or an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from hearts.game.cards import CARDS, Card

from .rollouts import COST, FIGURES, OTHER_MOON, OWN_MOON, OWN_POINTS, OWN_QUEEN


class CardOutlook(Struct, frozen=True, gc=False):
    """The expected results of playing a card; means over the worlds that were looked at."""

    card: Card
    cost: float
    """The cost of the hand, in points: the player's own less the mean of the four; if the hand may
    end the game, with the worth of that end (:mod:`.settling`)."""
    loss: float
    """The points that it costs more than the best card; 0 for the best."""
    error: float
    """The standard error of :attr:`loss`, from chance in the worlds and rollouts alone."""
    points: float
    """The points that the hand adds to the player's score."""
    queen: float
    """The chance that the player takes the queen of spades, 0 to 1, or has her already."""
    moon: float
    """The chance that they shoot the moon, 0 to 1."""
    other_moon: float
    """The chance that one of the others shoots the moon, 0 to 1."""
    shooting: bool
    """True if the card is best played to shoot the moon; the figures are those of that plan."""


class Outlook(Struct, frozen=True):
    """The expected results of each legal card."""

    cards: tuple[CardOutlook, ...]
    """The best card first."""
    worlds: int
    """The number of worlds that were looked at."""
    exact: bool
    """True if the rest of the hand was solved in each world, in place of rollouts."""

    @property
    def best(self) -> CardOutlook:
        return self.cards[0]

    def of(self, card: Card) -> CardOutlook:
        """Give the outlook of one card. Raises KeyError if it was not legal."""
        for outlook in self.cards:
            if outlook.card == card:
                return outlook
        raise KeyError(card)


def outlook_of(
    cards: Sequence[int],
    modes: int,
    figures: Sequence[float],
    costs: Sequence[float],
    worlds: int,
    *,
    exact: bool,
) -> Outlook:
    """Read what :func:`hearts.bots.search.rollouts.roll_out` has written."""
    many = len(cards) * modes

    def total(plan: int) -> float:
        return figures[plan * FIGURES + COST]

    best = min(range(many), key=total)
    found = []
    for place, card in enumerate(cards):
        at = min(range(place * modes, (place + 1) * modes), key=total)
        own = figures[at * FIGURES : (at + 1) * FIGURES]
        losses = [costs[row + at] - costs[row + best] for row in range(0, worlds * many, many)]
        loss = sum(losses) / worlds
        spread = sum((one - loss) ** 2 for one in losses) / max(1, worlds - 1)
        found.append(
            CardOutlook(
                CARDS[card],
                float(own[COST]) / worlds,
                float(loss),
                sqrt(spread / worlds),
                float(own[OWN_POINTS]) / worlds,
                float(own[OWN_QUEEN]) / worlds,
                float(own[OWN_MOON]) / worlds,
                float(own[OTHER_MOON]) / worlds,
                at % modes == 1,
            )
        )
    found.sort(key=lambda one: (one.cost, one.card))
    return Outlook(tuple(found), worlds, exact)
