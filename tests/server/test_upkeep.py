"""The disk under a server: too full for new tables, pruned of old games, or gone."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.settings.table import ConfigError
from hearts_server.given_settings import parse_config
from hearts_server.journal.store import PruneTarget
from hearts_server.upkeep import (
    NO_SPACE,
    NOT_SAVED,
    PRUNE_EVERY,
    DiskState,
    Upkeep,
    look_at,
    prune_now_and_then,
)
from tests.integration.house import Caller, House, four, listening, options, text
from tests.journal.desk import wait_for
from tests.journal.finished import insert_finished, sessions_in, tables_in

GB = 10**9
HERE = (1, 2)


class ToldTables:
    """What the upkeep tells the tables."""

    def __init__(self) -> None:
        self.closed: list[str] = []
        self.said: list[str] = []


def upkeep(told: ToldTables, path: Path, *, free: int = 0) -> Upkeep:
    return Upkeep(path, told.closed.append, told.said.append, free)


class TestSettings:
    def test_sizes(self) -> None:
        config = parse_config(["--journal-size", "5 GB", "--min-free-space", "0"])
        assert (config.journal_size, config.min_free_space) == (5 * GB, 0)
        assert parse_config(["--journal-size", "700MB"]).journal_size == 7 * 10**8
        default = parse_config([])
        assert (default.journal_size, default.min_free_space) == (2 * GB, 2 * 10**8)

    @pytest.mark.parametrize("size", ["200", "-1 GB", "1.5 GB", "2 gb", "GB", "2 PB"])
    def test_what_is_no_size(self, size: str) -> None:
        with pytest.raises(ConfigError, match="--journal-size: give a size such as"):
            parse_config(["--journal-size", size])


async def test_a_journal_is_told_its_size_now_and_then(autojump_clock: MockClock) -> None:
    told: list[PruneTarget] = []
    with trio.move_on_after(1.5 * PRUNE_EVERY):
        await prune_now_and_then(told.append, 1000)
    await prune_now_and_then(told.append, 0)
    assert [target.size for target in told] == [1000, 1000]


class TestLooks:
    def test_a_disk_that_fills_up(self, tmp_path: Path) -> None:
        told = ToldTables()
        kept = upkeep(told, tmp_path, free=1000)
        closed = []
        for free in (1000, 999, 1000, 1099, 1100, 1000):
            kept.see(DiskState(free, HERE))
            closed.append([*told.closed])
        assert closed == [[], *[[NO_SPACE]] * 3, *[[NO_SPACE, ""]] * 2]
        upkeep(told, tmp_path).see(DiskState(0, HERE))
        assert len(told.closed) == 2, "without a mark there is always enough"

    def test_a_journal_that_is_gone_on_a_disk_that_is_full(self, tmp_path: Path) -> None:
        told = ToldTables()
        kept = upkeep(told, tmp_path, free=GB)
        looks = [(2 * GB, HERE), (2 * GB, None), (0, None), (0, (1, 3)), (0, HERE), (2 * GB, HERE)]
        for free, inode in looks:
            kept.see(DiskState(free, inode))
        assert told.closed == [NOT_SAVED, NOT_SAVED, NO_SPACE, ""]
        assert len(told.said) == 2

    def test_a_data_dir_that_is_moved_away_and_back(self, tmp_path: Path) -> None:
        folder, away = tmp_path / "data", tmp_path / "away"
        folder.mkdir()
        file = folder / "journal.db"
        file.touch()
        told = ToldTables()
        kept = upkeep(told, file)
        kept.see(look_at(file))
        folder.rename(away)
        kept.see(look_at(file))
        assert told.closed == [NOT_SAVED]
        away.rename(folder)
        kept.see(look_at(file))
        assert told.closed == [NOT_SAVED, ""]
        assert ["gone" in said for said in told.said] == [True, False]


async def refusal(caller: Caller) -> tuple[int, str]:
    return await caller.number(), await caller.string()


@pytest.mark.house("--pause-limit", "600")
async def test_no_new_table_begins_and_the_others_go_on(made: House) -> None:
    players = await four(made, -2, *options("pass=never"))
    for caller in players:
        await caller.seated()
    waiting = await made.guest(-10, 0)
    assert await waiting.number() == 1
    made.server.lobby.close(NO_SPACE)
    assert await refusal(waiting) == (-1, NO_SPACE)
    late = await made.call()
    assert await late.number() == 0
    await late.send(text("Eve"), -10, 0, 1000)
    assert await late.number() == 1
    assert await refusal(late) == (-1, NO_SPACE)
    assert not any([await caller.ended() for caller in players])
    made.server.lobby.close("")
    alone = await made.guest(-2, *options(computers=0b1110))
    await alone.seated()


async def test_a_server_asks_its_disk(tmp_path: Path) -> None:
    async with listening(tmp_path, "--min-free-space", "999999 TB") as found:
        caller = Caller(await trio.open_tcp_stream(found.host, found.port))
        assert await caller.number() == 0
        await caller.send(text("Eve"), -10, 0, 1000)
        assert await caller.number() == 1
        assert await refusal(caller) == (-1, NO_SPACE)
        await caller.stream.aclose()


# Pruning


async def test_a_server_keeps_its_journal_small(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    now = int(time.time())
    with contextlib.closing(tables_in(path)) as tables:
        for number, ended in enumerate((100, 200, None, now, 300), 1):
            insert_finished(tables, number, 200, ended)
    async with listening(tmp_path, "--journal-size", "120 kB"):
        small = partial(wait_for, lambda: sessions_in(path) == [3, 4])
        await trio.to_thread.run_sync(small)
