"""The journal's file: made, recognized, and refused without a change where it cannot be ours."""

from __future__ import annotations

import contextlib
import os
import random
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from hearts.settings.table import ConfigError
from hearts_server.journal.keeper import GOING_ON
from hearts_server.journal.opening import connect, open_database
from hearts_server.journal.schema import VERSION
from hearts_server.journal.sqlite import SqliteTables, check_all
from hearts_server.journal.store import JournalStatistics

from .desk import hands, lines_in, nothing, reread, running, session, stored
from .files import Folder

LINES = list(hands(4))


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def fill(place: Folder) -> None:
    """A session that goes on, and one that has ended."""

    async def play() -> None:
        async with running(place.open()) as journal:
            await stored(journal.begin(session(1), nothing), LINES)
            over = journal.begin(session(2), nothing)
            await stored(over, LINES)
            over.end("the players are done", nothing)

    trio.run(play)


class TestOpening:
    def test_a_new_file_is_its_owners_alone_whatever_the_umask(self, place: Folder) -> None:
        umask = os.umask(0)
        try:
            connection = open_database(place.path)
        finally:
            os.umask(umask)
        with contextlib.closing(connection):
            connection.execute("DELETE FROM lines")
            assert place.files().keys() == {"journal.db", "journal.db-wal", "journal.db-shm"}
            modes = {file.stat().st_mode & 0o777 for file in place.folder.iterdir()}
            assert modes == {0o600}

    def test_a_file_that_others_may_read_is_closed_to_them(self, place: Folder) -> None:
        fill(place)
        place.path.chmod(0o644)
        assert lines_in(place) == {1: LINES}
        assert place.path.stat().st_mode & 0o777 == 0o600

    def test_what_was_left_of_a_file_in_the_making_is_no_hindrance(self, place: Folder) -> None:
        place.path.with_name("journal.db.new").write_bytes(b"half a file")
        fill(place)
        assert place.files().keys() == {"journal.db"}

    @pytest.mark.parametrize("suffix", ["-wal", "-spool"])
    def test_a_log_without_its_file_is_not_taken_for_that_of_a_new_one(
        self, place: Folder, suffix: str
    ) -> None:
        place.path.with_name(f"journal.db{suffix}").write_bytes(b"the last lines")
        before = place.files()
        with pytest.raises(ConfigError, match=f"{suffix} lies there without"):
            place.open()
        assert place.files() == before

    def test_a_dir_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="No such file"):
            Folder(tmp_path / "gone").open()

    def test_levels_of_durability(self, place: Folder) -> None:
        for name, level in (("normal", 1), ("full", 2)):
            with contextlib.closing(open_database(place.path, synchronous=name)) as connection:
                assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
                assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def _empty(place: Folder) -> None:
    place.path.touch()


def _text(place: Folder) -> None:
    place.path.write_text("SQLite format 3 it is not\n" * 10)


def _a_folder(place: Folder) -> None:
    place.path.mkdir()


def _of_another_program(place: Folder) -> None:
    place.sql("PRAGMA journal_mode=WAL")
    place.sql("CREATE TABLE sessions (bread TEXT)")


def _of_version(number: int) -> Callable[[Folder], None]:
    def make(place: Folder) -> None:
        fill(place)
        place.sql(f"PRAGMA user_version={number}")

    return make


def _of_another_version_in_its_log_alone(place: Folder) -> None:
    fill(place)
    with contextlib.closing(place.connect()) as connection:
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
        left = place.copy()
    for file in left.folder.iterdir():
        (place.folder / file.name).write_bytes(file.read_bytes())
        file.unlink()
    left.folder.rmdir()
    place.path.with_name("journal.db-shm").unlink(missing_ok=True)


def _with_a_spoilt_page(place: Folder, table: str = "lines") -> None:
    fill(place)
    ((page,),) = place.sql(f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")
    assert isinstance(page, int)
    data = bytearray(place.path.read_bytes())
    data[(page - 1) * 2048 : page * 2048] = random.Random(1).randbytes(2048)
    place.path.write_bytes(data)


def _cut_off(place: Folder) -> None:
    fill(place)
    place.path.write_bytes(place.path.read_bytes()[:-5000])


def _without_a_table(place: Folder) -> None:
    fill(place)
    place.sql("DROP TABLE hands")


class TestRefusing:
    @pytest.mark.parametrize(
        ("make", "why"),
        [
            (_empty, "no SQLite database; move it away"),
            (_text, "no SQLite database; move it away"),
            (_a_folder, "no file; move it away"),
            (_of_another_program, "of another program; move it away"),
            (_of_version(0), r"another hearts-server \(version 0 of the file.* or move it away"),
            (_of_version(5), r"another hearts-server \(version 5 of the file.* or move it away"),
            (_of_another_version_in_its_log_alone, "another hearts-server .* or move it away"),
            (_with_a_spoilt_page, "damaged .* move it away"),
            (_cut_off, "damaged .* move it away"),
            (_without_a_table, "damaged .* move it away"),
        ],
    )
    def test_a_file_that_cannot_be_ours_is_not_touched(
        self, place: Folder, make: Callable[[Folder], None], why: str
    ) -> None:
        make(place)
        before = place.files()
        with pytest.raises(ConfigError, match=why) as refused:
            place.open()
        assert str(place.path) in str(refused.value)
        assert "\n" not in str(refused.value)
        assert place.files() == before

    def test_while_another_program_writes_for_long(
        self, place: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(place)
        monkeypatch.setattr("hearts_server.journal.opening.BUSY_LIMIT", 0.01)
        with place.broken(), pytest.raises(ConfigError, match="another program uses it"):
            place.open()


def check(place: Folder) -> int:
    """How many damaged sessions the check beside play finds."""
    statistics = JournalStatistics()
    with contextlib.closing(connect(place.path, "mode=ro")) as connection:
        check_all(SqliteTables(connection, place.path), statistics, threading.Event())
    return statistics.unreadable


class TestDamage:
    def is_noticed(self, place: Folder, at: int, bit: int) -> bool:
        """Flip a bit of the file; whether that is noticed. If it is not, nothing has changed."""
        data = bytearray(place.path.read_bytes())
        data[at] ^= 1 << bit
        damaged = place.copy()
        damaged.path.write_bytes(data)
        before = damaged.files()
        try:
            found = reread(damaged, 0)
        except ConfigError:
            assert damaged.files() == before
            return True
        for number, one in found.items():
            assert (one.session, list(one.lines)) == (session(number), LINES)
            assert one.why == ("" if number == 1 else "the players are done")
        return len(found) < 2 or check(damaged) > 0

    def test_any_flipped_bit_is_noticed_or_harmless_and_in_a_row_it_is_noticed(
        self, place: Folder
    ) -> None:
        fill(place)
        # Without what lies there and is not used any more.
        place.sql("VACUUM")
        whole = place.path.read_bytes()
        texts = [b"Table 1", b"the players are done", b"client", b"standard"]
        for (packed,) in place.sql("SELECT lines FROM hands"):
            assert isinstance(packed, bytes)
            texts.append(packed)
        texts += [line.encode() for line in LINES]
        found = [match for text in texts for match in re.finditer(re.escape(text), whole)]
        in_rows = [at for match in found for at in range(*match.span())]
        chance = random.Random(5)
        for at in chance.sample(in_rows, 24):
            assert self.is_noticed(place, at, chance.randrange(8))
        # What is free has no meaning, so most bits of a small file are harmless.
        flips = [self.is_noticed(place, at, 3) for at in chance.sample(range(len(whole)), 60)]
        assert sum(flips) > 5

    @pytest.mark.parametrize(
        "spoil",
        [
            "UPDATE sessions SET rules = 'chess' WHERE game_number = 1",
            "UPDATE sessions SET end_score = 99 WHERE game_number = 1",
            "UPDATE sessions SET game_number = -4 WHERE game_number = 1",
            "UPDATE sessions SET seats = replace(seats, 'Ann', 'Eve') WHERE game_number = 1",
            "UPDATE sessions SET table_name = CAST(x'ff41' AS TEXT) WHERE game_number = 1",
            "UPDATE sessions SET table_name = x'00ff' WHERE game_number = 1",
            "DELETE FROM lines WHERE number = 19",
            "UPDATE lines SET number = 29 WHERE number = 20",
            "UPDATE lines SET line = x'00ff' WHERE number = 19",
            "UPDATE lines SET line = 'play 9 9' WHERE number = 19",
            "UPDATE lines SET checksum = 0 WHERE number = 19",
        ],
    )
    async def test_a_damaged_session_costs_nobody_else_anything(
        self, place: Folder, spoil: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with running(place.open()) as journal:
            await stored(journal.begin(session(1), nothing), LINES)
        place.sql(spoil)
        async with running(place.open()) as journal:
            await stored(journal.begin(session(2), nothing), LINES)
        caplog.clear()
        before = _rows(place)
        assert lines_in(place) == {2: LINES}
        assert _rows(place) == before
        (message,) = caplog.messages
        assert message.startswith("session-unreadable game=")

    def test_a_damaged_page_of_finished_hands_costs_its_sessions_alone(self, place: Folder) -> None:
        _with_a_spoilt_page(place, "hands")
        with contextlib.closing(place.open()) as journal:
            assert [one.game_number for one in journal.keeper.left(GOING_ON)] == [1]
            assert not journal.keeper.load([1])
            assert journal.keeper.statistics.unreadable == 1

    @pytest.mark.parametrize(
        "spoil",
        [
            "UPDATE hands SET lines = lines || x'00' WHERE first = 6 AND game_number = 2",
            "UPDATE hands SET checksum = checksum + 1 WHERE first = 6 AND game_number = 2",
            "UPDATE hands SET first = 7 WHERE first = 6 AND game_number = 2",
            "UPDATE hands SET count = 5 WHERE first = 6 AND game_number = 2",
            "UPDATE hands SET game_number = 3 WHERE first = 6 AND game_number = 2",
            "DELETE FROM hands WHERE first = 6 AND game_number = 2",
            "DELETE FROM hands WHERE first = 18 AND game_number = 2",
            "UPDATE hands SET lines = 'text' WHERE first = 6 AND game_number = 2",
            "UPDATE sessions SET why = 'sabotage' WHERE game_number = 2",
        ],
    )
    def test_a_damaged_finished_session_is_found_by_the_check(
        self, place: Folder, spoil: str
    ) -> None:
        fill(place)
        assert check(place) == 0
        place.sql(spoil)
        assert check(place) == 1
        assert reread(place, 0).keys() == {1}


def _rows(place: Folder) -> list[object]:
    with contextlib.closing(place.connect()) as connection:
        connection.text_factory = bytes
        return [
            connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("sessions", "lines", "hands")
        ]
