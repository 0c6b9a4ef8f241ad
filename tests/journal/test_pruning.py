"""Old games go, slice by slice, and as wholes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio

from hearts_server.journal.archive import Pruner
from hearts_server.journal.keeper import JournalKeeper
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.journal.store import PruneTarget

from .desk import nothing, reread, running, session, stored
from .files import Folder
from .finished import LINES_A_HAND, insert_finished, sessions_in, tables_in


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def tables(place: Folder) -> Iterator[SqliteTables]:
    with closing(tables_in(place.path)) as tables:
        yield tables


def filled(tables: SqliteTables, hands: int, *ended: int | None) -> None:
    """Store sessions of so many hands that ended at these times."""
    with tables.transaction():
        for game_number, when in enumerate(ended, 1):
            insert_finished(tables, game_number, hands, when)


def pruner(tables: SqliteTables, size: int) -> Pruner:
    return Pruner(JournalKeeper(tables), PruneTarget(size, 900))


def test_all_that_may_go_goes(place: Folder, tables: SqliteTables) -> None:
    filled(tables, 50, 100, None, 300, 200, 901)
    tables.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    before = place.path.stat().st_size
    pruning = pruner(tables, 0)
    while pruning.go_on():
        pass
    assert sessions_in(place.path) == [2, 5]
    assert tables.rows("SELECT DISTINCT game_number FROM hands") == [(2,), (5,)]
    tables.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    done = pruning.done
    assert (done.sessions, done.lines) == (3, 3 * 50 * LINES_A_HAND)
    gain = before - place.path.stat().st_size
    assert gain > before // 3
    assert gain * 0.6 < done.bytes < gain * 1.6


def test_the_oldest_goes_first_and_no_more_than_is_needed(
    place: Folder, tables: SqliteTables
) -> None:
    filled(tables, 200, 300, 100, 200, 400)
    pruning = pruner(tables, tables.size() * 6 // 10)
    while pruning.go_on():
        pass
    assert sessions_in(place.path) == [1, 4]


@pytest.mark.parametrize("damage", ["hands = 'x'", "lines = x'00'", f"bytes = {-(1 << 40)}"])
def test_damaged_rows_neither_stop_it_nor_make_it_delete_more(
    place: Folder, tables: SqliteTables, damage: str
) -> None:
    filled(tables, 20, *range(100, 140))
    tables.change(f"UPDATE sessions SET {damage} WHERE game_number <= 9")
    pruning = pruner(tables, tables.size() * 9 // 10)
    while pruning.go_on():
        pass
    assert 1 not in sessions_in(place.path)
    assert 30 <= len(sessions_in(place.path)) <= 36


def test_many_sessions_go_in_slices_and_each_as_a_whole(
    place: Folder, tables: SqliteTables
) -> None:
    filled(tables, 60, *range(1, 13), None)
    pruning = pruner(tables, 0)
    left = []
    while pruning.go_on():
        # What a server that dies now finds.
        found = reread(place.copy(), 0)
        assert all(len(one.lines) == 60 * LINES_A_HAND for one in found.values())
        left.append(len(found))
    assert left[:3] == [9, 5, 1]
    # Some SQLites have room to give back after that.
    assert set(left[3:]) <= {1}


async def test_a_journal_prunes_itself_while_it_stores(place: Folder) -> None:
    with closing(tables_in(place.path)) as tables:
        filled(tables, 60, *[100] * 10, None)
    async with running(place.open()) as journal:
        store = journal.begin(session(50), nothing)
        await stored(store, ["the first"])
        journal.writer.prune(PruneTarget(place.path.stat().st_size // 2, int(time.time())))
        with trio.fail_after(20):
            while len(finished := sessions_in(place.path)) > 7:
                await stored(store, ["a line"])
    assert {11, 50} < set(finished)
    assert len(finished) >= 3
