"""What nodes tell each other: their tables, and what is said in the chat; and what is not lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace
from trio.testing import MockClock

from hearts.hosting.table_chat import GameNotice, Said, SeatHolder
from hearts.net import TcpStream, accept_connections, open_private_listener
from hearts_server.club.news import SIZE, News
from hearts_server.club.telling import MOST_SAID, SILENT_LIMIT, TELL_EVERY, Teller
from hearts_server.cluster.calling import CALL_LIMIT, Caller, socket_stream
from hearts_server.cluster.membership import Peer
from hearts_server.cluster.port import NodePort, ServeNode
from hearts_server.lobby.known_tables import KnownTable, known_session
from tests.journal.desk import session

SECRET = bytes(32)
OWN, OTHER, THIRD = 1, 2, 3
SOON = 3 * TELL_EVERY
SAID: list[Said] = [SeatHolder(7, 2, 99), GameNotice(7, "hello")]


def tables(*numbers: int) -> tuple[KnownTable, ...]:
    return tuple(known_session(session(number)) for number in numbers)


async def _no_letter(*_: object) -> int:
    raise AssertionError("nobody comes with a letter")


@asynccontextmanager
async def listening(life: int, path: Path, hear: ServeNode) -> AsyncIterator[Peer]:
    """A node that nodes call at a Unix socket; ``hear`` owns what they tell it."""
    port = NodePort(SECRET, lambda: [life])
    port.take_letters(_no_letter, _no_letter, hear)
    async with trio.open_nursery() as nursery, open_private_listener(path) as listener:
        accept = [listener], port.admits, port.serve, nursery
        nursery.start_soon(accept_connections, *accept)
        yield Peer(life, f"n{life}", str(path), 1)
        nursery.cancel_scope.cancel()


class Knowing(Struct):
    """Knows the nodes that a test gives it."""

    life: int
    lobby: Peer | None = None
    peers: Sequence[Peer] = ()


class Talker(Struct):
    """A node with its teller; it has what a test gives it, and keeps what it hears."""

    life: int
    tables: tuple[KnownTable, ...] = ()
    heard: list[News] = field(default_factory=list)

    @property
    def said(self) -> list[Said]:
        """What was said to it for the chat."""
        return [said for news in self.heard for said in news.said]

    def look(self) -> News:
        return News(self.life, is_whole=True, tables=self.tables)

    def hear(self, life: int, news: News) -> None:
        if life != self.life:
            self.heard.append(news)

    def teller(self, knowing: Knowing | None = None) -> Teller:
        return Teller(Caller(SECRET), knowing or Knowing(self.life), self.look, self.hear)


@asynccontextmanager
async def telling(talker: Talker, *peers: Peer) -> AsyncIterator[tuple[Teller, Knowing]]:
    """A teller at work, which takes the first of the others for the lobby."""
    knowing = Knowing(talker.life, peers[0], peers)
    teller = talker.teller(knowing)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(teller.run)
        yield teller, knowing
        nursery.cancel_scope.cancel()


async def test_all_tables_are_told_once_and_then_what_changes(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own, other = Talker(OWN, tables(1, 2)), Talker(OTHER)
    async with listening(OTHER, tmp_path / "n2", other.teller().hear) as peer, telling(own, peer):
        await trio.sleep(SOON)
        own.tables = tables(2, 3)
        await trio.sleep(SOON)
    first, *later = other.heard
    assert (first.is_whole, first.tables) == (True, tables(1, 2))
    assert not any(news.is_whole for news in later)
    assert [table for news in later for table in news.tables] == [*tables(3)]
    assert [number for news in later for number in news.gone] == [1]


async def test_the_lobby_alone_hears_what_is_said_in_the_chat(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own, lobby, third = Talker(OWN), Talker(OTHER), Talker(THIRD)
    async with (
        listening(OTHER, tmp_path / "n2", lobby.teller().hear) as first,
        listening(THIRD, tmp_path / "n3", third.teller().hear) as second,
        telling(own, first, second) as (teller, knowing),
    ):
        for said in SAID:
            teller.say(said)
        await trio.sleep(SOON)
        assert (lobby.said, third.said) == (SAID, [])
        # While there is no lobby it waits for the next one.
        knowing.lobby = None
        teller.say(SAID[0])
        await trio.sleep(SOON)
        knowing.lobby = second
        await trio.sleep(SOON)
    assert (lobby.said, third.said) == (SAID, SAID[:1])
    assert teller.dropped == 0


async def test_what_could_not_be_said_is_said_over_the_next_connection(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own, lobby = Talker(OWN), Talker(OTHER)
    teller_of_lobby = lobby.teller()
    streams: list[TcpStream] = []

    async def hear(stream: TcpStream) -> None:
        streams.append(stream)
        await teller_of_lobby.hear(stream)

    async with listening(OTHER, tmp_path / "n2", hear) as peer, telling(own, peer) as (teller, _):
        await trio.sleep(SOON)
        await trio.aclose_forcefully(socket_stream(streams[0]))
        for said in SAID:
            teller.say(said)
        await trio.sleep(SOON)
        assert len(streams) == 2
    assert lobby.said == SAID
    assert teller.dropped == 0


async def test_what_a_silent_lobby_has_half_read_is_said_whole_to_the_next(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own, lobby = Talker(OWN), Talker(OTHER)
    reading = lobby.teller()
    calls = 0

    async def hear(stream: TcpStream) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await trio.sleep_forever()
        await reading.hear(stream)

    # More than what the system keeps for a connection.
    many: list[Said] = [GameNotice(n, 200 * "x") for n in range(4096)]
    async with listening(OTHER, tmp_path / "n2", hear) as peer, telling(own, peer) as (teller, _):
        for said in many:
            teller.say(said)
        await trio.sleep(TELL_EVERY)
        assert calls == 1
        await trio.sleep(CALL_LIMIT + SOON)
    assert lobby.said == many
    assert teller.dropped == 0


async def test_what_was_taken_back_on_its_way_is_not_said(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own = Talker(OWN)
    heard = Talker(OTHER)
    reading = heard.teller()
    calls = 0

    async def hear(stream: TcpStream) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await trio.sleep_forever()
        await reading.hear(stream)

    async with listening(OTHER, tmp_path / "n2", hear) as peer, telling(own, peer) as (teller, _):
        for number in range(4096):
            teller.say(GameNotice(number, 200 * "x"))
        await trio.sleep(2 * TELL_EVERY)
        # What stands was told anew, for the lobby has another taunt server.
        teller.take_back()
        teller.say(SAID[0])
        await trio.sleep(CALL_LIMIT + SOON)
    assert heard.said == SAID[:1]


async def test_what_nobody_will_hear_is_counted_and_logged_once(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    own, lobby = Talker(OWN), Talker(OTHER)
    async with (
        listening(OTHER, tmp_path / "n2", lobby.teller().hear) as peer,
        telling(own, peer) as (teller, knowing),
    ):
        knowing.lobby = None
        for number in range(MOST_SAID + 2):
            teller.say(GameNotice(number, "hello"))
        assert teller.dropped == 2
        assert caplog.text.count("not-said-to-lobby") == 1
        knowing.lobby = peer
        await trio.sleep(SOON)
        assert len(lobby.said) == MOST_SAID
        knowing.lobby = None
        for number in range(MOST_SAID + 1):
            teller.say(GameNotice(number, "again"))
    assert teller.dropped == 3
    assert caplog.text.count("not-said-to-lobby") == 2


async def test_a_life_that_is_over_is_told_nothing_more(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    own, other, third = Talker(OWN), Talker(OTHER), Talker(THIRD)
    async with (
        listening(OTHER, tmp_path / "n2", other.teller().hear) as first,
        listening(THIRD, tmp_path / "n3", third.teller().hear) as second,
        telling(own, first) as (_, knowing),
    ):
        await trio.sleep(SOON)
        knowing.peers = [second]
        await trio.sleep(TELL_EVERY)
        count = len(other.heard)
        await trio.sleep(SOON)
    assert count == len(other.heard)
    assert third.heard


async def test_a_node_that_says_nothing_or_nonsense_is_heard_no_more(
    autojump_clock: MockClock,
) -> None:
    """And it does not end the task of whoever hears it."""
    for said in (b"", SIZE.pack(3) + b"abc", SIZE.pack((1 << 32) - 1)):
        near, far = (trio.SocketStream(each) for each in trio.socket.socketpair())
        other = Talker(OTHER)
        news = replace(News(OWN), takes_tables=True)
        async with near, trio.open_nursery() as nursery:
            nursery.start_soon(other.teller().hear, far)
            await near.send_all(news.encode() + said)
            with trio.fail_after(SILENT_LIMIT + 1):
                assert await near.receive_some() == b""
        assert other.heard == [news]
