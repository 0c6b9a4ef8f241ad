"""Servers for tests: over memory streams in virtual time, and over real sockets."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import chain, count
from pathlib import Path

import trio
import trio.testing

from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.game.rules import parse_rules
from hearts_server.children.chat import Chat
from hearts_server.config import Config
from hearts_server.datadir import DataDir
from hearts_server.given_settings import parse_config
from hearts_server.journal.store import Journal, StoredSession
from hearts_server.running.composition import Running, run_server
from hearts_server.server import Server
from tests.independent.plain_client import Closed, OwnSession, Read, Talk, Think, Write
from tests.independent.referee import Referee, TableReport
from tests.net.stream_link import StreamLink

HOST = "127.0.0.1"
NEAR = "only who is near"
"""In place of an option."""


def config(
    data_dir: Path, *arguments: str, without: Sequence[str] = ("taunt-server", "web")
) -> Config:
    """Settings for a test: no pauses, any number of connections from here, no chat and no page, and
    strangers are let in unless NEAR or a password is said."""
    is_open = not {NEAR, "--password", "--password-file"} & set(arguments)
    return parse_config(
        [
            *("--host", HOST, "--port", "0", "--data-dir", str(data_dir)),
            *("--taunt-port", "0", "--web-port", "0", *(f"--no-{each}" for each in without)),
            *("--bot-pause", "0", "--max-per-address", "0", "--pause-limit", "0"),
            *("--tables-per-ipv4", "0", "--accept-rate", "0", "--computers", "simple"),
            *("--open" for _ in range(is_open)),
            *(each for each in arguments if each != NEAR),
        ]
    )


def fixed_deals() -> Iterator[Deal]:
    for number in count(1):
        yield Deal.from_secret(number.to_bytes(SECRET_BYTES, "big"))


@asynccontextmanager
async def listening(
    data_dir: Path, *arguments: str, without: Sequence[str] = ("taunt-server", "web")
) -> AsyncIterator[Running]:
    """A server on a free port of its own."""
    settings = config(data_dir, *arguments, without=without)
    async with trio.open_nursery() as nursery:
        yield await nursery.start(run_server, settings, lambda line: None)
        nursery.cancel_scope.cancel()


class Caller:
    """Our end of a connection."""

    def __init__(self, stream: trio.abc.HalfCloseableStream) -> None:
        self.stream = stream
        self._unread = b""

    async def send(self, *parts: int | bytes) -> None:
        """Send ints, and bytes as they are, in one piece."""
        await self.stream.send_all(
            b"".join(struct.pack(">i", part) if isinstance(part, int) else part for part in parts)
        )

    async def take(self, count: int, piece: int = 65536) -> bytes:
        """Exactly so many bytes. Raises Closed where the stream ends."""
        while len(self._unread) < count:
            try:
                data = await self.stream.receive_some(piece)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                data = b""
            if not data:
                raise Closed
            self._unread += bytes(data)
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    async def number(self) -> int:
        (number,) = await self.numbers(1)
        return number

    async def numbers(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f">{count}i", await self.take(4 * count))

    async def frame(self) -> tuple[int, int, bytes]:
        kind, sequence, length = await self.numbers(3)
        return kind, sequence, await self.take(length)

    async def string(self) -> str:
        return (await self.take(await self.number()))[:-1].decode()

    async def seated(self) -> tuple[int, list[str]]:
        number, _ = await self.numbers(2)
        return number, [await self.string() for _ in range(4)]

    async def leave(self) -> None:
        """Close, until the server has done all that it does at once for that."""
        await self.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()

    async def ended(self) -> bool:
        """Whether the server says nothing more and ends."""
        try:
            await self.take(1)
        except Closed:
            return True
        return False

    async def silent(self, seconds: float) -> bool:
        """Whether nothing comes for so long, though the connection is open."""
        with trio.move_on_after(seconds):
            self._unread += bytes(await self.stream.receive_some(65536))
            return False
        return True

    async def converse(self, talk: Talk, *, piece: int = 0, steps: int = -1) -> None:
        """Run an independent client's conversation, as `client.Driver` does on a socket.

        steps: stop after so many requests and leave the rest undone.
        """
        request = next(talk)
        answer = b""
        while steps:
            steps -= 1
            try:
                match request:
                    case Write(data):
                        # What the server said last is read even where it listens no more.
                        with contextlib.suppress(trio.BrokenResourceError):
                            for start in range(0, len(data), piece or len(data)):
                                await self.send(data[start : start + (piece or len(data))])
                    case Think(seconds):
                        await trio.sleep(seconds)
                    case Read(count):
                        answer = await self.take(count, piece or 65536)
                request = talk.send(answer if isinstance(request, Read) else b"")
            except StopIteration:
                return
            except Closed:
                try:
                    talk.throw(Closed())
                except StopIteration:
                    return
                raise


async def call(port: int, address: str | None = None) -> Caller:
    """A new connection over a socket, from an address of this host. Raises OSError."""
    return Caller(await trio.open_tcp_stream(HOST, port, local_address=address))


class House:
    """A server over memory streams; with a mock clock its time is virtual."""

    def __init__(
        self,
        nursery: trio.Nursery,
        data_dir: Path,
        *arguments: str,
        journal: Journal | None = None,
        deals: Callable[[], Iterator[Deal]] | None = None,
        chat: Chat | None = None,
    ) -> None:
        self.nursery = nursery
        self.data_dir = DataDir(data_dir)
        settings = config(data_dir, *arguments)
        deals = deals or (lambda: chain(settings.deal, fixed_deals()))
        self.server = Server(settings, self.data_dir, nursery, journal, deals, chat)

    async def call(self, address: str = "192.0.2.1", *, lockstep: bool = False) -> Caller:
        """A new connection, when the server has done all that it does at once for it.

        In lockstep each side's bytes wait until the other reads them.
        """
        caller = self.begin_call(address, lockstep=lockstep)
        await trio.testing.wait_all_tasks_blocked()
        return caller

    async def player(self, number: int, address: str = "192.0.2.1") -> Caller:
        """A new connection that is told this Player ID."""
        caller = await self.call(address)
        assert await caller.number() == number
        return caller

    async def greet(self, name: str, *parts: int | bytes, address: str = "192.0.2.1") -> Caller:
        """A new connection that has a Player ID, and has sent a name and what follows it."""
        caller = await self.call(address)
        await caller.number()
        await caller.send(text(name), *parts)
        return caller

    async def guest(
        self, *blocks: int | bytes, name: str = "Ann", address: str = "192.0.2.1"
    ) -> Caller:
        return await self.greet(name, *blocks, 1000, address=address)

    def begin_call(self, address: str, *, lockstep: bool = False) -> Caller:
        """A new connection, of which the server knows nothing yet."""
        pair = trio.testing.lockstep_stream_pair if lockstep else trio.testing.memory_stream_pair
        ours, theirs = pair()
        self.nursery.start_soon(self.server.serve, StreamLink(theirs, self.nursery), address)
        return Caller(ours)

    async def play(self, sessions: Sequence[OwnSession], *, piece: int = 0) -> None:
        """Let independent clients sit down in this order, and play to the end."""
        async with trio.open_nursery() as nursery:
            for session in sessions:
                nursery.start_soon(self._play_one, await self.call(), session, piece)
                await trio.testing.wait_all_tasks_blocked()

    @staticmethod
    async def _play_one(caller: Caller, session: OwnSession, piece: int) -> None:
        await caller.converse(session.talk(), piece=piece)
        await caller.stream.aclose()


@asynccontextmanager
async def house(
    data_dir: Path,
    *arguments: str,
    journal: Journal | None = None,
    deals: Callable[[], Iterator[Deal]] | None = None,
    chat: Chat | None = None,
) -> AsyncIterator[House]:
    """A house that is gone at the end of the block."""
    async with trio.open_nursery() as nursery:
        made = House(nursery, data_dir, *arguments, journal=journal, deals=deals, chat=chat)
        try:
            yield made
        finally:
            nursery.cancel_scope.cancel()
            made.data_dir.close()


async def take_up(server: Server, left: Iterable[StoredSession]) -> None:
    """Let a server go on with sessions."""
    sessions = {each.session.game_number: each for each in left}

    async def read(numbers: Sequence[int]) -> list[StoredSession]:  # noqa: ASYNC124
        return [sessions[number] for number in numbers]

    server.sessions.awaited.expect(each.session for each in sessions.values())
    await server.take_up(read)


def text(words: str | bytes) -> bytes:
    data = words.encode() if isinstance(words, str) else words
    return struct.pack(">i", len(data) + 1) + data + b"\0"


HEARTS = 1 << 4
"""The kind of game in the options of block -2."""


async def register(caller: Caller, *blocks: int | bytes, name: str = "Ann") -> int:
    """Register, with option blocks that have no reply; the Player ID."""
    player = await caller.number()
    await caller.send(text(name), *blocks, 1000)
    return player


def options(rules: str = "standard", end: int = 0, computers: int = 0) -> tuple[int, int, int]:
    """Block -2 for Hearts; ``computers`` has bit p set where player p is one."""
    return (HEARTS | 1 << 20 | parse_rules(rules).bits | computers, end, 0)


def judge(sessions: Iterable[OwnSession]) -> TableReport:
    """The referee's report of a table whose clients all played to the end of the session."""
    by_seat = {session.me: session.facts for session in sessions}
    assert all(facts[-1].kind == "end" for facts in by_seat.values())
    return Referee(by_seat).judge()


NAMES = ["Ann", "Bob", "Cleo", "Dan"]


async def four(made: House, *blocks: int | bytes) -> list[Caller]:
    """Four players who sit down one after the other; the first sends the blocks."""
    first = await made.guest(*blocks)
    return [first, *[await made.guest(name=name) for name in NAMES[1:]]]


async def listed(caller: Caller) -> list[tuple[str, int, int, list[str]]]:
    """The tables that block -8 shows to a caller who has sent a name."""
    await caller.send(-8)
    tables = []
    for _ in range(await caller.number()):
        name = await caller.string()
        number, seats = await caller.numbers(2)
        tables.append((name, number, seats, [await caller.string() for _ in range(4)]))
    return tables
