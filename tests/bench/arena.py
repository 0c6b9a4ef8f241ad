"""Tournaments: hands a second on one core, where the time goes, and what equal deals are worth."""

from __future__ import annotations

import importlib
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any, TypeVar

from hearts.bots import RandomBot
from hearts.game.deal import deal_hands
from hearts.game.events import Deal
from hearts.game.rules import STANDARD
from hearts_arena.kept.result_store import ResultStore
from hearts_arena.numbers.points import points_over_blocks
from hearts_arena.numbers.standings import standings_of
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Entrant, Plan, Schedule
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import block_size, match_of, matches
from hearts_arena.play.match_runner import MatchRunner
from tests.arena.small_tournaments import pair, played, standings

from .kernel import play_game_hand, play_random, random_deal, rate
from .report import Table

_ROOT = Path(__file__).parents[2]
_HANDS_A_BLOCK = 24
_Done = TypeVar("_Done")
_COMMAND = "import sys; from hearts_arena.command import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """How much is measured."""

    rounds: int
    """The best of so many counts: other load can only slow one down."""
    blocks: int
    """Of the tournaments whose speed is measured; 24 hands each."""
    deals: int
    """Of the tournaments that show what equal deals are worth; 24 hands each."""
    trials: int
    """Small tournaments whose intervals are held against the truth."""


def measure_arena(plan: ArenaPlan) -> Iterator[Table]:
    """The tables about tournaments."""
    with _on_one_core():
        yield from _measure_speed(plan)
    yield from _measure_stages(plan.blocks)
    yield from _measure_duplicates(plan.deals)
    yield from _measure_intervals(plan.trials)


@contextmanager
def _on_one_core() -> Iterator[None]:
    """All that is started within shares one core, where the system lets us choose."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _measure_speed(plan: ArenaPlan) -> Iterator[Table]:
    rows: list[tuple[str, float | None]] = [
        ("hearts-arena, random, records and statistics", _tournament(plan, "random")),
        ("the same with --no-records", _tournament(plan, "random", "--no-records")),
        ("hearts-arena, simple", _tournament(plan, "simple")),
        *_bare(),
        ("OpenSpiel, random rollouts and their deals from Python", _open_spiel()),
    ]
    yield Table(
        "hands a second on one core",
        ("", "hands/s", "us a hand"),
        [
            (name, "-", "-") if speed is None else (name, f"{speed:,.0f}", f"{1e6 / speed:.0f}")
            for name, speed in rows
        ],
    )


def _tournament(plan: ArenaPlan, player: str, *options: str) -> float:
    """Hands a second of the whole command, less what it takes to begin and to end."""
    few, many = max(1, plan.blocks // 10), plan.blocks
    short, long = (
        min(_command_seconds(player, blocks, *options) for _ in range(plan.rounds))
        for blocks in (few, many)
    )
    return (many - few) * _HANDS_A_BLOCK / (long - short)


def _command_seconds(player: str, blocks: int, *options: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        players = (player, f"Other={player}", "--schedule", "two-vs-two")
        work = ("--deals", str(blocks), "--jobs", "1", "--folder", f"{folder}/kept")
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", _COMMAND, "run", *players, *work, *options],
            cwd=_ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return time.perf_counter() - begin


def _bare() -> Iterator[tuple[str, float]]:
    """What stands below a tournament: the rules, the deal, the game with its views."""
    source = random.Random(1)
    draw, hands = source.random, 2000
    secrets = [source.randbytes(16) for _ in range(hands)]
    deals = [random_deal(source.shuffle) for _ in range(hands)]
    bot = RandomBot(draw)
    yield "kernel alone, random", rate(hands, lambda i: play_random(deals[i], STANDARD, draw))
    yield (
        "kernel and the defined deal, random",
        rate(hands, lambda i: play_random(deal_hands(secrets[i]), STANDARD, draw)),
    )
    yield (
        "game of the server's table, views, checks, random",
        rate(hands // 4, lambda i: play_game_hand(Deal(deals[i]), bot)),
    )


def _open_spiel() -> float | None:
    """Hands a second of OpenSpiel's Hearts, all by chance; None where it is not installed."""
    try:
        library: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = library.load_game("hearts")
    draw = random.Random(1).random

    def roll_out(_: int) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])

    return rate(500, roll_out)


class Stages:
    """Seconds of the parts of a tournament, one after the other in this process."""

    def __init__(self, player: str, blocks: int) -> None:
        plan = Plan((Entrant("A", player), Entrant("B", player)), Schedule.TWO_VS_TWO, deals=blocks)
        self.hands = blocks * block_size(plan)
        self.seconds: dict[str, float] = {}
        runner = MatchRunner(plan, secret, _complain)
        results = self._take(
            "play and write records", lambda: list(map(runner.play, matches(plan)))
        )
        thought = sum(pace.seconds for result in results for pace in result.pace)
        self.seconds["  of which the players"] = thought
        results = self._take("from the worker to the arena", lambda: _moved(results))
        tally = Tally(plan, block_size(plan))
        with (
            tempfile.TemporaryDirectory() as folder,
            ResultStore(Path(folder) / "kept", plan) as store,
        ):
            self._take("keep", lambda: store.append(results))
            self._take("add up", lambda: _add(tally, plan, results))
            self._take("estimate", lambda: (standings_of(tally), points_over_blocks(tally)))

    def _take(self, name: str, work: Callable[[], _Done]) -> _Done:
        begin = time.perf_counter()
        done = work()
        self.seconds[name] = time.perf_counter() - begin
        return done


def _complain(entrant: int, text: str, is_crash: bool) -> None:
    raise AssertionError(f"entrant {entrant}: {text}")


def _play(runner: MatchRunner, plan: Plan) -> list[MatchResult]:
    return [runner.play(match) for match in matches(plan)]


def _moved(results: list[MatchResult]) -> list[MatchResult]:
    moved: list[MatchResult] = ForkingPickler.loads(ForkingPickler.dumps(results))
    return moved


def _add(tally: Tally, plan: Plan, results: list[MatchResult]) -> None:
    for result in results:
        tally.add(match_of(plan, result.number), result)


def _measure_stages(blocks: int) -> Iterator[Table]:
    players = ("random", "simple")
    stages = [Stages(player, blocks) for player in players]
    rows = [
        (name, *(f"{1e6 * each.seconds[name] / each.hands:.1f}" for each in stages))
        for name in stages[0].seconds
    ]
    yield Table("where the time goes, us a hand", ("", *players), rows)


def duplicate_figures(other: str, deals: int, *, duplicate: bool) -> tuple[float, float, float]:
    """The difference of `simple` from another, points per hand: its mean, its standard error,
    and the standard deviation of two matches whose seats are exchanged."""
    plan = pair("simple", other, deals=deals, seed=1, directions=True, duplicate=duplicate)
    tally = Tally(plan, block_size(plan))
    differences = {}
    for match, result in played(plan):
        tally.add(match, result)
        (points,) = result.points
        signed = [
            taken if entrant == 0 else -taken
            for taken, entrant in zip(points, match.seats, strict=True)
        ]
        differences[match.block, match.seats, match.first_hand] = sum(signed) / 2
    pairs = [
        (difference + differences[block, (1 - a, 1 - b, 1 - c, 1 - d), hand]) / 2
        for (block, (a, b, c, d), hand), difference in differences.items()
        if a == 0
    ]
    duel = standings_of(tally).head_to_head[0][1]
    assert duel is not None
    assert duel.se is not None
    return duel.mean, duel.se, statistics.stdev(pairs)


def _measure_duplicates(deals: int) -> Iterator[Table]:
    rows = []
    for other in ("simple", "simple,blunder=0.02", "simple,blunder=0.1", "random"):
        mean, se, spread = duplicate_figures(other, deals, duplicate=True)
        _, own_se, own_spread = duplicate_figures(other, deals, duplicate=False)
        worth = f"{(own_se / se) ** 2:.1f}" if se else "all"
        errors = (f"{se:.3f}", f"{own_se:.3f}", worth)
        rows.append((other, f"{mean or 0.0:+.2f}", *errors, f"{spread:.1f}", f"{own_spread:.1f}"))
    header = ("simple against", "points/hand", "error, same deals", "own deals", "worth")
    yield Table(
        f"two against two, {deals * _HANDS_A_BLOCK:,} hands: what the same deals are worth",
        (*header, "of a pair, same", "own"),
        rows,
    )


def _measure_intervals(trials: int) -> Iterator[Table]:
    rows = []
    for deals in (10, 40):
        hits = 0
        for seed in range(trials):
            plan = pair("random", "random", deals=deals, seed=1_000_000 + seed)
            duel = standings(plan).head_to_head[0][1]
            hits += duel is not None and duel.sign == 0
        share = hits / trials
        doubt = 1.96 * math.sqrt(share * (1 - share) / trials)
        rows.append((f"{trials:,} of {6 * deals} hands", f"{share:.1%} ±{doubt:.1%}"))
    yield Table("how often 95% intervals hold a difference of nothing", ("tournaments", ""), rows)
