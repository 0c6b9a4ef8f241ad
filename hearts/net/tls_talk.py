"""A connection that goes on with TLS after something was said in the clear, and becomes a link."""

from __future__ import annotations

import contextlib
import ssl

import trio

_RECEIVE_BYTES = 16384


class TlsTalk:
    """One side of a TCP connection with TLS, which is read no further than it is told.

    So what comes after that is still there for the link that it becomes
    (:meth:`hearts.net.Pump.link`).
    """

    def __init__(
        self, stream: trio.SocketStream, context: ssl.SSLContext, *, server_side: bool
    ) -> None:
        self.stream = stream
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=server_side)
        self.is_open = False
        """Whether the handshake is over."""

    async def shake_hands(self) -> None:
        """Begin, which each side does. Raises OSError, or trio.BrokenResourceError."""
        while True:
            try:
                self.tls.do_handshake()
            except ssl.SSLWantReadError:
                await self._send()
                await self._receive()
            except ssl.SSLError:
                # The other side is told why.
                await self._send()
                raise
            else:
                break
        await self._send()
        self.is_open = True

    async def receive_some(self, size: int) -> bytes:
        """At least one byte and at most so many; none at the end. Raises as :meth:`shake_hands`."""
        while True:
            try:
                return self.tls.read(size)
            except ssl.SSLWantReadError:
                await self._receive()
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""

    async def send_all(self, data: bytes) -> None:
        """Say something. Raises as :meth:`shake_hands`."""
        self.tls.write(data)
        await self._send()

    async def end(self) -> None:
        """Say that nothing more comes. Raises as :meth:`shake_hands`."""
        with contextlib.suppress(ssl.SSLError):
            self.tls.unwrap()
        await self._send()

    async def _send(self) -> None:
        if self.outgoing.pending:
            await self.stream.send_all(self.outgoing.read())

    async def _receive(self) -> None:
        data = await self.stream.receive_some(_RECEIVE_BYTES)
        if data:
            self.incoming.write(data)
        else:
            self.incoming.write_eof()


TcpStream = trio.SocketStream | TlsTalk
"""A connection over TCP, on which TLS may have begun."""
