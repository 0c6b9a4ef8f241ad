"""Listening sockets, and addresses as people write them."""

from __future__ import annotations

import trio


async def open_listeners(host: str | None, port: int) -> list[trio.SocketListener]:
    """Listen on a host (``None`` or "" for every interface) and a port (0 for a free one).

    With port 0 and several addresses (IPv4 and IPv6) all get the same port. Raises OSError.
    """
    listeners = list(await trio.open_tcp_listeners(port, host=host or None))
    if port == 0 and len(listeners) > 1:
        chosen = listeners[0].socket.getsockname()[1]
        for listener in listeners:
            await listener.aclose()
        listeners = list(await trio.open_tcp_listeners(chosen, host=host or None))
    return listeners


def address_text(listener: trio.SocketListener) -> str:
    """``HOST:PORT`` of a listener, with an IPv6 address in brackets."""
    host, port = listener.socket.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def peer_host(stream: trio.SocketStream) -> str:
    """The address of the peer without its port; "?" where it is gone already."""
    try:
        name = stream.socket.getpeername()
    except OSError:
        return "?"
    host = str(name[0])
    return host.removeprefix("::ffff:")
