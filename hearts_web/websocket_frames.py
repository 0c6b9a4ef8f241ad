"""The frames of one WebSocket: those to carry, and those that the gateway answers.

No input or output.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, TextMessage

MESSAGE_LIMIT = 64 * 1024
"""Bytes of a message. They are passed on as they come, and never gathered."""
IDLE_FRAMES = 16
"""Pings and empty frames of the peer between two pings of ours; more end the connection."""


class Close(IntEnum):
    """The reason that the gateway closes a WebSocket; the page can tell the player."""

    ENDED = 1000
    """The server has ended the connection; it has said why in its own bytes."""
    GOING = 1001
    """The gateway ends."""
    TEXT = 1003
    """A message of text; only binary ones are carried."""
    TOO_MUCH = 1008
    """Too many pings or empty frames."""
    TOO_BIG = 1009
    """A message of more than MESSAGE_LIMIT bytes."""
    FULL = 1013
    """Too many connections, in all or from this address."""
    UNREACHABLE = 4014
    """The server that is behind the gateway cannot be reached, or is lost.

    It would be 1014, Bad Gateway, but browsers take that for a fault."""


class Frames:
    """The WebSocket of one browser."""

    __slots__ = ("_idle", "_size", "_ws", "is_alive")

    def __init__(self) -> None:
        self._ws = Connection(ConnectionType.SERVER)
        self._size = 0
        self._idle = 0
        self.is_alive = True
        """True if anything has come since :meth:`ping` was called last."""

    @property
    def is_closing(self) -> bool:
        """True if nothing more is carried."""
        return self._ws.state is not ConnectionState.OPEN

    def receive(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Take bytes of the peer; yield what follows: bytes for the server, and bytes for the peer.

        It gives a pair for each frame, or part of one. While it closes there are none.
        """
        self.is_alive = True
        if self.is_closing:
            return
        self._ws.receive_data(data)
        for event in self._ws.events():
            yield self._handle(event)
            if self.is_closing:
                break

    def _handle(self, event: Event) -> tuple[bytes, bytes]:
        match event:
            case BytesMessage(data=data, message_finished=is_whole):
                self._size += len(data)
                if self._size > MESSAGE_LIMIT:
                    return b"", self.close(Close.TOO_BIG)
                if is_whole:
                    self._size = 0
                return bytes(data), b"" if data else self._count_idle()
            case TextMessage():
                return b"", self.close(Close.TEXT)
            case Ping():
                return b"", self._count_idle() or self._ws.send(event.response())
            case CloseConnection():
                # The peer closes, or what it sent is no frame.
                return b"", self._ws.send(event.response())
            case _:
                return b"", b""

    def _count_idle(self) -> bytes:
        """Return a frame came that carries nothing; too many close the WebSocket."""
        self._idle += 1
        return self.close(Close.TOO_MUCH) if self._idle > IDLE_FRAMES else b""

    def carry(self, data: bytes) -> bytes:
        """Return bytes of the server as one message; nothing while it closes."""
        return b"" if self.is_closing else self._ws.send(BytesMessage(data=data))

    def ping(self) -> bytes:
        """Ask the peer for a sign of life; nothing while it closes."""
        self.is_alive = False
        self._idle = 0
        return b"" if self.is_closing else self._ws.send(Ping())

    def close(self, code: Close) -> bytes:
        """Begin to close; nothing if that has begun."""
        return b"" if self.is_closing else self._ws.send(CloseConnection(code=code))
