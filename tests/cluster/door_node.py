"""A node as its door and its port see it, over real sockets."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

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
from hearts.session.registration import HalfRegistered, Watch
from hearts_server.cluster.calling import Caller
from hearts_server.cluster.doors import Door
from hearts_server.cluster.led import Led, LedSocketLink, LedTlsLink
from hearts_server.cluster.letters import Letter
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
        self.doors: list[int] = []
        """The lives that led those who came to the lobby."""
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

    async def _echo(self, stream: TcpStream, address: str, door: int) -> None:
        self.addresses.append(address)
        self.doors.append(door)
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

    def begin(self, inner: trio.SocketListener, outer: trio.SocketListener) -> None:
        """Take connections of nodes at one listener, and of clients at the other."""
        start, port = self._nursery.start_soon, self.port
        self.address = address_text(inner)
        self.where = outer.socket.getsockname()
        start(self._pump.run)
        start(accept_connections, [inner], port.admits, port.serve, self._nursery)
        start(accept_connections, [outer], lambda address: True, self._lead, self._nursery)

    async def _lead(self, stream: trio.SocketStream, address: str) -> None:
        await self.door.serve(self._pump.link(stream, self._nursery), "192.0.2.7")

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
        (inner,) = await open_listeners(HOST, 0)
        (outer,) = await open_listeners(HOST, 0)
        async with inner, outer:
            made.begin(inner, outer)
            with trio.fail_after(LIMIT):
                # What was begun is under way when the test goes on.
                await trio.lowlevel.checkpoint()
                yield made
            nursery.cancel_scope.cancel()


async def heard(stream: TcpStream) -> bytes:
    """All that comes until the end, in order or not."""
    data = bytearray()
    with contextlib.suppress(trio.BrokenResourceError):
        while piece := await stream.receive_some(65536):
            data += piece
    return bytes(data)
