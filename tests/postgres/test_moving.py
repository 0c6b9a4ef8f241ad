"""Everything moves from a data dir into a database and back, or nothing does."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts.wire.credentials import SECRET_BYTES
from hearts_server.commands.main import main
from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.rows import Row, StoreTables
from hearts_server.journal.store import StoredSession
from hearts_server.postgres.connecting import Database
from hearts_server.postgres.journal import PostgresTables
from hearts_server.standings.update import count_new
from tests.journal.desk import (
    COUNTS,
    SEATS,
    StorePlace,
    hands,
    nothing,
    reread,
    running,
    session,
    stored,
)
from tests.journal.files import Folder
from tests.journal.finished import tables_in
from tests.standings.evenings import evenings

from .place import Schema
from .server import PostgresServer

RESULTS = ("standings", "standings_counted")
LONG = list(hands(40))


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


def moved(command: str, folder: Path, place: Schema) -> int:
    return main([command, "--data-dir", str(folder), "--store", place.url])


async def fill(folder: Folder) -> dict[int, StoredSession]:
    """Sessions of every kind."""
    async with running(folder.open()) as journal:
        for number in range(1, 6):
            store = journal.begin(session(number), nothing)
            store.change_seat(0, replace(SEATS[0], said=COUNTS))
            await stored(store, LONG[: 60 * number])
            if number % 2:
                store.end("the players are done", nothing)
    return reread(folder, 0)


def same(found: dict[int, StoredSession], expected: dict[int, StoredSession]) -> bool:
    return {n: (one, list(one.lines)) for n, one in found.items()} == {
        n: (one, list(one.lines)) for n, one in expected.items()
    }


async def test_there_and_back(
    place: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = await fill(Folder(tmp_path))
    assert moved("import", tmp_path, place) == 0
    assert "5 sessions with" in capsys.readouterr().out
    assert same(reread(place, 0), before)
    assert await go_on(place) == await go_on(Folder(tmp_path))
    back = tmp_path / "back"
    assert moved("export", back, place) == 0
    after = reread(Folder(back), 0)
    assert same(after, reread(place, 0))
    assert list(after[2].lines[-2:]) == ["deal 99", "play 99"]
    assert after[1].why == "the players are done"
    assert place.sql("SELECT live FROM nodes GROUP BY live") == [(False,)]


def results(tables: StoreTables) -> list[list[Row]]:
    return [tables.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in RESULTS]


def test_results_go_there_and_back(place: Schema, tmp_path: Path) -> None:
    """Of games that are gone, too, and pars that took long to reckon."""
    with closing(tables_in(tmp_path / JOURNAL_FILE)) as tables:
        for one in evenings(range(1, 12)):
            one.store(tables)
        count_new(tables, print)
        tables.change(
            "UPDATE standings_counted SET pars = '{\"1.1\":[1,2,3,4]}' WHERE game_number < 4"
        )
        tables.change("DELETE FROM sessions WHERE game_number < 3")
        tables.change("DELETE FROM hands WHERE game_number < 3")
        before = results(tables)
    assert moved("import", tmp_path, place) == 0
    database = Database(place.url)
    with closing(PostgresTables(database, database.open())) as other:
        assert results(other) == before
    assert moved("export", tmp_path / "back", place) == 0
    with closing(tables_in(tmp_path / "back" / JOURNAL_FILE)) as tables:
        assert results(tables) == before
        assert count_new(tables, print) == 0


def test_names_go_there_and_back(place: Schema, tmp_path: Path) -> None:
    Folder(tmp_path).open().close()
    names, bans = b'{"claims": []}', b"bans"
    (tmp_path / "names").write_bytes(names)
    (tmp_path / "moderation").write_bytes(bans)
    assert moved("import", tmp_path, place) == 0
    assert place.sql("SELECT name, data FROM kept ORDER BY name") == [
        ("moderation", bans),
        ("names", names),
    ]
    assert moved("export", tmp_path / "back", place) == 0
    assert (tmp_path / "back" / "names").read_bytes() == names
    assert (tmp_path / "back" / "moderation").read_bytes() == bans


async def test_players_need_the_secret_of_the_server(
    place: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(Folder(tmp_path))
    assert moved("import", tmp_path, place) == 0
    assert moved("export", tmp_path / "new", place) == 0
    assert f"There is no secret in {tmp_path / 'new'}" in capsys.readouterr().out
    assert not (tmp_path / "new" / "secret").exists()
    known = tmp_path / "known"
    known.mkdir(mode=0o700)
    (known / "secret").write_bytes(b"s" * SECRET_BYTES)
    assert moved("export", known, place) == 0
    assert "secret" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["import", "export"])
def test_a_mistake_is_told_in_a_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"hearts-server {command}: the following arguments are required: --store "
        f"(see hearts-server {command} --help)\n"
    )


async def test_what_a_killed_server_had_in_its_spool_is_moved(
    place: Schema, tmp_path: Path
) -> None:
    async with running(Folder(tmp_path).open()) as journal:
        store = journal.begin(session(), nothing)
        await stored(store, LONG)
        await stored(store, ["the last"])
        left = Folder(tmp_path).copy()
    assert moved("import", left.folder, place) == 0
    assert list(reread(place)[1].lines) == [*LONG, "the last"]


async def go_on(place: StorePlace) -> list[str]:
    """Go on with a session that was not finished; its lines."""
    journal = place.open()
    (found,) = journal.keeper.load([2])
    async with running(journal):
        await stored(journal.take_up(found), ["deal 99", "play 99"])
    return list(reread(place)[2].lines)


async def test_nothing_is_moved_over_what_is_there(
    place: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = await fill(Folder(tmp_path))
    async with running(place.open()) as journal:
        await stored(journal.begin(session(77), nothing), LONG)
    assert moved("import", tmp_path, place) == 2
    assert "has sessions already" in capsys.readouterr().err
    assert list(reread(place, 0)) == [77]
    assert moved("export", tmp_path, place) == 2
    assert f"{tmp_path / JOURNAL_FILE} is there already" in capsys.readouterr().err
    assert same(reread(Folder(tmp_path), 0), before)


async def test_an_error_on_the_way_leaves_nothing_behind(
    place: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path)
    await fill(folder)
    place.open().close()
    place.sql("ALTER TABLE lines ADD CHECK (game_number <> 4)")
    assert moved("import", tmp_path, place) == 2
    error = capsys.readouterr().err
    assert "cannot use the database" in error
    assert "play" not in error
    for table in ("sessions", "hands", "lines"):
        assert place.sql(f"SELECT count(*) FROM {table}") == [(0,)]
    folder.sql("UPDATE sessions SET checksum = 'x' WHERE game_number = 3")
    place.sql("ALTER TABLE lines DROP CONSTRAINT lines_game_number_check")
    assert moved("import", tmp_path, place) == 2
    assert place.sql("SELECT count(*) FROM sessions") == [(0,)]


async def test_a_server_that_runs_is_in_the_way(
    place: Schema,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hearts_server.postgres.opening.LEAVE_LIMIT", 0.1)
    await fill(Folder(tmp_path))
    async with running(place.open()) as journal:
        await stored(journal.begin(session(77), nothing), LONG)
        assert moved("export", tmp_path / "back", place) == 2
        assert "another hearts-server uses the database" in capsys.readouterr().err
        await stored(journal.begin(session(78), nothing), LONG)
    assert not (tmp_path / "back" / JOURNAL_FILE).exists()
    assert not (tmp_path / "back" / "secret").exists()


def test_what_is_missing_is_said(
    place: Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert moved("import", tmp_path / "none", place) == 2
    assert "there is no journal" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
