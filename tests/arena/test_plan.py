"""A plan: what is possible, and its text, which is the same for the same plan only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.rules import PRESETS
from hearts_arena.plan.plan import Bounds, Entrant, InvalidPlan, Plan, PlayerLimits, Schedule
from hearts_arena.plan.plan_text import differences, parse_plan, plan_data, plan_digest, plan_text

from .sittings import NAMES, plan_of, plans

TWO = plan_of()


@given(plans())
def test_a_plan_reads_back(plan: Plan) -> None:
    text = plan_text(plan)
    assert parse_plan(text) == plan
    assert plan_text(parse_plan(text)) == text


@given(plans(), plans())
def test_other_plans_have_other_texts_and_digests(one: Plan, other: Plan) -> None:
    same = one == other
    assert (plan_text(one) == plan_text(other)) == same
    assert (plan_digest(one) == plan_digest(other)) == same
    assert (differences(one, other) == []) == same


def test_the_text_is_one_for_the_command_line_and_for_python() -> None:
    assert plan_text(replace(TWO, move_limit=10)) == plan_text(replace(TWO, move_limit=10.0))
    assert len(plan_digest(TWO)) == 64


def test_what_differs_is_said() -> None:
    other = replace(TWO, seed=2, rules=PRESETS["mac2000"], hands=None)
    assert differences(TWO, other) == [
        "seed is 1, not 2",
        'rules is "standard", not "jack,moon=choice,exact=wins,pass=left"',
        "hands is 1, not null",
    ]


@pytest.mark.parametrize(
    ("schedule", "size", "possible"),
    [
        (Schedule.CHALLENGE, 3, "4 to 64 players, not 3"),
        (Schedule.ROUND_ROBIN, 1, "2 to 64 players, not 1"),
        (Schedule.ONE_VS_THREE, 0, "2 to 64 players, not 0"),
        (Schedule.TWO_VS_TWO, 3, "2 players, not 3"),
        (Schedule.GAUNTLET, 65, "2 to 64 players, not 65"),
    ],
)
def test_a_schedule_needs_players(schedule: Schedule, size: int, possible: str) -> None:
    entrants = tuple(Entrant(f"player {number}", "random") for number in range(size))
    with pytest.raises(InvalidPlan, match=f"{schedule.value} takes {possible}"):
        Plan(entrants, schedule)


@pytest.mark.parametrize("other", ["Ann", "ANN", " ann "])
def test_names_that_are_read_the_same_are_refused(other: str) -> None:
    with pytest.raises(InvalidPlan, match="read the same: 'Ann' and"):
        Plan((Entrant("Ann", "simple"), Entrant(other, "random")))


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 31, "ä" * 16, "a\nb", "a\x1b[1m", "\u202eab", "\udc80"]
)
def test_names_are_fit_for_the_wire(name: str) -> None:
    with pytest.raises(InvalidPlan, match="is no player's name"):
        Entrant(name, "random")


@pytest.mark.parametrize("spec", ["", "  ", "a\nb", "\udc80"])
def test_a_spec_is_text(spec: str) -> None:
    with pytest.raises(InvalidPlan, match="does not say what Ann is"):
        Entrant("Ann", spec)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"deals": 0}, "deals: 1 to 10000000 is possible, not 0"),
        ({"deals": 10_000_001}, "deals: "),
        ({"seed": -1}, "the seed: "),
        ({"seed": 2**64}, "the seed: "),
        ({"hands": 0}, "hands: 1 to 300"),
        ({"hands": 301}, "hands: "),
        ({"end_score": 0}, "the end score: 1 to 10000"),
        ({"end_score": 10_001}, "the end score: "),
        ({"move_limit": -0.1}, "limit of a move is 0 to 86400 seconds, not -0.1"),
        ({"move_limit": float("nan")}, "limit of a move"),
        ({"hand_limit": float("inf")}, "limit of a hand"),
        ({"hand_limit": 86_401.0}, "limit of a hand"),
    ],
)
def test_numbers_have_limits(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidPlan, match=why):
        plan_of(**fields)


def test_a_number_of_hands_does_not_end_at_a_score() -> None:
    assert plan_of(hands=None, end_score=50).game_end == 50
    assert plan_of(hands=300, end_score=50).game_end > 300 * 26


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("format", "hearts-arena plan 2", "format: invalid value 'hearts-arena plan 2'"),
        ("entrants", [{"name": "Ann"}], r"entrants\[0\]: object missing required field spec"),
        ("entrants", [{"name": "Ann", "spec": 1}], r"entrants\[0\].spec: expected str, got int"),
        ("entrants", [{"name": "Ann", "spec": "x", "more": 1}], "there is no key 'more'"),
        ("schedule", "swiss", "schedule: invalid value 'swiss'"),
        ("deals", True, "deals: expected int, got "),
        ("hands", "1", "hands: expected int . null, got str"),
        ("rules", "jacks", "'jacks' is no rule"),
        ("move_limit", "10", "move_limit: expected float, got str"),
        ("move_limit", 10**400, "move_limit: number out of range"),
        ("seeds", 1, "there is no key 'seeds'; did you mean seed?"),
    ],
)
def test_a_text_that_is_no_plan_is_refused(key: str, value: object, why: str) -> None:
    with pytest.raises(InvalidPlan, match=why):
        parse_plan(json.dumps({**plan_data(TWO), key: value}))


@pytest.mark.parametrize("key", plan_data(TWO))
def test_no_key_may_be_missing(key: str) -> None:
    data = plan_data(TWO)
    del data[key]
    with pytest.raises(InvalidPlan):
        parse_plan(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000])
def test_what_is_no_object_is_no_plan(text: str) -> None:
    with pytest.raises(InvalidPlan):
        parse_plan(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(list(plan_data(TWO))), values)
def test_any_value_gives_a_plan_or_an_error(key: str, value: object) -> None:
    try:
        plan = parse_plan(json.dumps({**plan_data(TWO), key: value}))
    except InvalidPlan:
        return
    assert parse_plan(plan_text(plan)) == plan


def test_limits_of_a_player() -> None:
    plan = plan_of(3, limits=(PlayerLimits(NAMES[1], 1.0, 0.0),))
    assert [plan.limits_of(number) for number in range(3)] == [(10, 60), (1, 0), (10, 60)]
    with pytest.raises(InvalidPlan, match="limits for 'Nobody', and no such player"):
        plan_of(limits=(PlayerLimits("Nobody", 1.0, 1.0),))
    with pytest.raises(InvalidPlan, match=f"there are limits for '{NAMES[0]}' twice"):
        plan_of(limits=(PlayerLimits(NAMES[0], 1.0, 1.0), PlayerLimits(NAMES[0], 2.0, 2.0)))
    with pytest.raises(InvalidPlan, match="the limit of a hand is 0 to 86400 seconds, not -1"):
        PlayerLimits("Ann", 1.0, -1.0)


def test_what_came_later_stands_only_where_it_says_something() -> None:
    plain = plan_of(2)
    assert not {"bounds", "codes", "limits", "keeps_players"} & set(plan_data(plain))
    said = plan_of(
        schedule=Schedule.TWO_VS_TWO,
        bounds=Bounds(-0.5, 0.0),
        limits=(PlayerLimits(NAMES[0], 1.0, 2.0),),
        keeps_players=True,
    )
    assert parse_plan(plan_text(said)) == said
    assert differences(plain, said)[-1] == "keeps_players is null, not true"
