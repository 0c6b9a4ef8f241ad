"""What an animal is given: connections of its own, and a book of how each of them ended.

Nothing here knows the project's code. Bytes are those of SocketSpec.md, and conversations by the
book are those of :mod:`tests.independent.plain_client`.
"""

from __future__ import annotations

import random
import resource
import secrets
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import trio

from tests.independent.plain_client import ClientHabits, Nonsense, OwnSession

from .visit import Gone, ZooVisit

HEARTS = 1 << 4
COMPUTERS = 0b1110
"""Players 1-3 are computers (section 3.4)."""
NO_PASS = 1 << 20 | 3 << 16
"""The rules `pass=never`, and the bit that says that rules are meant (section 6.1)."""

_CONNECT_LIMIT = 10.0
_FILES_LEFT = 100
"""Open files that are not the animals'."""

NOT_CONNECTED = "not connected"
OPEN = "open to the end"
LEFT = "left"
NONSENSE = "NONSENSE from the server"


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
    pace: float = 1.0
    """By which the rates of the attackers are multiplied."""
    web_port: int = 0
    """Of the gateway for browsers; 0 for none."""

    @property
    def is_loopback(self) -> bool:
        return self.host.startswith("127.")


@dataclass(slots=True)
class CageTally:
    """What became of all connections of one kind of animal."""

    connections: int = 0
    sent: int = 0
    received: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    saw: Counter[str] = field(default_factory=Counter)
    """What else an attacker has to tell."""


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
        self, grounds: Grounds, tally: CageTally, places: trio.Semaphore, number: int, address: str
    ) -> None:
        """``address`` is where its connections come from; "" for wherever they do."""
        self.grounds = grounds
        self.address = address
        self.random = random.Random(number)
        self.lives = 0
        """How often it has done its worst."""
        self.tally = tally
        self._number = number
        self._places = places

    def new_address(self) -> str:
        """Another address of loopback, almost always of another network."""
        if not self.grounds.is_loopback:
            return ""
        # Those below belong to good clients.
        return f"127.{self.random.randrange(100, 200)}.{self._number % 250}.{self.lives % 250 + 1}"

    def neighbour(self) -> str:
        return f"{self.address.rpartition('.')[0]}.{self.random.randrange(2, 255)}"

    async def crowd(
        self, one: Callable[[], Awaitable[None]], *, many: int, a_second: float, seconds: float = 10
    ) -> None:
        """Let so many do the same again and again, all together so many times a second at most."""

        async def go_on() -> None:
            while True:
                due = trio.current_time() + many / (a_second * self.grounds.pace)
                with suppress(Gone):
                    await one()
                self.lives += 1
                await trio.sleep_until(due)

        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for _ in range(many):
                    nursery.start_soon(go_on)

    @asynccontextmanager
    async def visit(
        self, port: int | None = None, *, address: str | None = None, window: int = 0
    ) -> AsyncIterator[ZooVisit]:
        """A connection for the length of the block, which ends early where the server ends it.

        ``port`` is the game server's unless given. ``window`` makes the receive buffer small.
        """
        async with self._places:
            with socket.socket(self._family()) as sock:
                sock.setblocking(False)
                visit = ZooVisit(trio.socket.from_stdlib_socket(sock), self.grounds.flood_rate)
                self.tally.connections += 1
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
                    self.tally.endings[ending] += 1
                    self.tally.sent += visit.sent
                    self.tally.received += visit.received
                    # A task that still waits for it, such as a second one of a visit, is woken.
                    visit.sock.close()

    def _family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in self.grounds.host else socket.AF_INET

    async def _connect(self, visit: ZooVisit, port: int, address: str, window: int) -> None:
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
    ) -> tuple[OwnSession, ClientHabits]:
        """An independent client for a table of its own with three computers."""
        settings = ClientHabits(
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
        return OwnSession(settings), settings


def new_name() -> str:
    return f"zoo {secrets.token_hex(8)}"


# Addresses of loopback: limits count by address and by network, so good clients come from as many
# networks as real people do. Bad ones have those from 127.100.0.0 on.
_BLOCK = 250
GOOD = 90 * _BLOCK
"""So many addresses there are for good clients."""


def good_address(number: int) -> str:
    """That of a good client, in a network /24 of its own."""
    block, network = divmod(number % GOOD, _BLOCK)
    return f"127.{1 + block}.{network}.1"
