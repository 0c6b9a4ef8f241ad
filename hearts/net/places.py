"""Listening and connecting at a place: an address with a port, or a Unix socket."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio

from hearts.arguments import Place

from .listen import open_listeners, open_private_listener


async def open_at(where: Place) -> list[trio.SocketListener]:
    """Listen there; only programs of this user can reach a Unix socket. Raises OSError."""
    if isinstance(where, str):
        return [open_private_listener(_path(where))]
    return await open_listeners(*where)


def close_at(where: Place, listeners: Sequence[trio.SocketListener]) -> None:
    """Listen there no more; of a Unix socket nothing is left."""
    for listener in listeners:
        listener.socket.close()
    if isinstance(where, str):
        _path(where).unlink(missing_ok=True)


async def connect_to(where: Place) -> trio.SocketStream:
    """A connection to who listens there. Raises OSError."""
    if isinstance(where, str):
        return await trio.open_unix_socket(str(_path(where)))
    return await trio.open_tcp_stream(*where)


def _path(where: str) -> Path:
    return Path(where).expanduser()
