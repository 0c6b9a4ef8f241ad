"""A taunt server and its clients over memory streams, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest
import trio
import trio.testing

from hearts.taunt.announcer import Announcer
from hearts.taunt.client import ClientEvent, ClientSession, Delivery, Registered
from hearts.wire.credentials import SeatCredentials, issue
from taunt_server.server import TauntServer
from tests.net.stream_link import StreamLink

SECRET = bytes(range(32))


class ChatEnd:
    """A client's end of a connection to the server."""

    def __init__(self, stream: trio.abc.HalfCloseableStream) -> None:
        self.stream = stream
        self._unread = bytearray()

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def receive(self, size: int) -> bytes:
        """Exactly so many bytes; fewer where the server has ended or nothing comes for long."""
        with trio.move_on_after(120):
            while len(self._unread) < size:
                data = await self.stream.receive_some(4096)
                if not data:
                    break
                self._unread += data
        taken = bytes(self._unread[:size])
        del self._unread[:size]
        return taken

    async def is_ended(self) -> bool:
        with trio.move_on_after(1):
            return not self._unread and await self.stream.receive_some(1) == b""
        return False

    async def is_silent(self) -> bool:
        """Whether there is nothing to read, though the connection is open."""
        if self._unread:
            return False
        with trio.move_on_after(1):
            self._unread += await self.stream.receive_some(4096)
            return False
        return True


class Player(ChatEnd):
    """A peer that speaks the protocol, as a player or as the game server."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, session: ClientSession) -> None:
        super().__init__(stream)
        self.session = session

    async def register(self) -> ClientEvent:
        await self.send(self.session.register())
        return await self.next_event()

    async def next_event(self) -> ClientEvent:
        """The next event."""
        while (event := self.session.next_event()) is None:
            data = await self.receive(1)
            assert data, "the server said nothing more"
            self.session.feed(data)
        return event

    async def taunt(self, text: str) -> None:
        await self.send(self.session.taunt(text))

    async def announce(self, game_number: int, text: str) -> None:
        assert isinstance(self.session, Announcer)
        await self.send(self.session.announce(game_number, text))

    async def mute(
        self, game_number: int, player: int, process_id: int, muted: bool, why: str = ""
    ) -> None:
        assert isinstance(self.session, Announcer)
        await self.send(self.session.mute(game_number, player, process_id, muted, why))

    async def tell(self, game_number: int, player: int, process_id: int, text: str) -> None:
        assert isinstance(self.session, Announcer)
        await self.send(self.session.tell(game_number, player, process_id, text))

    async def lines(self, game_number: int) -> list[ClientEvent]:
        """The last lines of a game."""
        assert isinstance(self.session, Announcer)
        await self.send(self.session.ask_lines(game_number))
        head = await self.next_event()
        assert isinstance(head, Delivery)
        assert (head.player, head.text.split()[:2]) == (-1, ["lines", str(game_number)])
        return [await self.next_event() for _ in range(int(head.text.split()[2]))]

    async def give_seat(self, game_number: int, player: int, process_id: int) -> None:
        assert isinstance(self.session, Announcer)
        await self.send(self.session.seat(game_number, player, process_id))


class ChatDesk:
    """A server, and the way to connect to it."""

    def __init__(self, nursery: trio.Nursery, server: TauntServer) -> None:
        self.nursery = nursery
        self.server = server

    def connect(
        self, address: str = "192.0.2.1", *, lockstep: bool = False
    ) -> trio.abc.HalfCloseableStream:
        """A new connection. In lockstep each side's bytes wait until the other reads them."""
        make_pair = (
            trio.testing.lockstep_stream_pair if lockstep else trio.testing.memory_stream_pair
        )
        ours, theirs = make_pair()
        self.nursery.start_soon(self.server.serve, address, partial(StreamLink, theirs))
        return ours

    def peer(self, address: str = "192.0.2.1") -> ChatEnd:
        return ChatEnd(self.connect(address))

    def stranger(self, credentials: SeatCredentials, address: str = "192.0.2.1") -> Player:
        return Player(self.connect(address), ClientSession(credentials))

    async def player(
        self,
        game_number: int = 7,
        player: int = 0,
        process_id: int = 4242,
        *,
        address: str = "192.0.2.1",
        lockstep: bool = False,
    ) -> Player:
        """A registered client."""
        credentials = issue(SECRET, game_number, player, process_id)
        stream = self.connect(address, lockstep=lockstep)
        connected = Player(stream, ClientSession(credentials))
        assert await connected.register() == Registered()
        return connected

    async def announcer(self) -> Player:
        """A registered game server."""
        connected = Player(self.connect("127.0.0.1"), Announcer(SECRET, 900))
        assert await connected.register() == Registered()
        return connected


@pytest.fixture
def server() -> TauntServer:
    return TauntServer(SECRET, max_connections=20, max_per_address=8)


@pytest.fixture
async def desk(server: TauntServer, autojump_clock: object) -> AsyncIterator[ChatDesk]:
    async with trio.open_nursery() as nursery:
        yield ChatDesk(nursery, server)
        nursery.cancel_scope.cancel()
