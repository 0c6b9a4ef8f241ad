"""A balancer of a few lines, and the way of one node to its database, which can be cut.

Both carry bytes between sockets in threads of their own.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from itertools import count

from tests.postgres.server import PostgresServer

Connect = Callable[[], socket.socket]
"""Connects to where a connection leads to. Raises OSError."""
Breaks = Callable[[bool, bytes], bool]
"""Tells whether a connection breaks here: True for what the caller says, and the bytes of it."""

_PIECE = 65536


class CuttableWire:
    """Listens on a port of its own; each connection is carried to one of its ends.

    An end that does not answer is passed over, as one that is marked down.
    """

    def __init__(
        self,
        *ends: Connect,
        head: Callable[[str], bytes] = lambda address: b"",
        breaks: Breaks = lambda is_callers, data: False,
    ) -> None:
        """``head`` gives what is said first at an end, for a caller with this address."""
        self._ends = ends
        self._head = head
        self._breaks = breaks
        self._turns = count()
        self._down: set[int] = set()
        self._led: dict[int, list[socket.socket]] = {n: [] for n in range(len(ends))}
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = int(self._listening.getsockname()[1])
        self._carrying: set[threading.Thread] = set()
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def mark_down(self, end: int) -> None:
        """Lead nobody there any more, and end the connections that are led there."""
        with self._lock:
            self._down.add(end)
            led = self._led[end]
            # Closed by the threads that carry, which find them ended.
            for each in led:
                _end(each)

    def mark_up(self, end: int) -> None:
        """Lead connections there again."""
        with self._lock:
            self._down.discard(end)

    def close(self) -> None:
        """End everything."""
        for end in range(len(self._ends)):
            self.mark_down(end)
        # Who waits in accept wakes up by that alone.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._accepting.join()
        for thread in tuple(self._carrying):
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                caller, address = self._listening.accept()
            except OSError:
                return
            self._lead(caller, self._head(address[0]))

    def _lead(self, caller: socket.socket, head: bytes) -> None:
        first = next(self._turns)
        for n in range(len(self._ends)):
            end = (first + n) % len(self._ends)
            if end in self._down:
                continue
            try:
                called = self._ends[end]()
            except OSError:
                continue
            with contextlib.suppress(OSError):
                called.sendall(head)
            with self._lock:
                self._led[end] += [caller, called]
            thread = threading.Thread(target=self._carry, args=(caller, called, end), daemon=True)
            self._carrying.add(thread)
            thread.start()
            return
        caller.close()

    def _carry(self, caller: socket.socket, called: socket.socket, end: int) -> None:
        with caller, called:
            try:
                if end not in self._down:
                    _carry(caller, called, self._breaks)
            finally:
                self._carrying.discard(threading.current_thread())
                with self._lock:
                    self._led[end] = [
                        each for each in self._led[end] if each not in (caller, called)
                    ]


def _carry(caller: socket.socket, called: socket.socket, breaks: Breaks) -> None:
    """Carry bytes both ways until both have ended, or one is lost."""
    ways = {caller: called, called: caller}
    with contextlib.suppress(OSError):
        for each in ways:
            if each.family != socket.AF_UNIX:
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Not select, which knows no more than 1,024 descriptors.
        poll, sources = select.poll(), {each.fileno(): each for each in ways}
        for number in sources:
            poll.register(number, select.POLLIN)
        while sources:
            for number, _ in poll.poll():
                target = ways[sources[number]]
                data = sources[number].recv(_PIECE)
                if data and breaks(target is called, data):
                    return
                if data:
                    target.sendall(data)
                else:
                    poll.unregister(number)
                    del sources[number]
                    target.shutdown(socket.SHUT_WR)


def _end(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)


def connect_to(server: PostgresServer) -> socket.socket:
    """Connect to a database. Raises OSError."""
    made = socket.socket(socket.AF_UNIX)
    try:
        made.connect(str(server.folder / ".s.PGSQL.5432"))
    except OSError:
        made.close()
        raise
    return made
