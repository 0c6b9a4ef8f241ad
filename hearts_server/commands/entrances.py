"""Where clients come in at a node: by themselves, through proxies, and from the page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio
from msgspec import Struct

from hearts.limits import ArrivalLimiter
from hearts.net import (
    Certificate,
    Link,
    Pump,
    accept_connections,
    admits_arrival,
    open_listeners,
)
from hearts.net.logline import EventLog
from hearts.net.places import listening_at, tls_at
from hearts.net.proxied import Proxied
from hearts.settings.readers import Place
from hearts_server.config import Config, ConfigError

log = EventLog(__name__)

ServeLink = Callable[[Link, str], Awaitable[object]]
"""Owns a connection of a client with this address to its end."""


class EntrancePlaces(Struct, frozen=True):
    """Where clients of a door connect."""

    own: Sequence[trio.SocketListener] = ()
    proxied: Sequence[trio.SocketListener] = ()
    """Those for proxies."""
    proxy_place: Place | None = None


class NodeEntrance:
    """Takes connections of clients for a door."""

    def __init__(
        self,
        config: Config,
        tls: Certificate | None,
        serve: ServeLink,
        pump: Pump,
        nursery: trio.Nursery,
    ) -> None:
        """``serve`` is the door's, ``pump`` reads the connections, and the nursery owns them."""
        self._tls = tls
        self._serve_link = serve
        self._pump = pump
        self._nursery = nursery
        self._limiter = ArrivalLimiter(config.accept_rate, config.accept_burst)

    def _admits(self, address: str) -> bool:
        return admits_arrival(self._limiter, address)

    async def _serve(
        self, tls: Certificate | None, stream: trio.SocketStream, address: str
    ) -> None:
        try:
            if tls is None:
                link: Link = self._pump.link(stream, self._nursery)
            else:
                link = self._pump.tls_link(stream, self._nursery, tls.context)
            await self._serve_link(link, address)
        except OSError as error:
            log.info("lost", address=address, why=error)
        except Exception:
            log.exception("connection-failed", address=address)

    def behind(self, place: Place | None) -> Proxied:
        """What serves the connections of proxies that come to this place."""
        return Proxied(self._admits, partial(self._serve, tls_at(place, self._tls)))

    async def accept(self, where: EntrancePlaces) -> None:
        """Take connections until cancelled."""
        behind, nursery = self.behind(where.proxy_place), self._nursery
        async with trio.open_nursery() as accepting:
            own = where.own, self._admits, partial(self._serve, self._tls)
            accepting.start_soon(accept_connections, *own, nursery)
            proxied = where.proxied, behind.admits, behind.serve
            accepting.start_soon(accept_connections, *proxied, nursery)


@asynccontextmanager
async def listening_for_chat(config: Config) -> AsyncIterator[EntrancePlaces]:
    """Where clients of the chat connect, if this node leads any; nothing is left of it at the end.

    Raises ConfigError.
    """
    if config.no_taunt_server:
        yield EntrancePlaces()
        return
    own = await _listen(config)
    try:
        where = config.taunt_proxy_listen
        async with listening_at(where, "--taunt-proxy-listen", ConfigError) as proxied:
            yield EntrancePlaces(own, proxied, where)
    finally:
        for listener in own:
            listener.socket.close()


async def _listen(config: Config) -> list[trio.SocketListener]:
    host, port = config.taunt_address, config.taunt_port
    try:
        return await open_listeners(host, port)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host or '*'}:{port} for the chat: {error.strerror or error}; "
            "choose another --taunt-port, or use --no-taunt-server"
        ) from None
