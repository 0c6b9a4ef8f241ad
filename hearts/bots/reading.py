"""Conclusions from a view: the cards that are out, the players who may hold them or shoot the moon.

Only what the seat may know goes in, so nothing here can look at a hidden card.
"""

from __future__ import annotations

from msgspec import Struct

from hearts.game.cards import (
    CARDS,
    FULL_DECK,
    HEARTS_MASK,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    Card,
    mask_of,
)
from hearts.game.view import View

SUIT_MASKS: tuple[int, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
LOWER: tuple[int, ...] = tuple(SUIT_MASKS[card // 13] & (1 << card) - 1 for card in CARDS)
"""For each card the lower cards of its suit, as a mask."""
HIGHER: tuple[int, ...] = tuple(SUIT_MASKS[card // 13] & ~((2 << card) - 1) for card in CARDS)
"""For each card the higher cards of its suit, as a mask."""

ALL_POINTS = 26
"""The points of a moon in the standard game, by which a moon is measured under all rules."""
SUSPICIOUS_POINTS = 4
"""Points, all with one opponent, from which on they may be shooting the moon."""


class Reading(Struct, frozen=True, gc=False):
    """A view, read. Sets of cards are masks."""

    out: int
    """The cards in the others' hands."""
    may_hold: tuple[int, int, int, int]
    """The cards of ``out`` that each of the others may hold; 0 for the player."""
    behind: tuple[int, ...]
    """The players whose turn in this trick is still to come, after the player's own."""
    best: int | None
    """The card that wins the trick under way so far; None when leading."""
    winner: int | None
    """The player of :attr:`best`."""
    suspect: int | None
    """An opponent who has all the points so far, and many."""
    suspect_points: int
    """Points of those (hearts 1, the queen of spades 13); 0 without a suspect."""


_BEHIND = tuple(
    tuple(tuple((player + step) % 4 for step in range(1, 4 - played)) for played in range(4))
    for player in range(4)
)
"""The players who play after one to a trick to which so many cards were played."""


class PastTricks:
    """The cards that the complete tricks of a hand have ruled out for each player.

    It remembers the tricks that it has read, to save time. What it says of a view does not depend
    on the views before it.
    """

    def __init__(self) -> None:
        self._begin(POINTS_MASK, 0)

    def _begin(self, breaking: int, first_leader: int) -> None:
        self._breaking = breaking
        self._first_leader = self._leader = first_leader
        self._cards: tuple[Card, ...] = ()
        self._ruled_out = [0, 0, 0, 0]
        self._broken = False

    def ruled_out(self, view: View) -> tuple[list[int], int | None, int | None]:
        """Return for each player the cards that their play so far has ruled out, and the card that
        wins the trick under way so far, with its player."""
        history = view.history
        breaking = HEARTS_MASK if view.rules.queen_keeps_hearts else POINTS_MASK
        known = len(self._cards)
        if (
            history[:known] != self._cards
            or breaking != self._breaking
            or view.first_leader != self._first_leader
        ):
            self._begin(breaking, view.first_leader)
            known = 0
        complete = len(history) & ~3
        if complete > known:
            for start in range(known, complete, 4):
                self._add(history[start : start + 4], self._ruled_out)
            self._cards = history[:complete]
        ruled_out = self._ruled_out.copy()
        if complete < len(history):
            return ruled_out, *self._look(history[complete:], ruled_out)
        return ruled_out, None, None

    def _add(self, cards: tuple[Card, ...], ruled_out: list[int]) -> None:
        _, self._leader = self._look(cards, ruled_out)
        if mask_of(cards) & self._breaking:
            self._broken = True

    def _look(self, cards: tuple[Card, ...], ruled_out: list[int]) -> tuple[int, int]:
        """Add the cards that one trick rules out; return its best card and the player of that."""
        leader = winner = self._leader
        best = cards[0]
        suit = best // 13
        if suit == 0 and not self._broken:
            ruled_out[leader] |= FULL_DECK & ~HEARTS_MASK
        player = leader
        for card in cards[1:]:
            player = player + 1 & 3
            if card // 13 != suit:
                ruled_out[player] |= SUIT_MASKS[suit]
            elif card > best:
                best, winner = card, player
        return best, winner


def read(view: View, past: PastTricks | None = None) -> Reading:
    """Read a view. Made for the moment when the player is on turn.

    ``past`` is kept from one view of a hand to the next, so that no trick is read twice.
    """
    me = view.player
    out = view.unseen
    if past is None:
        past = PastTricks()
    ruled_out, best, winner = past.ruled_out(view)
    may_hold = [out & ~cards for cards in ruled_out]
    may_hold[me] = 0
    if view.passed:
        _place_passed_cards(view, out, may_hold)
    suspect, points = _suspect(view)
    a, b, c, d = may_hold
    return Reading(out, (a, b, c, d), _BEHIND[me][len(view.trick)], best, winner, suspect, points)


def _place_passed_cards(view: View, out: int, may_hold: list[int]) -> None:
    passed = mask_of(view.passed) & out
    if passed:
        target = view.direction.target(view.player)
        for player in range(4):
            if player != target:
                may_hold[player] &= ~passed


def _suspect(view: View) -> tuple[int | None, int]:
    holder = None
    for player, cards in enumerate(view.taken):
        if cards & POINTS_MASK:
            if holder is not None:
                return None, 0
            holder = player
    if holder is None or holder == view.player:
        return None, 0
    mask = view.taken[holder]
    points = (mask & HEARTS_MASK).bit_count() + 13 * (mask >> QUEEN_OF_SPADES & 1)
    if points < SUSPICIOUS_POINTS or points == ALL_POINTS:
        return None, 0
    return holder, points
