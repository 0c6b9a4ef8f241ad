"""Listening for proxies: load balancers, and the gateway that this server starts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from hearts.arguments import Place, place_text
from hearts.net.places import close_at, open_at

from .config import ConfigError


@asynccontextmanager
async def listening_for_proxies(where: Place | None) -> AsyncIterator[list[trio.SocketListener]]:
    """Listeners at a place, if there is one; nothing is left of them at the end.

    Raises ConfigError.
    """
    if where is None:
        yield []
        return
    try:
        listeners = await open_at(where)
    except OSError as error:
        raise ConfigError(
            f"--proxy-listen: cannot listen at {place_text(where)} "
            f"({error.strerror or error}); choose another place"
        ) from None
    try:
        yield listeners
    finally:
        close_at(where, listeners)
