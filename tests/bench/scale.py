"""The part ``scale``: how far one server goes, with people who come and go at a human pace.

50 tables in a process of their own time the server; the others are there and play. A round in which
people were late themselves does not count. After it the server is killed and started again, first
alone and then with all people at its door.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hearts.game.deal import deal_code

from . import processes as pr
from .report import Figures, percentile
from .runs import written
from .scale_load import ScaleResult
from .script import SessionScript
from .session import END_SCORE, NAMES, record_session

LONGEST_LAG = 0.002
"""Seconds by which 1 of 100 choices may be late in a round that counts."""
PASSES = 0.75
"""Passes of a person in a hand, beside 13 cards."""
MOST_TABLES = 1000
"""Tables that a server has without --max-tables."""
_PEOPLE_OF_A_PROCESS = 10_000
_HANDS = 24
"""Of the script: twenty minutes of one person alone with computers."""
_IDLE = 0.05
"""The share of a core below which a server that was started again has taken up all tables."""
_IDLE_SECONDS = 0.5


class ScaleRow(NamedTuple):
    """So many tables, of four people or of one with three computers."""

    people: int
    tables: int

    @property
    def name(self) -> str:
        return f"{self.tables:,} of {'four' if self.people == 4 else 'one'}"

    @property
    def raised(self) -> list[str]:
        """The limits that a host has to raise for them."""
        most = str(2 * self.tables)
        return ["--max-tables", most] if self.tables > MOST_TABLES // 2 else []


ROWS = (
    *(ScaleRow(4, tables) for tables in (1, 100, 1000, 4500)),
    *(ScaleRow(1, tables) for tables in (10_000, 15_000)),
)
QUICK_ROWS = (ScaleRow(4, 100), ScaleRow(4, 1000))


@dataclass(frozen=True, slots=True)
class ScalePlan:
    """The rows and times of a run."""

    rows: Sequence[ScaleRow] = ROWS
    seconds: float = 60.0
    rounds: int = 1
    kills: bool = True
    kept: Path | None = None
    """A file to which each round is added as a line of JSON."""
    settles: float = 5.0
    """Seconds of play before a round begins."""
    pause: tuple[float, float] = (1.0, 6.0)
    """Seconds that a person thinks."""
    churn: float = 0.002
    """Of all tables, how many are left in a second, half of them for good: then others come."""
    probes: int = 50


class _ScaleServer:
    """A server with its data dir, that is killed and started again."""

    def __init__(self, folder: str, script: SessionScript, row: ScaleRow) -> None:
        self._log = Path(folder) / "log"
        self._command = [
            *(sys.executable, "-m", "hearts_server", "--host", "127.0.0.1", "--port", "0"),
            *("--no-taunt-server", "--taunt-port", "0", "--no-web", "--data-dir", folder),
            *("--end-score", str(END_SCORE), "--bot-pause", "0", *row.raised),
            *("--computers", "simple", "--computer-names", ",".join(NAMES[1:])),
            *(word for secret in script.secrets for word in ("--deal", deal_code(secret))),
        ]

    def start(self) -> float:
        """Start it; after how many seconds it listens."""
        begin = time.perf_counter()
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self._command, cwd=pr.ROOT, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"listening on 127\.0\.0\.1:(\d+)", line):
                self.process = pr.ListeningProcess(self._process.pid, int(found[1]))
                return time.perf_counter() - begin
        raise RuntimeError(f"the server does not listen: {self._log.read_text()[-2000:]}")

    def cpu(self) -> float:
        return sum(self.process.cpu().values())

    def wait_until_idle(self) -> float:
        """Wait until it does next to nothing; when it was busy for the last time."""
        before, busy_until = self.cpu(), time.perf_counter()
        while True:
            time.sleep(_IDLE_SECONDS)
            now = self.cpu()
            if now - before < _IDLE * _IDLE_SECONDS:
                return busy_until
            before, busy_until = now, time.perf_counter()

    def kill(self) -> None:
        with self._process as process:
            process.kill()


class _ScaleLoads:
    """The processes of the load: the one that times, and the others."""

    def __init__(
        self, stack: ExitStack, script: Path, port: int, row: ScaleRow, plan: ScalePlan
    ) -> None:
        probes = min(plan.probes, row.tables)
        others = row.tables - probes
        parts = -(-others * row.people // _PEOPLE_OF_A_PROCESS)
        shares = [others // parts + (i < others % parts) for i in range(parts)]
        self._processes: list[subprocess.Popen[str]] = []
        for number, tables in enumerate((probes, *shares)):
            words = ["-m", "tests.bench.scale_load", str(script), str(port), str(tables)]
            words += ["--part", str(number), "--pause", *map(str, plan.pause)]
            words += ["--churn", f"{plan.churn * tables:g}"] if number else ["--times"]
            self._processes.append(stack.enter_context(pr.python(words)))
        self.joined = max(float(self._answer(each).split()[1]) for each in self._processes)

    @staticmethod
    def _answer(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        if line := process.stdout.readline():
            return line
        raise RuntimeError("a load has failed")

    def run(self, command: str) -> list[ScaleResult]:
        """Tell all a command; what they came to, that of the probes first."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(command + "\n")
            process.stdin.flush()
        return [ScaleResult(**json.loads(self._answer(each))) for each in self._processes]


def run_row(row: ScaleRow, plan: ScalePlan) -> dict[str, Any]:
    """One round: play, and come back twice after a kill. Seconds, bytes and shares of a core."""
    script = record_session(_HANDS, computers=4 - row.people)
    with tempfile.TemporaryDirectory() as folder, written(script) as path, ExitStack() as stack:
        server = _ScaleServer(folder, script, row)
        server.start()
        stack.callback(server.kill)
        empty = server.process.memory()
        loads = _ScaleLoads(stack, path, server.process.port, row, plan)
        _say(f"{row.name}: all there after {loads.joined:.1f} s")
        loads.run(f"go {plan.settles}")
        cpu, begin = server.cpu(), time.perf_counter()
        results = loads.run(f"go {plan.seconds}")
        cpu, seconds = server.cpu() - cpu, time.perf_counter() - begin
        memory = server.process.memory()
        found = row._asdict() | _played(row, results, cpu, seconds)
        found |= {"joined": loads.joined, "memory": memory}
        found["memory of a table"] = (memory - empty) / row.tables
        return found | (_killed(server, loads) if plan.kills else {})


def _played(
    row: ScaleRow, results: Sequence[ScaleResult], cpu: float, seconds: float
) -> dict[str, Any]:
    times = sorted(results[0].latencies) or [0.0]
    counts = _sum(results)
    hands = counts["plays"] / ((13 + PASSES) * row.people)
    lag = max(result.lag for result in results)
    wrong = sum(counts[name] for name in ("ended", "strayed", "ran out"))
    return {
        "timed": len(times),
        **{f"p{percent}": percentile(times, percent) for percent in (50, 99)},
        "longest": times[-1],
        "pause": max(results[0].pings, default=0.0),
        "lag": lag,
        "wrong": wrong,
        "does count": lag <= LONGEST_LAG and not wrong,
        "choices a second": counts["plays"] / seconds,
        "hands a second": hands / seconds,
        "CPU a hand": cpu / hands if hands else 0.0,
        "share": cpu / seconds,
        "share of the load": sum(result.own_cpu for result in results) / seconds,
        **{name: counts[name] for name in ("came", "left", "returned")},
    }


def _sum(results: Sequence[ScaleResult]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for result in results:
        counts.update(result.counts)
    return counts


def _killed(server: _ScaleServer, loads: _ScaleLoads) -> dict[str, Any]:
    server.kill()
    loads.run("drop")
    begin = time.perf_counter()
    listens = server.start()
    taken_up = server.wait_until_idle() - begin
    cpu = server.cpu()
    _say(f"listens after {listens:.1f} s, all taken up after {taken_up:.1f} s")
    server.kill()
    begin = time.perf_counter()
    server.start()
    counts = _sum(loads.run(f"back {server.process.port}"))
    back = time.perf_counter() - begin
    _say(f"all back after {back:.1f} s")
    after = _sum(loads.run("go 1"))
    return {
        "listens": listens,
        "taken up": taken_up,
        "CPU of it": cpu,
        "came back": counts["back"],
        "back": back,
        "refused": counts["refused"] + after["strayed"],
        "tries": counts["tries"],
    }


class _Column(NamedTuple):
    header: str
    key: str
    scale: float = 1.0
    digits: int = 0


_TABLES = {
    "A play until something follows it (of four: until all have heard of it), ms": (
        _Column("plays", "timed"),
        *(_Column(name, name, 1e3, 2) for name in ("p50", "p99", "longest")),
        _Column("longest pause", "pause", 1e3, 1),
        _Column("lag of the load", "lag", 1e3, 2),
    ),
    "What it takes": (
        _Column("choices/s", "choices a second"),
        _Column("hands/s", "hands a second", 1, 1),
        _Column("CPU a hand, ms", "CPU a hand", 1e3, 2),
        _Column("% of a core", "share", 100, 1),
        _Column("MB", "memory", 1e-6),
        _Column("kB a table", "memory of a table", 1e-3, 1),
        *(_Column(name, name) for name in ("came", "left", "returned")),
        _Column("load: % of a core", "share of the load", 100, 1),
    ),
    "Joining, and started again after kill -9, seconds": (
        *(_Column(key, key, 1, 1) for key in ("joined", "listens", "taken up", "CPU of it")),
        _Column("last is back", "back", 1, 1),
        *(_Column(key, key) for key in ("came back", "refused", "tries")),
    ),
}


def measure_scale(plan: ScalePlan) -> Iterator[Figures]:
    """All rows one after the other, then the tables of what they came to."""
    found = []
    for row in plan.rows:
        for _ in range(plan.rounds):
            found.append(run_row(row, plan))
            if plan.kept is not None:
                with plan.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found[-1]) + "\n")
    for title, columns in _TABLES.items():
        rows = [[_name(each), *(_cell(each, column) for column in columns)] for each in found]
        yield Figures(title, ["tables", *(column.header for column in columns)], rows)
    yield Figures("Limits", ["what", "how"], _limits(plan.rows))


def _name(found: dict[str, Any]) -> str:
    row = ScaleRow(found["people"], found["tables"])
    return row.name if found["does count"] else f"{row.name}, does not count"


def _cell(found: dict[str, Any], column: _Column) -> str:
    value = found.get(column.key)
    return "-" if value is None else f"{column.scale * value:,.{column.digits}f}"


def _limits(rows: Sequence[ScaleRow]) -> list[list[str]]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(row.people * row.tables for row in rows)
    bound = ", which is the bound" if 1.1 * most > hard else ""
    raised = {" ".join(row.raised) for row in rows} - {""}
    return [
        ["descriptors of a process", f"{soft}, raised to {hard}{bound}"],
        ["raised", ", ".join(sorted(raised)) or "nothing"],
        ["as the script wants it", "--bot-pause 0, --computers simple, --end-score, --deal"],
    ]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
