"""Hints in words: the choice and its reason, in one line."""

from __future__ import annotations

from collections.abc import Callable

from hearts.bots.hints import Hint, HintReason, Why
from hearts.game.cards import QUEEN_OF_SPADES
from hearts.table.inputs import Question

from .style import Style, suit_word

HINTED = (Question.PASS, Question.CARD, Question.MOON)
"""The questions for which there is a hint."""
NO_HINTS = "There are no hints at the deal of the day."

_REASONS = {
    Why.ONLY_CARD: "it is the only card that you can play",
    Why.STOP_MOON: "it may stop {who}, who has all {number} points",
    Why.STARVE_MOON: "no more points for {who}, who has all {number}",
    Why.NO_TRICK: "you have no trick yet, and taking none is worth 5 points",
    Why.BALANCE: "it costs you the least, now and later",
    Why.FLUSH_QUEEN: "a low spade may force {queen} out of another hand",
    Why.LEAD_LOW: "{left}, so you probably lose the trick",
    Why.LEAD_SAFE: "{left}; you can expect the fewest points",
    Why.FIRST_TRICK: "points cannot be thrown onto the first trick, so high cards go",
    Why.DUCK_HIGHEST: "your highest card that stays below {cards}, so you do not take the trick",
    Why.DUCK: "it stays below {cards}, so you do not take the trick",
    Why.QUEEN_BELOW: "{cards} is above her, so somebody else gets her",
    Why.TAKE_FREE: "the trick costs nothing, and you are rid of the card",
    Why.TAKE_GAIN: "the trick lowers your score",
    Why.MUST_TAKE: "you cannot stay below {cards}, so take the trick with your highest card",
    Why.MAY_TAKE: "you cannot stay below {cards}; this costs the least",
    Why.SHED_QUEEN: "you cannot follow suit, so somebody else gets her",
    Why.SHED_ABOVE_QUEEN: "you cannot follow suit, and {queen} could fall on it later",
    Why.SHED_POINTS: "you cannot follow suit, so somebody else gets the point",
    Why.SHED_HIGH: "you cannot follow suit, and it is your most dangerous card",
    Why.PASS_SPADES: "{guards} {cards}",
    Why.PASS_VOID: "you have no {suits} then",
    Why.PASS_HEARTS: "{cards} could take points",
    Why.PASS_HIGH: "they are your most dangerous cards",
    Why.MOON_GAINS_TIME: "you are not in the lead, and this does not bring the end nearer",
    Why.MOON_NEARS_END: "you are in the lead, and this brings the end nearer",
    Why.MOON_WINS: "it wins you the game",
    Why.MOON_LOSES: "{number} points to the others would end the game, and {who} would win it",
}
_GUARDS = {0: "no lower spade guards", 1: "only 1 lower spade guards"}


def hint_in_words(hint: Hint, style: Style, name: Callable[[int], str]) -> str:
    """Return one line without a line break; ``name`` is what a player (0-3) is called."""
    reasons = "; ".join(_in_words(reason, style, name) for reason in hint.reasons)
    if hint.on_others is not None:
        how = "to each of the others" if hint.on_others else "off your own"
        return f"{hint.moon} {how}: {reasons}."
    verb = "Pass" if len(hint.cards) > 1 else "Play"
    return f"{verb} {style.cards(hint.cards)}: {reasons}."


def _in_words(reason: HintReason, style: Style, name: Callable[[int], str]) -> str:
    if reason.why is Why.BALANCE and reason.cards:
        return f"{left_in_words(reason)}; it costs least in the end"
    return _REASONS[reason.why].format(
        who="" if reason.player is None else name(reason.player),
        number=reason.number,
        cards=style.cards(reason.cards),
        queen=style.card(QUEEN_OF_SPADES),
        suits=suit_word(reason.cards[0].suit) if reason.cards else "",
        left=left_in_words(reason) if reason.cards else "",
        guards=_GUARDS.get(reason.number, f"only {reason.number} lower spades guard"),
    )


def left_in_words(reason: HintReason) -> str:
    """Say how high a lead is among the cards of its suit that nobody can see."""
    suits = suit_word(reason.cards[0].suit)
    match reason.number, reason.out:
        case _, 0:
            return f"no other {suits[:-1]} is left"
        case 1, 1:
            return f"the only other {suits[:-1]} is higher"
        case 0, _:
            return f"no {suits[:-1]} that is left is higher"
        case number, out if number == out:
            return f"all {out} {suits} left are higher"
        case number, out:
            return f"{number} of {out} {suits} left {'is' if number == 1 else 'are'} higher"
