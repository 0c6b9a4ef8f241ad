"""A socket to the gateway for browsers: what is sent and received is carried in a WebSocket."""

from __future__ import annotations

import socket
from contextlib import suppress

from wsproto import ConnectionType, WSConnection
from wsproto.events import BytesMessage, CloseConnection, Ping, RejectConnection, Request
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

HOST = "127.0.0.1"


class PageSocket:
    """A connected socket as a client uses it, but for what a page and the gateway say besides."""

    def __init__(self, connected: socket.socket) -> None:
        """Begins with the request of a page of the gateway's own."""
        self._socket = connected
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._has_carried = False
        self._is_over = False
        origin = (b"origin", f"http://{HOST}".encode())
        self._say(self._ws.send(Request(host=HOST, target="/game", extra_headers=[origin])))

    def recv(self, size: int) -> bytes:
        """What was carried; nothing at the end.

        Raises BlockingIOError if nothing was, ConnectionRefusedError if there was no server behind
        the gateway, and other kinds of OSError.
        """
        data = b"" if self._is_over else self._socket.recv(size)
        carried = self._unwrap(data) if data else b""
        self._has_carried |= bool(carried)
        if data and not carried and not self._is_over:
            raise BlockingIOError
        if not carried and not self._has_carried:
            raise ConnectionRefusedError
        return carried

    def _unwrap(self, data: bytes) -> bytes:
        carried = b""
        try:
            self._ws.receive_data(data)
            for event in self._ws.events():
                match event:
                    case BytesMessage(data=part):
                        carried += part
                    case Ping():
                        self._say(self._ws.send(event.response()))
                    case CloseConnection():
                        self._is_over = True
                        self._say(self._ws.send(event.response()))
                    case RejectConnection():
                        self._is_over = True
        except (LocalProtocolError, RemoteProtocolError):
            self._is_over = True
        return carried

    def _say(self, data: bytes) -> None:
        with suppress(OSError):
            self._socket.sendall(data)

    def _wrap(self, data: bytes) -> bytes:
        return b"" if self._is_over else self._ws.send(BytesMessage(data=data))

    def send(self, data: bytes) -> int:
        """Send as much as can be sent at once, at most all of it. Raises OSError."""
        return self._socket.send(self._wrap(data))

    def sendall(self, data: bytes) -> None:
        """Raises OSError."""
        self._socket.sendall(self._wrap(data))

    def setsockopt(self, level: int, name: int, value: bytes) -> None:
        self._socket.setsockopt(level, name, value)

    def getsockopt(self, level: int, name: int) -> int:
        return self._socket.getsockopt(level, name)

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        """As of the socket, without a word to the gateway."""
        self._socket.close()
