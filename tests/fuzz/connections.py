"""Target: connections over real sockets, led by a little program that the input spells.

The program goes twice: with links that a pump reads, and with links that read in their own tasks.
Peers send, half-close and leave; links rest, wake, catch up, pause, end, abort and close, from
outside and in the middle of what they receive, their own and one another's. Time is virtual.
"""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable, Sequence
from math import inf

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.net import Pump, SocketLink
from hearts.net.link import BACKLOG_LIMIT, LINGER, RECEIVE_BYTES

from .source import Source

LONGEST = 200
"""Bytes of an input that count."""
MOST_OPEN = 4
SIZES = (1, 3, 7, 40, RECEIVE_BYTES - 1, RECEIVE_BYTES, RECEIVE_BYTES + 1, 3 * RECEIVE_BYTES + 5)
PAUSES = (0.0, 0.1, 1.0, LINGER, 5.0)
TURN = 0.3
"""Seconds until a paused link has its turn."""
LAST_PAUSE = 20.0
"""Longer than every pause."""
_BYTES = random.Random(1).randbytes(1 << 17)
"""What is said, from its begin, so that every byte has its place."""


class _Planned(Exception):
    """An error of a receiver that the program asks for."""


class _Connection:
    """One connection: our link, the peer's socket, and what went over it."""

    def __init__(self, pump: Pump | None, nursery: trio.Nursery) -> None:
        self.is_pumped = pump is not None
        make_link = SocketLink if pump is None else pump.link
        ours, self.peer = socket.socketpair()
        self.peer.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self.link = make_link(stream, nursery)
        self.sent = 0
        self.heard = bytearray()
        self.said = 0
        self.got = bytearray()
        self.is_cut = False
        """Whether we have ended it, so that not all has to arrive."""
        self.is_left = False
        """Whether the peer has ended it."""
        self.resting = False
        self.silent_until = -inf
        """Until when it reads nothing, at least."""
        self.paused_until = -inf
        """Until when it may read nothing."""
        self.is_over = False
        self.plans: list[Callable[[], None]] = []
        """What is done in the middle of what it receives next."""

    async def run(self) -> None:
        with contextlib.suppress(_Planned):
            await self.link.run(self._receive)
        assert self.link.ending
        assert isinstance(self.link, SocketLink)
        assert self.link._socket.fileno() == -1
        self.is_over = True

    def _receive(self, data: bytes) -> None:
        assert not self.link.ending
        # Who waits in a task of its own reads a piece that comes before it looks again.
        if self.is_pumped:
            assert trio.current_time() >= self.silent_until
            assert self.is_left or not self.resting
        self.receive(data)
        plans, self.plans = self.plans, []
        for plan in plans:
            plan()

    def receive(self, data: bytes) -> None:
        self.heard += data
        assert self.heard == _BYTES[: len(self.heard)]
        assert len(self.heard) <= self.sent

    # The peer

    def send(self, size: int) -> None:
        # It may be closed, and the system may take no more.
        with contextlib.suppress(OSError):
            self.sent += self.peer.send(_BYTES[self.sent :][:size])

    def half_close(self) -> None:
        self.is_left = True
        with contextlib.suppress(OSError):
            self.peer.shutdown(socket.SHUT_WR)

    def leave(self) -> None:
        self.is_left = True
        self.peer.close()
        # What we say is lost, and that may break the connection before all is read.
        self.is_cut = self.is_cut or self.said > len(self.got)

    def listen(self) -> None:
        with contextlib.suppress(OSError):
            while data := self.peer.recv(1 << 16):
                self.got += data
        assert self.got == _BYTES[: len(self.got)]
        assert len(self.got) <= self.said

    # The link

    def say(self, size: int) -> None:
        if not self.link.ending and self.link.backlog + size <= BACKLOG_LIMIT:
            data = _BYTES[self.said :][:size]
            self.said += len(data)
            # That breaks a connection whose peer is gone.
            self.is_cut = self.is_cut or self.peer.fileno() < 0
            self.link.write(data)
            self.link.flush()

    def rest(self) -> None:
        self.resting = True
        self.link.rest()

    def wake(self) -> None:
        self.resting = False
        self.link.wake()

    def catch_up(self) -> None:
        self.resting = False
        self.receive(self.link.catch_up())

    def pause(self, seconds: float, with_turn: bool) -> None:
        if not self.link.ending:
            now = trio.current_time()
            until = now + seconds
            # Of several the first one counts, or the last, if the link has not looked before.
            if self.paused_until + TURN < now:
                self.silent_until = until
            self.silent_until = min(self.silent_until, until)
            self.paused_until = max(self.paused_until, until)
            self.link.pause(seconds, _turn if with_turn else None)

    def cut(self, how: int) -> None:
        self.is_cut = True
        self.silent_until = self.paused_until = -inf
        (self.link.end, lambda: self.link.abort("planned"), self.link.close)[how]()

    def fail(self) -> None:
        self.is_cut = True
        raise _Planned

    def check_quiet(self, now: float) -> None:
        """All that was sent is heard, if nothing stands against it."""
        if self.paused_until > -inf and not self.is_pumped:
            # It may only now have read a piece, and have begun to pause.
            return
        if not (self.resting or self.is_cut or self.paused_until + TURN >= now):
            assert len(self.heard) == self.sent, (len(self.heard), self.sent)


async def _turn() -> None:
    await trio.sleep(TURN)


class _Play:
    def __init__(self, pump: Pump | None, nursery: trio.Nursery) -> None:
        self._pump = pump
        self._nursery = nursery
        self.connections: list[_Connection] = []

    async def run(self, source: Source) -> None:
        while source:
            await self._step(source)

    def _open(self) -> _Connection:
        connection = _Connection(self._pump, self._nursery)
        self._nursery.start_soon(connection.run)
        self.connections.append(connection)
        return connection

    def _pick(self, source: Source) -> _Connection:
        """One of the last few connections."""
        last = self.connections[-MOST_OPEN:]
        return source.pick(last) if last else self._open()

    async def _step(self, source: Source) -> None:
        kind = source.below(12)
        if kind == 0:
            self._open()
        elif kind == 1:
            await self._settle()
        elif kind == 2:
            await trio.sleep(source.pick(PAUSES))
            await self._settle()
        elif kind == 3:
            await trio.lowlevel.checkpoint()
        elif kind <= 6:
            self._pick(source).send(source.pick(SIZES))
        elif kind == 7:
            connection = self._pick(source)
            source.pick((connection.half_close, connection.leave, connection.listen))()
        else:
            planner, act = self._pick(source), self._action(source)
            if kind == 8:
                planner.plans.append(act)
            else:
                act()

    def _action(self, source: Source) -> Callable[[], None]:
        connection = self._pick(source)
        kind = source.below(10)
        match kind:
            case 0 | 1:
                return connection.rest
            case 2:
                return connection.wake
            case 3 | 4:
                return connection.catch_up
            case 5 | 6:
                seconds, with_turn = source.pick(PAUSES), bool(source.below(2))
                return lambda: connection.pause(seconds, with_turn)
            case 7:
                size = source.pick(SIZES)
                return lambda: connection.say(size)
            case 8:
                how = source.below(3)
                return lambda: connection.cut(how)
            case _:
                return lambda: self._later(connection)

    def _later(self, connection: _Connection) -> None:
        connection.plans.append(connection.fail)

    async def _settle(self) -> None:
        await wait_all_tasks_blocked()
        now = trio.current_time()
        for connection in self.connections:
            connection.check_quiet(now)

    async def end(self) -> None:
        """Everything that still can arrive arrives, and then everything ends."""
        for connection in self.connections:
            connection.plans.clear()
            connection.wake()
        await trio.sleep(LAST_PAUSE)
        await self._settle()
        for connection in self.connections:
            while not connection.is_cut and not connection.is_over and connection.link.backlog:
                connection.listen()
                await wait_all_tasks_blocked()
            connection.listen()
            if not (connection.is_cut or connection.is_left):
                assert len(connection.got) == connection.said
            connection.peer.close()
        await trio.sleep(LINGER + 1)
        assert all(connection.is_over for connection in self.connections)


async def _play(data: bytes, pumped: bool) -> Sequence[_Connection]:
    async with trio.open_nursery() as pumping:
        pump = Pump()
        pumping.start_soon(pump.run)
        async with trio.open_nursery() as nursery:
            play = _Play(pump if pumped else None, nursery)
            await play.run(Source(data[:LONGEST]))
            await play.end()
        assert not pump._links
        pumping.cancel_scope.cancel()
    return play.connections


def connections(data: bytes) -> None:
    """What arrives over a pump is what arrives over links that read for themselves."""
    pumped, alone = (
        trio.run(_play, data, each, clock=MockClock(autojump_threshold=0)) for each in (True, False)
    )
    assert len(pumped) == len(alone)
    for one, other in zip(pumped, alone, strict=True):
        if not (one.is_cut or other.is_cut):
            assert one.sent == other.sent
            assert one.heard == other.heard
