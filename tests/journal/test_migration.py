"""Journals of older versions become one of this version, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hearts.hosting.store import UNSAID
from hearts_server.config import ConfigError
from hearts_server.journal.rows import COLUMNS
from hearts_server.journal.schema import VERSION
from tests.old.archive import DATA, DATA_2, DATA_3, unpack

from .desk import COUNTS, lines_in, nothing, reread, running, session, stored
from .files import Folder

ROOT = Path(__file__).parents[2]
OLD = {1: DATA, 2: DATA_2}


@pytest.fixture(params=OLD, ids=lambda version: f"version {version}")
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    """The journal of a server of that version, which was killed."""
    return Folder(unpack(OLD[request.param], tmp_path) / "data")


def old_lines(place: Folder) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, line in place.sql("SELECT game_number, line FROM steps ORDER BY 1, number"):
        assert isinstance(number, int)
        found.setdefault(number, []).append(str(line))
    return found


def test_every_line_of_every_session_is_there(place: Folder) -> None:
    lines = old_lines(place)
    ended = place.sql("SELECT ended, why FROM sessions ORDER BY game_number")
    names = place.sql("SELECT name FROM seats ORDER BY game_number, player")
    assert len(lines) >= 5
    found = reread(place, 0)
    assert {number: list(one.lines) for number, one in found.items()} == lines
    assert [(one.ended, one.why) for one in found.values()] == ended
    assert [(seat.name,) for one in found.values() for seat in one.session.seats] == names
    assert place.sql("PRAGMA user_version") == [(VERSION,)]
    hands = place.sql("SELECT game_number, hands FROM sessions WHERE ended IS NOT NULL")
    for number, count in hands:
        assert isinstance(number, int)
        assert count == sum(line.startswith("deal ") for line in lines[number])


async def test_play_goes_on_behind_what_was_copied(place: Folder) -> None:
    journal = place.open()
    (first, *_) = journal.read(2**40)
    number, before = first.session.game_number, list(first.lines)
    more = ["play 0 2C", "deal 1", "play 1 2C", "deal 2"]
    async with running(journal):
        await stored(journal.take_up(first), more)
    assert lines_in(place)[number] == before + more


@pytest.fixture
def place_3(tmp_path: Path) -> Folder:
    """The journal of a server of version 3, which was killed."""
    return Folder(unpack(DATA_3, tmp_path) / "data")


_KEPT_OF_3 = (
    f"SELECT {', '.join(column for column in COLUMNS if column != 'seats')} FROM sessions",
    "SELECT * FROM log",
    "SELECT * FROM hands",
)


async def test_of_version_3_all_stays_and_players_have_said_nothing(place_3: Folder) -> None:
    kept = [place_3.sql(statement) for statement in _KEPT_OF_3]
    seats = [json.loads(str(text)) for (text,) in place_3.sql("SELECT seats FROM sessions")]
    assert [len(rows) >= 1 for rows in kept] == [True] * 3
    assert {len(seat) for four in seats for seat in four} == {4}
    found = reread(place_3, 0)
    assert [place_3.sql(statement) for statement in _KEPT_OF_3] == kept
    assert place_3.sql("PRAGMA user_version") == [(VERSION,)]
    assert [
        [[seat.name, seat.kind.value, seat.process_id, seat.network] for seat in one.session.seats]
        for one in found.values()
    ] == seats
    assert {seat.said for one in found.values() for seat in one.session.seats} == {UNSAID}
    journal = place_3.open()
    (first, *_) = journal.read(2**40)
    async with running(journal):
        store = journal.take_up(first)
        store.describe_seat(0, COUNTS)
        await stored(store, ["play 0 2C"])
    after = reread(place_3)[first.session.game_number]
    assert list(after.lines) == [*first.lines, "play 0 2C"]
    assert after.session.seats[0].said == COUNTS


async def test_of_version_4_all_stays(tmp_path: Path) -> None:
    place = Folder(tmp_path)
    async with running(place.open()) as journal:
        store = journal.begin(session(), nothing)
        store.describe_seat(0, COUNTS)
        await stored(store, ["deal 0", "play 0 2C", "deal 1"])
    kept = [place.sql(f"SELECT * FROM {table}") for table in ("sessions", "log", "hands")]
    place.sql("PRAGMA user_version = 4")
    journal = place.open()
    (found,) = journal.read(2**40)
    async with running(journal):
        assert place.sql("PRAGMA user_version") == [(VERSION,)]
        assert [
            place.sql(f"SELECT * FROM {table}") for table in ("sessions", "log", "hands")
        ] == kept
        await stored(journal.take_up(found), ["removed 0"])
    assert lines_in(place) == {1: ["deal 0", "play 0 2C", "deal 1", "removed 0"]}


@pytest.mark.parametrize(
    ("table", "spoiled"),
    [
        ("sessions", "seats = '[]'"),
        ("sessions", "table_name = CAST(x'ff41' AS TEXT)"),
        ("log", "line = CAST(x'ff41' AS TEXT)"),
        ("log", "line = x'00ff'"),
    ],
)
def test_what_is_damaged_in_version_3_stays_as_it_is(
    place_3: Folder, table: str, spoiled: str, caplog: pytest.LogCaptureFixture
) -> None:
    lines = lines_in(place_3.copy(), 0)
    place_3.sql(f"UPDATE {table} SET {spoiled} WHERE game_number = 1")
    of_it = f"SELECT count(*) FROM {table} WHERE game_number = 1 AND {spoiled}"
    damaged = place_3.sql(of_it)
    assert lines_in(place_3, 0) == {number: lines[number] for number in lines if number != 1}
    assert {message.split(" ")[0] for message in caplog.messages} == {"session-unreadable"}
    assert place_3.sql(of_it) == damaged


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE sessions SET rules = 'chess' WHERE game_number = 1",
        "UPDATE sessions SET grace = 'long' WHERE game_number = 1",
        "UPDATE sessions SET game_number = -4 WHERE game_number = 1",
        "UPDATE sessions SET table_name = x'00ff' WHERE game_number = 1",
        "DELETE FROM seats WHERE player = 2 AND game_number = 1",
        "UPDATE seats SET kind = 'ghost' WHERE player = 2 AND game_number = 1",
        "UPDATE seats SET name = CAST(x'ff41' AS TEXT) WHERE player = 2 AND game_number = 1",
        "DELETE FROM steps WHERE number = 1 AND game_number = 1",
        "UPDATE steps SET number = 999 WHERE number = 2 AND game_number = 1",
        "UPDATE steps SET line = x'00ff' WHERE number = 1 AND game_number = 1",
        "UPDATE steps SET line = 'a' || char(10) || 'b' WHERE number = 1 AND game_number = 1",
    ],
)
def test_a_session_that_makes_no_sense_costs_no_other(
    place: Folder, spoil: str, caplog: pytest.LogCaptureFixture
) -> None:
    lines = old_lines(place)
    place.sql(spoil)
    found = lines_in(place, 0)
    assert found == {number: lines[number] for number in lines if number != 1}
    assert {message.split(" ")[0] for message in caplog.messages} == {"session-unreadable"}
    again = caplog.messages.copy()
    assert lines_in(place, 0) == found
    assert caplog.messages[len(again) :] == again[-1:]
    assert place.sql("SELECT count(*) FROM sessions") == [(len(lines),)]


@pytest.mark.parametrize(
    ("archive", "table"), [(DATA, "steps"), (DATA_2, "steps"), (DATA_3, "log")]
)
def test_a_damaged_file_stays_as_it_is(archive: Path, table: str, tmp_path: Path) -> None:
    place = Folder(unpack(archive, tmp_path) / "data")
    place.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(place.path.read_bytes())
    ((page,),) = place.sql("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
    ((size,),) = place.sql("PRAGMA page_size")
    assert isinstance(page, int)
    assert isinstance(size, int)
    data[(page - 1) * size : page * size] = bytes(size)
    place.path.write_bytes(data)
    before = place.files()
    with pytest.raises(ConfigError, match=r"damaged .* move it away"):
        place.open()
    assert place.files() == before


def test_while_another_program_has_it_open(place: Folder) -> None:
    with contextlib.closing(place.connect()) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM steps").fetchall()
        before = old_lines(place)
        with pytest.raises(ConfigError, match="another program uses it"):
            place.open()
    assert lines_in(place, 0) == before


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from tests.journal.files import Folder
calls = 0
def look(statement):
    global calls
    calls += 1
    if calls == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
connect = sqlite3.connect
def traced(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(look)
    return connection
sqlite3.connect = traced
Folder(Path(sys.argv[1])).open().close()
print(calls)
"""


def migrated(place: Folder, kill_at: int) -> subprocess.CompletedProcess[str]:
    """Open a copy of the journal in a process that is killed at a statement; 0 for none."""
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(place.folder), str(kill_at)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("archive", "parts"), [(DATA_2, 3), (DATA_3, 1)], ids=["version 2", "version 3"]
)
def test_killed_at_any_statement_it_begins_again(archive: Path, parts: int, tmp_path: Path) -> None:
    place = Folder(unpack(archive, tmp_path) / "data")
    whole = place.copy()
    statements = int(migrated(whole, 0).stdout)
    lines = lines_in(whole, 0)
    assert len(lines) >= 5
    assert statements > 20
    for kill_at in {1, *range(5, statements, statements // parts), statements - 1, statements}:
        copy = place.copy()
        assert migrated(copy, kill_at).returncode == -signal.SIGKILL
        assert lines_in(copy, 0) == lines
