"""The two servers behind the gateway, and how they are reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import trio
from msgspec import Struct

from hearts.net import Link, Pump

CONNECT_LIMIT = 5.0
"""Seconds in which a server must take a connection."""


class Backend(Struct, frozen=True):
    """Where a server takes connections."""

    where: Path | tuple[str, int]
    """A Unix socket, or a host and a port."""
    hears_addresses: bool
    """Whether each connection begins with a PROXY header, which says who the player is."""


Backends = Mapping[str, Backend]
"""A server for each path of a WebSocket, such as ``/game``."""


async def reach(backend: Backend, address: str, pump: Pump, nursery: trio.Nursery) -> Link:
    """A new connection to a server, for a player at this address.

    ``nursery`` owns its writer. Raises OSError or trio.TooSlowError.
    """
    with trio.fail_after(CONNECT_LIMIT):
        if isinstance(backend.where, Path):
            stream = await trio.open_unix_socket(str(backend.where))
        else:
            stream = await trio.open_tcp_stream(*backend.where)
    return pump.link(stream, nursery)
