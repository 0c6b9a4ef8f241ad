"""What nodes do to each other through the database: beats, fences, the lobby, what it takes up."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import trio
import trio.testing
from msgspec.structs import replace

import hearts_server
from hearts.hosting.table_chat import GameNotice
from hearts_server.cluster.agreement import Declared
from hearts_server.cluster.membership import Fence, Peer
from hearts_server.cluster.node import ClubAway, LifeOver
from hearts_server.cluster.shared import SessionOwner
from hearts_server.commands.cluster import main
from hearts_server.config import ConfigError, TryLater
from hearts_server.console.acts import ENDED
from hearts_server.console_protocol import Answer, EndTable
from hearts_server.journal.store import Fenced, StoredSession
from hearts_server.postgres import beside, opening
from hearts_server.postgres.club import PostgresClub
from hearts_server.postgres.journal import PostgresJournal
from hearts_server.postgres.schema import OLDEST, VERSION
from tests.integration.house import house
from tests.journal.desk import hands, nothing, running, session, wait_for
from tests.journal.desk import stored as lines_stored
from tests.server.console_desk import ListeningChat, alone, ask

from .place import Schema
from .server import PostgresServer

MARK = b"m" * 32
HOSTING = Path(hearts_server.__file__).with_name("HOSTING.md").read_text(encoding="utf-8")
LINES = list(hands(3))
OWN = Declared("0.1", VERSION, OLDEST, talk=1, settings={"turn-limit": "60"})


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@contextlib.contextmanager
def node(
    place: Schema, name: str, mark: bytes = MARK, own: Declared = OWN
) -> Iterator[PostgresClub]:
    with contextlib.closing(PostgresClub(place.url, name, f"{name}:7700", mark, own)) as made:
        yield made


@pytest.fixture
def north(place: Schema) -> Iterator[PostgresClub]:
    with node(place, "north") as made:
        yield made


@pytest.fixture
def south(place: Schema, north: PostgresClub) -> Iterator[PostgresClub]:
    with node(place, "south") as made:
        yield made


def test_beats_are_seen_by_the_others(north: PostgresClub, south: PostgresClub) -> None:
    assert north.beat(1.0).peers == [Peer(south.life, "south", "south:7700", 0)]
    north.beat(1.5)
    assert south.beat(2.0).peers == [Peer(north.life, "north", "north:7700", 2)]
    assert south.beat(2.5).sent == 2.5


def test_a_node_is_fenced_only_if_it_has_not_beaten_meanwhile(
    north: PostgresClub, south: PostgresClub
) -> None:
    (seen,) = south.beat(0.0).peers
    north.beat(0.0)
    assert not south.fence(Fence(seen.life, seen.beat))
    north.beat(0.5)
    (seen,) = south.beat(0.5).peers
    assert south.fence(Fence(seen.life, seen.beat))
    # Another one may have done it a moment before.
    assert south.fence(Fence(seen.life, seen.beat))
    with pytest.raises(LifeOver):
        north.beat(1.0)
    assert not south.beat(1.0).peers


def test_the_lobby_is_taken_from_the_dead_alone(north: PostgresClub, south: PostgresClub) -> None:
    assert north.take_lobby()
    assert not south.take_lobby()
    assert south.beat(0.0).lobby == north.life
    north.end()
    assert south.take_lobby()
    assert not north.take_lobby()
    assert south.beat(0.5).lobby == south.life


def test_of_two_that_become_the_lobby_at_once_one_does(
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    with place.connect() as connection, ThreadPoolExecutor(1) as pool:
        with connection.transaction():
            connection.execute("UPDATE club SET lobby = %s", (north.life,))
            taking = pool.submit(south.take_lobby)
            wait_for(lambda: place.has_waiting)
        assert not taking.result()
    assert north.take_lobby()


async def whole(journal: PostgresJournal, number: int) -> StoredSession:
    """A session that is the own one's, or has ended."""
    stored = (await journal.look_for(number)).stored
    assert stored is not None
    return stored


async def test_the_lobby_knows_the_sessions_of_the_one_before(
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    north.take_lobby()
    first = PostgresJournal(place.url, life=north.life)
    stored = trio.Event()
    with pytest.RaisesGroup(Fenced, flatten_subgroups=True):
        async with trio.open_nursery() as nursery:
            await nursery.start(first.run)
            store = first.begin(session(), stored.set)
            await stored.wait()
            (seen,) = south.beat(0.0).peers
            assert south.fence(Fence(seen.life, seen.beat))
            # It has not noticed: nothing of it is stored any more.
            store.append("play 0 2C", stored.set)
    assert south.take_lobby()
    second = PostgresJournal(place.url, life=south.life)
    async with running(second):
        assert await second.going_on() == [(session(), north.life)]
        assert await second.highest() == 1
        assert place.sql("SELECT life FROM sessions") == [(north.life,)]
        taken = await whole(second, 1)
        assert (taken.session, list(taken.lines)) == (session(), [])
        assert place.sql("SELECT life FROM sessions") == [(south.life,)]
        assert await second.look_for(2) == SessionOwner(south.life)
        await lines_stored(second.take_up(taken), ["deal 0"])


async def test_a_node_that_is_fenced_tells_nobody_of_an_end(
    place: Schema, north: PostgresClub, south: PostgresClub, tmp_path: Path
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
        assert (await whole(second, number)).ended is None


async def test_sessions_are_claimed_in_parts_and_each_once(
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    with node(place, "dead") as dead:
        async with running(PostgresJournal(place.url, life=dead.life)) as journal:
            for number in range(1, 7):
                await lines_stored(journal.begin(session(number), nothing), LINES)
            journal.begin(session(7), nothing).end("nobody came", nothing)
        living = [PostgresJournal(place.url, life=club.life) for club in (north, south)]
        async with running(living[0]) as first, running(living[1]) as second:
            # The end of a journal is the end of its life. Who comes back is waited for by nobody.
            assert len((await whole(first, 5)).lines) == len(LINES)
            assert await second.look_for(5) == SessionOwner(north.life)
            assert (await whole(second, 7)).why == "nobody came"
            found: list[list[int]] = []

            async def claim(journal: PostgresJournal) -> None:
                while True:
                    numbers, left = await journal.claim_left(2)
                    assert [each.session.game_number for each in left] == numbers
                    assert all(len(each.lines) == len(LINES) for each in left)
                    if not numbers:
                        return
                    found.append(numbers)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(claim, first)
                nursery.start_soon(claim, second)
            assert all(len(numbers) <= 2 for numbers in found)
            assert sorted(n for numbers in found for n in numbers) == [1, 2, 3, 4, 6]
            own = await first.own(), await second.own()
            assert sorted([*own[0], *own[1]]) == [1, 2, 3, 4, 5, 6]
            owners = dict.fromkeys(own[0], north.life) | dict.fromkeys(own[1], south.life)
            assert await first.owners(range(1, 9)) == owners
    # Both are gone before they have taken up what they had claimed.
    with node(place, "third") as third:
        async with running(PostgresJournal(place.url, life=third.life)) as journal:
            assert (await journal.claim_left(20))[0] == [1, 2, 3, 4, 5, 6]


async def test_a_session_begins_at_another_node(
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    lobby, owner = (PostgresJournal(place.url, life=club.life) for club in (north, south))
    async with running(lobby), running(owner):
        stored = trio.Event()
        lobby.begin_for(south.life, session(), stored.set)
        await stored.wait()
        assert await lobby.look_for(1) == SessionOwner(south.life)
        assert await owner.own() == [1]
        await lines_stored(owner.take_up(await whole(owner, 1)), LINES)
    with node(place, "third") as third:
        async with running(PostgresJournal(place.url, life=third.life)) as journal:
            # Both are over by now: whoever is given a session then need not know of it.
            begun = trio.Event()
            journal.begin_for(south.life, session(2), begun.set)
            await begun.wait()
            numbers, left = await journal.claim_left(20)
            assert numbers == [1, 2]
            assert [len(each.lines) for each in left] == [len(LINES), 0]


async def test_a_claim_waits_for_a_database_that_is_away(
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    async with running(PostgresJournal(place.url, life=north.life)) as journal:
        await lines_stored(journal.begin(session(), nothing), LINES)
    done = trio.Event()
    journal = PostgresJournal(place.url, life=south.life, retry_every=1.0)
    async with running(journal) as taker, trio.open_nursery() as nursery:

        async def claim() -> None:
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
    place: Schema, north: PostgresClub, south: PostgresClub
) -> None:
    async with running(PostgresJournal(place.url, life=north.life)) as journal:
        await lines_stored(journal.begin(session(), nothing), LINES)
    (life,) = {life for (life,) in place.sql("SELECT life FROM sessions")}
    south.end()
    with pytest.RaisesGroup(Fenced, flatten_subgroups=True):
        async with running(PostgresJournal(place.url, life=south.life)) as late:
            await late.claim_left(20)
    assert place.sql("SELECT life FROM sessions") == [(life,)]


def test_a_node_has_the_secret_of_the_others(place: Schema, north: PostgresClub) -> None:
    with pytest.raises(ConfigError, match="copy the file"), node(place, "south", b"other"):
        pass


def test_another_secret_is_not_taken_for_another_password(
    place: Schema, north: PostgresClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "LEAVE_LIMIT", 0.1)
    # What shows whether passwords are the same differs with the secret.
    other = replace(OWN, settings={"turn-limit": "60", "password": "under another secret"})
    place.sql(
        "UPDATE nodes SET declared = %s",
        replace(OWN, settings={"turn-limit": "60", "password": "under this one"}).encode(),
    )
    with pytest.raises(ConfigError, match="copy the file"), node(place, "south", b"other", other):
        pass


def test_the_host_can_give_a_club_a_new_secret(place: Schema, north: PostgresClub) -> None:
    north.end()
    (statement,) = re.findall(r"UPDATE club .*", HOSTING)
    place.sql(statement.rstrip(";"))
    with node(place, "south", b"new"):
        assert place.sql("SELECT secret FROM club") == [(b"new",)]


def test_a_node_has_the_settings_of_those_that_are_live(
    place: Schema, north: PostgresClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "LEAVE_LIMIT", 0.1)
    other = replace(OWN, settings={"turn-limit": "30"})
    with pytest.raises(TryLater, match=r"turn-limit \(30 here, 60 at north\)"):
        PostgresClub(place.url, "south", "south:7700", MARK, other)
    assert [name for (name,) in place.sql("SELECT name FROM nodes")] == ["north"]
    # One that has not beaten for so long is dead, though nobody has ended its life.
    place.sql("UPDATE beats SET beaten = beaten - interval '3 s'")
    with node(place, "south", own=other):
        pass


def test_a_node_whose_version_cannot_be_beside_a_live_one_is_told_so(
    place: Schema, north: PostgresClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "LEAVE_LIMIT", 0.1)
    newer = replace(OWN, program="0.2", schema=VERSION + 1, oldest=VERSION + 1)
    with pytest.raises(TryLater, match=r"north is of hearts-server 0\.1 and this one of 0\.2"):
        PostgresClub(place.url, "south", "south:7700", MARK, newer)
    assert [name for (name,) in place.sql("SELECT name FROM nodes")] == ["north"]


def test_a_server_on_its_own_and_nodes_keep_each_other_out(
    place: Schema, north: PostgresClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LEAVE_LIMIT", 0.1)
    with pytest.raises(TryLater, match="another hearts-server"):
        PostgresJournal(place.url)
    north.end()
    north.close()
    refused = pytest.raises(TryLater, match="another hearts-server")
    with contextlib.closing(PostgresJournal(place.url)), refused, node(place, "south"):
        pass


def test_a_connection_that_breaks_is_made_again(place: Schema, north: PostgresClub) -> None:
    with place.broken(), pytest.raises(ClubAway):
        north.beat(0.0)
    assert not north.beat(0.5).peers


def test_the_command_shows_a_club_without_nodes(
    place: Schema, north: PostgresClub, capsys: pytest.CaptureFixture[str]
) -> None:
    north.end()
    assert main(["--store", place.url]) == 1
    assert capsys.readouterr().out == "no node is live\n"
    assert main(["--store", "sqlite://x"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("hearts-server cluster: argument --store: give postgresql://")
    assert said.count("\n") == 1


async def test_the_command_shows_the_nodes(
    place: Schema, north: PostgresClub, south: PostgresClub, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--store", place.url]) == 1
    south.take_lobby()
    with node(place, "dead") as dead:
        async with running(PostgresJournal(place.url, life=dead.life)) as journal:
            await lines_stored(journal.begin(session(), nothing), ["line"])
    capsys.readouterr()
    place.sql("UPDATE beats SET beaten = now() - interval '10 s' WHERE life = %s", north.life)
    place.sql("UPDATE beats SET beaten = now() + interval '60 s' WHERE life = %s", south.life)
    assert main(["--store", place.url]) == 0
    head, first, second, left = capsys.readouterr().out.splitlines()
    assert head.replace("last beat", "beat").split() == [
        *("node", "life", "lobby", "beat", "lease", "tables", "version", "address")
    ]
    assert first.split()[:3] == ["north", str(north.life), "-"]
    assert first.split()[-4:] == ["over", "0", "0.1", "north:7700"]
    assert second.split()[:3] == ["south", str(south.life), "lobby"]
    assert second.split()[-5:] == ["s", "left", "0", "0.1", "south:7700"]
    assert left == "tables that wait for a node to go on with them: 1"
