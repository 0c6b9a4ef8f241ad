"""What an animal is given: connections of its own, and a book of how each of them ended.

Nothing here knows the project's code. Bytes are those of SocketSpec.md, and conversations by the
book are those of :mod:`tests.independent.client`.
"""

from __future__ import annotations

import random
import resource
import secrets
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import trio

from tests.independent.client import Nonsense, Read, Session, Settings, Think, Write

PATIENCE = 90.0
"""Seconds for which an animal waits to be thrown out; more than any deadline of registering."""
HEARTS = 1 << 4
COMPUTERS = 0b1110
"""Players 1-3 are computers (section 3.4)."""
NO_PASS = 1 << 20 | 3 << 16
"""The rules `pass=never`, and the bit that says that rules are meant (section 6.1)."""

_CONNECT_LIMIT = 10.0
_RECEIVE_BYTES = 65536
_CHUNK = 16384
_TAIL_BYTES = 4 + 4 + 1024
"""Of a refusal and its reason."""
_FILES_LEFT = 100
"""Open files that are not the animals'."""
_REFUSALS = {-1, -2, -4, *range(-106, -100)}
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)

NOT_CONNECTED = "not connected"
OPEN = "open to the end"
LEFT = "left"
NONSENSE = "NONSENSE from the server"


class Gone(Exception):
    """The server has ended a connection."""

    def __init__(self, visit: Visit | None) -> None:
        """``visit`` is the one that is over; None for one that never began."""
        super().__init__("the server has ended the connection")
        self.visit = visit


@dataclass(frozen=True, slots=True)
class Grounds:
    """The server that is visited."""

    host: str
    port: int
    taunt_port: int = 0
    """0 for none."""
    turn_limit: int = 15
    """Asked for with block -2, in seconds; 0 for the host's own."""
    flood_rate: float = 1_000_000
    """Bytes a second of one flood."""

    @property
    def is_loopback(self) -> bool:
        """Whether connections may come from any address 127.x.y.z."""
        return self.host.startswith("127.")


@dataclass(slots=True)
class Tally:
    """What became of all connections of one kind of animal."""

    connections: int = 0
    sent: int = 0
    received: int = 0
    endings: Counter[str] = field(default_factory=Counter)


def more_files() -> trio.Semaphore:
    """Raise the limit of open files; as many connections at once as it leaves."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except (ValueError, OSError):
        most = soft
    return trio.Semaphore(max(1, min(most, 100_000) - _FILES_LEFT))


class Cage:
    """One animal's own: its chance, its address, and the way to the server."""

    def __init__(
        self, grounds: Grounds, tally: Tally, places: trio.Semaphore, number: int, address: str
    ) -> None:
        """``address`` is where its connections come from; "" for wherever they do."""
        self.grounds = grounds
        self.address = address
        self.random = random.Random(number)
        self.lives = 0
        """How often it has done its worst."""
        self._number = number
        self._tally = tally
        self._places = places

    def new_address(self) -> str:
        """Another address of loopback."""
        if not self.grounds.is_loopback:
            return ""
        return f"127.{self.random.randrange(1, 200)}.{self._number % 250}.{self.lives % 250 + 1}"

    @asynccontextmanager
    async def visit(
        self, port: int | None = None, *, address: str | None = None, window: int = 0
    ) -> AsyncIterator[Visit]:
        """A connection for the length of the block, which ends early where the server ends it.

        ``port`` is the game server's unless given. ``window`` makes the receive buffer small.
        """
        async with self._places:
            with socket.socket(self._family()) as sock:
                sock.setblocking(False)
                visit = Visit(trio.socket.from_stdlib_socket(sock), self)
                self._tally.connections += 1
                ending = NOT_CONNECTED
                try:
                    await self._connect(
                        visit,
                        self.grounds.port if port is None else port,
                        self.address if address is None else address,
                        window,
                    )
                    ending = OPEN
                    yield visit
                    ending = LEFT
                except Gone as gone:
                    if gone.visit is not visit:
                        raise
                    ending = visit.ending
                except Nonsense:
                    ending = NONSENSE
                finally:
                    self._tally.endings[ending] += 1
                    self._tally.sent += visit.sent
                    self._tally.received += visit.received
                    # A task that still waits for it, such as a second one of a visit, is woken.
                    visit.sock.close()

    def _family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in self.grounds.host else socket.AF_INET

    async def _connect(self, visit: Visit, port: int, address: str, window: int) -> None:
        sock = visit.sock
        if window:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with trio.fail_after(_CONNECT_LIMIT):
                if address:
                    await sock.bind((address, 0))
                await sock.connect((self.grounds.host, port))
        except (OSError, trio.TooSlowError):
            raise Gone(None) from None

    def manners(
        self, rules: int = 0, *, think: float = 0.0, wrong: float = 0.0
    ) -> tuple[Session, Settings]:
        """An independent client for a table of its own with three computers."""
        settings = Settings(
            name=f"Zoo {self._number}",
            process_id=self.random.randrange(2**31),
            table=new_name(),
            options=(HEARTS | COMPUTERS | rules, 0, self.grounds.turn_limit),
            reasons=False,
            wrong=wrong,
            seed=self.random.randrange(2**31),
            think_chance=float(bool(think)),
            think_seconds=think,
        )
        return Session(settings), settings


def new_name() -> str:
    """A name for a table that nobody has, also not one that another zoo has left behind."""
    return f"zoo {secrets.token_hex(8)}"


def _never(session: Session) -> bool:
    return False


class Visit:
    """One connection. What the server ends raises Gone, and so ends the visit."""

    def __init__(self, sock: trio.socket.SocketType, cage: Cage) -> None:
        self.sock = sock
        self.sent = 0
        self.received = 0
        self.ending = "closed"
        self._cage = cage
        self._unread = b""
        self._tail = b""
        self.playing = False
        """Whether it is past the places where a refusal can come."""

    async def send(self, *parts: int | bytes) -> None:
        """Send ints, and bytes as they are, in one piece."""
        data = b"".join(
            struct.pack(">i", part) if isinstance(part, int) else part for part in parts
        )
        view = memoryview(data)
        while view:
            try:
                count = await self.sock.send(view)
            except _GONE:
                await self._hear_last_words()
            self.sent += count
            view = view[count:]

    async def take(self, count: int) -> bytes:
        """Exactly so many bytes."""
        await self.await_bytes(count)
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    async def number(self) -> int:
        """An int."""
        (number,) = struct.unpack(">i", await self.take(4))
        assert isinstance(number, int)
        return number

    async def await_bytes(self, count: int) -> None:
        """Wait until so many bytes are there, and leave them."""
        while len(self._unread) < count:
            self._unread += await self._receive()

    async def watch(self, seconds: float = PATIENCE) -> None:
        """Read and forget whatever comes, until the server has enough or the time is over."""
        with trio.move_on_after(seconds):
            while True:
                await self._receive()

    async def flood(self, data: Callable[[int], bytes], seconds: float = PATIENCE) -> None:
        """Send without end, so many bytes a second, and read nothing."""
        rate = self._cage.grounds.flood_rate
        with trio.move_on_after(seconds):
            while True:
                chunk = data(_CHUNK)
                await self.send(chunk)
                await trio.sleep(len(chunk) / rate)

    async def converse(
        self,
        session: Session,
        *,
        until: Callable[[Session], bool] = _never,
        write: Callable[[bytes], Awaitable[None]] | None = None,
        think: Callable[[float], Awaitable[None]] = trio.sleep,
    ) -> None:
        """Let an independent client talk, until it has seen enough.

        ``write`` and ``think`` take the place of what it would do by the book.
        """
        talk = session.talk()
        request = next(talk)
        while not until(session):
            answer = b""
            match request:
                case Write(data):
                    await (write or self.send)(data)
                case Think(seconds):
                    await think(seconds)
                case Read(count):
                    answer = await self.take(count)
            try:
                request = talk.send(answer)
            except StopIteration:
                return
            self.playing = self.playing or has(session, "seated")

    def reset(self) -> None:
        """Let the connection end with a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _receive(self) -> bytes:
        try:
            data = await self.sock.recv(_RECEIVE_BYTES)
        except _GONE:
            self._end("reset")
        if not data:
            self._end("closed")
        self.received += len(data)
        self._tail = (self._tail + data)[-_TAIL_BYTES:]
        return data

    async def _hear_last_words(self) -> NoReturn:
        # What the server said before it ended may still lie here.
        try:
            while data := await self.sock.recv(_RECEIVE_BYTES):
                self.received += len(data)
                self._tail = (self._tail + data)[-_TAIL_BYTES:]
        except _GONE:
            pass
        self._end("reset")

    def _end(self, how: str) -> NoReturn:
        self.ending = how
        if not self.playing and (code := _refusal_at_end(self._tail)) is not None:
            self.ending = f"refused {code}"
        raise Gone(self)


def _refusal_at_end(data: bytes) -> int | None:
    """The refusal that a connection ended with, and perhaps its reason (section 3.7)."""
    for start in range(len(data) - 3):
        (code,) = struct.unpack_from(">i", data, start)
        left = len(data) - start - 4
        if code in _REFUSALS and (
            not left or (left > 4 and struct.unpack_from(">i", data, start + 4)[0] == left - 4)
        ):
            assert isinstance(code, int)
            return code
    return None


def has(session: Session, kind: str) -> bool:
    """Whether the latest thing that a client saw is of this kind."""
    return bool(session.facts) and session.facts[-1].kind == kind


def text(data: str | bytes) -> bytes:
    """A str (section 1.4), whatever it holds."""
    content = data.encode() if isinstance(data, str) else data
    return struct.pack(">i", len(content) + 1) + content + b"\0"
