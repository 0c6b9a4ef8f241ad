"""Hints in words: what to choose, and why, in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from hearts.bots.hints import Hint, HintReason, Why
from hearts.game.cards import QUEEN_OF_SPADES

from .style import Style, suit_word

_BALANCE = "now and later together it costs you the least"


def hint_in_words(hint: Hint, style: Style, name: Callable[[int], str]) -> str:
    """One line without a line break; ``name`` is what a player (0-3) is called."""
    reasons = "; ".join(_in_words(reason, style, name) for reason in hint.reasons)
    if hint.on_others is not None:
        how = "to each of the others" if hint.on_others else "off your own"
        return f"{hint.moon} {how}: {reasons}."
    verb = "Pass" if len(hint.cards) > 1 else "Play"
    return f"{verb} {style.cards(hint.cards)}: {reasons}."


def _in_words(reason: HintReason, style: Style, name: Callable[[int], str]) -> str:
    who = "" if reason.player is None else name(reason.player)
    cards = style.cards(reason.cards)
    queen = style.card(QUEEN_OF_SPADES)
    match reason.why:
        case Why.ONLY_CARD:
            return "it is the only card that you can play"
        case Why.STOP_MOON:
            return f"it may stop {who}, who has all {reason.number} points"
        case Why.STARVE_MOON:
            return f"no more points for {who}, who has all {reason.number}"
        case Why.NO_TRICK:
            return "you have no trick yet, and taking none is worth 5 points"
        case Why.BALANCE:
            left = f"{_left(reason)}; " if reason.cards else ""
            return f"{left}{'in the end it costs least' if left else _BALANCE}"
        case Why.FLUSH_QUEEN:
            return f"a low spade may force {queen} out of another hand"
        case Why.LEAD_LOW:
            return f"{_left(reason)}, so you hardly take the trick"
        case Why.LEAD_SAFE:
            return f"{_left(reason)}; you can expect the fewest points"
        case Why.FIRST_TRICK:
            return "points cannot be thrown onto the first trick, so high cards go"
        case Why.DUCK_HIGHEST:
            return f"your highest card that stays below {cards}, so you do not take the trick"
        case Why.DUCK:
            return f"it stays below {cards}, so you do not take the trick"
        case Why.QUEEN_BELOW:
            return f"{cards} is above her, so somebody else gets her"
        case Why.TAKE_FREE:
            return "the trick costs nothing, and you are rid of the card"
        case Why.TAKE_GAIN:
            return "the trick takes points off your score"
        case Why.MUST_TAKE:
            return f"you cannot stay below {cards}, so take the trick with your highest card"
        case Why.MAY_TAKE:
            return f"you cannot stay below {cards}; this costs the least"
        case Why.SHED_QUEEN:
            return "you cannot follow suit, so somebody else gets her"
        case Why.SHED_ABOVE_QUEEN:
            return f"you cannot follow suit, and {queen} could fall on it later"
        case Why.SHED_POINTS:
            return "you cannot follow suit, so somebody else gets the point"
        case Why.SHED_HIGH:
            return "you cannot follow suit, and it is the most trouble to keep"
        case Why.PASS_SPADES:
            return f"{_lower_spades(reason.number)} {cards}"
        case Why.PASS_VOID:
            return f"no {suit_word(reason.cards[0].suit)} are left"
        case Why.PASS_HEARTS:
            return f"{cards} could take points"
        case Why.PASS_HIGH:
            return "they are the most trouble to keep"
        case Why.MOON_GAINS_TIME:
            return "you do not lead yet, and the end comes no nearer"
        case Why.MOON_NEARS_END:
            return "you lead, and the end comes nearer"
        case Why.MOON_WINS:
            return "it wins you the game"
        case Why.MOON_LOSES:
            return f"{reason.number} on the others would end the game, and {who} would win it"
        case _:
            assert_never(reason.why)


def _left(reason: HintReason) -> str:
    """How high a lead is among the cards of its suit that nobody can see."""
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


def _lower_spades(number: int) -> str:
    match number:
        case 0:
            return "no lower spade guards"
        case 1:
            return "only 1 lower spade guards"
        case _:
            return f"only {number} lower spades guard"
