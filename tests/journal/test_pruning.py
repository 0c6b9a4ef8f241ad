"""Old games go, slice by slice, and as wholes."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio

from hearts_server.journal.opening import number, open_database
from hearts_server.journal.pruning import Pruner
from hearts_server.journal.store import PruneTarget

from .desk import nothing, reread, running, session, stored
from .files import Folder
from .finished import LINES_A_HAND, insert_finished, sessions_in


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def connection(place: Folder) -> Iterator[sqlite3.Connection]:
    with closing(open_database(place.path)) as connection:
        yield connection


def filled(connection: sqlite3.Connection, hands: int, *ended: int | None) -> None:
    """Sessions of so many hands that ended at these times."""
    connection.execute("BEGIN")
    for game_number, when in enumerate(ended, 1):
        insert_finished(connection, game_number, hands, when)
    connection.execute("COMMIT")


def test_all_that_may_go_goes(place: Folder, connection: sqlite3.Connection) -> None:
    filled(connection, 50, 100, None, 300, 200, 901)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    before = place.path.stat().st_size
    pruner = Pruner(connection, PruneTarget(0, 900))
    while pruner.go_on():
        pass
    assert sessions_in(place.path) == [2, 5]
    left = connection.execute("SELECT DISTINCT game_number FROM hands").fetchall()
    assert left == [(2,), (5,)]
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    done = pruner.done
    assert (done.sessions, done.lines) == (3, 3 * 50 * LINES_A_HAND)
    assert done.bytes == before - place.path.stat().st_size > before // 3


def test_the_oldest_goes_first_and_no_more_than_is_needed(
    place: Folder, connection: sqlite3.Connection
) -> None:
    filled(connection, 200, 300, 100, 200, 400)
    size = number(connection, "page_count") * number(connection, "page_size")
    pruner = Pruner(connection, PruneTarget(size * 6 // 10, 900))
    while pruner.go_on():
        pass
    assert sessions_in(place.path) == [1, 4]


def test_many_sessions_go_in_slices_and_each_as_a_whole(
    place: Folder, connection: sqlite3.Connection
) -> None:
    filled(connection, 60, *range(1, 13), None)
    pruner = Pruner(connection, PruneTarget(0, 900))
    left = []
    while pruner.go_on():
        # What a server that dies now finds.
        found = reread(place.copy(), 0)
        assert all(len(one.lines) == 60 * LINES_A_HAND for one in found.values())
        left.append(len(found))
    assert left[:3] == [9, 5, 1]
    assert set(left[3:]) == {1}


async def test_a_journal_prunes_itself_while_it_stores(place: Folder) -> None:
    with closing(open_database(place.path)) as connection:
        filled(connection, 60, *[100] * 10, None)
    async with running(place.open()) as journal:
        store = journal.begin(session(50), nothing)
        await stored(store, ["the first"])
        journal.prune(PruneTarget(place.path.stat().st_size // 2, int(time.time())))
        with trio.fail_after(20):
            while len(finished := sessions_in(place.path)) > 7:
                await stored(store, ["a line"])
    assert {11, 50} < set(finished)
    assert len(finished) >= 3
