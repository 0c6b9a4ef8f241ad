"""A browser for tests: it asks for files, and speaks WebSocket, over a real connection."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import h11
import trio
from msgspec import Struct
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)

HOST = "127.0.0.1"


class HttpPage(Struct, frozen=True):
    """An answer over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes


class NoWebSocket(Exception):
    """No WebSocket: the status of the answer."""


class Browser:
    """One connection of a browser."""

    def __init__(self, port: int, home: str = HOST, host: str = "", head: bytes = b"") -> None:
        """``home`` is the address that it calls from, ``host`` what it believes to have called;
        ``head`` is what a balancer says before it."""
        self._where = HOST, port
        self._home = home
        self._head = head
        self.host = host or f"{HOST}:{port}"
        self._http = h11.Connection(h11.CLIENT)
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._heard = bytearray()
        self._code: int | None = None
        self.pings = 0

    async def __aenter__(self) -> Self:
        self.stream = await trio.open_tcp_stream(*self._where, local_address=self._home)
        await self.stream.send_all(self._head)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await trio.aclose_forcefully(self.stream)

    async def get(self, target: str, *headers: tuple[str, str], method: str = "GET") -> HttpPage:
        """Ask for a file."""
        http = self._http
        if http.our_state is h11.DONE:
            http.start_next_cycle()
        asked = h11.Request(method=method, target=target, headers=[("host", self.host), *headers])
        sent = (http.send(asked) or b"") + (http.send(h11.EndOfMessage()) or b"")
        await self.stream.send_all(sent)
        return await self.answer()

    async def answer(self) -> HttpPage:
        """The next answer, whatever was asked."""
        http, page, body = self._http, None, b""
        while True:
            match http.next_event():
                case h11.NEED_DATA:
                    http.receive_data(await self.stream.receive_some())
                case h11.Response(status_code=status, headers=headers):
                    told = {name.decode(): value.decode() for name, value in headers}
                    page = HttpPage(status, told, b"")
                case h11.Data(data=data):
                    body += data
                case _:
                    assert page is not None
                    return HttpPage(page.status, page.headers, body)

    async def open(self, path: str, origin: str = "own", *headers: tuple[bytes, bytes]) -> None:
        """Open a WebSocket as a page of ``origin`` would. Raises Refused."""
        origin = f"http://{self.host}" if origin == "own" else origin
        more = [(b"origin", origin.encode())] if origin else []
        request = Request(host=self.host, target=path, extra_headers=[*more, *headers])
        await self.stream.send_all(self._ws.send(request))
        event = await self._event()
        if isinstance(event, RejectConnection):
            raise NoWebSocket(event.status_code)
        assert isinstance(event, AcceptConnection)

    async def say(self, data: bytes | str) -> None:
        """Send a message."""
        event = BytesMessage(data) if isinstance(data, bytes) else TextMessage(data)
        await self.stream.send_all(self._ws.send(event))

    async def ping(self) -> None:
        await self.stream.send_all(self._ws.send(Ping()))

    async def receive(self, size: int) -> bytes:
        """Exactly so many bytes, however they are cut into messages; fewer before its end."""
        while len(self._heard) < size and self._code is None:
            await self._take(await self._event())
        taken = bytes(self._heard[:size])
        del self._heard[:size]
        return taken

    async def closed(self) -> int:
        while self._code is None:
            await self._take(await self._event())
        return self._code

    async def _take(self, event: Event) -> None:
        match event:
            case BytesMessage(data=data):
                self._heard += data
            case Ping():
                self.pings += 1
                await self.stream.send_all(self._ws.send(event.response()))
            case CloseConnection(code=code):
                self._code = code

    async def _event(self) -> Event:
        while True:
            for event in self._ws.events():
                return event
            data = await self.stream.receive_some()
            self._ws.receive_data(bytes(data) or None)
