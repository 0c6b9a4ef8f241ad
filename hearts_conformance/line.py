"""A connection of the client under test: exact reads, each with a deadline, and ways to write."""

from __future__ import annotations

from collections.abc import Callable

import trio
from msgspec import Struct

_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
_UNREAD_LIMIT = 8192
"""Bytes that may wait unread; a client that sends more is not read on."""
_RECEIVE_BYTES = 4096
INT = 4
"""Bytes of an int of the protocol."""
_GAP = 0.002
"""Seconds between two bytes that are to arrive apart."""
DOES_NOT_READ = "the client does not read, or this machine is too busy"
LINGER = 2.0
"""Seconds that a server reads on after it has shut its side (SocketSpec.md section 1.7)."""


Trace = Callable[[str], None]
"""Hears of bytes, a line of text for each piece."""


class WaitTimes(Struct, frozen=True, gc=False):
    """Seconds for what is due, and for what is not."""

    patience: float
    hush: float


class Silence(Exception):
    """Not enough came in time; the argument is what came."""


class HungUp(Exception):
    """The client ended the connection before enough came; the argument is what came."""


class Goodbye(Struct, frozen=True, gc=False):
    said: bytes
    closed: bool


class KitLine:
    """One connection. :meth:`pump` has to run beside it."""

    def __init__(
        self,
        stream: trio.abc.HalfCloseableStream,
        waits: WaitTimes,
        name: str = "",
        trace: Trace | None = None,
    ) -> None:
        """``name`` says in a trace which connection it is."""
        self._name = name
        self._trace = trace
        self._note("connected")
        self._stream = stream
        self.waits = waits
        self.piecewise = False
        self._unread = bytearray()
        self._ended = False
        self._changed = trio.Event()

    async def pump(self) -> None:
        """Take in what the client sends, until either side ends the connection."""
        while not self._ended:
            while len(self._unread) > _UNREAD_LIMIT:
                await self._changed.wait()
            try:
                data = await self._stream.receive_some(_RECEIVE_BYTES)
                self._note_bytes(">", data)
            except _GONE:
                data = b""
            self._unread += data
            self._ended = not data
            self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def _note_bytes(self, mark: str, data: bytes | bytearray) -> None:
        if self._trace is not None:
            self._note(f"{mark} {data.hex(' ')}" if data else f"{mark} end of the stream")

    def _note(self, what: str) -> None:
        if self._trace is not None:
            self._trace(f"{self._name} {what}")

    async def read(self, count: int) -> bytes:
        """Exactly so many bytes. Raises Silence or HungUp."""
        with trio.move_on_after(self.waits.patience):
            while len(self._unread) < count and not self._ended:
                await self._changed.wait()
        if len(self._unread) < count:
            raise (HungUp if self._ended else Silence)(bytes(self._unread))
        return self._take(count)

    async def read_some(self) -> bytes:
        """Return one byte or more. Raises Silence or HungUp."""
        first = await self.read(1)
        return first + self._take(len(self._unread))

    def put_back(self, data: bytes) -> None:
        """Let bytes be read again, before all others."""
        self._unread[:0] = data
        self._change()

    def _take(self, count: int) -> bytes:
        taken = bytes(self._unread[:count])
        del self._unread[:count]
        self._change()
        return taken

    async def listen(self) -> bytes:
        """Wait for what must not come, and give it; it stays to be read."""
        with trio.move_on_after(self.waits.hush):
            while not self._unread and not self._ended:
                await self._changed.wait()
        return bytes(self._unread)

    async def send(self, data: bytes) -> None:
        """Write in one piece, or byte by byte. Raises Silence if the client reads nothing."""
        self._note_bytes("<", data)
        try:
            if not self.piecewise:
                await self._write(data)
                return
            for place in range(len(data)):
                await self._write(data[place : place + 1])
                await trio.sleep(_GAP)
        except _GONE:
            # What the client said before is still to be read; reading finds the end.
            pass

    async def _write(self, data: bytes) -> None:
        # Each write has its own time: on a busy machine many short ones take long.
        with trio.move_on_after(self.waits.patience) as scope:
            await self._stream.send_all(data)
        if scope.cancelled_caught:
            raise Silence(b"")

    async def end(self, patience: float | None = None) -> Goodbye:
        """Shut our side, as a server does, and see whether the client closes without a word."""
        self._note("< end of the stream")
        try:
            await self._stream.send_eof()
        except _GONE:
            self._ended = True
        with trio.move_on_after(self.waits.patience if patience is None else patience):
            while not self._unread and not self._ended:
                await self._changed.wait()
        goodbye = Goodbye(bytes(self._unread), self._ended)
        await self.close()
        return goodbye

    @property
    def unread(self) -> bytes:
        return bytes(self._unread)

    @property
    def is_over(self) -> bool:
        """The client has ended the connection, and all that it sent is read."""
        return self._ended and not self._unread

    async def drop(self) -> None:
        """Lose the connection: shut our side, read on for a moment, close."""
        await self.end(LINGER)

    async def close(self) -> None:
        await trio.aclose_forcefully(self._stream)
