"""Two commits in turn: the present code beside an older one, under the same load.

The older one is checked out into a folder of its own and found by its path; interpreter,
libraries and the load are those of now. Both servers of a round run one after the other, and the
next round begins with the other one, so that what the machine does besides touches both.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .machine import git
from .measures import BenchPlan
from .processes import ROOT, Subject
from .report import Table, median_ratio, milliseconds
from .runs import HUMAN_PAUSE, Run, run_dealer, run_plain, written
from .session import record_session

LOADS = ("full speed", "full speed, dealer", "human pace")


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit. Raises CalledProcessError if there is none such."""
    with tempfile.TemporaryDirectory() as folder:
        tree = str(Path(folder) / "tree")
        git("worktree", "add", "--detach", tree, commit)
        try:
            yield Path(tree)
        finally:
            git("worktree", "remove", "--force", tree)


@dataclass(frozen=True, slots=True)
class _Case:
    """A load under which both are looked at."""

    name: str
    hands: int
    """Of each table."""
    options: tuple[str, ...] = ()
    dealer: bool = False


def measure_against(plan: BenchPlan, commit: str, loads: Sequence[str] = LOADS) -> Iterator[Table]:
    """The tables that hold the present code against a commit, under some of LOADS."""
    pace = ("--pause", *HUMAN_PAUSE, "--limit", f"{plan.pace_seconds:g}")
    with checked_out(commit) as tree:
        for tables in plan.tables:
            hands = plan.hands_per_table(tables)
            cases = (
                _Case(LOADS[0], hands),
                _Case(LOADS[1], hands, dealer=True),
                _Case(LOADS[2], 4 + int(plan.pace_seconds), pace),
            )
            rows: list[list[str]] = []
            for case in (case for case in cases if case.name in loads):
                now, then = _rounds(plan.rounds, case, tables, tree)
                rows += _rows(case.name, now, then)
            yield Table(
                f"{tables} tables, the present code beside {commit} ({plan.rounds} rounds)",
                ["", "now", "then", "now / then"],
                rows,
            )


def _rounds(
    rounds: int, case: _Case, tables: int, tree: Path
) -> tuple[Sequence[Run], Sequence[Run]]:
    """The runs of the present code and those of the other one."""
    script = record_session(case.hands)
    runs: dict[Path, list[Run]] = {ROOT: [], tree: []}
    with written(script) as path:
        for number in range(rounds):
            for root in (ROOT, tree) if number % 2 == 0 else (tree, ROOT):
                if case.dealer:
                    run = run_dealer(script, path, tables, root=root)
                else:
                    run = run_plain(Subject.SERVER, script, path, tables, case.options, root=root)
                runs[root].append(run)
    return runs[ROOT], runs[tree]


def _rows(name: str, now: Sequence[Run], then: Sequence[Run]) -> Iterator[list[str]]:
    figures = {
        "CPU a hand, ms": [[run.cpu_per_hand for run in runs] for runs in (now, then)],
        "of it the loop": [[run.cpu.loop / run.hands for run in runs] for runs in (now, then)],
        "the journal": [[run.cpu.journal / run.hands for run in runs] for runs in (now, then)],
        "other threads": [[run.cpu.others / run.hands for run in runs] for runs in (now, then)],
    }
    # The load of the dealer dialect does not time its plays.
    if now[0].load.latencies:
        for percent in (50, 99):
            times = [[run.latency(percent) for run in runs] for runs in (now, then)]
            figures[f"a play, p{percent}, ms"] = times
    for what, (ours, theirs) in figures.items():
        cells = [milliseconds(statistics.median(each)) for each in (ours, theirs)]
        yield [f"{name}: {what}", *cells, median_ratio(ours, theirs)]
