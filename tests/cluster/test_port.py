"""The port of a node over real sockets: who gets in, and what follows."""

from __future__ import annotations

import struct

import pytest
import trio
import trio.testing

from hearts.net import TcpStream
from hearts.session.messages import Refusal
from hearts_server.cluster.calling import Caller, lives_known_to, socket_stream
from hearts_server.cluster.handshake import GREETING_BYTES, INTRODUCED_BYTES, Errand, Greeting

from .door_node import (
    ANONYMOUS,
    BOTH,
    HOUSE,
    OWN,
    PLAIN,
    SECRET,
    STRANGER,
    Contexts,
    heard,
    node,
)


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


@BOTH
async def test_whoever_leaves_after_the_greeting_has_only_looked(
    own: Contexts, caplog: pytest.LogCaptureFixture
) -> None:
    """So do health checks, and a node that cannot beat."""
    ours, theirs = map(trio.SocketStream, trio.socket.socketpair())
    async with node(own=own) as made, ours, theirs, trio.open_nursery() as serving:
        serving.start_soon(made.port.serve, theirs, "a check")
        greeting = await ours.receive_some()
        assert Greeting.decode(bytes(greeting[:GREETING_BYTES])).lives
        # Over TCP one does not see at once that the other side is closed for both ways.
        await ours.send_eof()
    assert "not-a-node" not in caplog.text


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
        # Nobody has said what becomes of the other one.
        for errand in (Errand.NEWS, Errand.ACT):
            stream = await Caller(SECRET, own[1]).call(made.address, errand)
            assert await heard(stream) == b""
            await trio.aclose_forcefully(socket_stream(stream))
        assert made.addresses == ["news"]


async def test_an_error_of_ours_costs_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(stream: TcpStream, address: str, door: int) -> None:
        raise RuntimeError("broken")

    async with node() as made:
        made.be_lobby()
        made.port.open(lambda address: True, broken)
        async with await made.call() as client:
            assert await heard(client) == b""
        made.be_lobby()
        async with await made.call() as client:
            await client.send_all(b"a.")
            assert await heard(client) == b"a."
    assert caplog.text.count("connection-failed") == 1
