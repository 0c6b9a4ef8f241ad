"""The measurements: each gives its tables one by one."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from . import processes as pr
from .machine import git
from .report import Figures, median_ratio, milliseconds
from .runs import HUMAN_PAUSE, BenchRun, rounds, run_once, written
from .script import Inputs
from .session import in_dealer_dialect, record_session
from .socketless import microseconds_per_hand, table_sizes

WATCHERS = (10, 100)
"""Watchers of one table; more than the last are not let in."""
_WARM_TABLES = 2
_JOURNAL_WRITES = 3.0
"""Seconds after which the journal no longer holds lines of what was played."""


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """How much is measured."""

    tables: tuple[int, ...]
    rounds: int
    hands: int
    """Hands in all at each number of tables, about; a table plays at least four."""
    pace_seconds: float
    memory_tables: int
    memory_hands: tuple[int, ...]
    """Hands after which the memory of a table is measured, ascending."""
    subjects: tuple[pr.Subject, ...] = (pr.SERVER, pr.BARE)
    store: bool = False
    """The journal is measured in PostgreSQL as well."""

    def hands_per_table(self, tables: int) -> int:
        return 4 * max(1, min(self.hands // tables, 100) // 4)

    def names(self) -> list[str]:
        return [subject.name for subject in self.subjects]


def _rounds(
    plan: BenchPlan, hands: int, tables: int, options: Sequence[str] = ()
) -> dict[pr.Subject, list[BenchRun]]:
    return rounds(plan.subjects, plan.rounds, hands, tables, options)


def _columns(
    plan: BenchPlan, runs: dict[pr.Subject, list[BenchRun]], name: str, scale: float, digits: int
) -> list[str]:
    found = {s: [getattr(run, name) for run in runs[s]] for s in plan.subjects}
    cells = [f"{scale * statistics.median(found[s]):.{digits}f}" for s in plan.subjects]
    server = found[plan.subjects[0]]
    return cells + [median_ratio(server, found[s]) for s in plan.subjects[1:]]


def _header(plan: BenchPlan, *first: str) -> list[str]:
    return [*first, *plan.names(), *(f"/ {name}" for name in plan.names()[1:])]


def measure_speed(plan: BenchPlan) -> Iterator[Figures]:
    """Tables that play as fast as they can."""
    cpu, threads, speed, latency, load = [], [], [], [], []
    for tables in plan.tables:
        hands = plan.hands_per_table(tables)
        runs = _rounds(plan, hands, tables)
        label = [str(tables), str(tables * hands)]
        cpu.append([*label, *_columns(plan, runs, "cpu_per_hand", 1e3, 2)])
        asleep = _rounds(plan, hands, tables, ["--sleeps"])
        label_asleep = [f"{tables}, a load that sleeps", label[1]]
        cpu.append([*label_asleep, *_columns(plan, asleep, "cpu_per_hand", 1e3, 2)])
        threads += [
            [str(tables), subject.name, *_threads(runs[subject])]
            for subject in plan.subjects
            if not subject.is_bare
        ]
        speed.append([*label, *_columns(plan, runs, "hands_per_second", 1, 0)])
        latency.append([str(tables), *_latencies(plan, runs)])
        own = (
            statistics.median(run.load.own_cpu / run.hands for run in runs[subject])
            for subject in plan.subjects
        )
        load.append([str(tables), *(milliseconds(value) for value in own)])
    yield Figures("CPU of the server per hand, ms", _header(plan, "tables", "hands"), cpu)
    yield Figures(
        "CPU per hand by thread, and of the database, ms",
        ["tables", "of", *pr.THREADS],
        threads,
    )
    yield Figures("Hands per second", _header(plan, "tables", "hands"), speed)
    yield Figures(
        "A play at full speed: from the actor's send to the last of the other three, ms",
        _latency_header(plan),
        latency,
    )
    yield Figures("CPU of the load per hand, ms", ["tables", *plan.names()], load)


def _threads(runs: Sequence[BenchRun]) -> list[str]:
    return [
        milliseconds(statistics.median(run.cpu[name] / run.hands for run in runs))
        for name in pr.THREADS
    ]


def _latencies(plan: BenchPlan, runs: dict[pr.Subject, list[BenchRun]]) -> list[str]:
    return [
        milliseconds(statistics.median(run.latency(percent) for run in runs[subject]))
        for subject in plan.subjects
        for percent in (50, 99)
    ]


def _latency_header(plan: BenchPlan) -> list[str]:
    return ["tables", *(f"{name} p{p}" for name in plan.names() for p in (50, 99))]


def measure_pace(plan: BenchPlan) -> Iterator[Figures]:
    """Tables whose players take their time."""
    latency, cpu = [], []
    seconds = plan.pace_seconds
    options = ["--pause", *HUMAN_PAUSE, "--limit", f"{seconds:g}"]
    for tables in plan.tables:
        runs = _rounds(plan, 4 + int(seconds), tables, options)
        plays = statistics.median(run.load.plays for run in runs[plan.subjects[0]])
        latency.append([str(tables), *_latencies(plan, runs), f"{plays:.0f}"])
        cpu.append([str(tables), *_columns(plan, runs, "cpu_per_hand", 1e3, 2)])
    pause = f"each choice after {HUMAN_PAUSE[0]} to {HUMAN_PAUSE[1]} s"
    yield Figures(
        f"A play at a human pace ({pause}), ms", [*_latency_header(plan), "plays"], latency
    )
    yield Figures("CPU of the server per hand at a human pace, ms", _header(plan, "tables"), cpu)


def measure_journal(plan: BenchPlan) -> Iterator[Figures]:
    """Measure the cost of the journal: the default one, none, and one that holds a power cut."""
    subjects = [pr.SERVER, pr.WITHOUT, pr.POWER_CUT]
    subjects += [pr.POSTGRES] if plan.store else []
    plan = replace(plan, subjects=tuple(subjects))
    for table in (*measure_speed(plan), *measure_pace(plan)):
        yield replace(table, title=f"{table.title} (journals; hearts-server: normal)")


def measure_dialects(plan: BenchPlan) -> Iterator[Figures]:
    """The same hands in both dialects, four clients a table, in turn."""
    plan = replace(plan, subjects=(pr.DEALER, pr.SERVER))
    for table in measure_speed(plan):
        yield replace(table, title=f"{table.title} (dialects; hearts-server: plain)")
    script = record_session(20)
    with written(script) as path:
        run = run_once(pr.DEALER, script, path, 1)
    yield Figures(
        "Bytes per hand of four clients, both directions",
        ["plain", "dealer"],
        [[f"{script.bytes_per_hand:.0f}", f"{run.load.received / run.hands:.0f}"]],
    )


def measure_against(plan: BenchPlan, commit: str) -> Iterator[Figures]:
    """Measure the present code in turn with that of a commit, which is found by its path.

    Interpreter, libraries and the load are those of now.
    """
    with checked_out(commit) as tree:
        then = replace(pr.SERVER, name=commit, root=tree)
        for pair in ((pr.SERVER, then), (pr.DEALER, replace(then, dealer=True))):
            yield from measure_speed(replace(plan, subjects=pair))
        yield from measure_pace(replace(plan, subjects=(pr.SERVER, then)))


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit. Raises CalledProcessError if there is none such."""
    with tempfile.TemporaryDirectory() as folder:
        tree = str(Path(folder) / "tree")
        git("worktree", "add", "--detach", tree, commit)
        try:
            yield Path(tree)
        finally:
            git("worktree", "remove", "--force", tree)


def measure_watchers(plan: BenchPlan) -> Iterator[Figures]:
    """What a watcher costs beside what a player costs, at one table."""
    script = record_session(plan.hands_per_table(1))
    runs: dict[int, list[BenchRun]] = {watchers: [] for watchers in (0, *WATCHERS)}
    plain = []
    with written(script) as path:
        for _ in range(plan.rounds):
            plain.append(run_once(pr.SERVER, script, path, 1))
            for watchers, found in runs.items():
                options = ("--watchers", str(watchers))
                found.append(run_once(pr.DEALER, script, path, 1, options))
    alone = runs[0]
    players = {
        "a plain player": ([run.cpu_per_hand / 4 for run in plain], script.bytes_per_hand / 4),
        "a dealer player": (
            [run.cpu_per_hand / 4 for run in alone],
            alone[0].load.received / alone[0].hands / 4,
        ),
    }
    for watchers in WATCHERS:
        pairs = list(zip(runs[watchers], alone, strict=True))
        players[f"one of {watchers} watchers"] = (
            [(run.cpu_per_hand - none.cpu_per_hand) / watchers for run, none in pairs],
            (pairs[0][0].load.received - pairs[0][1].load.received) / watchers / script.hands,
        )
    plain_cpu = players["a plain player"][0]
    yield Figures(
        f"CPU of the server and bytes, per hand and head, at one table ({script.hands} hands)",
        ["", "CPU ms", "/ a plain player", "bytes"],
        [
            [
                name,
                milliseconds(statistics.median(cpu)),
                median_ratio(cpu, plain_cpu),
                f"{size:.0f}",
            ]
            for name, (cpu, size) in players.items()
        ],
    )


def measure_memory(plan: BenchPlan) -> Iterator[Figures]:
    """Memory of tables."""
    script = record_session(4)
    rows = []
    count = plan.memory_tables
    with written(script) as path:
        for subject in plan.subjects:
            with pr.listening(subject, script, path) as server:
                with pr.clients(server, path, _WARM_TABLES):
                    pass
                before = server.memory()
                with pr.clients(server, path, count) as players:
                    begun = server.memory()
                    players.play()
                    time.sleep(_JOURNAL_WRITES)
                    played = server.memory()
            sizes = [(begun - before) / count, (played - before) / count]
            rows.append([subject.name, *(f"{size / 1000:.1f}" for size in sizes)])
    yield Figures(
        f"Memory of the server, kB ({count} tables, {4 * count} connections)",
        ["", "table as it begins", "after 4 hands"],
        rows,
    )
    yield _memory_of_hands(plan.memory_hands)


def _memory_of_hands(hands: Sequence[int]) -> Figures:
    script = record_session(hands[-1])
    inputs: dict[str, Inputs | None] = {"plain": None, "dealer": in_dealer_dialect(script)}
    return Figures(
        "A table without sockets and journal, by tracemalloc, kB after so many hands",
        ["", *map(str, hands)],
        [
            [name, *(f"{size / 1000:.1f}" for size in table_sizes(script, hands, dealer))]
            for name, dealer in inputs.items()
        ],
    )


def measure_socketless(plan: BenchPlan, hands: int = 20) -> Iterator[Figures]:
    """A table without sockets, in both dialects."""
    plain, dealer = microseconds_per_hand(record_session(hands))
    rows = [
        [name, f"{time:.0f}", f"{time / plain:.2f}"]
        for name, time in (("plain", plain), ("dealer", dealer))
    ]
    yield Figures(f"A table without sockets, per hand ({hands} hands)", ["", "us", "/ plain"], rows)
