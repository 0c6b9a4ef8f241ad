"""Schedules: who meets whom and where, everybody as often in each seat and direction."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.rules import parse_rules
from hearts_arena.plan.plan import Entrant, Plan, Schedule
from hearts_arena.plan.results import Match
from hearts_arena.plan.schedules import block_size, count, cycle_of, match_of, matches, pass_cycle

from .sittings import plan_of, plans

SIZES = [
    (Schedule.CHALLENGE, 4, 24),
    (Schedule.CHALLENGE, 6, 15 * 24),
    (Schedule.ROUND_ROBIN, 2, 6),
    (Schedule.ROUND_ROBIN, 5, 10 * 6),
    (Schedule.ONE_VS_THREE, 2, 2 * 4),
    (Schedule.ONE_VS_THREE, 5, 20 * 4),
    (Schedule.TWO_VS_TWO, 2, 6),
    (Schedule.GAUNTLET, 2, 6),
    (Schedule.GAUNTLET, 5, 4 * 6),
]


def _two_two(a: int, b: int) -> set[tuple[int, ...]]:
    return set(permutations((a, a, b, b)))


def _seatings(schedule: Schedule, size: int) -> list[tuple[int, ...]]:
    """Every seating that a block has, written down in another way."""
    everybody = range(size)
    match schedule:
        case Schedule.CHALLENGE:
            return list(permutations(everybody, 4))
        case Schedule.ONE_VS_THREE:
            pairs = permutations(everybody, 2)
            return [seats for a, b in pairs for seats in set(permutations((a, b, b, b)))]
        case Schedule.GAUNTLET:
            return [seats for other in everybody[1:] for seats in _two_two(0, other)]
        case Schedule.ROUND_ROBIN | Schedule.TWO_VS_TWO:
            return [seats for a, b in combinations(everybody, 2) for seats in _two_two(a, b)]


@pytest.mark.parametrize(("schedule", "size", "seatings"), SIZES)
def test_a_block_has_every_seating_once_in_each_direction(
    schedule: Schedule, size: int, seatings: int
) -> None:
    plan = plan_of(size, schedule=schedule, deals=2)
    assert block_size(plan) == 4 * seatings
    assert count(plan) == 2 * 4 * seatings
    played = list(matches(plan))
    assert [match.number for match in played] == list(range(count(plan)))
    for block in range(2):
        of_block = [match for match in played if match.block == block]
        assert Counter((match.seats, match.first_hand) for match in of_block) == Counter(
            (seats, hand) for seats in _seatings(schedule, size) for hand in range(4)
        )


@pytest.mark.parametrize(
    ("rules", "cycle"),
    [("standard", 4), ("pass=cycle3", 3), ("pass=left", 1), ("pass=never", 1), ("rotate", 4)],
)
def test_the_directions_are_those_of_the_rules(rules: str, cycle: int) -> None:
    plan = plan_of(rules=parse_rules(rules), deals=5)
    assert pass_cycle(plan.rules) == cycle
    assert [match.first_hand for match in islice(matches(plan), 2 * cycle)] == [*range(cycle)] * 2
    directions = {plan.rules.direction(match.first_hand) for match in matches(plan)}
    assert directions == {plan.rules.direction(hand) for hand in range(100)}


def test_without_directions_they_go_on_from_block_to_block() -> None:
    plan = plan_of(directions=False, deals=9)
    assert count(plan) == 9 * 6
    assert [match.first_hand for match in matches(plan)] == [
        block % 4 for block in range(9) for _ in range(6)
    ]


@pytest.mark.parametrize("hands", [None, 2, 300])
@pytest.mark.parametrize("directions", [False, True])
def test_games_and_several_hands_begin_with_hand_0(hands: int | None, directions: bool) -> None:
    plan = plan_of(hands=hands, directions=directions, deals=2)
    assert count(plan) == 2 * 6
    assert {match.first_hand for match in matches(plan)} == {0}


@given(plans())
def test_a_match_follows_from_its_number(plan: Plan) -> None:
    for number, match in enumerate(islice(matches(plan), 500)):
        assert match == match_of(plan, number)
        assert match.number == number
        assert match.block == number // block_size(plan)
    for number in (-1, count(plan)):
        with pytest.raises(IndexError):
            match_of(plan, number)


@given(plans(), st.data())
def test_matches_of_one_round_of_directions(plan: Plan, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, count(plan) - 1))
    cycle = cycle_of(plan, number)
    assert number in cycle
    there = [match_of(plan, other) for other in cycle if other < count(plan)]
    assert {match.seats for match in there} == {match_of(plan, number).seats}
    assert [match.first_hand for match in there] == list(range(len(there)))
    assert all(cycle_of(plan, match.number) == cycle for match in there)
    assert len(cycle) == (pass_cycle(plan.rules) if plan.hands == 1 else 1)


def test_a_huge_tournament_costs_nothing_before_it_is_played() -> None:
    entrants = tuple(Entrant(f"player {number}", "random") for number in range(64))
    plan = Plan(entrants, Schedule.CHALLENGE, deals=10_000_000)
    assert next(matches(plan)) == Match(0, 0, (0, 1, 2, 3), 0)
    last = match_of(plan, count(plan) - 1)
    assert last == Match(count(plan) - 1, 9_999_999, (63, 62, 61, 60), 3)
