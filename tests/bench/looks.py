"""Simulated: how often the sequential test errs, and how often intervals hold the truth.

Real blocks of equal players are drawn again and again, moved so that the truth is known.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hearts_arena.numbers.estimates import estimate, from_squares
from hearts_arena.numbers.points import PointsSums
from hearts_arena.numbers.sequential import SequentialTest, Verdict
from hearts_arena.numbers.tally import Column, Tally
from hearts_arena.plan.schedules import block_size
from tests.arena.small_tournaments import pair, played

from .report import Table

_LOW, _HIGH = -0.5, 0.0
_TRUTHS = (0.0, -0.125, -0.25, -0.375, -0.5, -1.0)
_MOST_BLOCKS = 20_000
_WATCHED_BLOCKS = 400
_EQUALS = (
    ("random", "random", False),
    ("simple,blunder=0.1", "simple,blunder=0.1", False),
    ("simple,blunder=0.1", "simple,blunder=0.1", True),
    ("simple,blunder=0.02", "simple,blunder=0.02", True),
)
_PAIRS = (
    ("random", "random", False),
    ("simple,blunder=0.1", "simple,blunder=0.1", False),
    ("simple,blunder=0.1", "simple,blunder=0.1", True),
    ("simple", "simple,blunder=0.1", False),
    ("simple", "random", False),
    ("simple", "simple", False),
)


@dataclass(frozen=True, slots=True)
class LooksPlan:
    """How much is simulated."""

    blocks: int
    """Real blocks that are played of each pair."""
    runs: int
    """Of each row."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Real blocks of two players."""

    name: str
    differences: Sequence[float]
    """Points a hand of the first less the second."""
    first: Sequence[tuple[int, int, int]]
    """Points and hands of the first, and the hands in which there was a moon."""
    second: Sequence[tuple[int, int, int]]


def pool_of(first: str, second: str, blocks: int, *, directions: bool) -> Pool:
    """Play blocks of two against two."""
    plan = pair(first, second, deals=blocks, seed=77, directions=directions)
    tally = Tally(plan, block_size(plan))
    for match, result in played(plan):
        tally.add(match, result)
    ours, theirs = (
        list(
            zip(
                tally.column(number, Column.POINTS),
                tally.column(number, Column.HANDS),
                tally.moons(),
                strict=True,
            )
        )
        for number in range(2)
    )
    name = f"{first} against {second}, {block_size(plan)} hands a block"
    return Pool(name, list(tally.differences(0, 1)), ours, theirs)


def verdicts_of(
    values: Sequence[float], truth: float, draw: random.Random, runs: int
) -> tuple[dict[Verdict, int], list[int]]:
    """What came out of so many tests of -0.5 against 0, and the blocks that each took."""
    move = truth - statistics.fmean(values)
    verdicts = dict.fromkeys(Verdict, 0)
    lengths = []
    for _ in range(runs):
        test = SequentialTest(_LOW, _HIGH)
        verdict = Verdict.OPEN
        while verdict is Verdict.OPEN and test.blocks < _MOST_BLOCKS:
            verdict = test.add(draw.choice(values) + move)
        verdicts[verdict] += 1
        lengths.append(test.blocks)
    return verdicts, lengths


def seen_to_miss(
    values: Sequence[float], draw: random.Random, runs: int, blocks: int
) -> tuple[int, int]:
    """In how many runs Student's interval, and that of all looks, once left out the truth.

    After every block somebody looks.
    """
    truth = statistics.fmean(values)
    student = at_any_look = 0
    for _ in range(runs):
        mean = squares = 0.0
        missed = [False, False]
        for count in range(1, blocks + 1):
            value = draw.choice(values) - truth
            change = value - mean
            mean += change / count
            squares += change * (value - mean)
            found = from_squares(mean, squares, count)
            for place, half in enumerate((found.half_width, found.half_width_at_any_look())):
                missed[place] |= half is not None and abs(mean) > half
        student += missed[0]
        at_any_look += missed[1]
    return student, at_any_look


def measure_looks(plan: LooksPlan) -> Iterator[Table]:
    """The tables about tests and intervals that are watched."""
    pools = [pool_of(a, b, plan.blocks, directions=all_four) for a, b, all_four in _EQUALS]
    for pool in pools:
        yield _test_table(pool, plan.runs)
    rows = []
    for pool in pools:
        student, at_any_look = seen_to_miss(
            pool.differences, random.Random(2), max(plan.runs // 10, 1), _WATCHED_BLOCKS
        )
        runs = max(plan.runs // 10, 1)
        rows.append((pool.name, str(runs), _share(student, runs), _share(at_any_look, runs)))
    yield Table(
        f"95% intervals that once left out the truth, after one of {_WATCHED_BLOCKS} blocks",
        ("", "runs", "Student's", "of all looks"),
        rows,
    )


def covered(
    blocks: Sequence[tuple[int, int, int]], draw: random.Random, runs: int, count: int
) -> tuple[int, int, float]:
    """How often the interval of the points of so many blocks holds the truth: Student's, and that
    of the reports; and how much wider that is in the middle."""
    truth = sum(points for points, _, _ in blocks) / sum(hands for _, hands, _ in blocks)
    hits = [0, 0]
    wider = []
    for _ in range(runs):
        chosen = draw.choices(blocks, k=count)
        halves = []
        for place, seats in enumerate((0, 2)):
            sums = PointsSums(seats)
            for block in chosen:
                sums.add(*block)
            found = sums.estimate()
            assert found is not None
            assert found.half_width is not None
            hits[place] += abs(found.mean - truth) <= found.half_width
            halves.append(found.half_width)
        wider.append(halves[1] / halves[0] if halves[0] else math.inf)
    return hits[0], hits[1], statistics.median(wider)


def measure_coverage(plan: LooksPlan) -> Iterator[Table]:
    """The table about intervals of points a hand, which are skewed by moons."""
    rows = []
    runs = max(plan.runs // 4, 1)
    for first, second, all_four in _PAIRS:
        pool = pool_of(first, second, plan.blocks, directions=all_four)
        sides = [(first, pool.first)]
        if second != first:
            sides.append((second, pool.second))
        for name, blocks in sides:
            for count in (10, 20, 30, 60, 200):
                student, ours, wider = covered(blocks, random.Random(3), runs, count)
                shown = f"{wider:.2f}" if math.isfinite(wider) else "-"
                shares = _share(student, runs), _share(ours, runs), shown
                rows.append((f"{name} in {pool.name}", str(count), *shares))
    yield Table(
        f"95% intervals of points a hand that hold the truth, {runs:,} tournaments a row",
        ("", "blocks", "Student's", "one more moon", "times as wide"),
        rows,
    )


def by_direction(pool: Pool) -> tuple[float, float, float]:
    """The standard error of the difference of a pool in which the direction of the pass goes on
    from block to block: as it is, by direction, and how many times as many hands that is worth."""
    values = pool.differences[: len(pool.differences) // 4 * 4]
    plain, direct = estimate(values).se, estimate(values, cycle=4).se
    assert plain is not None
    assert direct is not None
    return plain, direct, (plain / direct) ** 2


def measure_directions(plan: LooksPlan) -> Iterator[Table]:
    """The table about what it gains to compare the blocks of each direction with each other."""
    rows = []
    for second in ("random", "simple,blunder=0.3", "simple,blunder=0.1"):
        pool = pool_of("simple", second, plan.blocks, directions=False)
        plain, direct, worth = by_direction(pool)
        rows.append((second, f"{plain:.4f}", f"{direct:.4f}", f"{worth:.2f}"))
    yield Table(
        f"two against two, one direction a block, {plan.blocks:,} blocks of 6 hands",
        ("simple against", "standard error", "by direction", "a hand is worth"),
        rows,
    )


def _test_table(pool: Pool, runs: int) -> Table:
    rows = []
    for truth in _TRUTHS:
        verdicts, lengths = verdicts_of(pool.differences, truth, random.Random(1), runs)
        lengths.sort()
        rows.append(
            (
                f"{truth:+.3f}" if truth else "0",
                *(_share(verdicts[v], runs) for v in (Verdict.BETTER, Verdict.NOT_BETTER)),
                f"{statistics.fmean(lengths):.0f}",
                str(lengths[len(lengths) // 2]),
                str(lengths[len(lengths) * 95 // 100]),
            )
        )
    spread = statistics.pstdev(pool.differences)
    return Table(
        f"-0.5 against 0, {runs:,} tests a row: {pool.name}, spread of a block {spread:.2f}",
        ("truth", "for -0.5", "for 0", "mean blocks", "median", "95% at most"),
        rows,
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"
