"""The last tricks of a hand, solved: all players see all cards and play for the least cost."""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence

from .habits import lowest
from .playing import (
    END,
    HANDS,
    JACK,
    JACK_CARD,
    MOON,
    NO_TRICK,
    PLAYED,
    RULES,
    SIZE,
    TAKEN,
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


def solve(states: Sequence[State], found: Sequence[Totals], left: State, most: int) -> int:
    """Fill ``found[0]`` for the hand ``states[0]``, if each player plays for their least cost;
    return the number of positions. If ``most`` are not enough, it ends without a result.

    Every player knows all cards; of cards that cost them the same they take the lowest.
    The other rows of ``states``, one for each card to come, have the same rules and scores;
    ``left`` has a place for each. There is no recursion, because numba cannot keep such functions.
    """
    depth = 0
    positions = 1
    _begin(states[0], found[0], left, 0)
    while positions <= most:
        cards = left[depth]
        state = states[depth]
        if cards:
            left[depth] = cards & cards - 1
            below = states[depth + 1]
            for place in range(RULES):
                below[place] = state[place]
            play(below, lowest(cards))
            depth += 1
            positions += 1
            _begin(below, found[depth], left, depth)
        elif depth == 0:
            break
        else:
            depth -= 1
            turn = states[depth][TURN]
            if found[depth + 1][turn] < found[depth][turn]:
                for place in range(ROW):
                    found[depth][place] = found[depth + 1][place]
                if found[depth][turn] <= least_cost(states[depth]):
                    left[depth] = 0
    return positions


def least_cost(state: State) -> float:
    """Return a lower bound for what the rest of a hand costs the player on turn.

    If others took points they can shoot no moon, so it is what they have taken, less the mean;
    another's moon would cost more. The jack and a hand without a trick count for them as far as
    they may still come. If the game may end, nothing is said.
    """
    rules, turn = state[RULES], state[TURN]
    if state[END]:
        return -math.inf
    least = 0.0
    if rules & JACK:
        held = state[HANDS] | state[HANDS + 1] | state[HANDS + 2] | state[HANDS + 3] | state[TRICK]
        least = -7.5 if (held | state[TAKEN + turn]) & JACK_CARD else 2.5
    if holder(state) in (-1, turn):
        return least - 0.75 * state[MOON]
    if rules & JACK and state[TAKEN + turn] & JACK_CARD:
        least += 10
    if rules & NO_TRICK and not state[TAKEN + turn]:
        least -= 3.75
    return least + plain_points(state, turn) - 0.25 * state[MOON]


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
    budget: State,
) -> int:
    """Do as :func:`hearts.bots.search.rollouts.roll_out` does, but solve the rest in place of
    playing it, while the positions in ``budget`` last; return the world to go on with.
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
            budget[0] -= solve(states, found, left, budget[0])
            if budget[0] < 0:
                return world
            costs[world * many + plan] = found[0][me]
        for place in range(len(plans)):
            totals[plans[place]] += costs[world * many + plans[place]]
    return last
