"""The sequential test: what it decides, how often it errs, and what the order of play is to it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hearts_arena.kept.result_store import ResultStore
from hearts_arena.numbers.sequential import FEWEST, SequentialTest, Verdict, moon_in, state_of
from hearts_arena.plan.plan import Bounds
from hearts_arena.running import Run

from .command_runs import arena, read_json
from .rare_moons import errors
from .small_tournaments import likely, pair, played, tally_of

RUNS = 200
DOUBT = 0.01
MOON = 3 * 26 / 24


def run(draw: Callable[[], float], **shares: float) -> tuple[Verdict, int]:
    """What a test of -0.5 against 0 decides, and after how many blocks."""
    test = SequentialTest(Bounds(-0.5, 0.0, **shares), MOON)
    while (verdict := test.add(draw())) is Verdict.OPEN:
        assert test.state.blocks < 5_000
    return verdict, test.state.blocks


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, Verdict.BETTER), (-0.5, Verdict.NOT_BETTER)])
def test_errors_are_kept_at_both_bounds(truth: float, wrong: Verdict) -> None:
    luck = random.Random(3)
    found = [run(lambda: luck.gauss(truth, 1.5)) for _ in range(RUNS)]
    assert sum(verdict is wrong for verdict, _ in found) <= likely(RUNS, 0.05, DOUBT)[-1]
    assert 30 < sum(blocks for _, blocks in found) / RUNS < 90


def test_between_the_bounds_it_takes_longest_and_beyond_them_it_is_short() -> None:
    luck = random.Random(4)
    between, at, beyond = (
        sum(run(partial(luck.gauss, truth, 1.5))[1] for _ in range(60))
        for truth in (-0.25, 0.0, 2.0)
    )
    assert between > at > beyond
    assert beyond < 60 * 2 * FEWEST


def test_an_error_of_its_own_for_each_side() -> None:
    luck = random.Random(5)
    found = [run(lambda: luck.gauss(-0.5, 1.5), alpha=0.2, beta=0.001) for _ in range(RUNS)]
    assert all(verdict is Verdict.BETTER for verdict, _ in found)


def test_players_who_choose_alike_are_called_equal_in_the_end() -> None:
    # By then moons would have come that make half a point a hand.
    assert run(lambda: 0.0) == (Verdict.NOT_BETTER, 42)


@pytest.mark.parametrize("both", [0.25, 1.0])
def test_near_twins_that_differ_by_rare_moons(both: float) -> None:
    low, high, _ = errors(6, 0.5, both, RUNS)
    assert max(low, high) * RUNS <= likely(RUNS, 0.05, DOUBT)[-1]


def test_nothing_is_decided_by_a_few_blocks() -> None:
    luck = random.Random(7)
    verdict, blocks = run(lambda: luck.gauss(-20.0, 1.0))
    assert (verdict, blocks) == (Verdict.BETTER, FEWEST)


def test_the_verdict_goes_by_the_order_of_blocks_and_not_of_play() -> None:
    bounds = Bounds(-0.5, 0.0)
    plan = pair("simple", "random", deals=30, seed=1)
    results = list(played(plan))
    states = []
    for order in (results, results[::-1], random.Random(8).sample(results, len(results))):
        tally = tally_of(plan, [])
        test = SequentialTest(bounds, moon_in(plan))
        for match, result in order:
            tally.add(match, result)
            test.look(tally)
        states.append(test.state)
        assert state_of(bounds, tally) == test.state
    assert states[0] == states[1] == states[2]
    assert states[0].blocks == FEWEST
    assert states[0].verdict is Verdict.BETTER


def test_the_command_stops_when_it_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, output = tmp_path / "folder", tmp_path / "all.json"
    given = ("simple", "random", "--one-direction", "--folder", folder, "--json", output)
    assert arena("test", *given, "--jobs", 1) == 0
    captured = capsys.readouterr()
    assert "Test of simple less random: -0.5 against 0 points a hand, errors 5% and 5%." in (
        captured.out
    )
    assert "Decided: -0.5, not 0." in captured.out
    assert "judge by * alone" in captured.out
    data = read_json(output)
    assert data["test"]["verdict"] == "better"
    assert data["test"]["blocks"] == FEWEST
    assert FEWEST <= data["blocks"] < data["plan"]["deals"] == 20_000
    assert not data["final"]
    before = (folder / "results.jsonl").read_bytes()
    assert arena("go-on", folder, "--html", tmp_path / "page.html") == 0
    assert "Decided: -0.5, not 0." in capsys.readouterr().out
    assert "Decided: -0.5, not 0." in (tmp_path / "page.html").read_text("utf-8")
    assert (folder / "results.jsonl").read_bytes() == before


def test_programs_on_the_wire_are_stopped_too(tmp_path: Path) -> None:
    # A program that is gone at once, so that a stand-in plays.
    plan = pair("simple", "cmd:true {port}", deals=1_000, seed=1)
    tally = tally_of(plan, [])
    said: list[str] = []
    with ResultStore(tmp_path / "folder", plan) as store:
        run_of_matches = Run(
            *(store, tally),
            jobs=2,
            memory=1 << 28,
            say=said.append,
            progress=lambda matches, hands: None,
            enough=lambda: tally.matches > 0,
        )
        run_of_matches.play()
        assert 0 < len(store.done) == tally.matches < 6_000
    assert "B is lost in match" in said[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--bounds", 0, -0.5), "the lower bound of a test is below the upper one"),
        (("--alpha", 0.5), "an error of a test is above 0 and below 0.5"),
    ],
)
def test_what_cannot_be_tested(
    options: tuple[object, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena("test", "simple", "random", *options) == 2
    assert words in capsys.readouterr().err
