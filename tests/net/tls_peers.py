"""Two ends of a connection with TLS."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

from hearts.net import TlsLink, server_tls

FILES = Path(__file__).parents[1] / "certificates"
HOST = "127.0.0.1"


def context(name: str = "house") -> ssl.SSLContext:
    return server_tls(FILES / f"{name}.pem", FILES / f"{name}.key")


def echo(link: TlsLink) -> Callable[[bytes], None]:
    def receive(data: bytes) -> None:
        link.write(data)
        link.flush()

    return receive
