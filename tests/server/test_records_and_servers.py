"""`hearts-server records` beside a server that runs or was killed, and with a store."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from hearts.errors import HeartsError
from hearts_server.commands.main import main
from hearts_server.config import Durability
from hearts_server.journal.sqlite import SqliteJournal, file_archive
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer

from .conftest import JUST_BEGUN, LEFT, PLAYING, SPOILT, TWO_GAMES, CommandCase

ROOT = Path(__file__).parents[2]


class TestAlongsideAServer:
    async def test_reading_and_deleting_while_it_writes(self, case: CommandCase) -> None:
        done = trio.Event()
        journal = SqliteJournal(case.journal, Durability.NORMAL)
        (playing,) = journal.keeper.load([PLAYING])
        async with trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            store = journal.take_up(playing)
            store.append("play 0 AS", lambda: None)
            out, _ = await trio.to_thread.run_sync(_command, case.data_dir, "delete", "1", "--yes")
            assert out.startswith("deleted 1 session,")
            store.append("play 1 KS", done.set)
            await done.wait()
            out, _ = await trio.to_thread.run_sync(_command, case.data_dir, "list")
            assert [line.split()[0] for line in out.splitlines()[1:]] == ["2", "3", "4", "5"]
            nursery.cancel_scope.cancel()
        with contextlib.closing(file_archive(case.journal)) as connection:
            lines = connection.session(PLAYING).lines
        assert lines == [*playing.lines, "play 0 AS", "play 1 KS"]

    def test_the_log_of_a_killed_server_is_read(self, case: CommandCase, tmp_path: Path) -> None:
        copy = tmp_path / "killed"
        copy.mkdir()
        connection = sqlite3.connect(case.journal, isolation_level=None)
        with contextlib.closing(connection):
            connection.execute("DELETE FROM sessions WHERE game_number = 4")
            for file in case.data_dir.iterdir():
                shutil.copy(file, copy)
        case.data_dir = copy
        before = {name: (copy / name).read_bytes() for name in ("journal.db", "journal.db-wal")}
        assert len(case.run("list")[0].splitlines()) == 5
        assert {name: (copy / name).read_bytes() for name in before} == before

    def test_no_journal(self, case: CommandCase, tmp_path: Path) -> None:
        case.data_dir = tmp_path / "nowhere"
        _, err = case.run("list", status=2)
        assert f"there is no journal {case.data_dir / 'journal.db'}; --data-dir DIR" in err

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            ("PRAGMA user_version=99", "of another hearts-server (version 99 of the file"),
            ("PRAGMA user_version=0", "of another hearts-server (version 0 of the file"),
            ("PRAGMA application_id=1", "not the journal of a hearts-server"),
            ("DROP TABLE hands", "damaged (it lacks a table); move it away"),
        ],
    )
    def test_another_journal(self, case: CommandCase, change: str, why: str) -> None:
        case.sql(change)
        for command in (("list",), ("delete", 1, "--yes")):
            _, err = case.run(*command, status=2)
            assert why in err

    def test_a_reader_that_has_seen_enough(self, case: CommandCase) -> None:
        with subprocess.Popen(
            [
                sys.executable,
                "-c",
                COMMAND,
                "show",
                "1",
                "--data-dir",
                str(case.data_dir),
            ],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(30) == 1

    def test_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        for command in ([], ["list"], ["show"], ["replay"], ["export"], ["delete"]):
            with pytest.raises(SystemExit) as ended:
                main(["records", *command, "--help"])
            assert ended.value.code == 0
            assert "hearts-server records" in capsys.readouterr().out


COMMAND = (
    "import sys; from hearts_server.commands.main import main; "
    "sys.exit(main(['records', *sys.argv[1:]]))"
)


def _command(data_dir: Path, *arguments: str) -> tuple[str, str]:
    """The command in a process of its own, as a host calls it."""
    result = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--data-dir", str(data_dir)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if result.returncode:
        raise HeartsError(result.stderr)
    return result.stdout, result.stderr


class TestInPostgres:
    def test_it_says_the_same_of_the_same_sessions(
        self, case: CommandCase, postgres: PostgresServer, tmp_path: Path
    ) -> None:
        place = Schema(postgres)
        store = ("--store", place.url)
        assert main(["import", "--data-dir", str(case.data_dir), *store]) == 0
        case.run("list")
        done: list[tuple[object, ...]] = [
            *(("list",), ("list", "--last", 2)),
            *(("show", TWO_GAMES), ("show", PLAYING), ("replay", LEFT)),
        ]
        refused: list[tuple[object, ...]] = [
            *(("show", 77), ("show", SPOILT), ("export", JUST_BEGUN)),
            *(("delete", TWO_GAMES, PLAYING, "--yes"), ("delete", 77, "--yes")),
        ]
        for status, commands in ((0, done), (2, refused)):
            for command in commands:
                there = case.run(*command, *store, status=status)
                assert there == case.run(*command, status=status)
        folders = [tmp_path / "file", tmp_path / "store"]
        case.run("export", "--all", folders[0], status=1)
        case.run("export", "--all", folders[1], *store, status=1)
        files = [{each.name: each.read_text() for each in dir.iterdir()} for dir in folders]
        assert files[0] == files[1]
        assert len(files[0]) == 3
        gone, _ = case.run("delete", "--ended-before", "2030-01-01", "--yes", *store)
        assert gone.startswith("deleted 3 sessions, ")
        left, _ = case.run("list", *store)
        numbers = [line.split()[0] for line in left.splitlines()[1:]]
        assert numbers == [str(PLAYING), str(JUST_BEGUN)]
        assert place.sql("SELECT DISTINCT game_number FROM hands WHERE game_number = 1") == []

    def test_what_is_no_store_is_said(self, case: CommandCase) -> None:
        _, err = case.run("list", "--store", "sqlite:x", status=2)
        assert "give postgresql://USER@HOST/DATABASE" in err
