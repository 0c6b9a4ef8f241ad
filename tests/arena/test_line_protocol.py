"""Programs of the line protocol: they play as a class would, and their faults cost themselves."""

from __future__ import annotations

import math
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hearts.game.rules import PRESETS, parse_rules
from hearts_arena.kept.moves import actions_of
from hearts_arena.plan.plan import Entrant, Plan, Schedule
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.play.line_bot import LineProgram
from hearts_arena.play.line_process import LineFault, LineProcess
from hearts_arena.play.match_runner import MatchRunner
from hearts_arena.play.players import BadPlayer, parse_player
from hearts_arena.wire.matches import wire_matches
from hearts_client.commands.main import main as analyse
from tests.clients.programs import SANITIZED, build_c

from .command_runs import PROGRAMS, ROOT, arena, read_json
from .own_bots import HERE
from .sittings import conduct_of

SPEC = ROOT / "hearts_arena" / "LineSpec.md"
ENTRANT98 = ROOT / "hearts_arena" / "entrant98"
MATCH = Match(0, 0, (0, 1, 2, 1))


def engine(what: str = "good") -> str:
    return f"cmd:--line {sys.executable} -S -E {PROGRAMS / 'line_engine.py'} {what}"


def plan_of(spec: str, **fields: object) -> Plan:
    entrants = Entrant("Engine", spec), Entrant("B", "simple"), Entrant("C", "random")
    return Plan(entrants, Schedule.ROUND_ROBIN, **{"records": True, **fields})  # type: ignore[arg-type]


def run(plan: Plan, match: Match = MATCH) -> tuple[MatchResult, list[str]]:
    """The result, and the faults that were told."""
    told: list[str] = []
    runner = MatchRunner(plan, lambda entrant, text, is_crash: told.append(text))
    result = runner.play(match)
    assert actions_of(plan, match, result.moves)
    return result, told


@pytest.mark.parametrize("first_hand", [0, 3])
@pytest.mark.parametrize("rules", ["standard", "jack,moon=choice,dump"])
def test_an_engine_plays_what_a_class_would(rules: str, first_hand: int) -> None:
    match = Match(0, 0, (0, 1, 2, 0), first_hand)
    found, told = run(plan_of(engine(), rules=parse_rules(rules)), match)
    same, _ = run(plan_of(f"{HERE}:Plain", rules=parse_rules(rules)), match)
    assert (found.moves, found.points, found.took) == (same.moves, same.points, same.took)
    assert told == []
    assert found.conduct[0] == conduct_of(14 if first_hand == 0 else 13)
    assert found.pace[0].slowest > 0


@pytest.mark.parametrize(
    ("rules", "hands"), [("standard", 4), ("mac2000,rotate,notrick", 5), ("jack,moon=choice", None)]
)
def test_a_class_in_a_process_of_its_own_has_the_same_views(rules: str, hands: int | None) -> None:
    fields = {"rules": parse_rules(rules), "hands": hands, "end_score": 60}
    alone = f"cmd:--line {sys.executable} -m hearts_arena.play.engine {HERE}:ReadsAll"
    found, told = run(plan_of(alone, **fields))
    same, _ = run(plan_of(f"{HERE}:ReadsAll", **fields))
    assert (found.moves, found.points, found.conduct) == (same.moves, same.points, same.conduct)
    assert told == []


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("exit", "has ended (exit status 3); it said last: 'there is no book'"),
        ("die", "has ended (exit status 4); it said last: 'the last words'"),
        ("garbage", "said 'good morning', which answers no question"),
        ("long", "says a line of more than 1000 bytes"),
    ],
)
def test_a_fault_costs_the_engine_alone(what: str, words: str) -> None:
    result, told = run(plan_of(engine(what)))
    assert result.conduct[0].crashes == 1
    assert result.conduct[0].stood_in > 8
    assert result.conduct[1:] == (conduct_of(14),) * 3
    (text,) = told
    assert words in text


def test_an_illegal_answer_is_told_and_asked_again() -> None:
    result, told = run(plan_of(engine("illegal")))
    assert result.conduct[0] == conduct_of(14, illegal=1)
    assert "QX" in told[0]


def test_an_answer_that_is_late_is_read_over() -> None:
    result, told = run(plan_of(engine("late"), move_limit=0.5, hand_limit=0))
    conduct = result.conduct[0]
    assert conduct.timeouts >= 1
    assert (conduct.illegal, conduct.crashes, told, result.info) == (0, 0, [], ())


def test_what_an_engine_says_of_a_choice_is_kept_and_shown_by_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, record = tmp_path / "folder", tmp_path / "record.txt"
    options = ("--hands", 2, "--deals", 1, "--quiet", "--folder", folder)
    assert arena("run", f"Engine={engine('tell')}", "simple", *options) == 0
    capsys.readouterr()
    assert arena("records", folder, 0) == 0
    text = capsys.readouterr().out
    hand, _, _ = text.partition("scores ")
    record.write_text(hand, encoding="utf-8")
    said = re.findall(r"# info of \d+: (..)\nplay [01] (..)\n", text)
    assert len(said) == text.count("# info") == 2 * 2 * 13
    assert all(told == played for told, played in said)
    who = ("--player", "Engine")
    assert analyse(["analyse", str(record), "--deals", "1", "--every", *who]) == 0
    shown = re.findall(
        r"Engine .*\) +(..) .*\n(?: {13}\D.*\n)* +of \d+: (..)$",
        capsys.readouterr().out,
        re.MULTILINE,
    )
    assert len(shown) > 15
    assert all(told == played for played, told in shown)


def test_who_answers_nothing_for_a_whole_hand_has_crashed() -> None:
    result, told = run(plan_of(engine("hang"), hands=3, move_limit=0, hand_limit=0.3))
    conduct = result.conduct[0]
    assert conduct.crashes == 1
    assert conduct.timeouts >= 14
    assert conduct.stood_in >= 14
    assert "did not answer for a whole hand" in told[0]


async def test_beside_a_program_on_the_wire(tmp_path: Path) -> None:
    gone = "cmd:true {port}"
    entrants = Entrant("Engine", engine()), Entrant("B", gone), Entrant("C", "random")
    plan = Plan(entrants)
    told: list[str] = []
    results: list[MatchResult] = []
    async with wire_matches(
        plan, lambda entrant, text, is_crash: told.append(text), tmp_path
    ) as table:
        await table.play_all([Match(0, 0, (0, 1, 2, 2))], 1, results.append)
    assert told == []
    engine_conduct, gone_conduct, *others = results[0].conduct
    assert [engine_conduct, *others] == [conduct_of(14)] * 3
    assert gone_conduct == conduct_of(14, crashes=1, stood_in=14)


def test_a_tournament_with_engines_that_are_kept(tmp_path: Path) -> None:
    output = tmp_path / "all.json"
    options = ("--one-direction", "--deals", 2, "--quiet", "--json", output)
    players = (f"Engine={engine()}", "random")
    folder = tmp_path / "folder"
    assert arena("run", *players, *options, "--keep-players", "--folder", folder) == 0
    (found, _) = read_json(output)["entrants"]
    assert conduct_of(**found["conduct"]) == conduct_of(found["conduct"]["choices"])
    assert found["hands"] == 24


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the system has no pidfd_open")
def test_nothing_is_left_of_an_engine_that_goes_on() -> None:
    process = LineProcess("sh -c 'echo $$; sleep 1000 & echo $!; wait'")
    left = []
    for _ in range(2):
        line = process.read(math.inf)
        assert line is not None
        left.append(os.pidfd_open(int(line)))
    process.close(0)
    process.close(0)
    for end in left:
        poll = select.poll()
        poll.register(end, select.POLLIN)
        assert poll.poll(30_000)
        os.close(end)


def test_who_does_not_read_is_found_out() -> None:
    process = LineProcess("sleep 1000")
    try:
        with pytest.raises(LineFault, match="does not read"):
            _say_much(process)
    finally:
        process.close(0)


def _say_much(process: LineProcess) -> None:
    for _ in range(100):
        process.write("x" * 10_000)
        process.flush()


def test_a_command_that_is_none() -> None:
    assert parse_player("cmd:--line ./engine --fast") == LineProgram("./engine --fast")
    for text in ("cmd:--line", "cmd:--line  "):
        with pytest.raises(BadPlayer, match="names no command"):
            parse_player(text)


def test_the_conversation_of_the_document(tmp_path: Path) -> None:
    text = SPEC.read_text("utf-8").partition("## A whole conversation")[2]
    found = re.search(r"```\n(.*?)\n…\n", text, re.DOTALL)
    assert found is not None
    lines = found[1].split("\n")
    said = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    answers = [line.removeprefix("< ") for line in lines if line.startswith("< ")]
    assert len(said) + len(answers) == len(lines) > 20
    heard = tmp_path / "heard"
    program = shlex.join([sys.executable, str(PROGRAMS / "line_script.py"), str(heard), *answers])
    plan = Plan((Entrant("simple", "simple"), Entrant("mine", f"cmd:--line {program}")))
    result, told = run(plan, Match(0, 0, (0, 0, 1, 0)))
    assert (result.conduct[2], told) == (conduct_of(14), [])
    assert heard.read_text("utf-8").split("\n")[: len(said)] == said


def test_an_entrant_of_october_1998_plays_as_it_is(tmp_path: Path) -> None:
    check = PROGRAMS / "entrant98_check.c"
    build_c(ENTRANT98 / "adapter.c", tmp_path, "-I", str(ENTRANT98), *SANITIZED, str(check))
    result, told = run(
        plan_of(f"cmd:--line {tmp_path}/hearts", rules=PRESETS["mactech98"], hands=8)
    )
    assert told == []
    assert result.conduct[0] == conduct_of(6 * 14 + 2 * 13)
    assert result.scores[0] < result.scores[2]


@pytest.mark.heavy
def test_the_engine_in_cpp_compiles_and_plays(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no compiler of C++")
    source, program = ROOT / "hearts_arena" / "line_engine.cpp", tmp_path / "engine"
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", str(program))
    subprocess.run([compiler, *flags, str(source)], check=True, env={**os.environ, "LANG": "C"})
    result, told = run(plan_of(f"cmd:--line {program}", hands=40))
    assert told == []
    assert result.conduct[0] == conduct_of(30 * 14 + 10 * 13)
    assert result.scores[0] < result.scores[2]
