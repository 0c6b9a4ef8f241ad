"""Nodes in the database: beats, fences, who plays, and what it claims."""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from hearts.hosting.table_chat import GameNotice
from hearts.settings.table import ConfigError
from hearts_server.commands.main import main
from hearts_server.console.acts import ENDED
from hearts_server.console.protocol import Answer, EndTable
from hearts_server.journal.store import Fenced, StoredSession, StoreTrouble, TryLater
from hearts_server.postgres import opening
from hearts_server.postgres.connecting import fence
from hearts_server.postgres.journal import PostgresJournal
from hearts_server.postgres.nodes import PostgresNode
from hearts_server.postgres.schema import OLDEST, VERSION
from hearts_server.standby.agreement import Declared
from hearts_server.standby.membership import LEASE, Fence, Peer
from tests.integration.house import house
from tests.integration.ports import ListeningChat
from tests.journal.desk import hands, nothing, running, session, wait_for
from tests.journal.desk import stored as lines_stored
from tests.server.console_desk import alone, ask

from .place import Schema
from .server import PostgresServer

MARK = b"m" * 32
STANDBY = (Path(__file__).parents[2] / "docs" / "hosting" / "standby.md").read_text("utf-8")
LINES = list(hands(3))
OWN = Declared("0.1", VERSION, OLDEST, settings={"turn-limit": "60"})


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "NODE_LEAVE_LIMIT", 0.1)


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@contextlib.contextmanager
def node(
    place: Schema, name: str, mark: bytes = MARK, own: Declared = OWN
) -> Iterator[PostgresNode]:
    with contextlib.closing(PostgresNode(place.url, name, (name, 7626), mark, own)) as made:
        yield made


@pytest.fixture
def north(place: Schema) -> Iterator[PostgresNode]:
    with node(place, "north") as made:
        yield made


@pytest.fixture
def south(place: Schema, north: PostgresNode) -> Iterator[PostgresNode]:
    with node(place, "south") as made:
        yield made


def test_beats_are_seen_by_the_others(north: PostgresNode, south: PostgresNode) -> None:
    assert north.beat(1.0).peers == [Peer(south.life, "south", "south:7626", 0)]
    north.beat(1.5)
    assert south.beat(2.0).peers == [Peer(north.life, "north", "north:7626", 2)]
    assert south.beat(2.5).sent == 2.5


def test_a_node_is_fenced_only_if_it_has_not_beaten_meanwhile(
    north: PostgresNode, south: PostgresNode
) -> None:
    (seen,) = south.beat(0.0).peers
    north.beat(0.0)
    assert not south.fence(Fence(seen.life, seen.beat))
    north.beat(0.5)
    (seen,) = south.beat(0.5).peers
    assert south.fence(Fence(seen.life, seen.beat))
    # Another one may have done it a moment before.
    assert south.fence(Fence(seen.life, seen.beat))
    with pytest.raises(Fenced):
        north.beat(1.0)
    assert not south.beat(1.0).peers


def test_a_node_takes_over_from_the_dead_alone(north: PostgresNode, south: PostgresNode) -> None:
    assert north.take_over()
    assert not south.take_over()
    assert south.beat(0.0).active == north.life
    north.end()
    assert south.take_over()
    assert not north.take_over()
    assert south.beat(0.5).active == south.life


def test_of_two_that_take_over_at_once_one_does(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    with place.connect() as connection, ThreadPoolExecutor(1) as pool:
        with connection.transaction():
            connection.execute("UPDATE active SET life = %s", (north.life,))
            taking = pool.submit(south.take_over)
            wait_for(lambda: place.has_waiting)
        assert not taking.result()
    assert north.take_over()


async def whole(journal: PostgresJournal, number: int) -> StoredSession:
    (stored,) = await journal.load([number])
    return stored


async def claim_all(journal: PostgresJournal) -> list[int]:
    claimed = await journal.claim_left(0, 1000)
    return [each.game_number for each in claimed.going_on]


async def test_a_node_claims_the_sessions_of_the_one_before(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    north.take_over()
    first = PostgresJournal(place.url, life=north.life)
    stored, over = trio.Event(), trio.Event()
    with pytest.RaisesGroup(Fenced, flatten_subgroups=True):
        async with trio.open_nursery() as nursery:
            await nursery.start(first.run)
            first.begin(session(2), nothing).end("nobody came", over.set)
            store = first.begin(session(), stored.set)
            # Two sessions may be stored in either order.
            await stored.wait()
            await over.wait()
            (seen,) = south.beat(0.0).peers
            assert south.fence(Fence(seen.life, seen.beat))
            # It has not noticed: nothing of it is stored any more.
            store.append("play 0 2C", stored.set)
    assert south.take_over()
    second = PostgresJournal(place.url, life=south.life)
    async with running(second):
        claimed = await second.claim_left(0, 1000)
        assert (claimed.going_on, claimed.highest) == ([session()], 2)
        assert [each.game_number for each in claimed.over] == [2]
        assert (await second.claim_left(2**40, 1000)).over == []
        assert (await whole(second, 2)).why == "nobody came"
        owners = place.sql("SELECT life FROM sessions WHERE ended IS NULL")
        assert owners == [(south.life,)]
        taken = await whole(second, 1)
        assert (taken.session, list(taken.lines)) == (session(), [])
        await lines_stored(second.take_up(taken), ["deal 0"])


async def test_a_node_that_is_fenced_tells_nobody_of_an_end(
    place: Schema, north: PostgresNode, south: PostgresNode, tmp_path: Path
) -> None:
    chat, answers = ListeningChat(), list[Answer]()
    journal = PostgresJournal(place.url, life=north.life)
    async with house(tmp_path, journal=journal, chat=chat) as made:
        with pytest.RaisesGroup(Fenced, flatten_subgroups=True):
            async with running(journal):
                number, _ = await alone(made)
                (host,) = made.server.sessions.running
                (seen,) = south.beat(0.0).peers
                assert south.fence(Fence(seen.life, seen.beat))
                # It has not noticed.
                answers += await ask(made, EndTable(number))
        await trio.testing.wait_all_tasks_blocked()
        client = host.clients.client(0)
        assert client is not None
        assert not client.link.ending
        assert not host.has_ended
        assert not answers
        assert GameNotice(number, ENDED) not in chat.said
    # And so the table goes on where it is taken up.
    async with running(PostgresJournal(place.url, life=south.life)) as second:
        assert await claim_all(second) == [number]


async def test_a_claim_waits_for_a_database_that_is_away(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    async with running(PostgresJournal(place.url, life=north.life)) as journal:
        await lines_stored(journal.begin(session(), nothing), LINES)
    done = trio.Event()
    journal = PostgresJournal(place.url, life=south.life)
    async with running(journal) as taker, trio.open_nursery() as nursery:

        async def claim() -> None:
            assert await claim_all(taker) == [1]
            taken = await whole(taker, 1)
            assert list(taken.lines) == LINES
            await lines_stored(taker.take_up(taken), ["deal 9"])
            done.set()

        with place.broken():
            nursery.start_soon(claim)
            await trio.testing.wait_all_tasks_blocked(0.1)
            assert not done.is_set()
        await done.wait()


async def test_a_life_that_is_over_claims_nothing(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    async with running(PostgresJournal(place.url, life=north.life)) as journal:
        await lines_stored(journal.begin(session(), nothing), LINES)
    (life,) = {life for (life,) in place.sql("SELECT life FROM sessions")}
    south.end()
    with pytest.RaisesGroup(Fenced, flatten_subgroups=True):
        async with running(PostgresJournal(place.url, life=south.life)) as late:
            await claim_all(late)
    assert place.sql("SELECT life FROM sessions") == [(life,)]


def test_another_secret_is_not_taken_for_another_password(
    place: Schema, north: PostgresNode
) -> None:
    # What shows whether passwords are the same differs with the secret.
    other = replace(OWN, settings={"turn-limit": "60", "password": "under another secret"})
    place.sql(
        "UPDATE nodes SET declared = %s",
        replace(OWN, settings={"turn-limit": "60", "password": "under this one"}).encode(),
    )
    with pytest.raises(ConfigError, match="copy the file"), node(place, "south", b"other", other):
        pass


def test_the_host_can_give_nodes_a_new_secret(place: Schema, north: PostgresNode) -> None:
    north.end()
    (statement,) = re.findall(r"UPDATE active .*", STANDBY)
    place.sql(statement.rstrip(";"))
    with node(place, "south", b"new"):
        assert place.sql("SELECT secret FROM active") == [(b"new",)]


def test_a_node_has_the_settings_of_those_that_are_live(place: Schema, north: PostgresNode) -> None:
    other = replace(OWN, settings={"turn-limit": "30"})
    with pytest.raises(TryLater, match=r"turn-limit \(30 here, 60 at north\)"):
        PostgresNode(place.url, "south", ("south", 7626), MARK, other)
    assert [name for (name,) in place.sql("SELECT name FROM nodes")] == ["north"]
    # One that has not beaten for so long is dead, though nobody has ended its life.
    place.sql("UPDATE beats SET beaten = beaten - interval '3 s'")
    with node(place, "south", own=other):
        pass


def test_a_server_on_its_own_and_nodes_keep_each_other_out(
    place: Schema, north: PostgresNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LEAVE_LIMIT", 0.1)
    with pytest.raises(TryLater, match="another hearts-server"):
        PostgresJournal(place.url)
    north.end()
    north.close()
    refused = pytest.raises(TryLater, match="another hearts-server")
    with contextlib.closing(PostgresJournal(place.url)), refused, node(place, "south"):
        pass


def test_a_name_that_beats_is_refused_and_a_silent_one_is_ended(
    place: Schema, north: PostgresNode
) -> None:
    with pytest.raises(TryLater, match="called north as well"), node(place, "north"):
        pass
    place.sql("UPDATE beats SET beaten = beaten - interval '3 s'")
    with node(place, "north") as again:
        assert again.beat(0.0).peers == []
        with pytest.raises(Fenced):
            north.beat(0.0)


def test_after_a_silence_the_next_node_is_settling_and_after_a_refusal_it_is_not(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    for refused in (True, False):
        with node(place, "dead") as dead:
            place.sql("UPDATE active SET life = %s, settled = now()", dead.life)
            assert north.fence(Fence(dead.life, 0, refused))
            assert north.take_over()
            assert south.beat(0.0).is_settling is not refused


def test_a_fence_that_is_held_up_says_by_whom_and_is_tried_again(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    with place.connect() as held, held.transaction():
        held.execute("SET application_name = 'an administrator'")
        held.execute("SELECT FROM nodes WHERE life = %s FOR UPDATE", (north.life,))
        assert not south.fence(Fence(north.life, 0))
        assert "an administrator" in south.waits_for
    assert south.fence(Fence(north.life, 0))
    assert not south.waits_for


def test_a_fence_is_given_up_if_it_is_held_up_for_long(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    with place.connect() as held, held.transaction(), place.connect() as connection:
        held.execute("SET application_name = 'an administrator'")
        held.execute("SELECT FROM nodes WHERE life = %s FOR UPDATE", (north.life,))
        with pytest.raises(psycopg.errors.LockNotAvailable, match=r"held by .*an administrator"):
            fence(connection, north.life, patience=0.0)
    assert south.fence(Fence(north.life, 0))


def test_a_node_that_the_command_has_only_stopped_is_fenced_for_its_silence(
    place: Schema, north: PostgresNode, south: PostgresNode
) -> None:
    assert north.take_over()
    # As far as it comes if its connection is lost in the middle.
    place.sql("UPDATE beats SET live = false WHERE life = %s", north.life)
    (seen,) = south.beat(0.0).peers
    assert not south.take_over()
    assert south.fence(Fence(seen.life, seen.beat))
    assert south.take_over()


def test_a_connection_that_breaks_is_made_again(place: Schema, north: PostgresNode) -> None:
    with place.broken(), pytest.raises(StoreTrouble):
        north.beat(0.0)
    assert not north.beat(0.5).peers


def test_the_command_shows_that_there_are_no_nodes(
    place: Schema, north: PostgresNode, capsys: pytest.CaptureFixture[str]
) -> None:
    north.end()
    assert main(["cluster", "--store", place.url]) == 1
    assert capsys.readouterr().out == "no node is live\n"
    assert main(["cluster", "--store", "sqlite://x"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("hearts-server cluster: argument --store: give postgresql://")
    assert said.count("\n") == 1


def test_the_command_takes_over_from_the_node_that_plays(
    place: Schema, north: PostgresNode, capsys: pytest.CaptureFixture[str]
) -> None:
    north.take_over()
    assert main(["cluster", "take-over", "--store", place.url]) == 2
    assert "no node stands by" in capsys.readouterr().err
    north.beat(0.0)
    with node(place, "south") as south, ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        done = pool.submit(main, ["cluster", "take-over", "--store", place.url])
        wait_for(south.take_over)
        # By then the lease of the other one is over, which could not renew it.
        assert time.monotonic() - began > LEASE
        assert done.result() == 0
    assert capsys.readouterr().out == "node south plays\n"
    with pytest.raises(Fenced):
        north.beat(0.5)


async def test_the_command_shows_the_nodes(
    place: Schema, north: PostgresNode, south: PostgresNode, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cluster", "--store", place.url]) == 1
    south.take_over()
    with node(place, "dead") as dead:
        async with running(PostgresJournal(place.url, life=dead.life)) as journal:
            await lines_stored(journal.begin(session(), nothing), ["line"])
    capsys.readouterr()
    place.sql("UPDATE beats SET beaten = now() - interval '10 s' WHERE life = %s", north.life)
    place.sql("UPDATE beats SET beaten = now() + interval '60 s' WHERE life = %s", south.life)
    assert main(["cluster", "--store", place.url]) == 0
    head, first, second, left = capsys.readouterr().out.splitlines()
    assert head.replace("last beat", "beat").split() == [
        *("node", "life", "role", "beat", "lease", "tables", "version", "address")
    ]
    assert first.split()[:4] == ["north", str(north.life), "stands", "by"]
    assert first.split()[-4:] == ["over", "0", "0.1", "north:7626"]
    assert second.split()[:3] == ["south", str(south.life), "plays"]
    assert second.split()[-5:] == ["s", "left", "0", "0.1", "south:7626"]
    assert main(["cluster", "--store", place.url, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["name"], each["plays"]) for each in told["nodes"]] == [
        *(("north", False), ("south", True))
    ]
    assert told["left_tables"] == 1
    assert left == "tables that wait for a node to go on with them: 1"
    place.sql("UPDATE beats SET beaten = now() - interval '2 s' WHERE life = %s", south.life)
    assert main(["cluster", "--store", place.url]) == 1
