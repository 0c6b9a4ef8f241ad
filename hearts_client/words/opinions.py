"""Opinions of a bot that searches, in words: the costs of cards, chances of queen and moon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hearts.game.cards import Card

from .style import Style

if TYPE_CHECKING:
    from hearts.bots.search.outlook import CardOutlook, Outlook

_WORTH_SAYING = 0.05
"""The least chance that is mentioned; the largest one is as far below certainty."""
_MOST = 3
"""Cards after the best one whose cost is mentioned in a line."""


def verdict_line(level: str, outlook: Outlook, card: Card, style: Style) -> str:
    """Name the card that a bot would have played in place of ``card``, and the cost of ``card``."""
    name, best, one = level.capitalize(), outlook.best, outlook.of(card)
    if one.loss <= 0:
        return f"{name} would have played it too ({expected(one)})."
    better = style.card(best.card)
    if not is_worse(one):
        return f"{name} would have played {better}; {style.card(card)} is as good."
    cost = f"{one.loss:.1f} points more, +-{one.error:.1f}"
    return f"{name} would have played {better}; {style.card(card)} costs {cost}."


def expected(one: CardOutlook) -> str:
    """Return the points of the hand if a card is played, and the chances of queen and moon."""
    said = [f"{one.points:.1f} points"]
    for what, chance in (
        ("queen", one.queen), ("moon", one.moon), ("another's moon", one.other_moon)
    ):  # fmt: skip
        if _WORTH_SAYING <= chance <= 1 - _WORTH_SAYING:
            said.append(f"{what} {chance:.0%}")
    if one.shooting:
        said.append("to shoot the moon")
    return ", ".join(said)


def is_worse(one: CardOutlook) -> bool:
    """Return True if a card costs more than the best one by more than chance in the search
    makes.
    """
    return one.loss > 2 * one.error
