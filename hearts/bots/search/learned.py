"""How a player who wants few points plays in a rollout, learned from searches (see .playing).

Each legal card has odds, the product of numbers from four tables, and a card is drawn by these. The
tables lie one after the other in :data:`ODDS`; what a place in them means is said here alone.
``python -m tests.bench.learning`` finds the odds.
"""

from __future__ import annotations

from hearts.game.cards import FULL_DECK, HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES

from .odds import ODDS as ODDS
from .playing import BEST, HANDS, PLAYED, QUEEN, SUIT, TAKEN, TRICK, TURN, State, draw

_SUIT = 0x1FFF
_KING_UP = 1 << QUEEN_OF_SPADES + 1
_KINDS = 7
_LEAD = 0
_LEAD_STAGE = _LEAD + _KINDS * 5 * 5 * 4
_FOLLOW = _LEAD_STAGE + _KINDS * 7 * 3
_FOLLOW_ORDER = _FOLLOW + 2 * 3 * 4 * _KINDS * 4
_FOLLOW_LATER = _FOLLOW_ORDER + 2 * 4 * _KINDS * 4 * 2
_DISCARD = _FOLLOW_LATER + _KINDS * 5 * 5 * 2 * 3
_DISCARD_STAGE = _DISCARD + _KINDS * 5 * 5 * 4
_DISCARD_GUARDS = _DISCARD_STAGE + _KINDS * 3 * 7
_LEAD_SPADES = _DISCARD_GUARDS + _KINDS * 5 * 3 * 5
_MOON = _LEAD_SPADES + 3 * 2 * _KINDS * 4 * 2
PLACES = _MOON + 10 * _KINDS * 18
"""How many numbers the tables have."""

_GONE, _OWN, _OUT = 0, 1, 2
_FINE = 16777216


def hidden_from(state: State) -> int:
    """The cards in the hands of the others, as who is on turn sees it."""
    own = state[HANDS + state[TURN]]
    taken = state[TAKEN] | state[TAKEN + 1] | state[TAKEN + 2] | state[TAKEN + 3]
    return FULL_DECK & ~(taken | state[TRICK] | own)


def queen_place(hand: int, out: int) -> int:
    """Where the queen of spades is: played, in a hand, or among the cards that are out."""
    if hand & QUEEN:
        return _OWN
    return _OUT if out & QUEEN else _GONE


def moon_place(state: State) -> int:
    """Who has all points so far, and how many: 0 nobody, 1 several, 2 to 5 he, 6 to 9 another."""
    found = -1
    for player in range(4):
        if state[TAKEN + player] & POINTS_MASK:
            if found >= 0:
                return 1
            found = player
    if found < 0:
        return 0
    taken = state[TAKEN + found]
    begin = 2 if found == state[TURN] else 6
    if taken & QUEEN:
        return begin + 3 if taken & HEARTS_MASK else begin + 2
    hearts = (taken & HEARTS_MASK).bit_count()
    return begin + (0 if hearts < 3 else 1 if hearts < 6 else 2)


def kind_of(card: int, queen: int) -> int:
    """What kind of card it is: hearts, the queen, other spades by where she is, or the rest."""
    suit = card // 13
    if suit == 0:
        return 6
    if suit < 3:
        return 0
    if card == QUEEN_OF_SPADES:
        return 5
    if queen == _OUT:
        return 3 if card < QUEEN_OF_SPADES else 4
    return 2 if queen == _OWN else 1


def places(
    state: State, cards: int, card: int, hand: int, out: int, queen: int, moon: int
) -> tuple[int, int, int, int]:
    """Four places in :data:`ODDS` for one of the legal ``cards``.

    ``out`` is what :func:`hidden_from` says, ``queen`` what :func:`queen_place` does, and ``moon``
    what :func:`moon_place` does.
    """
    suit = state[SUIT]
    of_suit = _SUIT << 13 * (card // 13)
    under = (1 << card) - 1
    over = ~(under << 1 | 1)
    kind = kind_of(card, queen)
    higher = (out & of_suit & over).bit_count()
    lower = (out & of_suit & under).bit_count()
    more = min((hand & of_suit).bit_count(), 4) - 1
    rank = (kind * 5 + min(higher, 4)) * 5 + min(lower, 4)
    stage = state[PLAYED] >> 3
    guards = (hand & of_suit & under).bit_count()
    shot = _MOON + (moon * _KINDS + kind) * 18 + min(higher, 2)
    if suit < 0:
        big = 1 if hand >= _KING_UP else 0
        spades = ((queen * 2 + big) * _KINDS + kind) * 4 + min(higher, 3)
        return (
            _LEAD + rank * 4 + more,
            _LEAD_STAGE + (kind * 7 + stage) * 3 + min(higher + lower, 2),
            _LEAD_SPADES + spades * 2 + min(guards, 1),
            shot,
        )
    if not cards & _SUIT << 13 * suit:
        return (
            _DISCARD + rank * 4 + more,
            _DISCARD_STAGE + (kind * 3 + queen) * 7 + stage,
            _DISCARD_GUARDS + (rank // 5 * 3 + min(guards, 2)) * 5 + rank % 5,
            shot + 6,
        )
    below_best = (1 << state[BEST]) - 1
    wins = 1 if card > state[BEST] else 0
    side = cards & ~below_best if wins else cards & below_best
    order = (0 if side & over else 2) + (0 if side & under else 1)
    points = (state[TRICK] & HEARTS_MASK).bit_count()
    points = 3 if state[TRICK] & QUEEN else min(points, 2)
    after = 3 - (state[PLAYED] & 3)
    now = ((wins * 3 + after) * 4 + points) * _KINDS + kind
    part = 0 if state[PLAYED] < 12 else (1 if state[PLAYED] < 28 else 2)
    return (
        _FOLLOW + now * 4 + min(higher, 3),
        _FOLLOW_ORDER + (((wins * 4 + order) * _KINDS + kind) * 4 + more) * 2 + min(points, 1),
        _FOLLOW_LATER + (rank * 2 + wins) * 3 + part,
        shot + 12 + 3 * wins,
    )


def odds_of(
    state: State, cards: int, card: int, hand: int, out: int, queen: int, moon: int
) -> float:
    """The odds of one of the legal ``cards``, beside those of the others."""
    a, b, c, d = places(state, cards, card, hand, out, queen, moon)
    return ODDS[a] * ODDS[b] * ODDS[c] * ODDS[d]


def choose(state: State, cards: int) -> int:
    """A choice among legal cards of somebody who wants few points, by the odds of each."""
    hand = state[HANDS + state[TURN]]
    out = hidden_from(state)
    queen = queen_place(hand, out)
    moon = moon_place(state)
    total = 0.0
    chosen = -1
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        odds = odds_of(state, cards, card, hand, out, queen, moon)
        total += odds
        if chosen < 0 or draw(state, _FINE) * total < odds * _FINE:
            chosen = card
    return chosen
