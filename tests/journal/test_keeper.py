"""The keeper on a file: hands that are finished are packed, and their lines are gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from hearts_server.journal.keeper import JournalKeeper
from hearts_server.journal.opening import open_database
from hearts_server.journal.rows import load_hands
from hearts_server.journal.spool import QueuedStore, Spool
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.journal.store import Begin, StoredLine, StoreTrouble
from hearts_server.journal.threaded import ThreadedJournal
from hearts_server.journal.writing import Writer

from .desk import hands, lines_in, nothing, running, session
from .files import Folder
from .finished import tables_in


class KeeperDesk:
    """A keeper to which lines are given, each in a commit of its own."""

    def __init__(self, place: Folder, pack_at: int) -> None:
        self.place = place
        self.tables = tables_in(place.path)
        self.keeper = JournalKeeper(self.tables, pack_at)
        self.lines: dict[int, list[str]] = {}

    def begin(self, number: int) -> None:
        self.keeper.commit([Begin(number, session(number), nothing)])
        self.lines[number] = []

    def put(self, number: int, *lines: str) -> None:
        for line in lines:
            self.keeper.commit([StoredLine(number, len(self.lines[number]), line)])
            self.lines[number].append(line)

    def unpacked(self, number: int) -> list[str]:
        statement = "SELECT line FROM lines WHERE game_number = ? ORDER BY number"
        return [line for (line,) in self.tables.rows(statement, number)]

    def packed(self, number: int) -> list[list[str]]:
        return [hand.unpack() for hand in load_hands(self.tables, number)]


@pytest.fixture(params=[1, 3])
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[KeeperDesk]:
    desk = KeeperDesk(Folder(tmp_path), request.param)
    try:
        yield desk
    finally:
        desk.tables.close()


def test_finished_hands_become_a_row_each_in_place_of_their_lines(desk: KeeperDesk) -> None:
    desk.begin(1)
    desk.begin(2)
    paused = list(hands(1))[:4]
    desk.put(2, *paused)
    desk.put(1, *hands(10))
    assert desk.packed(1) == [list(hands(10))[6 * n : 6 * (n + 1)] for n in range(9)]
    assert desk.unpacked(1) == list(hands(10))[54:]
    assert (desk.packed(2), desk.unpacked(2)) == ([], paused)
    desk.put(2, "deal 1")
    desk.put(1, "deal 10", "deal 11")
    assert desk.packed(2) == [paused]
    assert lines_in(desk.place) == desk.lines


def test_lines_without_a_deal_are_packed_as_well(desk: KeeperDesk) -> None:
    desk.begin(1)
    desk.put(1, *(f"seat 0 client {number}" for number in range(2000)))
    assert len(desk.unpacked(1)) <= 3 * 256
    assert lines_in(desk.place)[1] == desk.lines[1]


def test_lines_that_are_packed_as_well_do_not_count(desk: KeeperDesk) -> None:
    desk.begin(1)
    desk.put(1, *hands(4))
    # As after a commit whose answer was lost, and that was done again in parts.
    desk.tables.append([StoredLine(1, number, line) for number, line in enumerate(hands(1))])
    assert lines_in(desk.place) == desk.lines


class UnsureTables(SqliteTables):
    """Tables whose first commit is not certain, as without the standby of a database."""

    is_certain: bool = False

    @contextmanager
    def connected(self) -> Iterator[bool]:
        with super().connected() as is_another:
            yield is_another
        if not self.is_certain:
            self.is_certain = True
            raise StoreTrouble("a commit is not certain")


async def test_what_is_not_certain_is_no_answer(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    tables = UnsureTables(open_database(place.path), place.path)
    journal = ThreadedJournal(JournalKeeper(tables))
    journal.writer.retry_every = 0.0
    async with running(journal):
        assert await journal.in_thread(count(1).__next__) == 2


class AskedTables(SqliteTables):
    """Tables of which somebody wants something whenever lines are stored."""

    ask: Callable[[], None] = print

    def append(self, lines: Sequence[StoredLine]) -> None:
        super().append(lines)
        self.ask()


def test_sessions_are_read_between_two_slices_of_what_is_played(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    tables = AskedTables(open_database(place.path), place.path)
    keeper = JournalKeeper(tables)
    spool = Spool(place.path, 1 << 20)
    writer = Writer(keeper, lambda called: None, print, print, spool)
    for game_number in (1, 2):
        keeper.commit([Begin(game_number, session(game_number), nothing)])
        store = QueuedStore(lambda item: None, spool, game_number)
        for number in range(500):
            store.append(f"# {number}", nothing)
    written = list[int]()
    tables.ask = lambda: writer.do(lambda: written.append(keeper.statistics.lines_written))
    writer.write_next()
    assert written == [500, 1000]
    tables.close()
    spool.close()
