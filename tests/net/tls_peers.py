"""Two ends of a connection with TLS."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import trio

from hearts.net import TlsLink, server_tls

FILES = Path(__file__).parents[1] / "certificates"
HOST = "127.0.0.1"
TIMEOUT = 10


def context(name: str = "house") -> ssl.SSLContext:
    return server_tls(FILES / f"{name}.pem", FILES / f"{name}.key")


async def exactly(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    data = bytearray()
    with trio.fail_after(TIMEOUT):
        while len(data) < size:
            piece = await stream.receive_some(size - len(data))
            assert piece, f"the connection ended after {len(data)} bytes"
            data += piece
    return bytes(data)


def echo(link: TlsLink) -> Callable[[bytes], None]:
    def receive(data: bytes) -> None:
        link.write(data)
        link.flush()

    return receive
