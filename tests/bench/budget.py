"""The budget of a choice: what of it each room of a server takes, by Python's profiler.

The profiler makes every call dearer, so a room with many small functions looks larger than it is.
Two commits compare, and so do the calls; the sum is more than the choice takes without it.
"""

from __future__ import annotations

import os
import pstats
import re
import signal
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from .against import checked_out
from .processes import ROOT, ListeningProcess, clients, python, server_options
from .report import Table
from .runs import written
from .script import SessionScript
from .session import record_session

_HANDS = 8
_PATIENCE = 60.0
_SYSTEM = {
    "send": re.compile(r"<method 'send' of '_socket"),
    "recv": re.compile(r"<method 'recv(_into)?' of '_socket"),
    "epoll": re.compile(r"<method '(poll|register|modify|unregister)' of 'select\.epoll'"),
    "setsockopt": re.compile(r"<method 'setsockopt' of '_socket"),
}
_ROOMS = (
    *("hearts/net", "hearts/hosting", "hearts/plain", "hearts/table", "hearts/game"),
    *("hearts_server/journal", "hearts_server/metrics", "hearts_server", "hearts"),
)
_OTHERS = "all others"
_BUILT_IN = "~"

_Function = tuple[str, int, str]


class Share(NamedTuple):
    """What a room takes of a choice."""

    microseconds: float = 0.0
    calls: float = 0.0

    def plus(self, microseconds: float, calls: float) -> Share:
        """The same and more."""
        return Share(self.microseconds + microseconds, self.calls + calls)


def measure_budget(tables: int, commit: str | None) -> Iterator[Table]:
    """The table of the budget; with a commit beside that of its server."""
    script = record_session(_HANDS)
    with written(script) as path:
        now = _budget(script, path, tables, ROOT)
        with nullcontext() if commit is None else checked_out(commit) as tree:
            then = {} if tree is None else _budget(script, path, tables, tree)
    names = sorted({**now, **then}, key=lambda name: -now.get(name, Share()).microseconds)
    shares = [now] if commit is None else [now, then]
    header = ["us", "calls"] if commit is None else ["us", "calls", f"us, {commit}", "calls"]
    rows = [[name, *_cells(shares, name)] for name in names]
    sums = [Share(*map(sum, zip(*share.values(), strict=True))) for share in shares]
    rows.append(["all", *(f"{number:.1f}" for each in sums for number in each)])
    yield Table(f"A choice by the profiler, {tables} tables at full speed", ["", *header], rows)


def _cells(shares: list[Mapping[str, Share]], name: str) -> list[str]:
    return [f"{number:.1f}" for share in shares for number in share.get(name, Share())]


def _budget(script: SessionScript, path: Path, tables: int, root: Path) -> Mapping[str, Share]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        options = server_options(folder, script, root)[2:]
        runner = str(Path(__file__).with_name("profiled.py"))
        with python([runner, str(file), *options], root) as process:
            assert process.stdout is not None
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", process.stdout.readline())
            assert found is not None
            server = ListeningProcess(process.pid, int(found[1]))
            with clients(server, path, tables) as players:
                os.kill(process.pid, signal.SIGUSR1)
                players.play()
                os.kill(process.pid, signal.SIGUSR1)
                wait_for(file)
        return budget_of(pstats.Stats(str(file)), tables * len(script.steps), root)


def wait_for(file: Path) -> None:
    """Wait until a file is there. Raises RuntimeError after a while."""
    deadline = time.monotonic() + _PATIENCE
    while not file.exists():
        if time.monotonic() > deadline:
            raise RuntimeError("the server does not write its profile")
        time.sleep(0.05)


def budget_of(stats: pstats.Stats, choices: int, root: Path) -> Mapping[str, Share]:
    """The shares of the rooms; what Python's own functions take counts for who calls them."""
    shares: dict[str, Share] = defaultdict(Share)
    found: Mapping[_Function, tuple[int, int, float, float, Mapping[_Function, tuple[float, ...]]]]
    found = stats.stats  # type: ignore[attr-defined]
    for function, (_, calls, own, _, callers) in found.items():
        if function[0] != _BUILT_IN or _is_system(function):
            name = _room(function, root)
            shares[name] = shares[name].plus(own * 1e6 / choices, calls / choices)
            continue
        for caller, (_, count, time_there, _) in callers.items():
            name = _room(caller, root)
            shares[name] = shares[name].plus(time_there * 1e6 / choices, count / choices)
    return shares


def _is_system(function: _Function) -> bool:
    return any(pattern.match(function[2]) for pattern in _SYSTEM.values())


def _room(function: _Function, root: Path) -> str:
    file, _, name = function
    if file == _BUILT_IN:
        calls = (what for what, pattern in _SYSTEM.items() if pattern.match(name))
        return next((f"the system: {what}" for what in calls), _OTHERS)
    if "trio" in Path(file).parts:
        return "trio"
    inside = Path(file).relative_to(root).as_posix() if Path(file).is_relative_to(root) else ""
    return next((room for room in _ROOMS if inside.startswith(f"{room}/")), _OTHERS)
