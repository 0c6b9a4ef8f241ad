"""A pump with links that it reads, and the passes of the event loop."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hearts.net import Pump, SocketLink


class LinkEnd:
    """Our link and the other end of its connection; what arrives is kept."""

    def __init__(self, house: Links, pair: tuple[socket.socket, socket.socket]) -> None:
        ours, self.sock = pair
        self.sock.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self.link = house.make_link(stream, house.nursery)
        self.heard: list[bytes] = []
        self.then: Callable[[bytes], None] = lambda data: None
        """What is done with bytes besides."""
        self.over = trio.Event()
        self.error: Exception | None = None

    def send(self, data: bytes) -> None:
        """Send at once, and all of it."""
        assert self.sock.send(data) == len(data)

    async def say(self, data: bytes) -> None:
        """Send, and let everything happen that follows."""
        self.send(data)
        await wait_all_tasks_blocked()

    def receive(self, data: bytes) -> None:
        self.heard.append(data)
        self.then(data)

    def begin(self) -> None:
        self.link.begin(self.receive, self._end)

    def _end(self, error: Exception | None) -> None:
        self.error = error
        self.over.set()

    @property
    def is_over(self) -> bool:
        return self.over.is_set()

    @property
    def whole(self) -> bytes:
        return b"".join(self.heard)


class Links:
    """A pump, and links that it reads, or that read for themselves."""

    def __init__(self, nursery: trio.Nursery, *, pumps: bool = True) -> None:
        self.nursery = nursery
        self.pump = Pump()
        self.make_link = self.pump.link if pumps else SocketLink
        self.pumping = trio.CancelScope()
        self._sockets: list[socket.socket] = []

    def connect(self, pair: tuple[socket.socket, socket.socket] | None = None) -> LinkEnd:
        """A connection that nobody reads yet; what is sent over it has arrived at once."""
        peer = LinkEnd(self, pair or socket.socketpair())
        self._sockets.append(peer.sock)
        return peer

    def run(self, peer: LinkEnd) -> LinkEnd:
        peer.begin()
        return peer

    def meet(self) -> LinkEnd:
        return self.run(self.connect())

    async def pump_all(self) -> None:
        with self.pumping:
            await self.pump.run()

    def close(self) -> None:
        for sock in self._sockets:
            sock.close()


@pytest.fixture
async def house(nursery: trio.Nursery, request: pytest.FixtureRequest) -> AsyncIterator[Links]:
    made = Links(nursery, pumps=getattr(request, "param", True))
    nursery.start_soon(made.pump_all)
    yield made
    made.close()


class Passes(trio.abc.Instrument):
    """Counts passes of the event loop, and the steps of tasks."""

    def __init__(self) -> None:
        self.count = 0
        self.steps: dict[str, int] = {}

    def before_io_wait(self, timeout: float) -> None:
        self.count += 1

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.steps[task.name] = self.steps.get(task.name, 0) + 1


@pytest.fixture
async def passes() -> AsyncIterator[Passes]:  # noqa: ASYNC124  it needs trio to run
    counting = Passes()
    trio.lowlevel.add_instrument(counting)
    yield counting
    trio.lowlevel.remove_instrument(counting)
