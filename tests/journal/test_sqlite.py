"""The journal in SQLite keeps to the contract, and has disks, threads and a log of its own.

What is said of single commits is tried with a journal that has no spool.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from hearts_server.config import Durability
from hearts_server.journal.spool import read_spool, spool_path
from hearts_server.journal.sqlite import SqliteJournal, file_archive

from .contract import JournalContract
from .desk import Ward, lines_in, nothing, reread, running, session, stored, wait_for
from .files import NOTICED, Folder, full_disk

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path, Durability.FULL)


@pytest.fixture
def spooled(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


class TestContract(JournalContract):
    @pytest.fixture(params=(Durability.NORMAL, Durability.FULL), ids=str)
    def place(self, tmp_path: Path, request: pytest.FixtureRequest) -> Folder:
        return Folder(tmp_path, request.param)


class TestWriting:
    async def test_lines_of_one_moment_share_a_transaction(self, place: Folder) -> None:
        async with running(place.open()) as journal:
            stores = [journal.begin(session(number), nothing) for number in range(1, 9)]
            for turn in range(50):
                for store in stores:
                    store.append(f"line {turn}", nothing)
            await stored(stores[0], ["the last"])
            statistics = journal.statistics
            assert statistics.batches <= 40
            assert statistics.largest_batch >= 10
            assert statistics.commit_seconds > 0

    async def test_the_log_of_sqlite_is_empty_at_the_end(self, place: Folder) -> None:
        async with running(place.open()) as journal:
            await stored(journal.begin(session(), nothing), ["line"] * 500)
        log = place.folder / "journal.db-wal"
        assert not log.exists() or not log.stat().st_size

    async def test_a_line_of_two_lines_costs_its_session_alone(self, place: Folder) -> None:
        refused: list[int] = []
        journal = place.open()
        journal.on_refused = refused.append
        async with running(journal):
            bad, good = (journal.begin(session(number), nothing) for number in (1, 2))
            bad.append("one\ntwo", nothing)
            bad.end("the players are done", nothing)
            await stored(good, ["a line"])
            await stored(good, ["another"])
        assert refused == [1]
        assert lines_in(place)[2] == ["a line", "another"]


class TestTrouble:
    async def test_another_program_that_holds_the_file_for_long(
        self, place: Folder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.writing._REMIND_EVERY", 0.0)
        ward = Ward()

        def reminded() -> bool:
            return any("journal-still-failing" in message for message in caplog.messages)

        async with running(place.open(ward.on_trouble)) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            with place.broken():
                ward.append(store, range(1, 10))
                await trio.to_thread.run_sync(wait_for, reminded)
            await ward.works.wait()
        assert ward.reasons == ["database is locked", None]

    async def test_a_disk_that_does_not_answer_is_trouble(
        self, place: Folder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.writing.SILENT_AFTER", 0.05)
        monkeypatch.setattr("hearts_server.journal.threaded._LOOK_EVERY", 0.01)
        ward = Ward()
        journal = SqliteJournal(place.path, Durability.FULL)
        journal.keeper.tables.rows("PRAGMA busy_timeout=60000")
        journal.on_trouble = ward.on_trouble
        async with running(journal):
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            with place.broken():
                ward.append(store, range(1, 10))
                await ward.failing.wait()
                assert ward.acknowledged == []
            await ward.works.wait()
            await stored(store, ["line 10"])
            assert journal.statistics.failing_since is None
        assert ward.acknowledged == list(range(1, 10))
        assert len(ward.reasons) == 2

    def test_a_thread_that_hangs_does_not_keep_the_server_from_ending(
        self, place: Folder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.threaded.END_LIMIT", 0.02)
        journal = SqliteJournal(place.path, Durability.NORMAL)
        journal.keeper.tables.rows("PRAGMA busy_timeout=60000")

        async def serve() -> None:
            async with running(journal):
                journal.begin(session(), nothing).append("line", nothing)

        with place.broken():
            trio.run(serve)
            assert caplog.messages[-1].startswith("journal-abandoned seconds=0.02")
        # The thread goes on by itself, and finds no loop any more to tell of it.
        wait_for(lambda: not (place.folder / "journal.db-wal").exists())
        assert lines_in(place) == {1: ["line"]}


class TestSpooled:
    async def test_a_full_disk_stops_play_and_loses_nothing(self, spooled: Folder) -> None:
        ward = Ward()
        async with running(spooled.open(ward.on_trouble)) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            with full_disk(600):
                ward.append(store, range(1, 200))
                told = list(ward.acknowledged)
                await ward.failing.wait()
                ward.append(store, range(200, 300))
                assert ward.acknowledged == told == list(range(1, len(told) + 1))
                assert 20 < len(told) < 100
                kept = [one.line for one in read_spool(spool_path(spooled.path))[1]]
                assert kept == [f"line {n}" for n in told]
            await ward.works.wait()
            await stored(store, ["line 300"])
        assert ward.acknowledged == list(range(1, 300))
        assert lines_in(spooled) == {1: [f"line {n}" for n in range(301)]}

    @pytest.mark.parametrize("mishap", NOTICED)
    async def test_soon_after_something_became_of_the_file_nothing_is_missing(
        self,
        spooled: Folder,
        mishap: Callable[[Path], None],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.threaded._LOOK_EVERY", 0.01)
        monkeypatch.setattr("hearts_server.journal.writing.STORE_EVERY", 3600)
        ward = Ward()
        async with running(spooled.open()) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            ward.append(store, range(1, 50))
            mishap(spool_path(spooled.path))
            await trio.to_thread.run_sync(wait_for, lambda: "spool-renewed" in caplog.text)
            ward.append(store, range(50, 60))
            assert ward.acknowledged == list(range(1, 60))
            left = spooled.copy()
        assert lines_in(left) == {1: [f"line {n}" for n in range(60)]}

    async def test_nothing_is_durable_before_its_session(self, spooled: Folder) -> None:
        order: list[str] = []
        async with running(spooled.open()) as journal:
            store = journal.begin(session(), lambda: order.append("begin"))
            store.append("first", lambda: order.append("first"))
            assert order == []
            await stored(store, ["second"])
            store.append("third", lambda: order.append("third"))
            assert order == ["begin", "first", "third"]

    async def test_the_thread_gets_lines_after_a_moment_however_few(
        self, spooled: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hearts_server.journal.writing.STORE_EVERY", 0.01)
        async with running(spooled.open()) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["first"])
            await stored(store, ["second"])
            await trio.to_thread.run_sync(wait_for, lambda: journal.statistics.lines_written == 2)
            assert spooled.sql("SELECT line FROM lines") == [("first",), ("second",)]

    async def test_an_end_of_the_server_leaves_no_spool(self, spooled: Folder) -> None:
        async with running(spooled.open()) as journal:
            await stored(journal.begin(session(), nothing), ["a line"])
            assert spool_path(spooled.path).stat().st_mode & 0o777 == 0o600
        assert not spool_path(spooled.path).exists()
        assert lines_in(spooled) == {1: ["a line"]}

    async def test_any_durability_takes_what_is_in_a_spool(self, spooled: Folder) -> None:
        async with running(spooled.open()) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["one"])
            await stored(store, ["two"])
            left = spooled.copy()
        with contextlib.closing(file_archive(left.path)) as archive:
            assert list(archive.session(1).lines) == ["one", "two"]
        left.durability = Durability.FULL
        assert lines_in(left) == {1: ["one", "two"]}
        assert not spool_path(left.path).exists()

    async def test_a_spooled_line_that_cannot_be_stored_stops_no_server(
        self, spooled: Folder, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with running(spooled.open()) as journal:
            bad, good = (journal.begin(session(number), nothing) for number in (1, 2))
            await stored(bad, ["deal 1"])
            await stored(good, ["deal 1"])
            bad.append("one\ntwo", nothing)
            bad.append("deal 2", nothing)
            good.append("another", nothing)
            left = spooled.copy()
        caplog.clear()
        assert lines_in(left) == {1: ["deal 1"], 2: ["deal 1", "another"]}
        assert [message.split(" why=")[0] for message in caplog.messages] == [
            "journal-refused game=1"
        ]

    async def test_what_was_rolled_back_does_not_come_back(self, spooled: Folder) -> None:
        """Another journal is put beside the spool, as out of a backup."""
        async with running(spooled.open()) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["one"])
            before = spooled.copy()
            store.append("two", nothing)
            after = spooled.copy()
        async with running(before.open()) as journal:
            await stored(journal.take_up(reread(before)[1]), ["another two"])
        shutil.copyfile(spool_path(after.path), spool_path(before.path))
        assert lines_in(before) == {1: ["one", "another two"]}


WRITER = """
import os, sys, trio
from itertools import count
from pathlib import Path
from hearts_server.config import Durability
from tests.journal.desk import nothing, session
from tests.journal.files import Folder

async def main(path, durability, number):
    journal = Folder(path, durability).open()
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        store = journal.begin(session(number), nothing)
        free = trio.CapacityLimiter(4)
        for n in count():
            await free.acquire_on_behalf_of(n)
            def durable(n=n):
                os.write(1, b"%d\\n" % n)
                free.release_on_behalf_of(n)
            store.append("line %d" % n if n % 7 else "deal %d" % n, durable)

trio.run(main, Path(sys.argv[1]), Durability(sys.argv[2]), int(sys.argv[3]))
"""


class TestKilling:
    @pytest.mark.parametrize(
        "durability",
        [Durability.NORMAL, pytest.param(Durability.FULL, marks=pytest.mark.heavy)],
        ids=str,
    )
    def test_what_was_acknowledged_is_there(self, tmp_path: Path, durability: Durability) -> None:
        place = Folder(tmp_path, durability)
        chance = random.Random(4)
        for number in (1, 2, 3):
            with subprocess.Popen(
                [sys.executable, "-c", WRITER, str(place.folder), durability.value, str(number)],
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
            found = lines_in(place)[number]
            assert len(found) >= len(acknowledged)
            assert found == [f"line {n}" if n % 7 else f"deal {n}" for n in range(len(found))]
        assert len(lines_in(place)) == 3
