"""Opinions in words: what choices cost, by what chances, and by what one is worse than another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hearts.bots.hints import HintReason, Why, hint
from hearts.bots.reading import HIGHER, SUIT_MASKS, read
from hearts.game.cards import QUEEN_OF_SPADES, Card
from hearts.game.scoring import points_by
from hearts.game.view import View
from hearts.table.inputs import Question

from .hints import hint_in_words, left_in_words
from .style import Style, suit_word

if TYPE_CHECKING:
    from hearts.judging.outlook import ChoiceOutlook, Outlook

_WORTH_SAYING = 0.05
"""The least chance that is mentioned; the largest one is as far below certainty."""
_MATTERS = 0.05
"""The least difference of a chance that is told."""
_TAKES = 0.1
"""The least difference of the chance to take the trick."""
_SHARE = 0.25
"""The least share of what a choice costs that is told as its reason."""

Name = Callable[[int], str]


class _Fixed(Struct):
    """A player who makes one choice, for the hint that explains it."""

    cards: tuple[Card, ...]

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return self.cards

    def choose_card(self, view: View) -> Card:
        return self.cards[0]

    def choose_moon(self, view: View) -> bool:
        return True


def verdict_lines(
    view: View, outlook: Outlook, chosen: Sequence[Card], style: Style, name: Name
) -> list[str]:
    """Say what a choice costs more than the best one, and why; in one line, or two."""
    best, one = outlook.best, outlook.of(*chosen)
    if one.loss <= 0:
        return [f"Nothing costs less than {style.cards(chosen)} ({expected(one)})."]
    better, worse = style.cards(best.cards), style.cards(chosen)
    if not is_worse(one):
        return [f"{worse} and {better} are alike."]
    line = f"{better} would be better: {worse} costs {one.loss:.1f} points more, +-{one.error:.1f}."
    return [line, " ".join(reasons(view, best, one, style, name)) or "It costs more later."]


def reasons(
    view: View, best: ChoiceOutlook, one: ChoiceOutlook, style: Style, name: Name
) -> list[str]:
    """Say by what a choice is worse than the best one, in sentences; the weightiest first."""
    better, worse = style.cards(best.cards), style.cards(one.cards)
    points = points_by(view.rules)
    queen = one.queen - best.queen
    moon, other = best.moon - one.moon, one.other_moon - best.other_moon
    reading, queen_points = read(view), points.of_card[QUEEN_OF_SPADES]
    who = "somebody else"
    if reading.suspect is not None:
        who = f"{name(reading.suspect)}, who has all points so far,"
    shown = style.card(QUEEN_OF_SPADES)
    parts = [
        (moon * points.moon, moon, "you shoot the moon", one.moon, best.moon),
        (other * points.moon, other, f"{who} shoots the moon", one.other_moon, best.other_moon),
        (queen * queen_points, queen, f"you take {shown}", one.queen, best.queen),
    ]
    said = [
        f"With {worse} {what} in {with_worse:.0%} of the deals that fit, with {better} in "
        f"{with_better:.0%}."
        for cost, chance, what, with_worse, with_better in sorted(parts, reverse=True)
        if chance >= _MATTERS and cost >= _SHARE * one.loss
    ]
    if view.legal:
        said += _of_trick(view, best, one, style, name)
    advice = hint(view, Question.CARD if view.legal else Question.PASS, _Fixed(best.cards))
    if advice.reasons[0].why is not Why.BALANCE:
        said.append(hint_in_words(advice, style, name))
    return said


def _of_trick(
    view: View, best: ChoiceOutlook, one: ChoiceOutlook, style: Style, name: Name
) -> list[str]:
    """Say so if one of two cards takes the trick more often, with what lies behind it."""
    if abs(one.trick - best.trick) < _TAKES:
        return []
    card, reading = one.card, read(view)
    suit = (view.trick[0] if view.trick else card).suit
    facts = []
    out = reading.out & SUIT_MASKS[suit]
    if card.suit is suit:
        higher = (out & HIGHER[card]).bit_count()
        reason = HintReason(Why.LEAD_LOW, (card,), number=higher, out=out.bit_count())
        facts.append(left_in_words(reason))
    if out:
        voids = [seat for seat in reading.behind if not reading.may_hold[seat] & out]
        facts += [f"{name(seat)} has no {suit_word(suit)}" for seat in voids]
    because = f" ({'; '.join(facts)})" if facts else ""
    return [
        f"{style.card(card)} takes this trick in {one.trick:.0%}{because}, "
        f"{style.card(best.card)} in {best.trick:.0%}."
    ]


def expected(one: ChoiceOutlook) -> str:
    """Return the points of the hand if a card is played, and the chances of queen and moon."""
    said = [f"{one.points:.1f} points"]
    for what, chance in (
        ("queen", one.queen), ("moon", one.moon), ("another's moon", one.other_moon)
    ):  # fmt: skip
        if _WORTH_SAYING <= chance <= 1 - _WORTH_SAYING:
            said.append(f"{what} {chance:.0%}")
    return ", ".join(said)


def is_worse(one: ChoiceOutlook) -> bool:
    """Return True if a card costs more than the best one by more than chance in the search
    makes.
    """
    return one.loss > 2 * one.error
