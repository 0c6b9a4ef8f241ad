"""Listening sockets, and addresses as people write them."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

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


def open_private_listener(path: Path) -> trio.SocketListener:
    """Listen at a Unix socket that only programs of this user can reach.

    What a program left behind that was killed is taken over. Raises OSError, also for a socket
    that is in use, for any other file, and for a path that is too long for a socket.
    """
    listening = socket.socket(socket.AF_UNIX)
    try:
        if path.is_socket() and not _is_in_use(path):
            path.unlink()
        # The mode counts from the beginning: nobody can connect before it is right.
        before = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        listening.listen()
    except BaseException:
        listening.close()
        raise
    return trio.SocketListener(trio.socket.from_stdlib_socket(listening))


def _is_in_use(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) != errno.ECONNREFUSED


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
