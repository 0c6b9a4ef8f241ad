"""What the author of a class is told of its faults, and what these cost the others: nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hearts.game.deal import deal_code
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import matches
from hearts_arena.play.match_runner import MatchRunner
from hearts_arena.play.workers import play_matches
from hearts_arena.wire.matches import wire_matches

from . import own_bots
from .own_bots import HERE
from .sittings import conduct_of
from .test_wire_table import LONE, MATCH, SHORT, bot, check_record, plan_of

Told = list[tuple[int, str, bool]]


def line_with(text: str) -> int:
    lines = Path(own_bots.__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def place(text: str, function: str) -> str:
    return f"tests/arena/own_bots.py:{line_with(text)}, in {function}"


def told_in_process(plan: Plan) -> Told:
    told: Told = []
    MatchRunner(plan, lambda *fault: told.append(fault)).play(MATCH)
    return told


async def told_beside_programs(plan: Plan, folder: Path) -> tuple[Told, MatchResult]:
    told: Told = []
    async with wire_matches(
        plan, lambda *fault: told.append(fault), folder, patience=SHORT
    ) as made:
        result = await made.play(MATCH)
    check_record(plan, MATCH, result)
    return told, result


def test_an_error_is_told_with_the_moment_the_deal_and_the_line() -> None:
    plan = plan_of(f"{HERE}:Raises,where=card", *["random"] * 3)
    ((entrant, text, is_crash),) = told_in_process(plan)
    code = deal_code(secret(plan, MATCH, 0))
    assert (entrant, is_crash) == (0, True)
    assert text == (
        f"choose_card raised RuntimeError: no card (hand 1, trick 9, deal {code}, match 0; "
        f"{place('raise RuntimeError(f', '_maybe')})"
    )


def test_the_first_illegal_try_is_told() -> None:
    plan = plan_of(f"{HERE}:Stubborn", *["random"] * 3)
    ((entrant, text, is_crash),) = told_in_process(plan)
    assert (entrant, is_crash) == (0, False)
    assert text.startswith("choose_pass gave 7, which is no list of cards (hand 1, passing, deal ")
    assert text.endswith("in choose_pass)")


async def test_beside_programs_the_words_are_the_same(tmp_path: Path) -> None:
    plan = plan_of(f"{HERE}:Raises,where=card", bot("plain"), "random", "simple")
    told, result = await told_beside_programs(plan, tmp_path)
    assert told == told_in_process(plan_of(f"{HERE}:Raises,where=card", *["random"] * 3))
    assert result.conduct[0] == conduct_of(LONE, crashes=1, stood_in=LONE - 9)
    assert result.conduct[1] == conduct_of(LONE)


async def test_who_ends_his_process_costs_himself_alone(tmp_path: Path) -> None:
    plan = plan_of(f"{HERE}:DiesSometimes,share=1", bot("plain"), f"{HERE}:Plain", "simple")
    ((entrant, text, is_crash),), result = await told_beside_programs(plan, tmp_path)
    assert (entrant, is_crash) == (0, True)
    assert re.match(r"choose_card has ended \(exit status 9\) \(hand 1, trick [67], deal ", text)
    assert (result.conduct[0].choices, result.conduct[0].crashes) == (LONE, 1)
    assert result.conduct[0].stood_in in (7, 8)
    assert {result.conduct[seat] for seat in (1, 2, 3)} == {conduct_of(LONE)}


async def test_beside_programs_a_class_that_thinks_long_is_told_of_too(tmp_path: Path) -> None:
    plan = plan_of(f"{HERE}:Hangs,share=1", bot("plain"), "simple", "simple", hand=0.3, move=0.3)
    (slow, hung), result = await told_beside_programs(plan, tmp_path)
    assert slow[1].startswith("choose_card has not answered for 2 s (hand 1, trick 1, deal ")
    assert slow[1].endswith(f"; {place('time.sleep(60)', 'choose_card')})")
    assert hung[1].startswith("choose_card did not come back within 3 s (hand 1, trick 1, deal ")
    assert result.conduct[0] == conduct_of(LONE, crashes=1, stood_in=LONE - 1)


async def test_who_thinks_does_so_in_a_process_of_his_own(tmp_path: Path) -> None:
    plan = plan_of(f"{HERE}:Does,what=tell", bot("plain"), f"{HERE}:Does,what=tell", "simple")
    told, _ = await told_beside_programs(plan, tmp_path)
    processes = {re.findall(r"process (\d+)", text)[0] for _, text, _ in told}
    assert len(processes) == 2
    assert str(os.getpid()) not in processes


class Heard(Exception):
    """The arena has said what it was to say."""


def test_a_class_that_thinks_for_two_seconds_is_told_of_while_it_does() -> None:
    plan = plan_of(f"{HERE}:Hangs,share=1", *["random"] * 3)

    def say(text: str) -> None:
        raise Heard(text)

    with pytest.raises(Heard) as heard:
        list(play_matches(plan, matches(plan), workers=1, say=say))
    told = str(heard.value)
    assert told.startswith("P0: a call of it has not answered for 2 s (hand 1, deal ")
    assert told.endswith(f"; {place('time.sleep(60)', 'choose_card')})")
