"""The rule variants in their three forms, and what a bad text is told."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from hearts.errors import InvalidRules
from hearts.game.rules import (
    FIRST_OPEN_BIT,
    HOUSE_RULES,
    PRESETS,
    RULE_BITS_MASK,
    STANDARD,
    Direction,
    ExactEnd,
    Moon,
    Passing,
    Rules,
    known_rules,
    named_end,
    parse_rules,
    rules_from_bits,
    rules_name,
)

VALUES: dict[str, list[object]] = {
    "jack": [False, True],
    "moon": list(Moon),
    "exact_end": list(ExactEnd),
    "must_dump_queen": [False, True],
    "points_on_first_trick": [False, True],
    "rotating_lead": [False, True],
    "passing": list(Passing),
    "no_trick_bonus": [False, True],
    "queen_keeps_hearts": [False, True],
    "spot": [False, True],
}

# What each token means, and its bits (SocketSpec.md section 6).
TOKENS: list[tuple[str, dict[str, object], int]] = [
    ("jack", {"jack": True}, 1 << 8),
    ("moon=minus", {"moon": Moon.MINUS}, 1 << 9),
    ("moon=choice", {"moon": Moon.CHOICE}, 2 << 9),
    ("exact=zero", {"exact_end": ExactEnd.ZERO}, 1 << 11),
    ("exact=wins", {"exact_end": ExactEnd.WINS}, 2 << 11),
    ("dump", {"must_dump_queen": True}, 1 << 13),
    ("bleed", {"points_on_first_trick": True}, 1 << 14),
    ("rotate", {"rotating_lead": True}, 1 << 15),
    ("pass=cycle3", {"passing": Passing.CYCLE3}, 1 << 16),
    ("pass=left", {"passing": Passing.LEFT}, 2 << 16),
    ("pass=never", {"passing": Passing.NEVER}, 3 << 16),
    ("notrick", {"no_trick_bonus": True}, 1 << 18),
    ("queen-keeps", {"queen_keeps_hearts": True}, 1 << 19),
    ("spot", {"spot": True}, 1 << 21),
    ("moon=others", {}, 0),
    ("exact=nothing", {}, 0),
    ("pass=cycle", {}, 0),
    ("standard", {}, 0),
]


@pytest.mark.parametrize(("token", "changes", "bits"), TOKENS, ids=[row[0] for row in TOKENS])
def test_a_token(token: str, changes: dict[str, object], bits: int) -> None:
    rules = replace(STANDARD, **changes)
    assert parse_rules(token) == rules
    assert rules.bits == bits
    assert rules_from_bits(bits) == rules


def test_every_combination_reads_back_from_text_and_bits() -> None:
    assert list(VALUES) == [field.name for field in fields(Rules)]
    texts, numbers = set(), set()
    for values in product(*VALUES.values()):
        rules = Rules(**dict(zip(VALUES, values, strict=True)))  # type: ignore[arg-type]
        text, bits = str(rules), rules.bits
        if rules.spot and (rules.jack or rules.no_trick_bonus):
            with pytest.raises(InvalidRules, match="do not go together"):
                parse_rules(text)
            with pytest.raises(InvalidRules, match="do not go together"):
                rules_from_bits(bits)
            continue
        assert parse_rules(text) == rules
        assert rules_from_bits(bits) == rules
        assert bits & ~RULE_BITS_MASK == 0
        texts.add(text)
        numbers.add(bits)
    assert len(texts) == len(numbers) == 2304 + 576


@given(st.sampled_from(list(PRESETS)), st.integers(0, 2**31 - 1))
def test_other_bits_do_not_matter(preset: str, noise: int) -> None:
    rules = PRESETS[preset]
    assert rules_from_bits(rules.bits | noise & ~RULE_BITS_MASK) == rules


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("standard", "standard"),
        ("mactech98", "moon=minus,bleed"),
        ("mac2000", "jack,moon=choice,exact=wins,pass=left"),
        ("windows93", "jack,exact=zero,dump"),
        ("Windows93, MOON=minus ,exact=nothing", "jack,moon=minus,dump"),
        ("bleed,jack", "jack,bleed"),
        ("standard,pass=cycle", "standard"),
    ],
)
def test_a_text_prints_in_one_form(text: str, printed: str) -> None:
    assert str(parse_rules(text)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "'' is no rule; presets: standard, mactech98, mac2000, windows93, spot-hearts; ",
        ),
        ("jack,", "'' is no rule"),
        ("jacks", "'jacks' is no rule"),
        ("moon=maybe", "'moon=maybe' is no rule"),
        ("jack bleed", "'jack bleed' is no rule"),
        ("jack,standard", "the preset 'standard' must come first in 'jack,standard'"),
        ("mac2000,windows93", "the preset 'windows93' must come first"),
        ("moon=minus,moon=choice", "'moon=minus' and 'moon=choice' do not go together"),
        ("pass=left,pass=cycle", "'pass=left' and 'pass=cycle' do not go together"),
        ("dump,dump", "'dump' and 'dump' do not go together"),
        ("spot-hearts,jack", "'jack' and 'spot' do not go together"),
        ("notrick,spot", "'notrick' and 'spot' do not go together"),
    ],
)
def test_a_bad_text_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidRules, match=message):
        parse_rules(text)


def test_higher_bits_that_a_server_tells_of_are_passed_over() -> None:
    unknown = ~RULE_BITS_MASK & ~((1 << FIRST_OPEN_BIT) - 1)
    for rules in PRESETS.values():
        assert known_rules(rules.bits | unknown) == rules
    for bit in (*range(8), 20):
        with pytest.raises(InvalidRules, match="bits without a meaning"):
            known_rules(1 << bit)


def test_a_preset_names_an_end() -> None:
    assert named_end(PRESETS["spot-hearts"]) == 500
    assert named_end(parse_rules("spot,moon=minus")) == 500
    assert named_end(STANDARD) is named_end(PRESETS["mac2000"]) is None


def test_what_does_not_go_together_yields_to_what_is_chosen() -> None:
    both = parse_rules("jack,dump,notrick").having("spot", True)
    assert both == parse_rules("dump,spot")
    assert both.having("jack", True) == parse_rules("jack,dump")
    assert both.having("jack", False) == both
    assert both.having("moon", Moon.MINUS) == parse_rules("moon=minus,dump,spot")


def test_every_rule_has_its_words() -> None:
    for rule in HOUSE_RULES:
        assert all(value.token and value.words for value in rule.values[1:]), rule.field
        if rule.kind is bool:
            assert len(rule.values) == 2, rule.field
        else:
            assert rule.label, rule.field
            assert rule.help, rule.field
            assert all(value.token and value.choice for value in rule.values), rule.field
        assert (rule.bit < FIRST_OPEN_BIT) == bool(rule.dealer_field), rule.field


@pytest.mark.parametrize(("bits", "where"), [(3 << 9, "9-10"), (3 << 11, "11-12")])
def test_bits_without_a_meaning(bits: int, where: str) -> None:
    with pytest.raises(InvalidRules, match=f"bits {where} hold 3"):
        rules_from_bits(bits)


@pytest.mark.parametrize(
    ("passing", "expected"),
    [
        (Passing.CYCLE, [1, 2, 3, 0, 1, 2, 3, 0]),
        (Passing.CYCLE3, [1, 2, 3, 1, 2, 3, 1, 2]),
        (Passing.LEFT, [1] * 8),
        (Passing.NEVER, [0] * 8),
    ],
)
def test_directions_of_the_hands(passing: Passing, expected: list[int]) -> None:
    rules = Rules(passing=passing)
    assert [int(rules.direction(number)) for number in range(8)] == expected


def test_who_receives() -> None:
    targets = {
        direction: [direction.target(player) for player in range(4)] for direction in Direction
    }
    assert targets == {
        Direction.HOLD: [0, 1, 2, 3],
        Direction.LEFT: [1, 2, 3, 0],
        Direction.RIGHT: [3, 0, 1, 2],
        Direction.ACROSS: [2, 3, 0, 1],
    }


def test_presets_have_names() -> None:
    for name, rules in PRESETS.items():
        assert rules_name(rules) == name
    assert rules_name(parse_rules("mac2000,dump")) == str(parse_rules("mac2000,dump"))
