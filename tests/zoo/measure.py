"""How long good tables wait for their statuses, quiet and with the zoo at work.

Three windows take turns at the same good tables: nobody else is there (quiet); the zoo is at work
on another server of the same machine (beside); it is at work on theirs (attacked). So what else
happens on the machine falls on all three, and what the zoo takes of the machine is told from what
it does to the server. Servers, good clients and zoo are processes of their own.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.bench.report import milliseconds, percentile, print_table

from .good import PACE

ROOT = Path(__file__).parents[2]
TURN_LIMIT = 2
"""Seconds; short, so that late animals keep the clocks busy. Good clients never need so long."""
AIM = 2.0
"""The most that a wait may be longer when attacked than beside."""
MODES = ("quiet", "beside", "attacked")
_RATIOS = ("beside/quiet", "attacked/quiet", "attacked/beside")
_SETTLE = 2.5
"""Seconds between two windows: the zoo warms up, or the server closes what it left behind."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class MeasurePlan:
    """What is measured."""

    rounds: int
    window: float
    tables: int
    each: int
    animals: str
    flood_rate: float
    pace: float
    password: str
    """That of both servers; "" for none."""
    nice: int
    """Of the zoo."""
    raised: int
    """How much better the priority of servers and good clients is than usual."""


@dataclass(frozen=True, slots=True)
class MeasuredServer:
    """A server under measure."""

    process: subprocess.Popen[str]
    port: int
    taunt_pid: int
    taunt_port: int


@dataclass(frozen=True, slots=True)
class Window:
    """One half of a round, and who took how many seconds of CPU in it."""

    begin: float
    end: float
    cpu: dict[str, float]

    def share(self, who: str) -> str:
        """Per cent of one core."""
        return f"{100 * self.cpu.get(who, 0.0) / (self.end - self.begin):.0f}"


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _child(pid: int) -> int:
    # Each thread has children of its own.
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in tasks.read_text().split():
            return int(child)
    raise RuntimeError("the server has no taunt server")


def _busy() -> float:
    # user, nice, system, then idle and waiting, then interrupts and what the host took away.
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / _TICKS


@contextmanager
def _python(
    command: Sequence[str], errors: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stdout is not None
    while line := process.stdout.readline():
        if found := re.search(pattern, line):
            return found[found.re.groups]
    raise RuntimeError(f"a process has ended that should have said {pattern!r}")


def _finish(process: subprocess.Popen[str]) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    return process.stdout.read()


@contextmanager
def _serving(password: str) -> Iterator[MeasuredServer]:
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("wb") as errors:
        command = ["-m", "tests.zoo.watched", "--host", "127.0.0.1", "--port", "0"]
        command += ["--taunt-port", "0", "--no-web", "--data-dir", f"{folder}/data"]
        command += ["--turn-limit", str(TURN_LIMIT), "--exit-with-parent"]
        command += ["--password", password] if password else []
        with _python(command, errors) as process:
            taunt_port = int(_line(process, r"taunt-server listening on .*:(\d+)"))
            port = int(_line(process, r"hearts-server listening on .*:(\d+)"))
            yield MeasuredServer(process, port, _child(process.pid), taunt_port)
        print(f"A server wrote {(Path(folder) / 'log').stat().st_size:,} bytes of log.")


def _watch(seconds: float, pids: dict[str, int]) -> Window:
    begin, busy = time.monotonic(), _busy()
    before = {who: _cpu(pid) for who, pid in pids.items()}
    time.sleep(seconds)
    cpu = {who: _cpu(pid) - before[who] for who, pid in pids.items()}
    cpu["others"] = max(0.0, _busy() - busy - sum(cpu.values()))
    return Window(begin, time.monotonic(), cpu)


def measure(plan: MeasurePlan) -> int:
    """Measure and print; the exit status is 0 if the aim was reached."""
    # Where others use the machine too, their turns on a core would hide what the zoo does.
    os.nice(-plan.raised)
    rounds: list[tuple[Window, ...]] = []
    said = ""
    words = [plan.password] if plan.password else []
    with (
        _serving(plan.password) as server,
        _serving(plan.password) as other,
        _python(["-m", "tests.zoo.good", str(server.port), str(plan.tables), *words]) as good,
    ):
        _line(good, "ready")
        pids = {"server": server.process.pid, "chat": server.taunt_pid, "good": good.pid}
        for _ in range(plan.rounds):
            time.sleep(_SETTLE)
            windows = [_watch(plan.window, pids)]
            for target in (other, server):
                with _python(_zoo_command(plan, target)) as zoo:
                    _line(zoo, "loose")
                    time.sleep(_SETTLE)
                    windows.append(_watch(plan.window, {**pids, "zoo": zoo.pid}))
                    said = _finish(zoo)
            rounds.append(tuple(windows))
        seen = json.loads(_finish(good))
        seen["passes"] = json.loads(_finish(server.process).splitlines()[-1])
    print(said.rstrip())
    return _report(plan, rounds, seen)


def _zoo_command(plan: MeasurePlan, server: MeasuredServer) -> list[str]:
    return [
        *("-m", "tests.zoo", "--seconds", "3600", "--wait", "--turn-limit", "0"),
        *("--port", str(server.port), "--taunt-port", str(server.taunt_port)),
        *("--animals", plan.animals, "--each", str(plan.each)),
        *("--flood-rate", str(plan.flood_rate), "--pace", str(plan.pace)),
        *("--nice", str(plan.nice + plan.raised)),
    ]


def _within(window: Window, events: Sequence[Sequence[float]]) -> list[float]:
    return sorted(took for when, took in events if window.begin <= when < window.end)


def _report(plan: MeasurePlan, rounds: Sequence[tuple[Window, ...]], seen: dict[str, Any]) -> int:
    lines, passes, shares, ratios = [], [], [], []
    for number, windows in enumerate(rounds, 1):
        times = [_within(window, seen["choices"]) for window in windows]
        p99s = [percentile(values, 99) for values in times]
        ratios.append((p99s[1] / p99s[0], p99s[2] / p99s[0], p99s[2] / p99s[1]))
        newcomers = [_within(window, seen["newcomers"]) or [0.0] for window in windows]
        lines.append(
            [
                str(number),
                *(milliseconds(percentile(values, 50)) for values in times),
                *map(milliseconds, p99s),
                *(f"{ratio:.2f}" for ratio in ratios[-1]),
                str(min(map(len, times))),
                *(f"{values[-1]:.2f}" for values in newcomers),
            ]
        )
        for mode, window in zip(MODES, windows, strict=True):
            who = ("server", "chat", "good", "zoo", "others")
            took = _within(window, seen["passes"])
            marks = (percentile(took, 50), percentile(took, 99), percentile(took, 99.9), took[-1])
            rate = len(took) / (window.end - window.begin)
            passes.append([f"{number} {mode}", f"{rate:.0f}", *map(milliseconds, marks)])
            shares.append([f"{number} {mode}", *(window.share(one) for one in who)])
    print_table(
        f"From a choice to its status, ms ({plan.tables} tables of four clients, each choice after "
        f"{1000 * PACE[0]:.0f} to {1000 * PACE[1]:.0f} ms); a newcomer's longest wait, s",
        [
            "round",
            *(f"p50 {mode}" for mode in MODES),
            *(f"p99 {mode}" for mode in MODES),
            *_RATIOS,
            "choices",
            *(f"newcomer {mode}" for mode in MODES),
        ],
        lines,
    )
    print_table(
        "CPU time of a pass of the server's event loop, ms",
        ["window", "passes a second", "p50", "p99", "p99.9", "longest"],
        passes,
    )
    print_table(
        f"CPU, per cent of one core of {os.cpu_count()}; nice is {plan.nice} for the zoo, "
        f"{-plan.raised} for servers and good clients",
        ["window", "server", "chat", "good", "zoo", "others"],
        shares,
    )
    pooled = [
        percentile(
            sorted(t for windows in rounds for t in _within(windows[m], seen["choices"])), 99
        )
        for m in range(len(MODES))
    ]
    medians = [statistics.median(column) for column in zip(*ratios, strict=True)]
    shown = ", ".join(
        f"{mode} {milliseconds(p99)}" for mode, p99 in zip(MODES, pooled, strict=True)
    )
    told = ", ".join(f"{name} {one:.2f}" for name, one in zip(_RATIOS, medians, strict=True))
    print(f"\np99 of all rounds, ms: {shown}; attacked/beside {pooled[2] / pooled[1]:.2f}")
    print(f"Median round: {told} (aim: at most {AIM:g})")
    print(f"Choices of good clients that the server decided: {seen['decided_by_server']}")
    print(f"Newcomers refused: {seen['newcomers_refused']} of {len(seen['newcomers'])}")
    return 0 if medians[-1] <= AIM and not seen["decided_by_server"] else 1
