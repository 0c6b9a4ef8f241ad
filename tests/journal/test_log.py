"""The log: cut off behind what is played, with the lines of a paused table carried forward."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_server.journal.items import StoredLine
from hearts_server.journal.lines import PackedHand
from hearts_server.journal.log import HandLog
from hearts_server.journal.opening import open_database, transaction
from hearts_server.journal.reading import SessionReader
from hearts_server.journal.sessions import insert_session, load_hands

from .desk import hands, lines_in, session
from .files import Folder

LEAST = 40


class LogDesk:
    """A log to which lines are put, each in a commit of its own."""

    def __init__(self, place: Folder) -> None:
        self.place = place
        self.connection = open_database(place.path)
        self.log = HandLog(self.connection, LEAST)
        self.lines: dict[int, list[str]] = {}

    def begin(self, number: int) -> None:
        insert_session(self.connection, session(number))
        self.lines[number] = []

    def put(self, number: int, *lines: str) -> None:
        """Store lines and tidy a little, as the writer does."""
        for line in lines:
            item = StoredLine(number, len(self.lines[number]), line)
            change = self.log.change([item])
            with transaction(self.connection):
                first = self.log.write(change)
            self.log.took(change, first)
            self.lines[number].append(line)
            self.log.tidy()

    def again(self) -> None:
        """Another server opens it."""
        self.connection.close()
        self.connection = open_database(self.place.path)
        self.log = HandLog(self.connection, LEAST)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LogDesk]:
    desk = LogDesk(Folder(tmp_path))
    try:
        yield desk
    finally:
        desk.connection.close()


def test_finished_hands_become_a_row_each_and_the_log_stays_short(desk: LogDesk) -> None:
    desk.begin(1)
    desk.put(1, *hands(100))
    assert desk.log.rows <= LEAST + 4 * 6
    packed = load_hands(desk.connection, 1)
    assert [hand.unpack() for hand in packed] == [
        list(hands(100))[6 * n : 6 * (n + 1)] for n in range(len(packed))
    ]
    assert len(packed) > 80
    assert lines_in(desk.place)[1] == desk.lines[1]


def test_the_lines_of_a_paused_table_are_carried_forward(desk: LogDesk) -> None:
    desk.begin(1)
    desk.begin(2)
    paused = list(hands(1))[:4]
    desk.put(1, *paused)
    desk.put(2, *hands(100))
    assert desk.log.rows <= LEAST + 4 * 10
    oldest = desk.connection.execute("SELECT min(id) FROM log").fetchone()
    assert oldest > (400,)
    desk.again()
    desk.put(1, "play on", "deal 1")
    desk.put(2, *hands(100))
    assert load_hands(desk.connection, 1) == [PackedHand.of(0, [*paused, "play on"])]
    assert lines_in(desk.place) == desk.lines


def test_lines_without_a_deal_do_not_stay_in_the_log_for_ever(desk: LogDesk) -> None:
    desk.begin(1)
    desk.put(1, *(f"seat 0 client {number}" for number in range(2000)))
    assert desk.log.rows < 1500
    assert lines_in(desk.place)[1] == desk.lines[1]


def test_damaged_lines_are_kept_as_they_are(desk: LogDesk) -> None:
    desk.begin(1)
    desk.begin(2)
    desk.put(1, *hands(3))
    desk.connection.execute("UPDATE log SET line = 'play 9 9' WHERE number = 3")
    what = "SELECT number, line, checksum FROM log WHERE game_number = 1 ORDER BY id DESC LIMIT 18"
    before = desk.connection.execute(what).fetchall()
    for _ in range(3):
        desk.again()
        desk.put(2, *hands(100))
    assert desk.log.rows <= LEAST + 4 * 6 + 2 * 18
    assert desk.connection.execute(what).fetchall() == before
    assert lines_in(desk.place) == {2: desk.lines[2]}
    with pytest.raises(Exception, match="of the log does not fit its checksum"):
        SessionReader(desk.connection).session(1)
