"""What follows from a view: which cards are out, who may hold them, who is out to shoot the moon.

Only what the seat may know goes in, so nothing here can look at a hidden card.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.game.cards import CARDS, FULL_DECK, HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES, mask_of
from hearts.game.view import View

SUIT_MASKS: tuple[int, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
LOWER: tuple[int, ...] = tuple(SUIT_MASKS[card // 13] & (1 << card) - 1 for card in CARDS)
"""For each card the lower cards of its suit, as a mask."""
HIGHER: tuple[int, ...] = tuple(SUIT_MASKS[card // 13] & ~((2 << card) - 1) for card in CARDS)
"""For each card the higher cards of its suit, as a mask."""

SUSPICIOUS_POINTS = 8
"""Points, all with one opponent, from which on he may be shooting the moon."""


def guards(card: int, hand: int, others: int) -> int:
    """How many cards of a hand can be played low in place of a card.

    ``others`` are the cards that are not in the hand and still count. Cards that only touch the
    card from below are as high as it is, and guard nothing.
    """
    below = others & LOWER[card]
    return (hand & LOWER[below.bit_length() - 1]).bit_count() if below else 0


class Reading(Struct, frozen=True, gc=False):
    """A view, read. Sets of cards are masks."""

    out: int
    """The cards in the others' hands."""
    may_hold: tuple[int, int, int, int]
    """The cards of ``out`` that each of the others may hold; 0 for the player himself."""
    behind: tuple[int, ...]
    """The players who still play to this trick after the player himself."""
    best: int | None
    """The card that wins the trick under way so far; None when leading."""
    winner: int | None
    """Who played :attr:`best`."""
    suspect: int | None
    """An opponent who has all the points so far, and many."""
    suspect_points: int
    """How many those are (hearts and the queen of spades); 0 without a suspect."""


def read(view: View) -> Reading:
    """Read a view. Made for the moment when the player is on turn."""
    me = view.player
    trick = view.trick
    taken = view.taken
    out = FULL_DECK & ~(view.hand | taken[0] | taken[1] | taken[2] | taken[3] | mask_of(trick))
    may_hold = [out & ~cards for cards in _ruled_out(view)]
    may_hold[me] = 0
    _place_passed_cards(view, out, may_hold)
    best = winner = None
    for place, card in enumerate(trick):
        if best is None or HIGHER[best] >> card & 1:
            best, winner = int(card), (view.leader + place) % 4
    suspect, points = _suspect(view)
    a, b, c, d = may_hold
    behind = tuple((me + step) % 4 for step in range(1, 4 - len(trick)))
    return Reading(out, (a, b, c, d), behind, best, winner, suspect, points)


def _ruled_out(view: View) -> list[int]:
    """For each player the cards that his play so far has ruled out for him."""
    ruled_out = [0, 0, 0, 0]
    broken = False
    breaking = HEARTS_MASK if view.rules.queen_keeps_hearts else POINTS_MASK
    history = view.history
    leader = view.first_leader
    for start in range(0, len(history), 4):
        cards = history[start : start + 4]
        led = cards[0]
        suit = led // 13
        if suit == 0 and not broken:
            ruled_out[leader] |= FULL_DECK & ~HEARTS_MASK
        best, winner = led, leader
        for place in range(1, len(cards)):
            card = cards[place]
            if card // 13 != suit:
                ruled_out[(leader + place) & 3] |= SUIT_MASKS[suit]
            elif card > best:
                best, winner = card, (leader + place) & 3
        broken = broken or any(breaking >> card & 1 for card in cards)
        leader = winner
    return ruled_out


def _place_passed_cards(view: View, out: int, may_hold: list[int]) -> None:
    passed = mask_of(view.passed) & out
    if passed:
        target = view.direction.target(view.player)
        for player in range(4):
            if player != target:
                may_hold[player] &= ~passed


def _suspect(view: View) -> tuple[int | None, int]:
    holders = [player for player in range(4) if view.taken[player] & POINTS_MASK]
    if len(holders) != 1 or holders[0] == view.player:
        return None, 0
    mask = view.taken[holders[0]]
    points = (mask & HEARTS_MASK).bit_count() + 13 * (mask >> QUEEN_OF_SPADES & 1)
    if points < SUSPICIOUS_POINTS or points == 26:
        return None, 0
    return holders[0], points
