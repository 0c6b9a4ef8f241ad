"""The last tricks of a hand, solved: all players see all cards and play for the least cost."""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence

from .habits import lowest
from .playing import (
    END,
    HANDS,
    JACK,
    MOON,
    NO_TRICK,
    PLAYED,
    RULES,
    SIZE,
    TRICK,
    TURN,
    UNLIKE,
    State,
    legal,
    play,
)
from .rollouts import Totals, set_hands
from .settling import cost, holder, is_settled, plain_points, settle

ROW = 4
"""A row of results has the costs of the four players."""


def worth_trying(state: State, cards: int) -> int:
    """Return the legal cards worth trying, as a mask: of neighbours with the same effect only the
    lowest.

    Cards are neighbours if no card between them is in a hand or in the trick under way.
    """
    there = state[HANDS] | state[HANDS + 1] | state[HANDS + 2] | state[HANDS + 3] | state[TRICK]
    tried = cards
    left = cards & (cards - 1)
    while left:
        card = lowest(left)
        left &= left - 1
        lower = there & (1 << card) - 1
        neighbour = lower.bit_length() - 1
        if (
            neighbour // 13 == card // 13
            and neighbour >= 0
            and cards >> neighbour & 1
            and (1 << card | 1 << neighbour) & state[UNLIKE] == 0
        ):
            tried &= ~(1 << card)
    return tried


def solve(states: Sequence[State], found: Sequence[Totals], left: State) -> None:
    """Fill ``found[0]`` for the hand ``states[0]``, if each player plays for their least cost.

    Every player knows all cards; of cards that cost them the same they take the lowest.
    The other rows of ``states``, one for each card to come, have the same rules and scores;
    ``left`` has a place for each. There is no recursion, because numba cannot keep such functions.
    """
    depth = 0
    _begin(states[0], found[0], left, 0)
    while True:
        cards = left[depth]
        state = states[depth]
        if cards:
            left[depth] = cards & cards - 1
            below = states[depth + 1]
            for place in range(RULES):
                below[place] = state[place]
            play(below, lowest(cards))
            depth += 1
            _begin(below, found[depth], left, depth)
        elif depth == 0:
            return
        else:
            depth -= 1
            turn = states[depth][TURN]
            if found[depth + 1][turn] < found[depth][turn]:
                for place in range(ROW):
                    found[depth][place] = found[depth + 1][place]
                if found[depth][turn] <= least_cost(states[depth]):
                    left[depth] = 0


def least_cost(state: State) -> float:
    """Return a lower bound for what the rest of a hand costs the player on turn.

    If others took points they can shoot no moon, so it is what they have taken, less the mean;
    another's moon would cost more. If anything else counts, it is not said.
    """
    if state[RULES] & (JACK | NO_TRICK) or state[END]:
        return -math.inf
    if holder(state) in (-1, state[TURN]):
        return -0.75 * state[MOON]
    return plain_points(state, state[TURN]) - 0.25 * state[MOON]


def _begin(state: State, row: Totals, left: State, depth: int) -> None:
    """Begin with a hand: find the cards to try, or its result if nothing can change it."""
    if state[PLAYED] < 52 and not (state[PLAYED] & 3 == 0 and is_settled(state)):
        left[depth] = worth_trying(state, legal(state))
        row[state[TURN]] = math.inf
        return
    left[depth] = 0
    settle(state)
    for player in range(4):
        row[player] = cost(state, player)


def roll_out_exactly(
    state: State,
    states: Sequence[State],
    found: Sequence[Totals],
    left: State,
    worlds: Sequence[int],
    first: int,
    last: int,
    cards: Sequence[int],
    plans: Sequence[int],
    totals: Totals,
    costs: MutableSequence[float],
) -> None:
    """Do as :func:`hearts.bots.search.rollouts.roll_out` does, but solve the rest in place of
    playing it.
    """
    me = state[TURN]
    many = len(cards)
    for depth in range(len(states)):
        for place in range(SIZE):
            states[depth][place] = state[place]
    for world in range(first, last):
        for place in range(len(plans)):
            plan = plans[place]
            work = states[0]
            set_hands(work, state, worlds, world)
            play(work, cards[plan])
            solve(states, found, left)
            totals[plan] += found[0][me]
            costs[world * many + plan] = found[0][me]
