"""A door and a node's port over real sockets: who is led where, as whom, and who waits."""

from __future__ import annotations

import contextlib
import ssl
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.hosting.handing_on import BeforeTable
from hearts.hosting.registrar import BegunElsewhere
from hearts.net import (
    Link,
    Pump,
    TcpStream,
    TlsTalk,
    accept_connections,
    address_text,
    client_tls,
    mutual_tls,
    open_listeners,
)
from hearts.net.held import OpenGate
from hearts.session.messages import Refusal
from hearts.session.registration import HalfRegistered, Watch
from hearts_server.cluster.calling import Caller, lives_known_to, socket_stream
from hearts_server.cluster.doors import Door
from hearts_server.cluster.handshake import GREETING_BYTES, INTRODUCED_BYTES, Errand, Greeting
from hearts_server.cluster.led import Led, LedSocketLink, LedTlsLink
from hearts_server.cluster.letters import FRAME, Letter, SeatedElsewhere
from hearts_server.cluster.membership import Peer
from hearts_server.cluster.port import NodePort

SECRET = b"s" * 32
HOST = "127.0.0.1"
LIMIT = 20
OWN, OTHER = 3, 4
FILES = Path(__file__).parents[1] / "certificates"
Contexts = tuple[ssl.SSLContext | None, ssl.SSLContext | None]
"""What a node answers with, and what it calls with."""


def certified(name: str) -> Contexts:
    """A certificate that is its own authority, in front of those that the house has certified."""
    server, client = mutual_tls(FILES / f"{name}.pem", FILES / f"{name}.key", FILES / "house.pem")
    return server, client


PLAIN: Contexts = (None, None)
HOUSE = certified("house")
STRANGER = certified("stranger")
ANONYMOUS: Contexts = (None, client_tls(None, insecure=True))
BOTH = pytest.mark.parametrize("own", [PLAIN, HOUSE])


def letter(owner: int) -> Letter:
    """One for somebody who is to watch game 7."""
    half = HalfRegistered(4, 3, reasons=False, dealer=True, rest=b"rest")
    return Letter(7, owner, BegunElsewhere("Ann", half, Watch(7)))


class Node:
    """A node as its door and its port see it. As the lobby it says everything back to each client,
    and ends the connection behind a full stop, or leads it to an owner behind a ">".
    """

    def __init__(
        self,
        life: int,
        nursery: trio.Nursery,
        pump: Pump,
        hold_limit: float,
        own: Contexts,
        others: Contexts | None = None,
    ) -> None:
        self.life = life
        self.port = NodePort(SECRET, lambda: [life, 9], own[0])
        caller = Caller(SECRET, (others or own)[1])
        self.door = Door(caller, lambda: self, lambda: self, pump, hold_limit)
        self.lobby: Peer | None = None
        self.peers: dict[int, Peer] = {}
        self.refusing: list[str] = []
        self.address = ""
        self.where = ("", 0)
        self.addresses: list[str] = []
        self.owner = OWN
        """Who is said to have each table."""
        self.asked = trio.Event()
        """Set when that is asked."""
        self.letter = letter(OWN)
        """What the lobby gives."""
        self.taken: list[tuple[str, Letter, bytes]] = []
        self.reached = trio.Event()
        """Set when a client has come with a letter."""
        self._nursery = nursery
        self._pump = pump

    def peer(self, life: int) -> Peer | None:
        return self.peers.get(life)

    def refused(self, peer: Peer) -> None:
        self.refusing.append(peer.name)

    # The lobby

    def be_lobby(self, life: int = OWN) -> None:
        self.lobby = Peer(life, "lobby", self.address, 1)
        self.port.open(lambda address: True, self._echo)

    def link(self, stream: TcpStream) -> Led:
        link: Led
        if isinstance(stream, TlsTalk):
            link = LedTlsLink(stream.stream, self._nursery, stream)
        else:
            link = LedSocketLink(stream, self._nursery)
        link.gate = OpenGate()
        return link

    async def _echo(self, stream: TcpStream, address: str) -> None:
        self.addresses.append(address)
        link = self.link(stream)
        while data := await link.read():
            head, leads, _ = data.partition(b">")
            if leads:
                # What came behind it is not taken.
                link.taken -= len(data) - len(head) - 1
            link.write(head)
            link.flush()
            await link.wait_sent(0)
            if leads:
                link.lead(self.letter)
            elif data.endswith(b"."):
                link.end()
        link.close()

    # The owner of tables

    def take_letters(self) -> None:
        self.port.take_letters(self.take, self._serve, self._serve_news)

    async def take(self, letter: Letter) -> int:
        return await self.owner_of(letter.game_number)

    async def owner_of(self, _game_number: int) -> int:
        await trio.lowlevel.checkpoint()
        self.asked.set()
        return self.owner

    async def _serve(self, stream: TcpStream, address: str, letter: Letter) -> None:
        await self.take_in(self._pump.link(stream, self._nursery), address, letter, b"")

    async def take_in(self, link: Link, address: str, letter: Letter, said: bytes) -> None:
        """Say back what a client has said, up to a full stop."""
        self.reached.set()
        data = said
        while not data.endswith(b"."):
            more = await link.read()
            if not more:
                break
            data += more
        self.taken.append((address, letter, data))
        link.write(b"owner: " + data)
        link.end()
        await link.run(lambda data: None)

    async def _serve_news(self, stream: TcpStream) -> None:
        self.addresses.append("news")

    async def call(self) -> trio.SocketStream:
        """A connection of a client to the door."""
        return await trio.open_tcp_stream(*self.where)


@asynccontextmanager
async def node(
    hold_limit: float = LIMIT,
    own: Contexts = PLAIN,
    others: Contexts | None = None,
    life: int = OWN,
) -> AsyncIterator[Node]:
    pump = Pump(OpenGate())
    async with trio.open_nursery() as nursery:
        made = Node(life, nursery, pump, hold_limit, own, others)
        nursery.start_soon(pump.run)

        async def serve(stream: trio.SocketStream, address: str) -> None:
            await made.door.serve(pump.link(stream, nursery), "192.0.2.7")

        (inner,) = await open_listeners(HOST, 0)
        port = made.port
        nursery.start_soon(accept_connections, [inner], port.admits, port.serve, nursery)
        made.address = address_text(inner)
        (outer,) = await open_listeners(HOST, 0)
        nursery.start_soon(accept_connections, [outer], lambda address: True, serve, nursery)
        made.where = outer.socket.getsockname()
        async with inner, outer:
            with trio.fail_after(LIMIT):
                yield made
            nursery.cancel_scope.cancel()


async def heard(stream: TcpStream) -> bytes:
    """All that comes until the end, in order or not."""
    data = bytearray()
    with contextlib.suppress(trio.BrokenResourceError):
        while piece := await stream.receive_some(65536):
            data += piece
    return bytes(data)


# At the lobby


@BOTH
async def test_a_client_is_led_to_the_lobby_with_his_address(own: Contexts) -> None:
    async with node(own=own) as made:
        made.be_lobby()
        async with await made.call() as client:
            await client.send_all(b"a" * 40_000 + b".")
            assert await heard(client) == b"a" * 40_000 + b"."
        assert made.addresses == ["192.0.2.7"]


@BOTH
async def test_a_client_that_reads_late_misses_nothing(own: Contexts) -> None:
    much = bytes(1 << 24)
    async with node(own=own) as made:
        said = trio.Event()

        async def serve(stream: TcpStream, address: str) -> None:
            link = made.link(stream)
            link.allow(2 * len(much))
            link.write(much)
            link.flush()
            await trio.testing.wait_all_tasks_blocked(0.1)
            said.set()
            await link.wait_sent(0)
            link.end()
            await link.run(lambda data: None)

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await said.wait()
            assert len(await heard(client)) == len(much)


async def test_a_client_waits_for_a_lobby() -> None:
    async with node() as made, await made.call() as client:
        await client.send_all(b".")
        # Known to be the lobby, but it does not let people in yet.
        made.lobby = Peer(OWN, "lobby", made.address, 1)
        assert await lives_known_to(made.address) == [OWN, 9]
        made.be_lobby()
        assert await heard(client) == b"."


async def test_a_client_waits_no_longer_than_it_may() -> None:
    async with node(hold_limit=0.05) as made, await made.call() as client:
        assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)


async def test_nobody_at_the_address_of_the_lobby_is_told() -> None:
    async with node(hold_limit=0.3) as made:
        (gone,) = await open_listeners(HOST, 0)
        made.lobby = Peer(OWN, "gone", f"{HOST}:{gone.socket.getsockname()[1]}", 1)
        gone.socket.close()
        async with await made.call() as client:
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)
        assert set(made.refusing) == {"gone"}


async def test_a_connection_ends_when_its_life_does() -> None:
    async with node() as made:
        made.be_lobby(life=OWN)
        async with await made.call() as stays, await made.call() as client:
            await client.send_all(b"a")
            assert await client.receive_some() == b"a"
            made.door.lives_changed({OWN, OTHER})
            await client.send_all(b"b")
            assert await client.receive_some() == b"b"
            made.door.lives_changed({OTHER})
            assert await heard(client) == b""
            assert await heard(stays) == b""


@BOTH
async def test_a_client_that_leaves_leaves_the_lobby(own: Contexts) -> None:
    async with node(own=own) as made:
        left = trio.Event()

        async def serve(stream: TcpStream, address: str) -> None:
            await heard(stream)
            left.set()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        client = await made.call()
        await client.send_all(b"a")
        await client.aclose()
        await left.wait()


@BOTH
async def test_a_client_that_has_said_all_hears_the_answer(own: Contexts) -> None:
    async with node(own=own) as made:

        async def serve(stream: TcpStream, address: str) -> None:
            link = made.link(stream)
            assert await link.read() == b"a"
            assert await link.read() == b""
            link.write(b"b")
            link.end()
            link.close()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await client.send_all(b"a")
            await client.send_eof()
            assert await heard(client) == b"b"


async def test_a_client_that_says_too_much_to_a_lobby_that_does_not_read_is_lost() -> None:
    async with node() as made:
        made.be_lobby()

        async def serve(stream: TcpStream, address: str) -> None:
            await trio.sleep_forever()

        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            with contextlib.suppress(trio.BrokenResourceError):
                await client.send_all(bytes(1 << 24))
            assert await heard(client) == b""


# With a letter


@BOTH
async def test_a_client_with_a_letter_for_his_own_node_is_played_over_his_connection(
    own: Contexts,
) -> None:
    async with node(own=own) as made:
        made.be_lobby()
        async with await made.call() as client:
            await client.send_all(b"ab>cd")
            assert await client.receive_some() == b"ab"
            await client.send_all(b".")
            assert await heard(client) == b"owner: cd."
        assert made.taken == [("192.0.2.7", letter(OWN), b"cd.")]


@BOTH
async def test_a_client_with_a_letter_for_another_node_is_led_there(own: Contexts) -> None:
    async with node(own=own) as made, node(own=own, life=OTHER) as other:
        made.be_lobby()
        made.letter = Letter(7, OTHER, SeatedElsewhere(2, BeforeTable(b"unread", 5)))
        made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
        other.owner = OTHER
        other.take_letters()
        async with await made.call() as client:
            await client.send_all(b"ab>cd")
            assert await client.receive_some() == b"ab"
            await client.send_all(b".")
            assert await heard(client) == b"owner: cd."
        assert other.taken == [("192.0.2.7", made.letter, b"cd.")]
        assert made.taken == []


@pytest.mark.parametrize(
    "frame", [FRAME.pack(True, 0, 1 << 31), FRAME.pack(False, 3, 1) + b"a", FRAME.pack(True, 0, 0)]
)
async def test_a_lobby_that_says_nonsense_is_left(frame: bytes) -> None:
    left = trio.Event()

    async def lobby(stream: TcpStream, address: str) -> None:
        await stream.send_all(frame)
        assert await heard(stream) == b""
        left.set()

    async with node() as made:
        made.be_lobby()
        made.port.open(lambda address: True, lobby)
        async with await made.call() as client:
            assert await heard(client) == b""
            await left.wait()


async def test_a_client_is_held_until_his_table_has_an_owner() -> None:
    async with node() as made, node(life=OTHER) as other:
        made.be_lobby()
        made.letter = letter(9)
        made.owner = 0
        async with await made.call() as client:
            await client.send_all(b">a.")
            await made.asked.wait()
            # The one that had it is over, and another one has claimed it.
            made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
            made.owner = OTHER
            other.take_letters()
            await other.asked.wait()
            other.owner = OTHER
            assert await heard(client) == b"owner: a."
        assert other.taken == [("192.0.2.7", letter(9), b"a.")]


@pytest.mark.parametrize("owner", [9, OWN])
async def test_a_client_is_not_held_for_ever(owner: int) -> None:
    async with node(hold_limit=0.3) as made:
        made.be_lobby()
        made.letter = letter(owner)
        made.owner = 0
        async with await made.call() as client:
            await client.send_all(b">")
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)


async def test_a_connection_to_an_owner_ends_when_his_life_does() -> None:
    async with node() as made, node(life=OTHER) as other:
        made.be_lobby()
        made.letter = letter(OTHER)
        made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
        other.owner = OTHER
        other.take_letters()
        async with await made.call() as client:
            await client.send_all(b">a")
            await other.reached.wait()
            made.door.lives_changed({OWN})
            assert await heard(client) == b""


# Strangers


async def test_who_does_not_know_the_secret_gets_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with node() as made:
        made.be_lobby()
        host, _, port = made.address.rpartition(":")
        async with await trio.open_tcp_stream(host, int(port)) as stranger:
            await stranger.receive_some()
            await stranger.send_all(bytes(INTRODUCED_BYTES) + b"anything")
            assert await heard(stranger) == b""
        assert made.addresses == []
    assert "not-a-node" in caplog.text


async def test_what_follows_a_greeting_is_encrypted() -> None:
    async with node(own=HOUSE) as made:
        made.be_lobby()
        host, _, port = made.address.rpartition(":")
        async with await trio.open_tcp_stream(host, int(port)) as stranger:
            greeting = await stranger.receive_some()
            assert Greeting.decode(bytes(greeting[:GREETING_BYTES])).is_lobby
            await stranger.send_all(bytes(INTRODUCED_BYTES) + b"anything")
            assert await heard(stranger) == b""


@pytest.mark.parametrize("others", [STRANGER, ANONYMOUS, PLAIN])
async def test_a_node_that_the_authority_has_not_certified_leads_nobody_here(
    others: Contexts, caplog: pytest.LogCaptureFixture
) -> None:
    async with node(own=HOUSE, others=others, hold_limit=0.5) as made:
        made.be_lobby()
        async with await made.call() as client:
            said = await heard(client)
        assert said in (b"", struct.pack(">i", Refusal.SERVER_FULL))
        assert made.addresses == []
    assert "not-a-node" in caplog.text


async def test_a_node_that_lets_nobody_in_any_more_is_no_lobby() -> None:
    async with node(hold_limit=0.3) as made:
        made.be_lobby()
        made.port.shut()
        async with await made.call() as client:
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)
        assert await lives_known_to(made.address) == [OWN, 9]


@BOTH
async def test_news_are_brought_to_a_node(own: Contexts) -> None:
    async with node(own=own) as made:
        made.take_letters()
        stream = await Caller(SECRET, own[1]).call(made.address, Errand.NEWS)
        assert await heard(stream) == b""
        await trio.aclose_forcefully(socket_stream(stream))
        assert made.addresses == ["news"]
