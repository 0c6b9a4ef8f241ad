"""Two ends of a connection, and what is said over it."""

from __future__ import annotations

import trio

from hearts.net import Link

TIMEOUT = 10


async def read_all(stream: trio.abc.ReceiveStream) -> bytes:
    """Everything until the other side ends."""
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        async for piece in stream:
            data += piece
    return bytes(data)


async def receive_exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        while len(data) < size:
            piece = await stream.receive_some(size - len(data))
            assert piece, f"the connection ended after {len(data)} bytes"
            data += piece
    return bytes(data)


def ignore(data: bytes) -> None:
    """For a reader whose bytes do not matter."""


class Echo:
    """A receiver that answers in the same step, as a session does."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.heard = b""

    def __call__(self, data: bytes) -> None:
        self.heard += data
        for byte in data:
            self.link.write(bytes([byte]))
        self.link.flush()
