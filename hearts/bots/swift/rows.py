"""The facts of a view that the network sees: rows of its first layer, each there or not.

Only the view goes in, so nothing here can look at a hidden card. Seats count from the player.
The page has the same in JavaScript, and both are held to the same vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts.bots.reading import SUIT_MASKS
from hearts.game.cards import (
    FULL_DECK,
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    cards_of,
    mask_of,
)
from hearts.game.view import View

RULES = (
    "rotating_lead",
    "points_on_first_trick",
    "must_dump_queen",
    "queen_keeps_hearts",
    "jack",
    "no_trick_bonus",
    "spot",
)
"""The rules that the network knows of, as fields of the rules."""

_SIZES = (
    *(52, 4 * 52, 52, 52, 52, 3 * 52, 52, 52, 52, 4 * 14, 4 * 14, 4 * 14),
    *(4, 4, 6, 3, 4, 4, 13, 12, 4, len(RULES), 1, 4, 13, 13, 3, 4),
)
STARTS = tuple(sum(_SIZES[:place]) for place in range(len(_SIZES)))
"""The first row of each kind of fact."""
(
    _HAND, _PLAYED, _OUT, _TRICK, _BEST, _KNOWN, _RECEIVED, _HIGHEST, _LOWEST, _LENGTH, _LEFT,
    _HEARTS, _QUEEN, _TRICKS, _ALONE, _WINNER, _LEAD, _PLACE, _CARDS, _VOID, _DIRECTION, _RULES,
    _BROKEN, _PHASE, _SPOT_HAND, _SPOT_TRICK, _JACK, _JACK_TAKEN,
) = STARTS  # fmt: skip
ROWS = sum(_SIZES)
"""The number of all rows."""


def rows_of(view: View, chosen: Sequence[int] | None = None) -> list[int]:
    """Return the rows of a view of a player on turn.

    For a pass ``chosen`` are the cards of it so far; None if a card is to be played.
    """
    me, rules, trick = view.player, view.rules, view.trick
    picked = mask_of(chosen or ())
    passed = mask_of(view.passed) if chosen is None else picked
    hand = view.hand & ~picked
    table = mask_of(trick)
    taken = [view.taken[(me + seat) % 4] for seat in range(4)]
    seen = taken[0] | taken[1] | taken[2] | taken[3] | table
    out = FULL_DECK & ~(hand | seen)
    rows = list(map(int, cards_of(hand)))
    best, winner = _walk(view, rows)
    rows += [_OUT + card for card in cards_of(out)]
    rows += [_TRICK + card for card in trick]
    if known := passed & ~seen:
        start = _KNOWN + 52 * ((view.direction.target(me) - me) % 4 - 1)
        rows += [start + card for card in cards_of(known)]
    rows += [_RECEIVED + card for card in view.received]
    for suit, mask in enumerate(SUIT_MASKS):
        own, left = hand & mask, out & mask
        rows.append(_LENGTH + 14 * suit + own.bit_count())
        rows.append(_LEFT + 14 * suit + left.bit_count())
        rows += [_HIGHEST + card for card in cards_of(own & -(1 << left.bit_length()))]
        lowest = own & (left & -left) - 1 if left else own
        rows += [_LOWEST + card for card in cards_of(lowest)]
    holders = []
    for seat, cards in enumerate(taken):
        rows.append(_HEARTS + 14 * seat + (cards & HEARTS_MASK).bit_count())
        if cards & POINTS_MASK:
            holders.append(seat)
        if cards >> QUEEN_OF_SPADES & 1:
            rows.append(_QUEEN + seat)
        if cards:
            rows.append(_TRICKS + seat)
        if rules.jack and cards >> JACK_OF_DIAMONDS & 1:
            rows.append(_JACK_TAKEN + seat)
    rows.append(_ALONE + (4 if not holders else holders[0] if len(holders) == 1 else 5))
    if trick:
        rows += (_BEST + best, _WINNER + winner - 1, _LEAD + best // 13)
    rows += (_PLACE + len(trick), _CARDS + hand.bit_count() - 1, _DIRECTION + view.direction)
    rows += [_RULES + place for place, name in enumerate(RULES) if getattr(rules, name)]
    if view.broken:
        rows.append(_BROKEN)
    rows.append(_PHASE + (0 if chosen is None else len(chosen) + 1))
    if rules.spot:
        rows += [_SPOT_HAND + card for card in cards_of(hand & HEARTS_MASK)]
        rows += [_SPOT_TRICK + card for card in cards_of(table & HEARTS_MASK)]
    if rules.jack:
        places = (hand, out, table)
        rows += [_JACK + at for at, cards in enumerate(places) if cards >> JACK_OF_DIAMONDS & 1]
    return rows


def _walk(view: View, rows: list[int]) -> tuple[int, int]:
    """Add who played each card and who is void; return the best card on the table and its seat."""
    breaking = HEARTS_MASK if view.rules.queen_keeps_hearts else POINTS_MASK
    seat = (view.first_leader - view.player) % 4
    best, winner, suit, broken = 52, 4, 0, False
    voids: set[tuple[int, int]] = set()
    for place, card in enumerate(view.history):
        rows.append(_PLAYED + 52 * seat + card)
        if place & 3 == 0:
            best, winner, suit = card, seat, card // 13
            if suit == 0 and not broken:
                voids.update((seat, other) for other in (1, 2, 3))
        elif card // 13 != suit:
            voids.add((seat, suit))
        elif card > best:
            best, winner = card, seat
        broken = broken or bool(breaking >> card & 1)
        seat = seat + 1 & 3
        if place & 3 == 3:
            seat, best = winner, 52
    rows += [_VOID + 4 * (seat - 1) + suit for seat, suit in voids if seat]
    return best, winner
