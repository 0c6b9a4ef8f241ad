"""One task that reads all plain connections of a process.

trio can wait for many sockets, but in a task for each: to arm it, wake its task and let that read
costs more than what most players send is worth. So the pump has an epoll of its own with all of its
connections, and trio waits for nothing but that.

The epoll is edge-triggered: it tells once that something has arrived, and a link that leaves it
unread remembers that. To be told once more it is put into the epoll anew, behind all others.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Callable

import trio

from .link import GONE, Ended, Gate, Link
from .sockets import SocketLink
from .tls import Certificate, TlsLink

READS_IN_A_PASS = 64
"""Connections that are read in one pass of the event loop, each up to its piece. All else has its
turn between two passes; who is left is read in the next one, before those who come later."""

if sys.platform == "linux":
    _EVENTS = select.EPOLLIN | select.EPOLLPRI | select.EPOLLRDHUP | select.EPOLLET
    _ENDED = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR
    # A read that gives fewer bytes than it could has given all. It also stops before an urgent
    # byte, and before the end of the connection: then only another read tells.
    _MORE_MAY_COME = _ENDED | select.EPOLLPRI
else:
    _EVENTS = _ENDED = _MORE_MAY_COME = 0


class Pump:
    """Reads the links that it has made, while :meth:`run` runs.

    Where the system has no epoll each link reads for itself, in its own task.
    """

    def __init__(self, gate: Gate | None = None) -> None:
        """With a gate its links say nothing while that is closed."""
        self._gate = gate
        self._epoll = select.epoll() if hasattr(select, "epoll") else None
        self._links: dict[int, PumpedLink] = {}

    def link(
        self, stream: trio.SocketStream, nursery: trio.Nursery, tls: Certificate | None = None
    ) -> Link:
        """Return a link that is read by this pump, or with a certificate by a task of its own.

        ``nursery`` is as in :class:`Link`. Raises OSError.
        """
        if tls is not None:
            link: Link = TlsLink(stream, nursery, tls.context)
        elif self._epoll is not None:
            link = PumpedLink(stream, nursery, self)
        else:
            link = SocketLink(stream, nursery)
        link.gate = self._gate
        return link

    async def run(self) -> None:
        """Read until cancelled. Links that are left then are aborted: nobody would read them."""
        epoll, links = self._epoll, self._links
        if epoll is None:
            return
        try:
            while True:
                await trio.lowlevel.wait_readable(epoll.fileno())
                for fd, events in epoll.poll(0, READS_IN_A_PASS):
                    # There is none if one that was read before it has closed it.
                    link = links.get(fd)
                    if link is not None:
                        link.read_ready(events)
        finally:
            left = tuple(links.values())
            links.clear()
            epoll.close()
            for link in left:
                link.abort("nobody reads any more")

    def add(self, fd: int, link: PumpedLink) -> None:
        """Begin to listen for a link. Raises OSError, or trio.ClosedResourceError after the end."""
        if self._epoll is None or self._epoll.closed:
            raise trio.ClosedResourceError
        if fd not in self._links:
            self._epoll.register(fd, _EVENTS)
            self._links[fd] = link

    def remove(self, fd: int) -> None:
        """Listen no more for the link with this descriptor, if there is one, before it closes."""
        if self._links.pop(fd, None) is not None and self._epoll is not None:
            self._epoll.unregister(fd)

    def repeat(self, fd: int) -> None:
        """Tell the link with this descriptor again, in a later pass, what has arrived."""
        if fd in self._links and self._epoll is not None:
            self._epoll.modify(fd, _EVENTS)


class PumpedLink(SocketLink):
    """A TCP connection that a :class:`Pump` reads.

    A task owns it from its first pause or its end on, or that of :meth:`run`, which sleeps until
    then: 4 kB. Before, ``read`` waits for the socket in trio's own way.
    """

    _end_is_told = True

    def __init__(self, stream: trio.SocketStream, nursery: trio.Nursery, pump: Pump) -> None:
        super().__init__(stream, nursery)
        self._pump = pump
        # What the epoll has told since there was nothing to read.
        self._arrived = 0
        self._receiver: Callable[[bytes], None] = _drop
        # Of turns: whether it has asked for one, and whether it may read once.
        self._asks = self._has_turn = False
        self._failure: Exception | None = None
        # As long as it has no task.
        self._ended: Ended | None = None

    def begin(self, receive: Callable[[bytes], None], ended: Ended) -> None:
        self._receiver, self._ended = receive, ended
        try:
            self._pump.add(self._socket.fileno(), self)
        except GONE:
            # The task finds the same, and ends.
            self._rouse()
        if self.ending or self._paused_until is not None:
            self._rouse()

    def _rouse(self) -> None:
        ended, self._ended = self._ended, None
        if ended is None:
            super()._rouse()
        else:
            super().begin(self._receiver, ended)

    async def run(self, receive: Callable[[bytes], None]) -> None:
        self._receiver = receive
        try:
            with self._scope:
                await trio.lowlevel.checkpoint_if_cancelled()
                self._pump.add(self._socket.fileno(), self)
                while True:
                    if self._paused_until is not None:
                        await self._wait_out()
                    self._read_on()
                    await self._sleep()
            if self._failure is not None:
                raise self._failure
        except GONE as error:
            self.why_lost = self.why_lost or f"receiving failed: {error}"
        finally:
            # They hold us, and would do so for ever but for the garbage collector.
            self._receiver, self._failure = _drop, None
            self.close()

    def read_ready(self, events: int) -> None:
        """Hand over the bytes that have arrived, if it is time for them."""
        self._arrived |= events
        # With a task that does not sleep it pauses, or has ended. A peer that is gone is noticed.
        is_awake = self._sleeper is None and self._ended is None
        if is_awake or (self._resting and not events & _ENDED):
            return
        if self.ask_turn is not None and not self._has_turn and self._due <= 0:
            if not self._asks:
                self._asks = True
                self.ask_turn(self._take_turn)
            return
        self._has_turn = False
        data = self._receive_now()
        self._due -= len(data)
        if data and not self.ending:
            # An error belongs to this connection: it comes out of run, and not of the pump.
            try:
                self._receiver(data)
            except Exception as error:
                self._failure = error
                self._cancel()

    def _receive_now(self) -> bytes:
        if not self._arrived:
            return b""
        try:
            data = self._socket.recv(self.piece)
        except BlockingIOError:
            self._arrived = 0
            return b""
        except OSError as error:
            self.why_lost = self.why_lost or f"receiving failed: {error}"
            data = b""
        if not data:
            self._cancel()
        elif len(data) < self.piece and not self._arrived & _MORE_MAY_COME:
            self._arrived = 0
        else:
            self._read_on()
        return data

    def _take_turn(self) -> None:
        self._asks, self._has_turn = False, True
        self._read_on()

    def _read_on(self) -> None:
        if self._arrived:
            self._pump.repeat(self._socket.fileno())

    def wake(self) -> None:
        self._resting = False
        self._read_on()

    def catch_up(self) -> bytes:
        self._due = self.piece
        if not self._resting:
            if self._asks:
                self._read_on()
            return b""
        self._resting = False
        # A peer that is being told something answers that, and then all is read at once. If it has
        # chosen before, it says nothing more.
        if self._parts or self.ending or self._paused_until is not None:
            if self._arrived and self.to_wake is not None:
                self.to_wake[self] = None
        elif self.ask_turn is not None:
            self._read_on()
        else:
            return self._receive_now()
        return b""

    def _close(self) -> None:
        self._pump.remove(self._socket.fileno())
        super()._close()


def _drop(data: bytes) -> None:
    """Drop the bytes of a link that does not run."""
