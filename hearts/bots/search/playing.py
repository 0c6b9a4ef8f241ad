"""The play of a hand on a row of ints, for rollouts: the rules kernel, written to be compiled.

The functions of this module, and of :mod:`.settling`, :mod:`.habits`, :mod:`.rollouts` and
:mod:`.endgame`, take and give only ints, floats, and rows of them. Python runs them as they stand,
with lists; :mod:`.compiled` has numba compile them, with arrays. So both give the same numbers.
:mod:`hearts.game.kernel` stays the truth, and the tests hold this module to it.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from hearts.game.cards import (
    FULL_DECK,
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    TWO_OF_CLUBS,
)
from hearts.game.rules import ExactEnd, Moon, Rules

State = MutableSequence[int]
"""A hand under way as a row of :data:`SIZE` ints; the names below say what lies where."""

HANDS = 0  # The first of four: what each player holds, as masks.
TAKEN = 4  # The first of four: the cards in the tricks that each player took, as masks.
TRICK = 8  # The cards of the trick under way, as a mask.
SUIT = 9  # The suit led; -1 before it is.
BEST = 10  # The card that holds the trick; -1 before the lead.
WINNER = 11  # Who played it.
TURN = 12
PLAYED = 13  # How many cards of the hand have been played.
BROKEN = 14  # 1 if hearts are broken.
RULES = 15  # The rules that matter, as bits.
SEED = 16  # The state of the random numbers: 32 bits, not 0.
END = 17  # The score at which the game ends; 0 if this hand cannot end it.
SCORES = 18  # The first of four: the scores before this hand.
POINTS = 22  # The first of four: what the hand adds to each score, once it is settled.
PLANES = 26  # The first of DIGITS: by binary digits the hearts and the queen whose points have it.
DIGITS = 5
UNLIKE = 31  # The cards that count something else than most of their suit, as a mask.
MOON = 32  # The points of a moon.
SIZE = 33

ROTATING = 1
OPEN_FIRST = 2
MUST_DUMP = 4
QUEEN_KEEPS = 8
JACK = 16
NO_TRICK = 32
MOON_MINUS = 64
MOON_CHOICE = 128
EXACT_ZERO = 256
EXACT_WINS = 512

QUEEN = 1 << QUEEN_OF_SPADES
JACK_CARD = 1 << JACK_OF_DIAMONDS
ABOVE_QUEEN = 0b11 << QUEEN_OF_SPADES + 1
"""The king and the ace of spades."""
ONE_SUIT = 0x1FFF
"""The cards of a suit, as a mask that is shifted by 13 for each suit below it."""
DIAMONDS = 2
SPADES = 3
_TWO_OF_CLUBS = 1 << TWO_OF_CLUBS
_NOT_HEARTS = FULL_DECK & ~HEARTS_MASK
_NOT_POINTS = FULL_DECK & ~POINTS_MASK
_HALF = 4294967296.0
"""Two to the power of 32."""


def rule_bits(rules: Rules) -> int:
    """Return the rules as the bits of :data:`RULES`."""
    return (
        ROTATING * rules.rotating_lead
        | OPEN_FIRST * rules.points_on_first_trick
        | MUST_DUMP * rules.must_dump_queen
        | QUEEN_KEEPS * rules.queen_keeps_hearts
        | JACK * rules.jack
        | NO_TRICK * rules.no_trick_bonus
        | MOON_MINUS * (rules.moon is Moon.MINUS)
        | MOON_CHOICE * (rules.moon is Moon.CHOICE)
        | EXACT_ZERO * (rules.exact_end is ExactEnd.ZERO)
        | EXACT_WINS * (rules.exact_end is ExactEnd.WINS)
    )


def legal(state: State) -> int:
    """Return the cards that the player on turn may play, as a mask."""
    hand = state[state[TURN]]
    suit = state[SUIT]
    if suit < 0:
        if state[PLAYED] == 0 and not state[RULES] & ROTATING:
            return hand & _TWO_OF_CLUBS
        cards = hand if state[BROKEN] else hand & _NOT_HEARTS
    else:
        cards = hand & ONE_SUIT << 13 * suit
    if cards == 0:
        cards = hand
    if state[PLAYED] < 4 and not state[RULES] & OPEN_FIRST and cards & _NOT_POINTS:
        cards &= _NOT_POINTS
    if (
        state[RULES] & MUST_DUMP
        and cards & QUEEN
        and suit >= 0
        and (
            not hand & ONE_SUIT << 13 * suit or (suit == SPADES and state[TRICK] & ABOVE_QUEEN != 0)
        )
    ):
        return QUEEN
    return cards


def play(state: State, card: int) -> None:
    """Play a legal card for the player on turn."""
    turn = state[TURN]
    bit = 1 << card
    state[turn] ^= bit
    state[TRICK] |= bit
    if bit & HEARTS_MASK or (bit == QUEEN and not state[RULES] & QUEEN_KEEPS):
        state[BROKEN] = 1
    suit = card // 13
    if state[SUIT] < 0 or (suit == state[SUIT] and card > state[BEST]):
        state[SUIT] = suit
        state[BEST] = card
        state[WINNER] = turn
    state[PLAYED] += 1
    if state[PLAYED] & 3:
        state[TURN] = turn + 1 & 3
        return
    winner = state[WINNER]
    state[TAKEN + winner] |= state[TRICK]
    state[TURN] = winner
    state[TRICK] = 0
    state[SUIT] = -1
    state[BEST] = -1
    state[WINNER] = -1


def draw(state: State, many: int) -> int:
    """Draw a number from 0 to ``many`` - 1, by Marsaglia's xorshift of 32 bits."""
    number = state[SEED]
    number ^= number << 13 & 0xFFFFFFFF
    number ^= number >> 17
    number ^= number << 5 & 0xFFFFFFFF
    state[SEED] = number
    return number * many >> 32


def pick(state: State, cards: int) -> int:
    """Return a card of a mask by chance, every one alike."""
    skip = draw(state, cards.bit_count())
    while skip:
        cards &= cards - 1
        skip -= 1
    return (cards & -cards).bit_length() - 1


def pick_split(state: State, sums: Sequence[float]) -> int:
    """Return the place of a row, with the odds whose running sums are given."""
    wanted = (draw(state, 4294967296) + draw(state, 4294967296) / _HALF) / _HALF
    wanted *= sums[len(sums) - 1]
    low, high = 0, len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


def deal_worlds(
    state: State,
    first: int,
    last: int,
    cards: MutableSequence[int],
    groups: Sequence[int],
    holders: Sequence[int],
    splits: Sequence[int],
    sums: Sequence[float],
    worlds: MutableSequence[int],
) -> None:
    """Deal the worlds from ``first`` up to ``last`` into ``worlds``, four masks for each.

    Every world that fits is equally likely. ``cards`` are the cards that are out, group by group,
    and ``groups`` how many each group has; ``holders`` are three players for each group. ``splits``
    has rows: for each group how many cards each of its three players gets. ``sums`` has the running
    sums of the worlds of each row. The hands of ``state`` are in every world, and its random
    numbers move on.
    """
    width = 3 * len(groups)
    for world in range(first, last):
        for player in range(4):
            worlds[4 * world + player] = state[HANDS + player]
        row = pick_split(state, sums) * width
        begin = 0
        for group in range(len(groups)):
            end = begin + groups[group]
            for part in range(3):
                hand = 0
                for _ in range(splits[row + 3 * group + part]):
                    other = begin + draw(state, end - begin)
                    card = cards[other]
                    cards[other] = cards[begin]
                    cards[begin] = card
                    hand |= 1 << card
                    begin += 1
                worlds[4 * world + holders[3 * group + part]] |= hand
