"""A tournament that was stopped, in whatever way, ends with the results of one that never was."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from operator import itemgetter
from pathlib import Path

import pytest

from hearts_arena.kept.result_store import PLAN_FILE, RESULTS_FILE

from .command_runs import CLIENT_COMMAND, PROGRAMS, ROOT, arena, is_alive, repeatable
from .own_bots import HERE

KILLS = 10
SEED = 20
PLAYERS = ("random", "simple,blunder=0.5", f"{HERE}:Gambler")
PLAN = ("--deals", "16", "--seed", "5", "--quiet")
"""1,152 matches, a second's worth."""
LATEST = 0.6
"""The part of the results after which nothing is killed, so that the last kill meets it at work."""
PATIENCE = 30.0


def size(folder: Path) -> int:
    path = folder / RESULTS_FILE
    return path.stat().st_size if path.exists() else 0


def wait_until_free(folder: Path) -> None:
    """Wait for the lock of a run that is dead.

    What dies with it a moment later holds it still, where it was just being born.
    """
    path = folder / RESULTS_FILE
    deadline = time.monotonic() + PATIENCE
    while path.exists():
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                assert time.monotonic() < deadline
            else:
                return


def has_not_ended(running: subprocess.Popen[bytes], seconds: float) -> bool:
    """Tell if a process goes on for some time."""
    try:
        running.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


@pytest.mark.heavy
def test_killed_ten_times_at_random_and_gone_on(tmp_path: Path) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    outputs = [tmp_path / "straight.json", tmp_path / "broken.json"]
    options = (*PLAYERS, *PLAN)
    assert arena("run", *options, "--jobs", 1, "--folder", straight, "--json", outputs[0]) == 0
    whole = size(straight)
    chance = random.Random(SEED)
    targets = sorted(chance.uniform(-0.3, LATEST) for _ in range(KILLS))
    for target in targets:
        jobs = chance.choice((1, 2, 3))
        words = ("run", *options, "--jobs", str(jobs), "--folder", str(broken))
        with subprocess.Popen(
            [sys.executable, "-m", "hearts_arena", *words],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            # Below 0, it is killed while it is still beginning.
            while size(broken) < target * whole and has_not_ended(running, 0.002):
                pass
            has_not_ended(running, chance.uniform(0, 0.1))
            os.killpg(running.pid, signal.SIGKILL)
        assert running.returncode == -signal.SIGKILL
        wait_until_free(broken)
    assert 0 < size(broken) < whole
    assert arena("go-on", broken, "--jobs", 2, "--quiet", "--json", outputs[1]) == 0
    assert repeatable(outputs[0]) == repeatable(outputs[1])
    assert kept(straight) == kept(broken)


def kept(folder: Path) -> list[dict[str, object]]:
    """The plan, and the matches in their order, without what was measured."""
    matches = []
    for line in (folder / RESULTS_FILE).read_text("utf-8").splitlines():
        match = json.loads(line)
        del match["pace"]
        matches.append(match)
    matches.sort(key=itemgetter("match"))
    return [json.loads((folder / PLAN_FILE).read_text("utf-8")), *matches]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_players_are_called(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A part is kept by then, and others are under way.
    kills = f"{HERE}:Kills,number={number.value},after=3000,once={tmp_path / 'once'}"
    options = ("random", f"I={kills}", "--deals", 40, "--quiet")
    stopped = check_stop(options, tmp_path, capsys)
    check_go_on(options, stopped, tmp_path)
    assert multiprocessing.active_children() == []


@pytest.mark.heavy
def test_a_signal_while_programs_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once = tmp_path / "once"
    command = f"cmd:sh {PROGRAMS / 'interrupts.sh'} TERM {once} {CLIENT_COMMAND}"
    options = ("random", f"I={command}", "--deals", 1, "--one-direction", "--quiet")
    stopped = check_stop(options, tmp_path, capsys)
    assert not is_alive(int((once / "pid").read_text()))
    check_go_on(options, stopped, tmp_path)


def check_stop(
    options: tuple[object, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A tournament that is stopped by one of its players ends in order; gives its folder."""
    stopped = folder / "stopped it is"
    assert arena("run", *options, "--folder", stopped) == 130
    output = capsys.readouterr()
    assert f"To go on: hearts-arena go-on '{stopped}'\n" in output.out
    assert output.err == ""
    return stopped


def check_go_on(options: tuple[object, ...], stopped: Path, folder: Path, *where: object) -> None:
    """It goes on to the results of one with the same options, which is not stopped any more.

    ``where`` are options for going on alone.
    """
    straight = folder / "straight"
    before = size(stopped)
    outputs = [folder / "stopped.json", folder / "straight.json"]
    assert arena("go-on", stopped, "--json", outputs[0], "--quiet", *where) == 0
    assert arena("run", *options, "--folder", straight, "--json", outputs[1]) == 0
    assert before < size(stopped)
    assert repeatable(outputs[0]) == repeatable(outputs[1])
    assert kept(stopped) == kept(straight)
