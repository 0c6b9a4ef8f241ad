"""All connections of the taunt server: the limits on their number, and their common end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import trio
from msgspec.structs import replace

from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.networks import NetworkCounts, PerNetwork, network_of
from hearts.limits.shared_places import SharedPlaces
from hearts.limits.tries import GuessLimiter
from hearts.net import Certificate, Link, Pump, admits_arrival
from hearts.net.logline import EventLog
from hearts.taunt.messages import encode_delivery
from hearts.wire.credentials import SERVER_PLAYER

from .connection import ChatCommon, Connection

BEING_TURNED_AWAY = 64
"""Connections beyond the limits that get an answer at once; further ones are just closed."""

QUICKLY = 2.0
"""Seconds that somebody has to register while more than half of the places are taken."""
ANNOUNCER = "game-server"
"""Stands for the address of a connection that only the game server can have."""

CLOSING_NOTICE = "The chat is closing."

log = EventLog("taunt_server")


class Unregistered:
    """The connections that are not registered, refused ones too.

    Those that have registered are forgotten at the next look.
    """

    def __init__(self) -> None:
        self._crowd: SharedPlaces[Connection] = SharedPlaces(inf)
        # In the order in which they could begin to speak: since when.
        self._begun: dict[Connection, float] = {}

    def came(self, who: Connection, address: str) -> None:
        self._crowd.enter(who, address)

    def begins(self, who: Connection, now: float) -> None:
        """Note that a connection can speak: its TLS is ready, if there is any."""
        self._begun[who] = now

    def left(self, who: Connection) -> None:
        self._crowd.leave(who)
        self._begun.pop(who, None)

    def longest(self) -> Connection | None:
        """Return the longest waiting connection of the network that has most; None if there is
        none.
        """
        for who in [who for who in self._crowd if who.is_registered]:
            self.left(who)
        return self._crowd.longest_idle()

    def slow(self, now: float) -> list[Connection]:
        """Return the connections that have not spoken within QUICKLY."""
        found = []
        while self._begun:
            who, since = next(iter(self._begun.items()))
            if not who.has_spoken:
                if now - since < QUICKLY:
                    break
                found.append(who)
            del self._begun[who]
        return found


class TauntServer:
    """The taunt server without its listeners."""

    def __init__(
        self,
        secret: bytes,
        *,
        max_connections: int,
        max_per_address: int,
        max_per_network: tuple[int, int, int] | None = None,
        arrivals: ArrivalLimiter | None = None,
    ) -> None:
        """``max_per_address`` counts an IPv4 address or an IPv6 /64 network, ``max_per_network``
        an IPv4 /24 and an IPv6 /56 and /48; 0 means no limit."""
        self._max_connections = max_connections
        self._shared = ChatCommon(secret)
        self._connections: set[Connection] = set()
        self._by_network = NetworkCounts(PerNetwork.of_settings(max_per_address, max_per_network))
        self._arrivals = arrivals or ArrivalLimiter(0, 1)
        # The connections that the limits are about, with what ends them.
        self._counted: dict[Connection, tuple[str, trio.CancelScope]] = {}
        self._unregistered = Unregistered()
        self._turned_away = 0

    def admits(self, address: str) -> bool:
        """Return True if a connection from this address may be served; else it is closed at
        once.
        """
        return admits_arrival(self._arrivals, address)

    async def handle(
        self, pump: Pump, tls: Certificate | None, stream: trio.SocketStream, address: str
    ) -> None:
        """Serve a connection over a socket until it is closed; with a certificate it speaks TLS.

        Never raises on a client's account.
        """
        make_link = partial(pump.link, stream, tls=tls)
        await self.serve(address, make_link)

    async def serve(self, address: str, make_link: Callable[[trio.Nursery], Link]) -> None:
        """Serve a connection of any kind, which ``make_link`` opens, until it is closed."""
        try:
            network = network_of(address)
            if not self._by_network.has_room(network):
                await self._turn_away(address, make_link, "too many from this address")
            elif not self._has_room():
                await self._turn_away(address, make_link, "too many connections")
            else:
                await self._serve(address, make_link, self._shared, network)
        except Exception:
            log.exception("internal-error", address=address)

    async def serve_announcer(self, pump: Pump, stream: trio.SocketStream) -> None:
        """Serve a connection that only the game server can have; it takes nobody's place."""
        try:
            own = replace(self._shared, guesses=GuessLimiter())
            await self._serve(ANNOUNCER, partial(pump.link, stream), own)
        except Exception:
            log.exception("internal-error", address=ANNOUNCER)

    def let_go(self, why: str) -> None:
        for connection in tuple(self._counted):
            connection.abort(why)

    def end(self) -> None:
        """Tell everybody, and end all connections in order; each is closed within LINGER."""
        farewell = encode_delivery(SERVER_PLAYER, CLOSING_NOTICE)
        for connection in tuple(self._connections):
            connection.send_farewell(farewell)

    def _has_room(self) -> bool:
        """Tell if there is room for one more, perhaps in place of one that has said nothing yet."""
        if 2 * len(self._counted) > self._max_connections:
            for slow in self._unregistered.slow(trio.current_time()):
                self._let_go(slow, "too slow while many wait")
        if len(self._counted) < self._max_connections:
            return True
        longest = self._unregistered.longest()
        if longest is not None:
            self._let_go(longest, "somebody else needs the place")
        return longest is not None

    def _let_go(self, connection: Connection, why: str) -> None:
        _, scope = self._counted[connection]
        self._leave(connection)
        if len(self._connections) - len(self._counted) > BEING_TURNED_AWAY:
            scope.cancel()
        else:
            connection.turn_away(why)

    def _leave(self, connection: Connection) -> None:
        counted = self._counted.pop(connection, None)
        if counted is not None:
            self._by_network.remove(counted[0])
        self._unregistered.left(connection)

    async def _serve(
        self,
        address: str,
        make_link: Callable[[trio.Nursery], Link],
        shared: ChatCommon,
        network: str | None = None,
    ) -> None:
        """Serve a connection; without a network the limits do not count it."""
        async with trio.open_nursery() as nursery:
            link = make_link(nursery)
            connection = Connection(link, address, shared)
            self._connections.add(connection)
            if network is not None:
                self._by_network.add(network)
                self._counted[connection] = network, nursery.cancel_scope
                self._unregistered.came(connection, address)
            log.debug("connected", address=address)
            try:
                if await link.ready() and connection in self._counted:
                    self._unregistered.begins(connection, trio.current_time())
                await connection.run(nursery)
            finally:
                self._leave(connection)
                self._connections.remove(connection)
                nursery.cancel_scope.cancel()
            log.info("disconnected", address=address, why=link.why_lost or "end")

    async def _turn_away(
        self, address: str, make_link: Callable[[trio.Nursery], Link], why: str
    ) -> None:
        self._turned_away += 1
        try:
            async with trio.open_nursery() as nursery:
                link = make_link(nursery)
                if self._turned_away > BEING_TURNED_AWAY:
                    link.abort(why)
                else:
                    Connection(link, address, self._shared).turn_away(why)
                await link.run(lambda data: None)
                nursery.cancel_scope.cancel()
        finally:
            self._turned_away -= 1
