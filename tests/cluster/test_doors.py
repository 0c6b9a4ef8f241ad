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

from hearts.net import (
    Pump,
    TcpStream,
    accept_connections,
    address_text,
    client_tls,
    mutual_tls,
    open_listeners,
)
from hearts.session.messages import Refusal
from hearts_server.cluster.doors import Door, NodePort, lobby_known_to
from hearts_server.cluster.handshake import Greeting
from hearts_server.cluster.membership import Peer

SECRET = b"s" * 32
HOST = "127.0.0.1"
LIMIT = 20
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


class Node:
    """The port of one node, and a door that leads to whoever is the lobby."""

    def __init__(
        self, pump: Pump, hold_limit: float, own: Contexts, others: Contexts | None = None
    ) -> None:
        self.port = NodePort(SECRET, lambda: 3, own[0])
        self.door = Door(SECRET, lambda: self, pump, hold_limit, (others or own)[1])
        self.lobby: Peer | None = None
        self.refusing: list[str] = []
        self.address = ""
        self.where = ("", 0)
        self.addresses: list[str] = []

    def refused(self, peer: Peer) -> None:
        self.refusing.append(peer.name)

    def be_lobby(self, life: int = 3) -> None:
        """Say everything back to each client, up to a full stop."""
        self.lobby = Peer(life, "lobby", self.address, 1)
        self.port.open(lambda address: True, self._echo)

    async def _echo(self, stream: TcpStream, address: str) -> None:
        self.addresses.append(address)
        while data := await stream.receive_some(65536):
            await stream.send_all(data)
            if data.endswith(b"."):
                return

    async def call(self) -> trio.SocketStream:
        """A connection of a client to the door."""
        return await trio.open_tcp_stream(*self.where)


@asynccontextmanager
async def node(
    hold_limit: float = LIMIT, own: Contexts = PLAIN, others: Contexts | None = None
) -> AsyncIterator[Node]:
    pump = Pump()
    made = Node(pump, hold_limit, own, others)
    async with trio.open_nursery() as nursery:
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


@pytest.mark.parametrize("own", [PLAIN, HOUSE])
async def test_a_client_is_led_to_the_lobby_with_his_address(own: Contexts) -> None:
    async with node(own=own) as made:
        made.be_lobby()
        async with await made.call() as client:
            await client.send_all(b"a" * 100_000 + b".")
            assert await heard(client) == b"a" * 100_000 + b"."
        assert made.addresses == ["192.0.2.7"]


@pytest.mark.parametrize("own", [PLAIN, HOUSE])
async def test_a_client_that_reads_late_misses_nothing(own: Contexts) -> None:
    much = bytes(1 << 24)
    async with node(own=own) as made:
        said = trio.Event()

        async def serve(stream: TcpStream, address: str) -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(stream.send_all, much)
                await trio.testing.wait_all_tasks_blocked(0.1)
                said.set()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await said.wait()
            assert len(await heard(client)) == len(much)


async def test_a_client_waits_for_a_lobby() -> None:
    async with node() as made, await made.call() as client:
        await client.send_all(b".")
        # Known to be the lobby, but it does not take clients yet.
        made.lobby = Peer(3, "lobby", made.address, 1)
        while not await lobby_known_to(made.address):
            pass
        made.be_lobby()
        assert await heard(client) == b"."


async def test_a_client_waits_no_longer_than_it_may() -> None:
    async with node(hold_limit=0.05) as made, await made.call() as client:
        assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)


async def test_nobody_at_the_address_of_the_lobby_is_told() -> None:
    async with node(hold_limit=0.3) as made:
        (gone,) = await open_listeners(HOST, 0)
        made.lobby = Peer(3, "gone", f"{HOST}:{gone.socket.getsockname()[1]}", 1)
        gone.socket.close()
        async with await made.call() as client:
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)
        assert set(made.refusing) == {"gone"}


async def test_a_connection_ends_when_another_life_is_the_lobby() -> None:
    async with node() as made:
        made.be_lobby(life=3)
        async with await made.call() as stays, await made.call() as client:
            await client.send_all(b"a")
            assert await client.receive_some() == b"a"
            made.door.lobby_changed(3)
            await client.send_all(b"b")
            assert await client.receive_some() == b"b"
            made.door.lobby_changed(4)
            assert await heard(client) == b""
            assert await heard(stays) == b""


@pytest.mark.parametrize("own", [PLAIN, HOUSE])
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


async def test_who_does_not_know_the_secret_gets_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with node() as made:
        made.be_lobby()
        host, _, port = made.address.rpartition(":")
        async with await trio.open_tcp_stream(host, int(port)) as stranger:
            await stranger.receive_some()
            await stranger.send_all(bytes(34) + b"anything")
            assert await heard(stranger) == b""
        assert made.addresses == []
    assert "not-a-node" in caplog.text


async def test_what_follows_a_greeting_is_encrypted_and_said_to_a_link() -> None:
    async with node(own=HOUSE) as made, trio.open_nursery() as nursery:
        pump = Pump()

        async def serve(stream: TcpStream, address: str) -> None:
            # What the door has said already comes out of the link that it becomes.
            link = pump.link(stream, nursery)
            assert await link.read() == b"early"
            link.write(b"late")
            link.end()
            link.close()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await client.send_all(b"early")
            assert await heard(client) == b"late"
        host, _, port = made.address.rpartition(":")
        async with await trio.open_tcp_stream(host, int(port)) as stranger:
            greeting = await stranger.receive_some()
            assert Greeting.decode(bytes(greeting)).takes_clients
            await stranger.send_all(bytes(34) + b"anything")
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


async def test_a_node_that_takes_no_clients_any_more_is_no_lobby() -> None:
    async with node(hold_limit=0.3) as made:
        made.be_lobby()
        made.port.shut()
        async with await made.call() as client:
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)
        assert await lobby_known_to(made.address) == 3
