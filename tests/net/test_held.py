"""Connections with a gate: what they are given to say leaves when the gate is open."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest
import trio

from hearts.net import BACKLOG_LIMIT, Link, Pump


class FakeGate:
    def __init__(self) -> None:
        self.is_open = True
        self.held: list[Link] = []

    def hold(self, link: Link) -> None:
        self.held.append(link)


class HeldPeer:
    def __init__(self, gate: FakeGate, nursery: trio.Nursery) -> None:
        ours, self.sock = socket.socketpair()
        self.sock.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self.link = Pump(gate).link(stream, nursery)

    def heard(self) -> bytes | None:
        """What has come; empty at the end, None for nothing yet."""
        try:
            return self.sock.recv(1000)
        except BlockingIOError:
            return None


@pytest.fixture
def gate() -> FakeGate:
    return FakeGate()


@pytest.fixture
async def peer(gate: FakeGate, nursery: trio.Nursery) -> AsyncIterator[HeldPeer]:
    made = HeldPeer(gate, nursery)
    yield made
    made.link.close()
    made.sock.close()


async def test_nothing_leaves_while_the_gate_is_closed(gate: FakeGate, peer: HeldPeer) -> None:
    gate.is_open = False
    for part in (b"a", b"b"):
        peer.link.write(part)
        peer.link.flush()
    assert peer.heard() is None
    assert set(gate.held) == {peer.link}
    gate.is_open = True
    gate.held[0].flush()
    assert peer.heard() == b"ab"


async def test_a_connection_does_not_end_in_order_while_the_gate_is_closed(
    gate: FakeGate, peer: HeldPeer
) -> None:
    gate.is_open = False
    peer.link.write(b"the game is over")
    peer.link.end()
    peer.link.close()
    assert peer.heard() == b""
    assert peer.link.why_lost == "ended while nothing may be said"


async def test_what_waits_is_bounded(gate: FakeGate, peer: HeldPeer) -> None:
    gate.is_open = False
    peer.link.write(bytes(BACKLOG_LIMIT))
    peer.link.flush()
    assert not peer.link.ending
    peer.link.write(b"a")
    peer.link.flush()
    assert peer.link.ending


async def test_an_open_gate_changes_nothing(gate: FakeGate, peer: HeldPeer) -> None:
    peer.link.write(b"a")
    peer.link.end()
    assert peer.heard() == b"a"
    assert peer.heard() == b""
    assert gate.held == []
