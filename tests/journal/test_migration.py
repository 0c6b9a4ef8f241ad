"""Journals of older versions become one of this version, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hearts_server.config import ConfigError
from hearts_server.journal.schema import VERSION
from tests.old.archive import DATA, DATA_2, unpack

from .desk import lines_in, reread, running, stored
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


def test_a_damaged_file_stays_as_it_is(place: Folder) -> None:
    place.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(place.path.read_bytes())
    ((page,),) = place.sql("SELECT rootpage FROM sqlite_schema WHERE name = 'steps'")
    assert isinstance(page, int)
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
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


def test_killed_at_any_statement_it_begins_again(tmp_path: Path) -> None:
    place = Folder(unpack(DATA_2, tmp_path) / "data")
    lines = old_lines(place.copy())
    statements = int(migrated(place.copy(), 0).stdout)
    assert statements > 50
    for kill_at in {1, *range(5, statements, statements // 6), statements - 1, statements}:
        copy = place.copy()
        assert migrated(copy, kill_at).returncode == -signal.SIGKILL
        assert lines_in(copy, 0) == lines
