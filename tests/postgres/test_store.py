"""The store in PostgreSQL: its tables, the lives of servers, and a database's own trouble."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import trio

from hearts.errors import leaves
from hearts.settings.table import ConfigError
from hearts_server.journal.store import Fenced, PruneTarget, TryLater
from hearts_server.postgres.connecting import (
    Connection,
    Database,
    begin_life,
    claim,
    fence,
    is_connected,
    live_lives,
    name_connection,
)
from hearts_server.postgres.journal import PostgresJournal, PostgresTables, database_archive
from hearts_server.postgres.schema import VERSION
from tests.journal.desk import (
    Ward,
    hands,
    lines_in,
    nothing,
    running,
    session,
    stored,
    wait_for,
)

from .place import Schema
from .server import PostgresServer

LONG = list(hands(12))


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@pytest.fixture
def other(place: Schema) -> Iterator[Connection]:
    """A connection of another server to a store that is there."""
    place.open().close()
    with place.connect() as connection:
        yield connection


class TestOpeningPostgres:
    @pytest.mark.parametrize(("version", "oldest"), [(7, VERSION + 1), (0, 0)])
    def test_a_store_of_another_version_is_refused_as_it_is(
        self, version: int, oldest: int, place: Schema
    ) -> None:
        place.open().close()
        place.sql("UPDATE hearts_tables SET version = %s, oldest = %s", version, oldest)
        why = rf"another hearts-server \(version {version} of the tables.* a database of their own"
        for opened in (place.open, lambda: database_archive(place.url)):
            with pytest.raises(ConfigError, match=why):
                opened()
        assert place.sql("SELECT version, oldest FROM hearts_tables") == [(version, oldest)]

    async def test_a_newer_store_that_this_program_may_use_is_used_as_it_is(
        self, place: Schema
    ) -> None:
        place.open().close()
        place.sql(f"UPDATE hearts_tables SET version = 7, oldest = {VERSION}")
        async with running(place.open()) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            # Its connection may break, and be made again, at any time.
            place.cut()
            await stored(store, ["line 1"])
        assert lines_in(place) == {1: ["line 0", "line 1"]}
        assert place.sql("SELECT version, oldest FROM hearts_tables") == [(7, VERSION)]

    def test_another_program_s_tables_are_left_alone(self, place: Schema) -> None:
        place.sql("CREATE TABLE sessions (a int)")
        with pytest.raises(ConfigError, match="is used by another program"):
            place.open()
        assert place.sql("SELECT to_regclass('hearts_tables')") == [(None,)]

    def test_records_need_a_store(self, place: Schema) -> None:
        with pytest.raises(ConfigError, match="has no games of a hearts-server"):
            database_archive(place.url)

    def test_names_need_utf_8(self, place: Schema) -> None:
        with place.admin() as admin:
            admin.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
        with pytest.raises(ConfigError, match="has another encoding than UTF8"):
            PostgresJournal(place.url.replace("/postgres?", "/ascii?"))
        with place.admin() as admin:
            admin.execute("DROP DATABASE ascii")

    def test_a_database_that_is_away_may_come_back(self, place: Schema) -> None:
        with place.broken(), pytest.raises(TryLater, match="cannot use the database") as caught:
            place.open()
        assert "not permitted to log in" in str(caught.value)

    def test_a_password_is_shown_to_nobody(self) -> None:
        database = Database("postgresql://ann:secret@db.example.org:5433/hearts?sslmode=require")
        assert str(database) == "database hearts (at db.example.org, port 5433, as ann)"

        with pytest.raises(ConfigError, match="no URL that libpq can read") as caught:
            PostgresJournal("postgresql://ann:secret%zz@db.example.org/hearts")
        assert "secret" not in str(caught.value)

    async def test_a_second_server_is_refused_while_the_first_is_connected(
        self, place: Schema, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hearts_server.postgres.opening.LEAVE_LIMIT", 0.1)
        async with running(place.open()) as journal:
            with pytest.raises(TryLater, match="another hearts-server uses the database"):
                await trio.to_thread.run_sync(place.open)
            await stored(journal.begin(session(), nothing), LONG)
        assert lines_in(place) == {1: LONG}


class TestLives:
    @pytest.mark.parametrize("is_away", [False, True])
    async def test_a_fenced_server_ends_and_tells_nobody(
        self, is_away: bool, place: Schema
    ) -> None:
        """Also one that was cut off meanwhile, when it is back."""
        ward = Ward()

        async def serve() -> None:
            async with running(place.open(ward.on_trouble)) as journal:
                store = journal.begin(session(), nothing)
                await stored(store, ["line 0"])
                with place.admin() as admin, contextlib.ExitStack() as stack:
                    if is_away:
                        stack.enter_context(place.broken())
                        ward.append(store, range(1, 5))
                        await ward.failing.wait()
                    admin.execute(f"UPDATE {place.name}.nodes SET live = false")
                ward.append(store, range(5, 9))
                await trio.sleep_forever()

        with pytest.raises(BaseExceptionGroup) as caught:
            await serve()
        (error,) = leaves(caught.value)
        assert isinstance(error, Fenced)
        assert "another hearts-server has taken over the database" in str(error)
        assert ward.acknowledged == []
        assert len(ward.reasons) == is_away
        assert lines_in(place) == {1: ["line 0"]}

    def test_a_fence_does_not_wait_for_a_transaction_that_hangs(
        self, place: Schema, other: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hearts_server.postgres.connecting.FENCE_LIMIT", "20ms")
        with place.connect() as stopped:
            life = begin_life(stopped, "stopped")
            stopped.execute("BEGIN")
            stopped.execute("SELECT hold(%s)", (life,))
            fence(other, life)
            assert live_lives(other) == []
            # The connection holds nothing any more, and is listed for a moment yet.
            wait_for(lambda: not is_connected(other, life))
            with pytest.raises(psycopg.OperationalError):
                stopped.execute("COMMIT")

    async def test_what_a_dead_one_left_goes_to_a_live_one(
        self, place: Schema, other: Connection
    ) -> None:
        async with running(place.open()) as journal:
            for number in (1, 2, 3):
                await stored(journal.begin(session(number), nothing), ["line"])
            journal.begin(session(4), nothing).end("nobody came", nothing)
        (before,) = {life for (life,) in place.sql("SELECT life FROM sessions")}
        fenced, live = begin_life(other, "fenced"), begin_life(other, "live")
        fence(other, fenced)
        claim(other, fenced)
        assert place.sql("SELECT DISTINCT life FROM sessions") == [(before,)]
        claim(other, live)
        found = place.sql("SELECT game_number, life FROM sessions ORDER BY game_number")
        assert found == [(1, live), (2, live), (3, live), (4, before)]

    async def test_of_two_that_claim_at_once_one_has_it(
        self, place: Schema, other: Connection
    ) -> None:
        async with running(place.open()) as journal:
            await stored(journal.begin(session(), nothing), ["line"])
        first, second = begin_life(other, "first"), begin_life(other, "second")
        with place.connect() as late, ThreadPoolExecutor(1) as pool:
            with other.transaction():
                claim(other, first)
                claiming = pool.submit(claim, late, second)
                wait_for(lambda: place.has_waiting)
            claiming.result()
        assert place.sql("SELECT life FROM sessions") == [(first,)]

    def test_a_name_is_known_by_it_alone(self, place: Schema, other: Connection) -> None:
        life = begin_life(other, "first")
        another = Schema(place.server)
        another.open().close()
        with another.connect() as elsewhere, place.connect() as here:
            name_connection(elsewhere, life)
            assert not is_connected(other, life)
            assert is_connected(here, life)


class TestPostgresTrouble:
    async def test_an_error_says_nothing_of_a_line(
        self, place: Schema, caplog: pytest.LogCaptureFixture
    ) -> None:
        refused: list[int] = []
        journal = place.open()
        journal.on_refused = refused.append
        place.sql("ALTER TABLE lines ADD CHECK (line !~ 'hidden')")
        async with running(journal):
            bad, worse, good = (journal.begin(session(n), nothing) for n in (1, 2, 3))
            bad.append("hidden card", nothing)
            worse.append("hidden\0card", nothing)
            await stored(good, ["a line"])
        assert sorted(refused) == [1, 2]
        assert lines_in(place)[3] == ["a line"]
        assert caplog.text.count("journal-refused") == 2
        assert "hidden" not in caplog.text

    async def test_a_commit_that_no_standby_has_is_not_told(self, place: Schema) -> None:
        ward = Ward()
        async with running(place.open(ward.on_trouble)) as journal:
            store = journal.begin(session(), nothing)
            await stored(store, ["line 0"])
            with standby_missing(place):
                ward.append(store, range(1, 5))
                await trio.to_thread.run_sync(cancel_waiting, place)
                await ward.failing.wait()
                # It is committed, though nobody knows whether it outlives a failover.
                assert len(place.sql("SELECT line FROM lines")) == 5
                assert ward.acknowledged == []
            await ward.works.wait()
            await stored(store, ["line 5"])
        assert ward.acknowledged == [1, 2, 3, 4]
        assert ward.reasons[0] is not None
        assert "a commit is not certain: canceling" in ward.reasons[0]
        assert lines_in(place) == {1: [f"line {n}" for n in range(6)]}

    async def test_lines_that_the_database_has_lost_end_their_table_alone(
        self, place: Schema, caplog: pytest.LogCaptureFixture
    ) -> None:
        refused: list[int] = []
        journal = place.open()
        journal.on_refused = refused.append
        async with running(journal):
            poor, rich = (journal.begin(session(number), nothing) for number in (1, 2))
            await stored(poor, LONG)
            await stored(rich, LONG)
            # As after a failover to a standby that lagged behind.
            place.sql("DELETE FROM lines WHERE game_number = 1")
            place.cut()
            poor.append("a line", nothing)
            await stored(rich, ["a line"])
        assert refused == [1]
        assert lines_in(place)[2] == [*LONG, "a line"]
        assert "the database has lost lines that were stored" in caplog.text


@contextlib.contextmanager
def standby_missing(place: Schema) -> Iterator[None]:
    """Commits of the role wait for a standby that is not there."""
    with place.admin() as admin:
        admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        admin.execute("SELECT pg_reload_conf()")
        try:
            # A process of the server's own puts it into force when it has time.
            while not a_commit_waits(place):
                pass
            yield
        finally:
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")


def a_commit_waits(place: Schema) -> bool:
    """Commit something, and see whether that waits for a standby."""
    with place.admin() as admin, place.admin() as other:
        committing, process = other.pgconn, other.pgconn.backend_pid
        committing.send_query(b"SELECT pg_logical_emit_message(true, '', '')")
        waits = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event = 'SyncRep'"
        while not (has_to_wait := bool(admin.execute(waits, (process,)).fetchall())):
            committing.consume_input()
            if not committing.is_busy():
                break
        other.close()
        admin.execute("SELECT pg_terminate_backend(%s, 10000)", (process,))
        return has_to_wait


def cancel_waiting(place: Schema) -> None:
    """Let somebody cancel a commit that waits for the standby."""
    with place.admin() as admin:
        cancelled: list[tuple[object, ...]] = []
        while not cancelled:
            cancelled = admin.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                " WHERE usename = %s AND wait_event = 'SyncRep'",
                (place.name,),
            ).fetchall()


class TestPruning:
    async def test_the_oldest_go_first_and_no_more_than_is_needed(self, place: Schema) -> None:
        async with running(place.open()) as journal:
            for number in range(1, 7):
                store = journal.begin(session(number), nothing)
                await stored(store, LONG)
                store.end("the players are done", nothing)
        place.sql("UPDATE sessions SET ended = 100 - game_number")
        with place.connect() as connection:
            size = PostgresTables(place.database, connection).size()
        journal = place.open()
        async with running(journal):
            journal.writer.prune(PruneTarget(size * 11 // 20, 95))
            store = journal.begin(session(7), nothing)
            with trio.fail_after(20):
                while len(place.sql("SELECT 1 FROM sessions WHERE game_number < 7")) > 5:
                    await stored(store, ["a line"])
            journal.writer.prune(PruneTarget(size * 11 // 20, 1000))
            with trio.fail_after(20):
                while len(place.sql("SELECT 1 FROM sessions WHERE game_number < 7")) > 3:
                    await stored(store, ["a line"])
        # What is left cannot be read, for somebody has changed when it ended.
        left = place.sql("SELECT game_number FROM sessions ORDER BY game_number")
        assert left == [(1,), (2,), (3,), (7,)]
        assert place.sql("SELECT DISTINCT game_number FROM hands ORDER BY 1") == [(1,), (2,), (3,)]
