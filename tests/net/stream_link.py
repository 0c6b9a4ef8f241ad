"""A connection over any stream of trio, such as a memory stream."""

from __future__ import annotations

import trio

from hearts.net import Link
from hearts.net.link import GONE


class StreamLink(Link):
    """A link without a socket."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, nursery: trio.Nursery) -> None:
        super().__init__(nursery)
        self._stream = stream

    async def _send_some(self, data: bytes) -> int:
        await self._stream.send_all(data)
        return len(data)

    async def _receive(self) -> bytes:
        return bytes(await self._stream.receive_some(self.piece))

    def _shut_down(self) -> None:
        self._nursery.start_soon(self._send_eof)

    async def _send_eof(self) -> None:
        with trio.move_on_at(self._scope.deadline):
            try:
                await self._stream.send_eof()
            except GONE:
                self._scope.cancel()

    def _close(self) -> None:
        self._nursery.start_soon(trio.aclose_forcefully, self._stream)
