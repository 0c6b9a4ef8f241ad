"""The journal on a real disk: what it promises when it is killed, cut, full, locked or foreign."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from math import inf
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from hearts.game.rules import PRESETS, STANDARD
from hearts.hosting.store import Session, StoredSeat
from hearts.table import Kind, Setting
from hearts_server.config import ConfigError, Durability
from hearts_server.journal.schema import MIGRATIONS, open_database
from hearts_server.journal.sqlite import SqliteJournal, SqliteStore

ROOT = Path(__file__).parents[2]
SEATS = (
    StoredSeat("Ann", Kind.CLIENT, 101, "192.0.2.7"),
    StoredSeat("Bjørn ♠", Kind.CLIENT, -7, "2001:db8::/64"),
    StoredSeat("Moe", Kind.COMPUTER, 0),
    StoredSeat("", Kind.CLIENT, 2**31 - 1),
)


def session(number: int = 1) -> Session:
    return Session(
        number, "Table 1", False, Setting(STANDARD, 100, 60, 60.0, 600.0), SEATS, 1000, "192.0.2.7"
    )


def nothing() -> None:
    pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@asynccontextmanager
async def running(journal: SqliteJournal) -> AsyncIterator[SqliteJournal]:
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        yield journal
        nursery.cancel_scope.cancel()


async def stored(store: SqliteStore, lines: Sequence[str]) -> None:
    """Store lines and wait until the last one is durable."""
    done = trio.Event()
    for line in lines[:-1]:
        store.append(line, nothing)
    store.append(lines[-1], done.set)
    await done.wait()


def lines_in(path: Path, number: int = 1) -> list[str]:
    """What another program reads now."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
        rows = reader.execute(
            "SELECT line FROM steps WHERE game_number = ? ORDER BY number", (number,)
        )
        return [line for (line,) in rows]


def reread(path: Path) -> dict[int, tuple[str, ...]]:
    """The lines of each unfinished session as the next server finds them."""
    journal = SqliteJournal(path, Durability.NORMAL)
    try:
        return {found.session.game_number: found.lines for found in journal.read(2**40)}
    finally:
        journal.close()


def wait_for(condition: Callable[[], bool]) -> None:
    """Look again and again, where a thread that nobody waits for does something."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def made(path: Path, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> sqlite3.Connection:
    """A journal with a session of three lines, open."""
    connection = open_database(path, migrations=migrations)
    connection.execute(
        "INSERT INTO sessions (game_number, table_name, private, rules, end_score, turn_limit,"
        " grace, pause_limit, begun) VALUES (1, 'T', 0, 'standard', 100, 60, 60.0, 0.0, 5)"
    )
    for player in range(4):
        connection.execute(
            "INSERT INTO seats (game_number, player, name, kind, process_id)"
            " VALUES (1, ?, 'Ann', 'client', 9)",
            (player,),
        )
    for number in range(3):
        connection.execute("INSERT INTO steps VALUES (1, ?, ?)", (number, f"line {number}"))
    return connection


class TestOpening:
    def test_a_new_file_is_its_owners_alone_whatever_the_umask(self, path: Path) -> None:
        umask = os.umask(0)
        try:
            connection = made(path)
        finally:
            os.umask(umask)
        with contextlib.closing(connection):
            names = {"journal.db", "journal.db-wal", "journal.db-shm"}
            assert {file.name for file in path.parent.iterdir()} == names
            assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}

    def test_a_file_that_others_may_read_is_closed_to_them(self, path: Path) -> None:
        made(path).close()
        path.chmod(0o644)
        assert reread(path) == {1: ("line 0", "line 1", "line 2")}
        assert path.stat().st_mode & 0o777 == 0o600

    def test_what_was_left_of_a_file_in_the_making_is_no_hindrance(self, path: Path) -> None:
        path.with_name("journal.db.new").write_bytes(b"half a file")
        made(path).close()
        assert files_of(path.parent).keys() == {"journal.db"}

    def test_a_log_without_its_file_is_not_taken_for_that_of_a_new_one(self, path: Path) -> None:
        path.with_name("journal.db-wal").write_bytes(b"the last lines")
        before = files_of(path.parent)
        with pytest.raises(ConfigError, match="-wal lies there without"):
            SqliteJournal(path, Durability.NORMAL)
        assert files_of(path.parent) == before

    def test_a_dir_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="No such file"):
            SqliteJournal(tmp_path / "gone" / "journal.db", Durability.NORMAL)

    def test_levels_of_durability(self, path: Path) -> None:
        for name, level in (("normal", 1), ("full", 2)):
            with contextlib.closing(open_database(path, synchronous=name)) as connection:
                assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
                assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def _empty(path: Path) -> None:
    path.touch()


def _text(path: Path) -> None:
    path.write_text("SQLite format 3 it is not\n" * 10)


def _of_another_program(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE sessions (bread TEXT)")


def _newer(path: Path) -> None:
    with contextlib.closing(made(path)) as connection:
        connection.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")


def _newer_in_its_log_alone(path: Path) -> None:
    with contextlib.closing(made(path)) as connection:
        connection.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
        copies = {suffix: Path(f"{path}{suffix}").read_bytes() for suffix in ("", "-wal")}
    for suffix, data in copies.items():
        Path(f"{path}{suffix}").write_bytes(data)


def _with_a_spoilt_page(path: Path) -> None:
    made(path).close()
    data = bytearray(path.read_bytes())
    data[-4096:] = random.Random(1).randbytes(4096)
    path.write_bytes(data)


def _cut_off(path: Path) -> None:
    made(path).close()
    path.write_bytes(path.read_bytes()[:-5000])


def _without_a_version(path: Path) -> None:
    with contextlib.closing(made(path)) as connection:
        connection.execute("PRAGMA user_version=0")


class TestRefusing:
    @pytest.mark.parametrize(
        ("make", "why"),
        [
            (_empty, "no SQLite database; move it away"),
            (_text, "no SQLite database; move it away"),
            (Path.mkdir, "no file; move it away"),
            (_of_another_program, "of another program; move it away"),
            (_newer, "of a newer hearts-server .* use the newer one"),
            (_newer_in_its_log_alone, "of a newer hearts-server .* use the newer one"),
            (_with_a_spoilt_page, "damaged .* move it away"),
            (_cut_off, "damaged .* move it away"),
            (_without_a_version, "damaged .* move it away"),
        ],
    )
    def test_a_file_that_cannot_be_ours_is_not_touched(
        self, path: Path, make: object, why: str
    ) -> None:
        assert callable(make)
        make(path)
        before = files_of(path.parent)
        with pytest.raises(ConfigError, match=why) as refused:
            SqliteJournal(path, Durability.NORMAL)
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
        assert files_of(path.parent) == before

    def test_any_flipped_bit_is_found_or_harmless(self, path: Path) -> None:
        made(path).close()
        whole = path.read_bytes()
        chance = random.Random(3)
        refused = 0
        for number in range(80):
            data = bytearray(whole)
            data[chance.randrange(len(data) if number % 2 else 400)] ^= 1 << chance.randrange(8)
            for file in path.parent.iterdir():
                file.unlink()
            path.write_bytes(data)
            try:
                reread(path)
            except ConfigError:
                refused += 1
                assert files_of(path.parent) == {path.name: bytes(data)}
        assert refused >= 5

    def test_while_another_program_writes_for_long(self, path: Path) -> None:
        with contextlib.closing(made(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(ConfigError, match="another program uses it"):
                SqliteJournal(path, Durability.NORMAL, busy_limit=0.01)


class TestMigrating:
    LATER = (*MIGRATIONS, ("ALTER TABLE sessions ADD COLUMN motto TEXT NOT NULL DEFAULT 'none'",))

    @pytest.mark.parametrize("version", range(1, len(LATER)))
    def test_each_version_becomes_the_newest_with_its_rows(self, path: Path, version: int) -> None:
        made(path, self.LATER[:version]).close()
        with contextlib.closing(open_database(path, migrations=self.LATER)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(self.LATER),)
            assert connection.execute("SELECT motto FROM sessions").fetchone() == ("none",)
            assert connection.execute("SELECT count(*) FROM steps").fetchone() == (3,)

    def test_one_that_fails_leaves_the_version_before_it(self, path: Path) -> None:
        made(path).close()
        bad = (*self.LATER, ("DELETE FROM steps", "NO SQL"))
        with pytest.raises(ConfigError, match="syntax error"):
            open_database(path, migrations=bad)
        with contextlib.closing(open_database(path, migrations=self.LATER)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(self.LATER),)
            assert connection.execute("SELECT count(*) FROM steps").fetchone() == (3,)


class TestWriting:
    async def test_a_line_is_there_before_it_is_durable(self, path: Path) -> None:
        seen: list[list[str]] = []
        begun: list[int] = []
        done = trio.Event()

        def look() -> None:
            seen.append(lines_in(path))
            if len(seen) == 2:
                done.set()

        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            store = journal.begin(session(), lambda: begun.append(1))
            store.append("first", look)
            await trio.testing.wait_all_tasks_blocked()
            store.append("second", look)
            await done.wait()
        assert begun == [1]
        assert "first" in seen[0]
        assert seen[1] == ["first", "second"]

    async def test_lines_of_one_moment_share_a_transaction_and_stay_in_order(
        self, path: Path
    ) -> None:
        order: list[tuple[int, int]] = []
        done = trio.Event()
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            stores = {number: journal.begin(session(number), nothing) for number in range(1, 9)}
            for turn in range(50):
                for number, store in stores.items():
                    store.append(f"{number} {turn}", partial(order.append, (number, turn)))
            stores[1].append("the last", done.set)
            await done.wait()
            statistics = journal.statistics
        assert order == [(number, turn) for turn in range(50) for number in range(1, 9)]
        assert statistics.lines_written == 401
        assert statistics.batches <= 40
        assert statistics.largest_batch >= 10
        assert statistics.commit_seconds > 0
        found = reread(path)
        assert found[8] == tuple(f"8 {turn}" for turn in range(50))

    async def test_what_waits_at_the_end_is_written_and_the_log_is_empty(self, path: Path) -> None:
        journal = SqliteJournal(path, Durability.FULL)
        store = journal.begin(session(), nothing)
        for number in range(500):
            store.append(f"line {number}", nothing)
        async with running(journal):
            pass
        assert lines_in(path) == [f"line {number}" for number in range(500)]
        assert not path.with_name("journal.db-wal").stat().st_size

    async def test_an_error_behind_one_line_does_not_concern_the_others(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            store = journal.begin(session(), nothing)
            store.append("first", lambda: print(1 // 0))
            await stored(store, ["second"])
        assert [record.getMessage() for record in caplog.records] == ["journal-callback-failed"]
        assert lines_in(path) == ["first", "second"]

    async def test_a_game_that_cannot_be_stored_stops_no_other(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        made(path).close()
        refused: list[int] = []
        acknowledged: list[str] = []
        journal = SqliteJournal(path, Durability.NORMAL, on_refused=refused.append)
        assert journal.highest_game_number() == 1
        taken = journal.begin(session(1), lambda: acknowledged.append("begin 1"))
        free = journal.begin(session(2), lambda: acknowledged.append("begin 2"))
        taken.append("taken", lambda: acknowledged.append("taken"))
        async with running(journal):
            await stored(free, ["free"])
            taken.append("later", lambda: acknowledged.append("later"))
            await stored(free, ["free too"])
        assert refused == [1]
        assert acknowledged == ["begin 2"]
        assert reread(path) == {1: ("line 0", "line 1", "line 2"), 2: ("free", "free too")}
        assert [message.split(" ")[:2] for message in caplog.messages] == [
            ["journal-refused", "game=1"]
        ]


class TestReading:
    async def test_a_session_comes_back_as_it_was(self, path: Path) -> None:
        setting = Setting(PRESETS["mac2000"], 50, 0, inf, inf)
        given = replace(session(7), table_name="Küche", private=True, setting=setting)
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            await stored(journal.begin(given, nothing), ["one", "two"])
        journal = SqliteJournal(path, Durability.NORMAL)
        (found,) = journal.read(0)
        assert (found.session, found.lines) == (given, ("one", "two"))
        assert (found.ended, found.why) == (None, "")
        async with running(journal):
            await stored(journal.take_up(found), ["three"])
        assert lines_in(path, 7) == ["one", "two", "three"]

    async def test_where_a_seat_is_now_replaces_where_it_was(self, path: Path) -> None:
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            store = journal.begin(session(), nothing)
            store.move_seat(1, "198.51.100.9")
            await stored(store, ["a line"])
        again = SqliteJournal(path, Durability.NORMAL)
        (found,) = again.read(2**40)
        again.close()
        networks = [seat.network for seat in found.session.seats]
        assert networks == ["192.0.2.7", "198.51.100.9", "", ""]
        assert found.session.opener == "192.0.2.7"

    async def test_ended_sessions_are_read_from_a_time_on(self, path: Path) -> None:
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            for number in (3, 1, 2):
                store = journal.begin(session(number), nothing)
                store.append("line", nothing)
                if number != 2:
                    store.end("the players are done")
        journal = SqliteJournal(path, Durability.NORMAL)
        found = journal.read(0)
        assert [one.session.game_number for one in found] == [1, 2, 3]
        assert found[0].why == "the players are done"
        end = found[0].ended
        assert end is not None
        assert [one.session.game_number for one in journal.read(end)] == [1, 2, 3]
        assert [one.session.game_number for one in journal.read(end + 2)] == [2]
        journal.close()

    @pytest.mark.parametrize(
        "spoil",
        [
            "UPDATE sessions SET rules = 'chess' WHERE game_number = 1",
            "UPDATE sessions SET grace = 'long' WHERE game_number = 1",
            "UPDATE sessions SET end_score = 0 WHERE game_number = 1",
            "UPDATE sessions SET private = x'00' WHERE game_number = 1",
            "UPDATE sessions SET game_number = -4 WHERE game_number = 1",
            "DELETE FROM seats WHERE player = 2 AND game_number = 1",
            "UPDATE seats SET kind = 'ghost' WHERE player = 2 AND game_number = 1",
            "UPDATE seats SET process_id = 'me' WHERE player = 2 AND game_number = 1",
            "UPDATE seats SET name = CAST(x'ff41' AS TEXT) WHERE player = 2 AND game_number = 1",
            "UPDATE seats SET name = 'a' || char(27) || '[2J' WHERE game_number = 1",
            "DELETE FROM steps WHERE number = 1 AND game_number = 1",
            "UPDATE steps SET number = 9 WHERE number = 2 AND game_number = 1",
            "UPDATE steps SET line = x'00ff' WHERE number = 1 AND game_number = 1",
        ],
    )
    async def test_rows_without_a_sense_cost_their_session_alone(
        self, path: Path, spoil: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with contextlib.closing(made(path)) as connection:
            connection.execute(spoil)
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            await stored(journal.begin(session(2), nothing), ["line"])
        before = _rows(path)
        assert reread(path) == {2: ("line",)}
        assert _rows(path) == before
        (message,) = caplog.messages
        assert message.startswith("session-unreadable game=")


def _rows(path: Path) -> list[object]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return [
            connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("sessions", "seats", "steps")
        ]


class Ward:
    """Watches what a journal says while it has trouble."""

    def __init__(self) -> None:
        self.acknowledged: list[int] = []
        self.reasons: list[str | None] = []
        self.failing = trio.Event()
        self.works = trio.Event()

    def on_trouble(self, why: str | None) -> None:
        self.reasons.append(why)
        (self.failing if why else self.works).set()

    def append(self, store: SqliteStore, numbers: range) -> None:
        for number in numbers:
            store.append(f"line {number}", partial(self.acknowledged.append, number))


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file of this process grows beyond a size; the signal for that is ignored by Python."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


class TestTrouble:
    async def test_a_full_disk_delays_and_loses_nothing(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        ward = Ward()
        journal = SqliteJournal(
            path, Durability.NORMAL, on_trouble=ward.on_trouble, retry_every=0.02
        )
        async with running(journal):
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            log = path.with_name("journal.db-wal")
            with full_disk(log.stat().st_size + 6000):
                ward.append(store, range(1, 1000))
                await ward.failing.wait()
                assert journal.statistics.failing_since is not None
                kept = len(lines_in(path)) - 1
                ward.append(store, range(1000, 1100))
                await trio.sleep(0.1)
                assert ward.acknowledged == list(range(1, kept + 1))
                assert journal.waiting >= 100
                assert not ward.works.is_set()
            await ward.works.wait()
            await stored(store, ["line 1100"])
            assert journal.statistics.failing_since is None
        assert ward.acknowledged == list(range(1, 1100))
        assert ward.reasons == [ward.reasons[0], None]
        assert lines_in(path) == [f"line {number}" for number in range(1101)]
        events = [message.split(" ")[0] for message in caplog.messages]
        assert events == ["journal-failing", "journal-works-again"]

    async def test_a_full_database_that_is_stopped(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        made(path).close()
        ward = Ward()
        journal = SqliteJournal(path, Durability.NORMAL, on_trouble=ward.on_trouble)
        (found,) = journal.read(0)
        with full_disk(4096), trio.fail_after(4):
            # The thread is asked to end in the second for which it waits before another try.
            async with running(journal):
                ward.append(journal.take_up(found), range(1, 10))
                await ward.failing.wait()
        assert ward.acknowledged == []
        assert reread(path) == {1: found.lines}
        assert caplog.messages[-1] == "journal-gave-up unwritten=9"

    async def test_another_program_that_holds_the_file(
        self, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.sqlite._REMIND_EVERY", 0.0)
        ward = Ward()
        journal = SqliteJournal(
            path,
            Durability.NORMAL,
            on_trouble=ward.on_trouble,
            retry_every=0.02,
            busy_limit=0.02,
        )
        async with running(journal):
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                ward.append(store, range(1, 10))
                await ward.failing.wait()
                assert ward.acknowledged == []
                await trio.to_thread.run_sync(wait_for, lambda: len(caplog.messages) > 1)
                other.execute("ROLLBACK")
            await ward.works.wait()
            await stored(store, ["line 10"])
        assert ward.reasons == ["database is locked", None]
        assert ward.acknowledged == list(range(1, 10))
        events = {message.split(" ")[0] for message in caplog.messages[1:-1]}
        assert events == {"journal-still-failing"}

    def test_a_thread_that_hangs_does_not_keep_the_server_from_ending(
        self, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.sqlite.END_LIMIT", 0.02)
        journal = SqliteJournal(path, Durability.NORMAL, busy_limit=60)

        async def serve() -> None:
            async with running(journal):
                journal.begin(session(), nothing).append("line", nothing)

        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            trio.run(serve)
            (message,) = caplog.messages
            assert message.startswith("journal-abandoned seconds=0.02")
            other.execute("ROLLBACK")
        # The thread goes on by itself, and finds no loop any more to tell of it.
        wait_for(lambda: not path.with_name("journal.db-wal").exists())
        assert lines_in(path) == ["line"]


class TestTornLog:
    LINES = 8

    EVERY = tuple(f"line {number}" for number in range(LINES))

    async def _play(self, path: Path) -> dict[str, bytes]:
        """Store each line in a transaction of its own; the files while the journal runs."""
        async with running(SqliteJournal(path, Durability.NORMAL)) as journal:
            store = journal.begin(session(), nothing)
            for line in self.EVERY:
                await stored(store, [line])
            return files_of(path.parent)

    async def test_what_is_read_of_any_cut_is_a_beginning(self, path: Path) -> None:
        files = await self._play(path)
        log = files["journal.db-wal"]
        frame = 24 + 4096
        assert len(log) == 32 + frame * ((len(log) - 32) // frame)
        cuts = [
            log[:size]
            for start in range(32, len(log) + 1, frame)
            for size in (start, start + 7, start + 24 + 2000)
        ]
        flips = [
            log[:at] + bytes([log[at] ^ 0x40]) + log[at + 1 :]
            for at in (3, 20, *range(32 + 5, len(log), frame), *range(3000, len(log), frame))
        ]
        lengths = set()
        for torn in (log[:9], *cuts, *flips):
            folder = path.with_name("torn")
            folder.mkdir()
            copy = folder / path.name
            copy.write_bytes(files["journal.db"])
            folder.joinpath("journal.db-wal").write_bytes(torn)
            found = reread(copy).get(1, ())
            assert found == self.EVERY[: len(found)]
            lengths.add(len(found))
            shutil.rmtree(folder)
        assert lengths == set(range(self.LINES + 1))
        assert reread(path) == {1: self.EVERY}


WRITER = """
import os, sys, trio
from pathlib import Path
from hearts_server.config import Durability
from hearts_server.journal.sqlite import SqliteJournal
from tests.server.test_journal import nothing, session

async def main(path, number):
    journal = SqliteJournal(path, Durability.NORMAL)
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        store = journal.begin(session(number), nothing)
        def append(n):
            def durable():
                os.write(1, b"%d\\n" % n)
                append(n + 4)
            store.append("line %d" % n, durable)
        for n in range(4):
            append(n)
        await trio.sleep_forever()

trio.run(main, Path(sys.argv[1]), int(sys.argv[2]))
"""


class TestKilling:
    def test_what_was_acknowledged_is_there(self, path: Path) -> None:
        chance = random.Random(4)
        for number in (1, 2, 3):
            with subprocess.Popen(
                [sys.executable, "-c", WRITER, str(path), str(number)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
            ) as process:
                assert process.stdout is not None
                said = [process.stdout.readline() for _ in range(chance.randrange(1, 800))]
                process.kill()
                said += process.stdout.read().splitlines(keepends=True)
            acknowledged = [int(line) for line in said if line.endswith(b"\n")]
            assert acknowledged == list(range(len(acknowledged)))
            found = reread(path)[number]
            assert len(found) >= len(acknowledged)
            assert found == tuple(f"line {n}" for n in range(len(found)))
        assert len(reread(path)) == 3
