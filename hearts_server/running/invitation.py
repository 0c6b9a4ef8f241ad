"""What the host of a server is told at its start: how friends come in, and who else may."""

from __future__ import annotations

import socket
from collections.abc import Iterator

from hearts_server.config import Config

DEFAULT_TAUNT_PORT = 7627
"""Where a client looks for the chat."""


def invitation(config: Config, address: str, taunt_port: int) -> Iterator[str]:
    """What friends type to play here, and a warning if strangers may come as well.

    ``address`` is one that the server listens on.
    """
    port = address.rpartition(":")[2]
    host = _reached_at(config.host)
    name = f"[{host}]" if ":" in host else host
    where = name if port == "7626" else f"{name}:{port}"
    tls = "" if config.tls_cert is None else "--tls "
    chat = "" if taunt_port == DEFAULT_TAUNT_PORT else f" --taunt-port {taunt_port}"
    yield f"friends play with: hearts-client {tls}{where}{chat}"
    if not config.password and not host.startswith(("127.", "::1", "localhost")):
        yield (
            "warning: anybody who reaches this address can play; --password auto makes a password"
        )


def web_invitation(config: Config, port: int) -> str:
    """Where friends play in a browser: the page is at this port."""
    host = _reached_at(config.web_address)
    name = f"[{host}]" if ":" in host else host
    page = f"{'http' if config.tls_cert is None else 'https'}://{name}:{port}/"
    return f"play in a browser: {page} (friends meet at a table of theirs: {page}?table=NAME)"


def _reached_at(host: str) -> str:
    return _own_address() if host in ("", "0.0.0.0", "::") else host


def _own_address() -> str:
    # Connecting a datagram socket sends nothing; it only picks the interface.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
