"""Nodes as processes, with a database that each reaches by a wire of its own, and a balancer."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from hearts.wire.credentials import SECRET_BYTES
from hearts.wire.proxy_header import proxy_header
from tests.postgres.place import Schema
from tests.soak.soak_server import STOP_LIMIT, ServerProcess, free_port

from .wires import CuttableWire, connect_to

SECRET = b"s" * SECRET_BYTES
CHECKED = 1.0
"""Seconds after which a balancer notices that a node does not answer."""


class NodeProcess:
    """One node through all its lives."""

    def __init__(
        self, name: str, number: int, folder: Path, place: Schema, *more: str, chats: bool = False
    ) -> None:
        self.name = name
        self.number = number
        # Its server may change, as an address moves to a standby.
        self.wire = CuttableWire(lambda: connect_to(place.server))
        store = f"postgresql://{place.name}@127.0.0.1:{self.wire.port}/postgres?sslmode=disable"
        data = folder / name
        data.mkdir(mode=0o700)
        (data / "secret").write_bytes(SECRET)
        (data / "secret").chmod(0o600)
        self._proxy_port = free_port()
        behind = ("--proxy-listen", f"127.0.0.1:{self._proxy_port}")
        node = ("--node", name, "--store", store, *behind)
        admits = () if "--password" in more else ("--open",)
        self.process = ServerProcess(data, *node, *admits, *more, chats=chats)

    def begin(self) -> None:
        """Begin a life, and wait until it stands by."""
        self.process.begin()
        self.process.wait_ready(f"hearts-server stands by: node {self.name}".encode())

    def connect(self) -> socket.socket:
        """A connection as the balancer makes it. Raises OSError."""
        return socket.create_connection(("127.0.0.1", self._proxy_port))

    def connect_to_chat(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.process.taunt_port))

    def stop(self) -> None:
        """Let its process stand still."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        os.kill(self.process.pid, signal.SIGCONT)

    def close(self) -> None:
        self.process.close()
        self.wire.close()


class Nodes:
    """Some nodes, and the balancer in front of them."""

    def __init__(
        self, folder: Path, place: Schema, count: int, *more: str, chats: bool = False
    ) -> None:
        """``chats`` lets each have a taunt server while it plays."""
        self.place = place
        self.nodes = [
            NodeProcess(f"n{n}", n, folder, place, *more, chats=chats) for n in range(count)
        ]
        self.balancer = CuttableWire(*(node.connect for node in self.nodes), head=proxy_header)
        """It says who comes, as HAProxy does; all from one address would be a crowd."""
        self.chat = CuttableWire(*(node.connect_to_chat for node in self.nodes if chats))
        """The port of the balancer for the chat."""

    def begin(self) -> None:
        """Begin all; the first plays."""
        for node in self.nodes:
            node.begin()
            while self.active is None:
                time.sleep(0.02)

    @property
    def active(self) -> NodeProcess | None:
        """The live node that plays."""
        found = self.place.sql("SELECT name FROM nodes JOIN active USING (life) WHERE live")
        names = [name for (name,) in found]
        return next((node for node in self.nodes if [node.name] == names), None)

    def beats(self, node: NodeProcess) -> int:
        """Count the beats of a live node."""
        found = self.place.sql(
            "SELECT beat FROM beats JOIN nodes USING (life) WHERE name = %s AND nodes.live",
            node.name,
        )
        return sum(int(str(beat)) for (beat,) in found)

    def wait_ended(self, node: NodeProcess) -> None:
        """Wait until a node has ended by itself."""
        limit = time.monotonic() + STOP_LIMIT
        while not node.process.has_ended:
            assert time.monotonic() < limit, node.process.log_tail()
            time.sleep(0.02)

    def close(self) -> None:
        self.balancer.close()
        self.chat.close()
        for node in self.nodes:
            node.close()


@contextlib.contextmanager
def nodes(
    folder: Path, place: Schema, count: int, *more: str, chats: bool = False
) -> Iterator[Nodes]:
    """Nodes that are gone at the end of the block."""
    with contextlib.closing(Nodes(folder, place, count, *more, chats=chats)) as made:
        made.begin()
        yield made
