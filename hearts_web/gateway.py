"""The gateway: its connections, the limits on their number, and their common end."""

from __future__ import annotations

import socket
from collections.abc import Collection

import trio

from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.networks import NetworkCounts, PerNetwork
from hearts.limits.work import WorkLimits
from hearts.net import Certificate, Link, Pump, admits_arrival
from hearts.net.logline import EventLog

from .asking import Askers
from .conversation import OpenSocket, Site, converse
from .relay import Relay
from .websocket_frames import Close, Frames

LOOK_EVERY = 25.0
"""Seconds between two looks after a WebSocket. Reverse proxies forget silent ones after 60."""
_GROUPS = 25
_UNREAD = 32 * 1024
"""Bytes that the system keeps for us of a browser that is not read, about.

A browser says little. Left to itself the system takes megabytes of a flood, and to read them as
slowly as a flood deserves would keep its connection for minutes after its end.
"""

log = EventLog(__name__)


class Gateway:
    """All connections of browsers."""

    def __init__(
        self,
        site: Site,
        nursery: trio.Nursery,
        *,
        max_websockets: int,
        max_per_address: int,
        arrivals: ArrivalLimiter,
        work: WorkLimits,
    ) -> None:
        """``nursery`` owns every task; ``max_per_address`` counts WebSockets (a page has two); 0
        means no limit."""
        self._site = site
        self._nursery = nursery
        self._arrivals = arrivals
        self._work = work
        self._most = max_websockets
        self._pump = Pump()
        self._asking = Askers()
        self._carried = NetworkCounts(PerNetwork.widening(max_per_address))
        self._relays: dict[Relay, None] = {}
        self._ending = False
        self._gone = trio.Event()
        nursery.start_soon(self._pump.run)
        nursery.start_soon(self._look_after)

    def admits(self, address: str) -> bool:
        """Return True if a connection from this address may be served; else it is closed at
        once.
        """
        if self._ending:
            return False
        if address in self._site.proxies:
            return True
        return self._asking.has_room(address) and admits_arrival(self._arrivals, address)

    async def serve(self, tls: Certificate | None, stream: trio.SocketStream, peer: str) -> None:
        """Own one connection to its end; with a certificate it speaks TLS. Never raises on a peer's
        account."""
        try:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _UNREAD)
            link = self._pump.link(stream, self._nursery, tls)
            try:
                await self._serve(link, peer)
            finally:
                link.close()
        except OSError as error:
            log.info("lost", address=peer, why=error)
        except Exception:
            log.exception("connection-failed", address=peer)

    async def _serve(self, link: Link, peer: str) -> None:
        opened = await self._answer(link, peer)
        if opened is None:
            link.end()
            await link.run(lambda data: None)
        else:
            try:
                await self._carry(link, opened)
            finally:
                self._gone.set()
        log.debug("gone", address=peer, why=link.why_lost or "end")

    async def _answer(self, link: Link, peer: str) -> OpenSocket | None:
        """Answer what is asked until there is a WebSocket; None if there is none."""
        is_trusted = peer in self._site.proxies
        work = None if is_trusted else self._work.of(peer, trio.current_time())
        with self._asking.place("proxy" if is_trusted else peer) as asker:
            return await converse(link, peer, self._site, work, asker)
        link.abort("gave way to somebody else")
        return None

    async def _carry(self, link: Link, opened: OpenSocket) -> None:
        address = opened.address
        if self._ending:
            await _refuse(link, Close.GOING)
            return
        if self._carried.total >= self._most or not self._carried.has_room(address):
            log.info("turned-away", address=address, why="too many WebSockets")
            await _refuse(link, Close.FULL)
            return
        self._carried.add(address)
        try:
            await self._relay(link, opened)
        finally:
            self._carried.remove(address)

    async def _relay(self, link: Link, opened: OpenSocket) -> None:
        address = opened.address
        backend = self._site.backends[opened.path]
        try:
            server = await backend.reach(address, self._pump, self._nursery)
        except (OSError, trio.TooSlowError) as error:
            log.warning("unreachable", path=opened.path, why=error)
            await _refuse(link, Close.UNREACHABLE)
            return
        if self._ending:
            # It has begun to end while the server was called.
            server.close()
            await _refuse(link, Close.GOING)
            return
        work = self._work.of(address, trio.current_time())
        relay = Relay(link, server, Frames(), work)
        self._relays[relay] = None
        log.info("opened", address=address, path=opened.path)
        try:
            await relay.run(opened.data)
        finally:
            server.close()
            del self._relays[relay]
            why = link.why_lost or server.why_lost or "end"
            log.info("closed", address=address, path=opened.path, why=why)

    def keep_for(self, networks: Collection[str]) -> None:
        self._asking.crowd.seats = frozenset(networks)

    async def end(self) -> None:
        """Let nobody new in, and close all WebSockets in order; over when they are gone."""
        self._ending = True
        for relay in tuple(self._relays):
            relay.close(Close.GOING)
        while self._carried.total:
            self._gone = trio.Event()
            await self._gone.wait()

    async def _look_after(self) -> None:
        # A few at a time, so that nobody waits for all of them.
        while True:
            relays = list(self._relays)
            for left in range(_GROUPS, 0, -1):
                await trio.sleep(LOOK_EVERY / _GROUPS)
                for _ in range(-(-len(relays) // left)):
                    relays.pop().look_after()


async def _refuse(link: Link, why: Close) -> None:
    link.write(Frames().close(why))
    link.end()
    await link.run(lambda data: None)
