"""The play of all players in a rollout: cheap habits with some chance in them (see .playing).

What matters is that a rollout is quick, and that chance keeps it from always making the same
mistake; better habits that take longer were worse at the same time a move.
"""

from __future__ import annotations

from hearts.game.cards import FULL_DECK, HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES

from .playing import (
    ABOVE_QUEEN,
    BEST,
    DIAMONDS,
    JACK,
    JACK_CARD,
    ONE_SUIT,
    PLAYED,
    QUEEN,
    RULES,
    SPADES,
    SUIT,
    TAKEN,
    TRICK,
    TURN,
    WINNER,
    State,
    draw,
    pick,
)

_SPADES_MASK = ONE_SUIT << 13 * SPADES
_FROM_QUEEN = 0b111 << QUEEN_OF_SPADES
_HIGH_HEART = 8
"""The rank from which a heart always goes where the suit led is missing: the ten."""


def lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def highest(cards: int) -> int:
    return cards.bit_length() - 1


def seen(state: State) -> int:
    return state[TAKEN] | state[TAKEN + 1] | state[TAKEN + 2] | state[TAKEN + 3] | state[TRICK]


def duck(state: State, cards: int, suspect: int) -> int:
    """Return a choice among legal cards of somebody who wants few points.

    ``suspect`` is who may be shooting the moon, or -1.
    """
    suit = state[SUIT]
    if suit < 0:
        return _lead(state, cards)
    if state[TURN] == suspect:
        suspect = -1
    if cards & ONE_SUIT << 13 * suit:
        return _follow(state, cards, suspect)
    return _discard(state, cards, suspect)


def _lead(state: State, cards: int) -> int:
    spades = cards & _SPADES_MASK
    if (
        spades
        and not state[state[TURN]] & _FROM_QUEEN
        and not seen(state) & QUEEN
        and draw(state, 2)
    ):
        return highest(spades)
    card = pick(state, cards)
    card = lowest(cards & ONE_SUIT << 13 * (card // 13))
    if card == QUEEN_OF_SPADES and cards != QUEEN:
        return lowest(cards & ~QUEEN)
    return card


def _follow(state: State, cards: int, suspect: int) -> int:
    suit = state[SUIT]
    best = state[BEST]
    trick = state[TRICK]
    below = cards & (1 << best) - 1
    above = cards ^ below
    is_last = state[PLAYED] & 3 == 3
    if state[RULES] & JACK and suit == DIAMONDS and (cards | trick) & JACK_CARD:
        card = _about_jack(state, cards, above, is_last)
        if card >= 0:
            return card
        if cards != JACK_CARD:
            cards &= ~JACK_CARD
            below &= ~JACK_CARD
    may_cost = suit == 0 or trick & POINTS_MASK != 0
    if suspect >= 0 and may_cost and state[WINNER] == suspect and above & ~QUEEN:
        return lowest(above & ~QUEEN) if is_last else highest(above & ~QUEEN)
    if state[PLAYED] < 4 and cards & ~QUEEN:
        return highest(cards & ~QUEEN)
    if below & QUEEN:
        return QUEEN_OF_SPADES
    if below:
        if is_last or may_cost or draw(state, 4):
            return highest(below)
        return lowest(below)
    cards &= ~QUEEN
    if not cards:
        return QUEEN_OF_SPADES
    if is_last:
        return highest(cards)
    if may_cost or (suit == SPADES and not seen(state) & QUEEN):
        return lowest(cards)
    if state[PLAYED] < 16 and draw(state, 2):
        return highest(cards)
    return lowest(cards)


def _about_jack(state: State, cards: int, above: int, is_last: bool) -> int:
    """Return the card that brings the jack of diamonds home, if the jack counts; -1 if none
    does.
    """
    if state[TRICK] & JACK_CARD:
        if above and not state[TRICK] & QUEEN:
            return highest(above)
    elif is_last and above & JACK_CARD and not state[TRICK] & QUEEN:
        return highest(JACK_CARD)
    return -1


def _discard(state: State, cards: int, suspect: int) -> int:
    if state[RULES] & JACK and cards != JACK_CARD:
        cards &= ~JACK_CARD
    if suspect >= 0 and state[WINNER] == suspect:
        harmless = cards & ~POINTS_MASK
        if harmless:
            card = pick(state, harmless)
            return lowest(harmless & ONE_SUIT << 13 * (card // 13))
        return lowest(cards)
    if cards & QUEEN:
        return QUEEN_OF_SPADES
    if cards & ABOVE_QUEEN and not seen(state) & QUEEN:
        return highest(cards & ABOVE_QUEEN)
    hearts = cards & HEARTS_MASK
    if hearts and (highest(hearts) >= _HIGH_HEART or draw(state, 2)):
        return highest(hearts)
    card = pick(state, cards)
    return highest(cards & ONE_SUIT << 13 * (card // 13))


def shoot(state: State, cards: int) -> int:
    """Return a choice among legal cards of somebody who wants all points."""
    suit = state[SUIT]
    if suit < 0:
        return _lead_to_win(state, cards)
    if cards & ONE_SUIT << 13 * suit:
        above = cards & ~((2 << state[BEST]) - 1)
        is_last = state[PLAYED] & 3 == 3
        if above and (not is_last or suit == 0 or state[TRICK] & POINTS_MASK):
            return lowest(above) if is_last else highest(above)
        return lowest(cards)
    harmless = cards & ~POINTS_MASK
    if harmless:
        cards = harmless
    chosen = -1
    for other in range(4):
        of_suit = cards & ONE_SUIT << 13 * other
        if of_suit and (chosen < 0 or lowest(of_suit) % 13 < chosen % 13):
            chosen = lowest(of_suit)
    return chosen


def _lead_to_win(state: State, cards: int) -> int:
    """Return the lead with the fewest cards above it in other hands, from a long suit if
    several.
    """
    hand = state[state[TURN]]
    out = FULL_DECK & ~(seen(state) | hand)
    chosen = -1
    least = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        of_suit = ONE_SUIT << 13 * (card // 13)
        above = (out & of_suit & ~((2 << card) - 1)).bit_count()
        figure = 20 * above - 3 * (hand & of_suit).bit_count()
        if chosen < 0 or figure < least:
            least = figure
            chosen = card
    return chosen
