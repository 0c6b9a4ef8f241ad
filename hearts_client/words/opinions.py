"""Opinions of a bot that searches, in words: the costs of cards, chances of queen and moon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hearts.game.cards import Card

from .style import Style

if TYPE_CHECKING:
    from hearts.bots.search.outlook import CardOutlook, Outlook

_WORTH_SAYING = 0.05
"""The least chance that is mentioned; the largest one is as far below certainty."""
_MOST = 3
"""Cards after the best one whose cost is mentioned in a line."""


def pass_line(level: str, cards: Sequence[Card], style: Style) -> str:
    return f"{level.capitalize()}: Pass {style.cards(cards)}."


def outlook_line(level: str, outlook: Outlook, style: Style) -> str:
    """Return the card that a bot would play, its expectation, and the costs of the next best
    cards.
    """
    best, *others = outlook.cards
    line = f"{level.capitalize()}: Play {style.card(best.card)} ({expected(best)})"
    equal = [one.card for one in others if not is_worse(one)][:_MOST]
    worse = [one for one in others if is_worse(one)][:_MOST]
    if equal:
        line += f"; as good: {style.cards(equal)}"
    if worse:
        costs = ", ".join(f"{style.card(one.card)} by {one.loss:.1f}" for one in worse)
        line += f"; worse: {costs}"
    return f"{line}."


def outlook_lines(level: str, outlook: Outlook, style: Style) -> list[str]:
    """Return a line for each card, the best first."""
    deals = "1 deal that fits" if outlook.worlds == 1 else f"{outlook.worlds} deals that fit"
    lines = [f"{level.capitalize()} looked at {deals} what you know. In this hand it expects:"]
    for number, one in enumerate(outlook.cards):
        cost = f"; costs {one.loss:.1f} more, +-{one.error:.1f}" if number else ""
        lines.append(f"  {style.card(one.card)}: {expected(one)}{cost}")
    return lines


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
