"""Calls that come as those of a page do: over a WebSocket, through the gateway for browsers.

All of it is in memory, so time can be virtual.
"""

from __future__ import annotations

import trio
import trio.testing
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Request

from hearts_web.asked import Hosts
from hearts_web.asking import Askers
from hearts_web.conversation import Site, converse
from hearts_web.relay import Backend, Relay
from hearts_web.websocket_frames import Frames
from tests.net.stream_link import StreamLink

from .hidden import moment_now
from .house import Caller, House

_HOST = "hearts.example"
_SITE = Site({}, {"/game": Backend(("nowhere", 1), takes_addresses=False)}, Hosts({_HOST}))

Received = list[tuple[float, bytes]]
"""What a browser received over the network, framing included, each piece with its moment."""


class PageStream(trio.abc.HalfCloseableStream):
    """A page's end of a WebSocket; what is sent and received is what it carries."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, received: Received) -> None:
        """``received`` is where all bytes are noted that come."""
        self._stream = stream
        self._received = received
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._carried = b""
        self._is_closed = False

    async def open(self) -> None:
        """Ask for the WebSocket, as a page of this host does."""
        origin = (b"origin", f"http://{_HOST}".encode())
        request = Request(host=_HOST, target="/game", extra_headers=[origin])
        await self._stream.send_all(self._ws.send(request))
        while not await self._receive():
            pass
        # The answer has a random word of the browser.
        at, answer = self._received[-1]
        self._received[:] = [(at, answer.partition(b"\r\n\r\n")[2])]

    async def _receive(self) -> bool:
        """Take what comes next; whether the WebSocket is open from now on."""
        data = bytes(await self._stream.receive_some(65536))
        self._received.append((moment_now(), data))
        self._is_closed |= not data
        self._ws.receive_data(data or None)
        is_open = False
        for event in self._ws.events():
            match event:
                case AcceptConnection():
                    is_open = True
                case BytesMessage(data=carried):
                    self._carried += carried
                case CloseConnection():
                    self._is_closed = True
                case _:
                    raise AssertionError(event)
        return is_open

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        while not self._carried and not self._is_closed:
            await self._receive()
        taken, self._carried = self._carried[:max_bytes], self._carried[max_bytes or None :]
        return taken

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(self._ws.send(BytesMessage(data=bytes(data))))

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


async def call_by_page(made: House, received: Received, address: str = "192.0.2.1") -> Caller:
    """A new connection of a page, when all is done that is done at once for it."""
    ours, theirs = trio.testing.memory_stream_pair()
    made.nursery.start_soon(_carry, made, theirs, address)
    stream = PageStream(ours, received)
    await stream.open()
    await trio.testing.wait_all_tasks_blocked()
    return Caller(stream)


async def _carry(made: House, stream: trio.abc.HalfCloseableStream, address: str) -> None:
    """Be the gateway for one browser."""
    async with trio.open_nursery() as nursery:
        browser = StreamLink(stream, nursery)
        with Askers().place(address) as asker:
            opened = await converse(browser, address, _SITE, None, asker)
        assert opened is not None
        server = StreamLink(made.begin_call(address).stream, nursery)
        await Relay(browser, server, Frames(), None).run(opened.data)
        server.close()
        browser.close()
