"""Schedules of a tournament: the player of each seat in each match.

Every match follows from the plan and its number alone, so a tournament can stop anywhere and go
on, and matches can be played in any order. Within a block come the groups of players that meet,
for each group its seatings, and for each seating the directions of the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations, product
from math import comb

from msgspec import Struct

from hearts.game.rules import Direction, Rules

from .plan import Plan, Schedule
from .results import Match, Seats

Group = tuple[int, ...]
"""The entrants of a match: two or four different ones."""

_TWO_AGAINST_TWO = tuple(seats for seats in product((0, 1), repeat=4) if sum(seats) == 2)
_ONE_AGAINST_THREE = ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
_FOUR = tuple(permutations(range(4)))


def count(plan: Plan) -> int:
    return plan.deals * block_size(plan)


def block_size(plan: Plan) -> int:
    shape = _SHAPES[plan.schedule]
    return shape.groups(len(plan.entrants)) * len(shape.seatings) * _repetitions(plan)


def matches(plan: Plan) -> Iterator[Match]:
    return (match_of(plan, number) for number in range(count(plan)))


def match_of(plan: Plan, number: int) -> Match:
    """Return the match with a number. Raises IndexError if the tournament has none."""
    size = block_size(plan)
    if not 0 <= number < plan.deals * size:
        raise IndexError(f"matches are numbered 0 to {plan.deals * size - 1}, not {number}")
    block, place = divmod(number, size)
    place, repetition = divmod(place, _repetitions(plan))
    shape = _SHAPES[plan.schedule]
    place, seating = divmod(place, len(shape.seatings))
    group = shape.group(len(plan.entrants), place)
    a, b, c, d = shape.seatings[seating]
    seats: Seats = (group[a], group[b], group[c], group[d])
    goes_on = plan.hands == 1 and not plan.directions
    first_hand = block % pass_cycle(plan.rules) if goes_on else repetition
    return Match(number, block, seats, first_hand)


def cycle_of(plan: Plan, number: int) -> range:
    """Return the matches that are one round of pass directions together with this one, itself
    included.

    They have the same seats, and their first hands are 0, 1, 2 and so on; the last ones may be
    above the number of matches. A match of several hands is alone.
    """
    if plan.hands != 1:
        return range(number, number + 1)
    step = 1 if plan.directions else block_size(plan)
    begin = number - step * match_of(plan, number).first_hand
    return range(begin, begin + step * pass_cycle(plan.rules), step)


@cache
def pass_cycle(rules: Rules) -> int:
    """Return the hands after which the directions of the pass repeat."""
    return len({rules.direction(hand) for hand in range(len(Direction))})


def _repetitions(plan: Plan) -> int:
    return pass_cycle(plan.rules) if plan.hands == 1 and plan.directions else 1


def _combination(players: int, size: int, place: int) -> Group:
    """Return the combination of so many players that stands at a place, from 0, of all in order."""
    chosen = []
    player = 0
    for missing in range(size, 0, -1):
        while (beginning := comb(players - player - 1, missing - 1)) <= place:
            place -= beginning
            player += 1
        chosen.append(player)
        player += 1
    return tuple(chosen)


def _pairs_both_ways(players: int, place: int) -> Group:
    """Return the pair with a number, in which it matters who is the first."""
    alone, other = divmod(place, players - 1)
    return alone, other + (other >= alone)


class _Shape(Struct, frozen=True):
    """A schedule: its groups of players, and their seatings."""

    groups: Callable[[int], int]
    group: Callable[[int, int], Group]
    """Of so many players, the group with a number from 0."""
    seatings: tuple[tuple[int, ...], ...] = _TWO_AGAINST_TWO
    """The ways to seat a group: for each seat the place in the group."""


_FIRST_AGAINST_EACH = _Shape(lambda players: players - 1, lambda players, place: (0, place + 1))
_SHAPES = {
    Schedule.CHALLENGE: _Shape(
        lambda players: comb(players, 4),
        lambda players, place: _combination(players, 4, place),
        _FOUR,
    ),
    Schedule.ROUND_ROBIN: _Shape(
        lambda players: comb(players, 2), lambda players, place: _combination(players, 2, place)
    ),
    Schedule.ONE_VS_THREE: _Shape(
        lambda players: players * (players - 1), _pairs_both_ways, _ONE_AGAINST_THREE
    ),
    Schedule.TWO_VS_TWO: _FIRST_AGAINST_EACH,
    Schedule.GAUNTLET: _FIRST_AGAINST_EACH,
}
