"""Matches on several processes: the same results, whatever happens to the processes."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts.game.deal import deal_code
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import matches
from hearts_arena.play.match_runner import MatchRunner
from hearts_arena.play.players import BadPlayer
from hearts_arena.play.workers import WorkerDied, play_matches

from .command_runs import ROOT, is_alive
from .own_bots import HERE
from .sittings import conduct_of, pace_of, plan_for

PATIENCE = 30.0


def here(plan: Plan) -> dict[int, MatchResult]:
    runner = MatchRunner(plan, lambda entrant, text, is_crash: None)
    return by_number(map(runner.play, matches(plan)))


def by_number(results: Iterator[MatchResult]) -> dict[int, MatchResult]:
    """Results without what is measured; none of them came twice."""
    kept: dict[int, MatchResult] = {}
    for result in results:
        assert result.number not in kept
        kept[result.number] = replace(result, pace=(pace_of(),) * 4)
    return kept


def processes() -> set[int | None]:
    return {process.pid for process in multiprocessing.active_children()}


def test_workers_give_the_same_results_as_none() -> None:
    plan = plan_for("random", "simple,blunder=0.3", f"{HERE}:Gambler", deals=1)
    said: list[str] = []
    results = play_matches(plan, matches(plan), workers=2, say=said.append)
    some = [next(results) for _ in range(5)]
    assert all(sum(pace.whole for pace in result.pace) > 0 for result in some)
    assert by_number(iter([*some, *results])) == here(plan)
    assert said == []
    assert processes() == set()


def test_nothing_to_play() -> None:
    plan = plan_for("random", "random", deals=2)
    assert list(play_matches(plan, [], workers=1, say=print)) == []


def test_matches_are_taken_as_they_are_needed_and_one_may_stop_at_any_time() -> None:
    plan = plan_for("random", "random", deals=1_000_000)
    taken: list[Match] = []

    def some() -> Iterator[Match]:
        for match in matches(plan):
            taken.append(match)
            yield match

    with closing(play_matches(plan, some(), workers=1, say=print)) as results:
        next(results)
        assert len(processes()) == 1
    assert processes() == set()
    assert len(taken) < 20


def test_a_worker_that_is_killed_costs_nobody_anything() -> None:
    plan = plan_for("random", "simple", deals=10)
    said: list[str] = []
    results = play_matches(plan, matches(plan), workers=2, say=said.append)
    kept = []
    for number, result in enumerate(results):
        kept.append(result)
        if number in (0, 50):
            pid = next(iter(processes()))
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
    assert by_number(iter(kept)) == here(plan)
    assert said == []


def test_who_ends_his_process_is_to_blame_for_it() -> None:
    plan = plan_for("simple", f"{HERE}:DiesSometimes,share=0.04", deals=2)
    said: list[str] = []
    results = by_number(play_matches(plan, matches(plan), workers=2, say=said.append))
    doomed = {
        (match.number, seat)
        for match in matches(plan)
        for seat in range(4)
        if results[match.number].conduct[seat].crashes
    }
    assert 2 <= len(doomed) < 20
    assert len(said) == len(doomed)
    assert all("P1 ended the process that it plays in: a stand-in plays" in text for text in said)
    harmless = here(plan_for("simple", f"{HERE}:Plain", deals=2))
    for match in matches(plan):
        conduct = results[match.number].conduct
        dead = {seat for number, seat in doomed if number == match.number}
        for seat in range(4):
            asked = conduct[seat].choices
            died = seat in dead
            assert conduct[seat] == conduct_of(asked, crashes=died, stood_in=died * asked)
            assert seat not in dead or match.seats[seat] == 1
        if not dead:
            assert results[match.number] == harmless[match.number]


def test_a_single_accident_is_no_crash(tmp_path: Path) -> None:
    plan = plan_for("simple", f"{HERE}:DiesSometimes,share=1,once={tmp_path / 'died'}", deals=1)
    said: list[str] = []
    results = by_number(play_matches(plan, matches(plan), workers=1, say=said.append))
    assert results == here(plan_for("simple", f"{HERE}:Plain", deals=1))
    assert said == []


def test_who_hangs_is_to_blame_for_it() -> None:
    plan = plan_for("simple", f"{HERE}:Hangs,share=0.03", hand_limit=0.1, deals=1)
    said: list[str] = []
    results = by_number(play_matches(plan, matches(plan), workers=2, say=said.append))
    hung = [text for text in said if "P1 did not come back from a call" in text]
    assert 1 <= len(hung) == len(said) <= 5
    crashes = [conduct.crashes for result in results.values() for conduct in result.conduct]
    assert sum(crashes) == len(hung)
    assert len(results) == 24


def test_who_wants_too_much_memory_gets_an_error() -> None:
    plan = plan_for("simple", f"{HERE}:Does,what=eat", deals=1)
    said: list[str] = []
    results = play_matches(plan, matches(plan), workers=1, say=said.append, memory_limit=1 << 30)
    for result in results:
        for seat, conduct in enumerate(result.conduct):
            assert conduct.crashes == ((0, 1)[seat in seats_of(plan, result)])
    assert len(said) == 1
    assert said[0].startswith("P1: choose_card raised MemoryError")


@pytest.mark.heavy
def test_workers_that_cannot_begin_with_so_little_memory() -> None:
    plan = plan_for("simple", "random", deals=1)
    with pytest.raises(WorkerDied, match=r"10 workers have died before their first .*--memory"):
        list(play_matches(plan, matches(plan), workers=1, say=print, memory_limit=1 << 20))
    assert processes() == set()


def seats_of(plan: Plan, result: MatchResult) -> set[int]:
    match = next(match for match in matches(plan) if match.number == result.number)
    return {seat for seat in range(4) if match.seats[seat] == 1}


def test_a_player_that_cannot_be_had_is_an_error_at_once() -> None:
    plan = plan_for("simple", f"{HERE}:Nobody", deals=2)
    with pytest.raises(BadPlayer, match="has no class Nobody"):
        list(play_matches(plan, matches(plan), workers=2, say=print))
    assert processes() == set()


def test_what_goes_wrong_in_the_arena_is_nobodys_crash() -> None:
    plan = plan_for("simple", "random", deals=1, codes=(deal_code(bytes(16)),))
    without_a_deal = Match(0, 1, (0, 0, 1, 1))
    with pytest.raises(WorkerDied, match="IndexError"):
        list(play_matches(plan, [without_a_deal], workers=1, say=print))


PROGRAM = """
import sys
from hearts_arena.plan.plan import Entrant, Plan
from hearts_arena.plan.schedules import matches
from hearts_arena.play.workers import play_matches

if __name__ == "__main__":
    plan = Plan((Entrant("A", "random"), Entrant("B", "random")), deals=1_000_000)
    for result in play_matches(plan, matches(plan), workers=2, say=print):
        if result.number == 0:
            import multiprocessing
            print(*(child.pid for child in multiprocessing.active_children()), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_tournament(number: signal.Signals, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with subprocess.Popen(
        [sys.executable, str(program)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever runs the tests in the background of a script has SIGINT ignored for all of them.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        workers = [int(pid) for pid in running.stdout.readline().split()]
        assert len(workers) == 2
        # It is so from their first instruction on, which no signal sent later can show.
        are_deaf = all(map(hears_no_interrupt, workers))
        # A terminal sends Ctrl-C to all of them.
        send = os.killpg if number is signal.SIGINT else os.kill
        send(running.pid, number)
        _, complaints = running.communicate(timeout=PATIENCE)
    if number is signal.SIGINT:
        assert are_deaf
        assert complaints.rstrip().endswith("KeyboardInterrupt")
        assert complaints.count("Traceback") == 1
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, workers)):
        assert time.monotonic() < deadline


def hears_no_interrupt(pid: int) -> bool:
    """Tell whether SIGINT is blocked in a process."""
    (blocked,) = re.findall(r"^SigBlk:\s*(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.M)
    return bool(int(blocked, 16) >> (signal.SIGINT - 1) & 1)
