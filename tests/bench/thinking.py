"""Tables of people beside computers that think: ``python -m tests.bench --only thinking``.

What the eight tables with three computers each are played by is this module as a program,
``python -m tests.bench.thinking PORT``: a bot at each that answers at once.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import trio

from hearts.bots import SimpleBot
from hearts.session.messages import Options
from hearts_client.library.playing import play_session

from .measures import BenchPlan
from .processes import Subject, clients, listening, python
from .report import Table, milliseconds
from .runs import HUMAN_PAUSE, Run, written
from .script import SessionScript
from .session import record_session

THINKING_TABLES = 8
"""At each of them one of three computers thinks at any time."""
_LEVEL = ("--computers", "expert", "--bot-pause", "0")
_WARM = 5.0
"""Seconds after which what thinks is ready, and has thought for the first time."""
_LOWEST_PRIORITY = 19
_COMPUTERS = Options(frozenset({1, 2, 3}))


def run_beside(
    thinking: bool, script: SessionScript, path: Path, tables: int, seconds: float
) -> Run:
    """So many tables at a human pace, alone or beside those where computers think."""
    options = ["--pause", *HUMAN_PAUSE, "--limit", f"{seconds:g}"]
    with ExitStack() as stack:
        level = _LEVEL if thinking else ()
        server = stack.enter_context(listening(Subject.SERVER, script, path, options=level))
        if thinking:
            command = ["-m", "tests.bench.thinking", str(server.port)]
            process = stack.enter_context(python(command))
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise RuntimeError("nobody plays against the computers")
        players = stack.enter_context(clients(server, path, tables, options))
        load, cpu = players.play()
        return Run(load, cpu, script.hands_of(load.received))


def measure_thinking(plan: BenchPlan) -> Iterator[Table]:
    """A play at a human pace alone, and beside eight tables where computers think, in turn."""
    rows = []
    script = record_session(4 + int(plan.pace_seconds))
    with written(script) as path:
        for tables in plan.tables:
            runs = [
                [
                    run_beside(each, script, path, tables, plan.pace_seconds)
                    for each in (False, True)
                ]
                for _ in range(plan.rounds)
            ]
            cells = [str(tables)]
            for percent in (50, 99):
                pairs = [[run.latency(percent) for run in pair] for pair in runs]
                cells += [
                    milliseconds(statistics.median(each)) for each in zip(*pairs, strict=True)
                ]
                cells.append(f"{statistics.median(b / a for a, b in pairs):.2f}")
            rows.append(cells)
    header = ["alone p50", "beside p50", "ratio", "alone p99", "beside p99", "ratio"]
    yield Table(
        f"A play at a human pace beside {THINKING_TABLES} tables where experts think, ms",
        ["tables", *header],
        rows,
    )


async def _play_on(port: int, number: int, begun: trio.Event) -> None:
    while True:
        await play_session(
            SimpleBot(), "127.0.0.1", port, name=f"Bot{number}", options=_COMPUTERS,
            on_event=lambda event: begun.set(),
        )  # fmt: skip


async def _play(port: int) -> None:
    async with trio.open_nursery() as nursery:
        events = [trio.Event() for _ in range(THINKING_TABLES)]
        for number, begun in enumerate(events):
            nursery.start_soon(_play_on, port, number, begun)
            await begun.wait()
        await trio.sleep(_WARM)
        print("ready", flush=True)


if __name__ == "__main__":
    # They stand for people at other machines, and are to take nothing of this one from the load.
    os.nice(_LOWEST_PRIORITY)
    trio.run(_play, int(sys.argv[1]))
