"""The two servers behind the gateway, and how they are reached."""

from __future__ import annotations

from collections.abc import Mapping

import trio
from msgspec import Struct

from hearts.net import Link, Pump
from hearts.net.places import connect_to
from hearts.settings.readers import Place
from hearts.wire.proxy_header import proxy_header

CONNECT_LIMIT = 5.0
"""Seconds in which a server must take a connection."""


class Backend(Struct, frozen=True):
    """Where a server takes connections."""

    where: Place
    hears_addresses: bool
    """Whether each connection begins with a PROXY header, which says who the player is."""


Backends = Mapping[str, Backend]
"""A server for each path of a WebSocket, such as ``/game``."""


async def reach(backend: Backend, address: str, pump: Pump, nursery: trio.Nursery) -> Link:
    """A new connection to a server, for a player at this address.

    ``nursery`` owns its writer. Raises OSError or trio.TooSlowError.
    """
    with trio.fail_after(CONNECT_LIMIT):
        link = pump.link(await connect_to(backend.where), nursery)
    if backend.hears_addresses:
        link.write(proxy_header(address))
        link.flush()
    return link
