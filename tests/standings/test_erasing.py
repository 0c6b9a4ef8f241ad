"""Names that were given up: a number takes their place in what is stored, and nothing is left."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace

from hearts.hosting.store import StoredSeat
from hearts.session.table_words import Description, PlayerKind
from hearts.table.seat import Kind
from hearts_server.commands.main import main
from hearts_server.config import JOURNAL_FILE
from hearts_server.datadir import NAMES_FILE, STANDINGS_FILE
from hearts_server.journal.opening import BUSY_LIMIT, connect
from hearts_server.journal.rows import StoreTables, insert_session, load_session
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.names.stored import GivenUp, Stored
from hearts_server.standings.erasing import erase_names
from hearts_server.standings.kept import make_tables
from hearts_server.standings.update import count_new
from tests.independent.standings import table
from tests.integration.house import listening
from tests.journal.finished import tables_in
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer

from .evenings import NOVEMBER, KilledTables, StoredEvening, evening, evenings
from .test_standings import nothing, own_name, postgres_tables

ANN = GivenUp("Ann", NOVEMBER, NOVEMBER + 10**6, 17)
NETWORK = "192.0.2.99"


def with_ann(number: int, begun: int) -> StoredEvening:
    """A game of Ann, who has said something, and opened the table; another one takes her seat."""
    one = evening(number, "left", 4)
    seat = StoredSeat("Ann", Kind.CLIENT, 9, NETWORK, Description(PlayerKind.PERSON, 3, "Ann, 44"))
    other = replace(one.session.seats[1], name="Bob", network="192.0.2.5")
    seats = (seat, other, *one.session.seats[2:])
    session = replace(one.session, seats=seats, opener=NETWORK, begun=begun)
    return replace(one, session=session, ended=begun + 3000)


def all_of(tables: StoreTables) -> dict[int, Any]:
    """Everything that is stored, unpacked, by session; the results under 0."""
    found: dict[int, Any] = {0: tables.rows("SELECT * FROM standings ORDER BY 1, 2, 3")}
    for (number,) in tables.rows("SELECT game_number FROM sessions ORDER BY 1"):
        stored, _ = load_session(tables, number)
        found[number] = (stored.session, list(stored.lines), stored.ended)
    return found


@cache
def some() -> list[StoredEvening]:
    begun = {51: NOVEMBER - 10**6, 52: NOVEMBER, 53: NOVEMBER + 2 * 10**6}
    return [*evenings(range(1, 15)), *(with_ann(number, begun[number]) for number in begun)]


def fill(tables: StoreTables) -> None:
    """Evenings of Ann before, during and after the time of her claim, and others."""
    make_tables(tables)
    for one in some():
        one.store(tables)
    count_new(tables, nothing, {"Ann": NOVEMBER, "Cleo": 0, "Eve 2": 0})


def check(before: dict[int, Any], after: dict[int, Any]) -> None:
    """Look at each session: what was Ann's in the time of her claim is 17's, and nothing else."""
    hers = set()
    for number, (session, lines, ended) in list(after.items())[1:]:
        if ended is not None and ended >= ANN.claimed and session.begun <= ANN.at:
            assert "Ann" not in f"{session} {lines}"
            hers |= {number} if "player 17" in f"{session} {lines}" else set()
        else:
            assert (session, lines, ended) == before[number]
    assert len(hers) > 3
    assert all("Ann" in str(before[number]) for number in hers)
    session, _, _ = after[52]
    assert NETWORK not in str(session)
    assert session.seats[0].said == Description(PlayerKind.PERSON)
    assert session.seats[1].network == "192.0.2.5"
    assert [row for row in before[0] if row[:2] != ("Ann", ANN.claimed)] == after[0] != before[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / JOURNAL_FILE


@contextmanager
def filled(path: Path) -> Iterator[tuple[SqliteTables, dict[int, Any]]]:
    with closing(tables_in(path)) as tables:
        fill(tables)
        yield tables, all_of(tables)


def test_a_number_stands_in_games_of_its_time_and_nothing_else_changes(path: Path) -> None:
    with filled(path) as (tables, before):
        erase_names(tables, [ANN])
        check(before, once := all_of(tables))
        erase_names(tables, [ANN])
        assert all_of(tables) == once


def test_it_is_done_when_no_table_plays_that_began_before(path: Path) -> None:
    with closing(tables_in(path)) as tables:
        make_tables(tables)
        insert_session(tables, with_ann(5, ANN.at).session)
        assert erase_names(tables, [ANN]) == []
        tables.change("DELETE FROM sessions")
        insert_session(tables, with_ann(5, ANN.at + 1).session)
        assert erase_names(tables, [ANN]) == [17]
        assert erase_names(tables, []) == []


def test_killed_at_any_change_the_next_run_does_the_rest(tmp_path: Path) -> None:
    with filled(tmp_path / "before.db") as (_, before):
        pass
    whole: dict[int, Any] = {}
    for at in count():
        path = tmp_path / f"{at}.db"
        shutil.copy(tmp_path / "before.db", path)
        with closing(tables_in(path)) as tables:
            killed = KilledTables(tables.connection, path, at=at, after=at % 2 == 0)
            with suppress(KeyboardInterrupt):
                erase_names(killed, [ANN])
            found = all_of(tables)
            whole = whole or found
            if killed.at > 0:
                break
            assert all(found[number] in (before[number], whole[number]) for number in whole)
            erase_names(tables, [ANN])
            assert all_of(tables) == whole
    assert at > sum(before[number] != whole[number] for number in whole) > 5


def test_who_reads_holds_it_up_and_it_holds_up_no_server(path: Path) -> None:
    with closing(tables_in(path)) as tables, closing(connect(path, "mode=ro")) as reader:
        make_tables(tables)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM sessions").fetchone() == (0,)
        insert_session(tables, with_ann(5, 2 * NOVEMBER).session)
        began = time.monotonic()
        assert erase_names(tables, [ANN]) == []
        assert time.monotonic() - began < BUSY_LIMIT
        assert tables.rows("PRAGMA busy_timeout") == [(1000 * BUSY_LIMIT,)]
        reader.execute("ROLLBACK")
        assert erase_names(tables, [ANN]) == [17]


def test_nothing_is_left_in_any_file(path: Path) -> None:
    with filled(path) as (tables, _):
        tables.change("DELETE FROM sessions WHERE game_number IN (51, 53)")
        tables.change("INSERT INTO lines VALUES (1, 900, 'seat 1 client 3 Ann, 44', 0)")
        tables.change("DELETE FROM lines")
        assert any(b"Ann, 44" in file.read_bytes() for file in path.parent.iterdir())
        tables.change("DELETE FROM sessions WHERE ended IS NULL")
        everything = replace(ANN, claimed=0, at=2 * NOVEMBER)
        assert erase_names(tables, [everything]) == [17]
        for file in path.parent.iterdir():
            for trace in (b"Ann, 44", b'"Ann"', NETWORK.encode()):
                assert trace not in file.read_bytes(), file


def test_exported_records_give_the_same_standings(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(tables_in(path)) as tables:
        for one in evenings(range(1, 40)):
            replace(one, ended=one.session.begun + 3000).store(tables)
    folder = path.parent
    claims = [own_name(each, 1) for each in ("Bjørn ♠", "Cleo", "Eve 2")]
    gone = replace(ANN, claimed=1, at=2 * NOVEMBER)
    stored = Stored(claims, given_up=[gone], numbers=17)
    (folder / NAMES_FILE).write_bytes(msgspec.json.encode(stored))
    words = ("--data-dir", str(folder))
    assert main(["standings", *words, "--no-pars", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main(["records", "export", "--all", str(folder / "out"), *words]) == 0
    text = "".join(file.read_text("utf-8") for file in (folder / "out").iterdir())
    assert "player 17" in text
    assert "Ann" not in text
    independent = table(str(folder / "out"))
    assert [(one["name"], one["games"], one["wins"]) for one in independent] == [
        (one["name"], one["games"], one["wins"]) for one in told["ever"]
    ]
    capsys.readouterr()
    assert main(["standings", *words, "--no-pars", "--json", "--again"]) == 0
    assert json.loads(capsys.readouterr().out)["ever"] == told["ever"]


@pytest.mark.heavy
def test_postgresql_does_the_same(path: Path, postgres: PostgresServer) -> None:
    with filled(path) as (tables, before), postgres_tables(Schema(postgres)) as other:
        fill(other)
        assert erase_names(other, [ANN]) == erase_names(tables, [ANN])
        check(before, all_of(other))
        assert all_of(other) == all_of(tables)


@pytest.mark.heavy
async def test_a_server_that_starts_does_what_the_one_before_has_left(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(tables_in(path)) as tables:
        for one in some():
            if one.ended is not None:
                one.store(tables)
    gone = replace(ANN, claimed=0, at=2 * NOVEMBER)
    stored = Stored(given_up=[gone], numbers=17)
    (path.parent / NAMES_FILE).write_bytes(msgspec.json.encode(stored))
    async with listening(path.parent, "--names") as server:
        names = server.server.names
        assert names is not None
        with trio.fail_after(60):
            while "spool-renewed" not in caplog.text:  # noqa: ASYNC110  a process and a thread
                await trio.sleep(0.05)
        assert names.claims.stored.given_up == []
        await names.claims.claim("Ann", b"a" * 32, 0, "192.0.2.1")
        given_up = await names.give_up("Ann")
        assert given_up is not None
        assert given_up.number == 18
    assert b"Ann" not in (path.parent / STANDINGS_FILE).read_bytes()
    with closing(tables_in(path)) as tables:
        assert "Ann" not in str(all_of(tables))
