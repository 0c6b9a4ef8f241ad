"""Deals: the same for all matches of a block, and everybody can make them again."""

from __future__ import annotations

import hashlib
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.deal import deal_code
from hearts.game.rules import PRESETS
from hearts_arena.given_plan import plan_of as plan_of_words
from hearts_arena.options import parse
from hearts_arena.plan.deals import secret, secret_text
from hearts_arena.plan.plan import InvalidPlan, Plan, Schedule
from hearts_arena.plan.plan_text import parse_plan, plan_text
from hearts_arena.plan.results import Match
from hearts_arena.plan.schedules import block_size, matches

from .sittings import plan_of, plans


def test_a_secret_that_sha256sum_gives() -> None:
    # printf 'hearts-arena 1 seed 5 block 7 hand 0' | sha256sum | cut -c 1-32
    plan, match = plan_of(seed=5), Match(1234, 7, (0, 0, 1, 1), 3)
    assert secret_text(plan, match, 0) == "hearts-arena 1 seed 5 block 7 hand 0"
    assert secret(plan, match, 0).hex() == "00f0c438d175e8836104cf152a5b2935"


@given(plans(), st.integers(0, 400))
def test_a_block_has_the_same_deals(plan: Plan, hand: int) -> None:
    plan = replace(plan, duplicate=True)
    secrets = {
        (match.block, secret(plan, match, hand))
        for match in islice(matches(plan), 2 * block_size(plan))
    }
    assert len(secrets) == min(plan.deals, 2)
    assert len({dealt for _, dealt in secrets}) == len(secrets)


def test_without_duplicates_each_match_has_its_own() -> None:
    plan = plan_of(4, schedule=Schedule.CHALLENGE, deals=3, duplicate=False)
    assert len({secret(plan, match, 0) for match in matches(plan)}) == 3 * 96
    text = secret_text(plan, Match(95, 0, (3, 2, 1, 0), 3), 0)
    assert text == "hearts-arena 1 seed 1 match 95 hand 0"


def test_rules_and_players_change_no_deal() -> None:
    plan = plan_of()
    other = plan_of(5, rules=PRESETS["mac2000"], hands=None, schedule=Schedule.CHALLENGE)
    match = Match(17, 2, (0, 0, 1, 1), 1)
    line = b"hearts-arena 1 seed 1 block 2 hand 6"
    assert secret(plan, match, 6) == secret(other, match, 6) == hashlib.sha256(line).digest()[:16]


CODES = tuple(deal_code(bytes([number] * 16)) for number in range(6))


def test_codes_are_dealt_block_by_block() -> None:
    plan = plan_of(codes=CODES, deals=3, hands=2)
    dealt = {(match.block, secret(plan, match, 1)) for match in matches(plan)}
    assert dealt == {(block, bytes([2 * block + 1] * 16)) for block in range(3)}
    assert parse_plan(plan_text(plan)) == plan


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"deals": 7}, "7 blocks of 1 hands take 7 deals, and the file has 6"),
        ({"hands": None}, "not for games"),
        ({"duplicate": False}, "the same in all matches"),
        ({"codes": ("0004",)}, "'0004' is no deal"),
    ],
)
def test_codes_that_do_not_do(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidPlan, match=words):
        plan_of(**{"codes": CODES, "deals": 1, **fields})


def test_a_file_of_deals(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text("# two deals\n\n" + "\n".join(CODES[:2]) + "\n")
    given = parse(["run", "simple", "random", "--deals-from", str(file)])
    plan = plan_of_words(given, given.deals)
    assert (plan.codes, plan.deals) == (CODES[:2], 2)
    for content, words in (("# nothing", "has no deals"), (None, "cannot read the deals")):
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_text(content)
        with pytest.raises(InvalidPlan, match=words):
            plan_of_words(given, given.deals)
