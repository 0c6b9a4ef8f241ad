"""Captures of a hand: who took what, beside its points, as a short text kept with the result.

First the seats that took the queen of spades and the jack of diamonds, such as ``20``. Then, where
somebody shot the moon, ``+`` and their seat; where somebody tried and was stopped, ``-``, their
seat and that of the player who stopped them: ``20-23``.

What somebody means cannot be seen. A moon counts as tried once a player alone has taken
:data:`TRIED` of the 26 points or more; the player who takes the next point then has stopped them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from hearts.game.cards import HEARTS_MASK, JACK_OF_DIAMONDS, POINTS_MASK, QUEEN_OF_SPADES, mask_of
from hearts.game.events import TrickTaken
from hearts.game.record import PlayedHand

TRIED = 18
"""Points; with fewer many a hand of players who never try would count."""

_QUEEN = 1 << QUEEN_OF_SPADES
_JACK = 1 << JACK_OF_DIAMONDS
_POINTS = tuple(
    13 if card == QUEEN_OF_SPADES else (1 if HEARTS_MASK >> card & 1 else 0) for card in range(52)
)
_TEXT = re.compile(r"([0-3])([0-3])(?:\+([0-3])|-([0-3])([0-3]))?")


class Captures(Struct, frozen=True, gc=False):
    """The contents of the text of a hand; everything is a seat, and None is nobody's."""

    queen: int
    jack: int
    shot: int | None = None
    stopped: int | None = None
    stopper: int | None = None


def captures_text(cards: Sequence[int], winners: Sequence[int], taken: Sequence[int]) -> str:
    """Return the text of a hand.

    ``cards`` are all 52 as they were played, ``winners`` who took each trick, and ``taken`` the
    masks of what each seat took in the end.
    """
    a, b, c, _ = taken
    queen = 0 if a & _QUEEN else 1 if b & _QUEEN else 2 if c & _QUEEN else 3
    jack = 0 if a & _JACK else 1 if b & _JACK else 2 if c & _JACK else 3
    text = _SEATS[queen][jack]
    mask = taken[queen] & POINTS_MASK
    # Only who has the queen comes that far, and the queen counts as one card of the mask.
    if mask.bit_count() + 12 < TRIED:
        return text
    if mask == POINTS_MASK:
        return f"{text}+{queen}"
    stopper = _stopper(cards, winners, queen)
    return text if stopper is None else f"{text}-{queen}{stopper}"


_SEATS = tuple(tuple(f"{queen}{jack}" for jack in range(4)) for queen in range(4))


def _stopper(cards: Sequence[int], winners: Sequence[int], player: int) -> int | None:
    """Return the seat that took the next point after a player had tried; None if that did not
    happen.
    """
    points = 0
    for place, winner in enumerate(winners):
        a, b, c, d = cards[4 * place : 4 * place + 4]
        worth = _POINTS[a] + _POINTS[b] + _POINTS[c] + _POINTS[d]
        if worth and winner != player:
            return winner if points >= TRIED else None
        points += worth
    return None


def captures_of(hands: Iterable[PlayedHand]) -> str:
    return " ".join(map(_of_hand, hands))


def _of_hand(hand: PlayedHand) -> str:
    cards = [int(play.card) for play in hand.plays]
    winners = [event.winner for event in hand.events if isinstance(event, TrickTaken)]
    taken = [0, 0, 0, 0]
    for place, winner in enumerate(winners):
        taken[winner] |= mask_of(cards[4 * place : 4 * place + 4])
    return captures_text(cards, winners, taken)


@lru_cache(maxsize=256)
def read_captures(text: str) -> Captures:
    """Read the text of one hand. Raises ValueError if it is none."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:20]!r} says not who took what")
    queen, jack, *others = found.groups()
    seats = (None if seat is None else int(seat) for seat in others)
    return Captures(int(queen), int(jack), *seats)
