"""Many tables at once: nothing breaks, and nothing is left behind."""

from __future__ import annotations

import gc
import logging
import sys
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.game.game import Game
from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.net import SocketLink
from hearts.plain.seat import PlainSeat
from hearts.table.table import Table
from hearts_server.lobby.forming import FormingTable, Sitter
from hearts_server.server import Server

from .house import listening

FILES = Path("/proc/self/fd")
ROOT = Path(__file__).parents[2]
TABLES = 200


async def crowd(port: int, tables: int, clients: int, end: int) -> None:
    """Let tables of independent clients, filled up with computers, play a game each."""
    numbers = map(str, (port, tables, clients, end))
    # Raises CalledProcessError where a session did not come to its proper end.
    command = [sys.executable, "-m", "tests.independent.crowd", *numbers]
    await trio.run_process(command, cwd=ROOT)


def count() -> tuple[int, int]:
    """Open files and living tasks."""
    files = len(list(FILES.iterdir()))
    return files, trio.lowlevel.current_statistics().tasks_living


def kept() -> int:
    """Tables, connections and seats that somebody still holds."""
    kinds = (HostedTable, Table, Game, HostedClient, SocketLink, PlainSeat, FormingTable, Sitter)
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


async def possessions(server: Server) -> tuple[int, int, int, int]:
    """Open files, living tasks, blocks of memory and our own things, once the peers are gone."""
    for _ in range(10):
        before = count()
        await trio.sleep(1.5)
        if count() == before:
            break
    server.sessions._finished.clear()
    gc.collect()
    return *count(), sys.getallocatedblocks(), kept()


@pytest.mark.skipif(not FILES.is_dir(), reason="counts open files through /proc")
@pytest.mark.heavy  # In the main run tests/integration/test_zoo.py counts what is left.
async def test_so_many_tables_play_a_game_and_leave_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)  # kept lines of the log would count as memory
    async with listening(tmp_path) as running:
        with trio.fail_after(120):
            # What is made once and kept, such as caches, is made by these.
            await crowd(running.port, 10, 1, 10)
            await crowd(running.port, 10, 4, 10)
            before = await possessions(running.server)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(crowd, running.port, TABLES * 9 // 10, 1, 10))
                nursery.start_soon(partial(crowd, running.port, TABLES // 10, 4, 10))
            after = await possessions(running.server)
    assert after[:2] == before[:2]
    assert after[3] == before[3]
    # A table that stays has thousands of blocks. What is made once, behind other tests in this
    # process, is up to 15,000.
    assert after[2] - before[2] < 1_000 * TABLES
    assert not caplog.records
