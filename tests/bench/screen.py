"""The full-screen client in a terminal: how soon the first card is there, and how a key feels."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from tests.terminal.terminal import Terminal, terminal

from .processes import ROOT
from .report import Table, milliseconds, percentile

_PYTHON = (sys.executable, "-c")
_SERVER = "import sys; from hearts_server.commands.main import main; sys.exit(main())"
_BOT = "import sys; from hearts_client.commands.bot import main; sys.exit(main())"
_BARE = """
import os, tty
tty.setcbreak(0)
os.write(1, b"ready")
while key := os.read(0, 9):
    os.write(1, b"*")
"""
"""A program that answers each key, and does no more."""
_LEFT, _RIGHT = "\x1b[D", "\x1b[C"
_GAMES = "1000000"
_QUIET_SECONDS = 0.02
"""Between two keys, so that no picture is taken for the next one."""


@asynccontextmanager
async def _running(*command: str) -> AsyncIterator[trio.Process]:
    run = partial(
        trio.run_process, stdin=subprocess.PIPE, stdout=subprocess.PIPE, check=False, cwd=ROOT
    )
    async with trio.open_nursery() as nursery:
        yield await nursery.start(run, [*_PYTHON, *command])
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def _server(folder: Path) -> AsyncIterator[str]:
    """Where a server listens whose tables have neither clocks nor pauses."""
    where = ("--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder))
    how = ("--bot-pause", "0", "--turn-limit", "0", "--max-per-address", "0")
    many = ("--tables-per-ipv4", "0", "--accept-rate", "0")
    quiet = ("--no-taunt-server", "--no-web", "--taunt-port", "0", "--log-level", "error")
    async with _running(_SERVER, *where, *how, *many, *quiet, "--fill-after", "never") as process:
        assert process.stdout is not None
        said = b""
        while (found := re.search(rb"listening on (127\.0\.0\.1:\d+)\n", said)) is None:
            data = await process.stdout.receive_some()
            if not data:
                raise RuntimeError(f"the server does not listen: {said!r}")
            said += data
        yield found[1].decode()


@asynccontextmanager
async def _bots(server: str, tables: int) -> AsyncIterator[None]:
    """Tables of bots, all of which play when the block begins."""
    port = server.rpartition(":")[2]
    async with AsyncExitStack() as stack:
        for number in range(tables):
            where = ("--port", port, "--table", f"busy {number}", "--games", _GAMES)
            bots = _running(_BOT, "random", "--count", "4", *where)
            process = await stack.enter_async_context(bots)
            assert process.stdout is not None
            said = b""
            while b"playing with" not in said:
                said += await process.stdout.receive_some()
        yield


async def _seconds_to(words: str, *arguments: str) -> float:
    """From the start of the client until words stand on the screen."""
    with tempfile.TemporaryDirectory() as home:
        begin = time.perf_counter()
        async with terminal(Path(home), *arguments) as screen:
            await screen.wait_for(words)
            return time.perf_counter() - begin


async def _seconds_of_python() -> float:
    begin = time.perf_counter()
    await trio.run_process([*_PYTHON, "import trio"])
    return time.perf_counter() - begin


async def _key_times(screen: Terminal, keys: int) -> list[float]:
    """Seconds from each key to the first bytes of the picture that it changes, sorted."""
    times = []
    for number in range(keys):
        await trio.sleep(_QUIET_SECONDS)
        begin = time.perf_counter()
        # There and back again, so that each key moves the cursor.
        screen.type(_RIGHT if number % 2 == 0 else _LEFT)
        times.append(await screen.next_bytes() - begin)
    return sorted(times)


async def _start(server: str, rounds: int) -> dict[str, list[float]]:
    table = (server, "--computers", "3", "--taunt-port", "1")
    times: dict[str, list[float]] = {"python and trio": [], "line by line": [], "full screen": []}
    for _ in range(rounds):
        times["python and trio"].append(await _seconds_of_python())
        times["line by line"].append(await _seconds_to("Type the three", *table, "--plain"))
        times["full screen"].append(await _seconds_to("Mark three", *table))
    return times


async def _keys(server: str, keys: int) -> tuple[list[float], list[float]]:
    """The times of the client and those of a bare program."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        async with terminal(home, server, "--computers", "3") as screen:
            await screen.wait_for("Mark three")
            times = await _key_times(screen, keys)
        async with terminal(home, command=(*_PYTHON, _BARE)) as screen:
            await screen.wait_for("ready")
            return times, await _key_times(screen, keys)


async def _measure(rounds: int, keys: int, busy_tables: int) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        async with _server(Path(folder)) as server:
            starts = await _start(server, rounds)
            quiet = await _keys(server, keys)
            async with _bots(server, busy_tables):
                busy = await _keys(server, keys)
    bare = statistics.median(starts["python and trio"])
    rows = []
    for name, times in starts.items():
        median = statistics.median(times)
        rows.append([name, f"{median:.2f} s", f"{max(times):.2f} s", f"{median / bare:.1f}"])
    header = ["until the first card", "median", "worst", "/ python"]
    server_rows = [["quiet", *_cells(*quiet)]]
    server_rows += [[f"{busy_tables} tables at full speed", *_cells(*busy)]]
    return [
        Table(f"Start of the client, {rounds} times", header, rows),
        Table(
            f"From a key to the first bytes of its picture, 80x24, {keys} keys",
            ["server", "median", "p99", "worst", "bare, median", "bare, worst"],
            server_rows,
        ),
    ]


def _cells(times: Sequence[float], bare: Sequence[float]) -> list[str]:
    values = [percentile(times, percent) for percent in (50, 99, 100)]
    values += [percentile(bare, percent) for percent in (50, 100)]
    return [f"{milliseconds(value)} ms" for value in values]


def measure_screen(rounds: int, *, keys: int, busy_tables: int = 8) -> list[Table]:
    """How long the client takes to start, so many times, and to answer so many keys.

    The keys are pressed twice: at a quiet server, and at one with tables that play at full speed.
    """
    return trio.run(_measure, rounds, keys, busy_tables)
