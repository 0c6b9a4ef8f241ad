"""Connections between nodes: a door leads a client to the lobby, and the lobby takes it in.

A client does not notice: the first byte that it hears is the lobby's. If the lobby dies its
connections end, and those that come then wait for the next one.
"""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Awaitable, Callable
from typing import Protocol

import trio

from hearts.arguments import place
from hearts.errors import RemoteProtocolError
from hearts.net import Link, Pump, TcpStream, TlsTalk
from hearts.net.link import GONE, LINGER
from hearts.net.logline import EventLog
from hearts.net.places import connect_to
from hearts.session.messages import Refusal
from hearts.wire.codec import encode_int

from .handshake import (
    CHALLENGE_BYTES,
    GREETING_BYTES,
    PROOF_BYTES,
    SIZE_BYTES,
    Greeting,
    client_address,
    header_size,
    introduction,
)
from .membership import Peer

log = EventLog(__name__)

ServeLed = Callable[[TcpStream, str], Awaitable[object]]
"""Owns a connection that a node leads here to its end, for a client with this address."""
HOLD_LIMIT = 8.0
"""Seconds for which a connection waits for a lobby."""
CALL_LIMIT = 1.0
"""Seconds in which a node has to answer; one that is stopped does not."""
AWAITED = 256
"""Introductions that are waited for at once; further connections are just closed."""
_LOOK_EVERY = 0.1
_UNREAD = 16 * 1024
"""Bytes that wait for one end, beyond which nothing is read from the other one."""
_ALLOWED = 1 << 20
"""Bytes that may wait for an end all the same, if the other one has said them and gone."""


class Lobbies(Protocol):
    """Knows which node is the lobby."""

    @property
    def lobby(self) -> Peer | None:
        """The live node that is the lobby, which may be this one; None for none."""

    def refused(self, peer: Peer) -> None:
        """A node took no connection."""


class Door:
    """Leads connections of clients to the lobby."""

    def __init__(
        self,
        secret: bytes,
        lobbies: Callable[[], Lobbies],
        pump: Pump,
        hold_limit: float = HOLD_LIMIT,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """``lobbies`` is asked each time that a connection comes; ``pump`` reads the connections
        to lobbies, which begin with ``tls`` if it is given."""
        self._secret = secret
        self._pump = pump
        self._lobbies = lobbies
        self._hold_limit = hold_limit
        self._tls = tls
        self._led: dict[trio.CancelScope, int] = {}

    async def serve(self, link: Link, address: str) -> None:
        """Own the connection of a client to its end."""
        try:
            if not await link.ready():
                return
            with trio.move_on_after(self._hold_limit) as held:
                stream, life = await self._call(address)
            if held.cancelled_caught:
                await _refuse(link, address)
            else:
                await self._lead(link, stream, life)
        finally:
            link.close()

    def lobby_changed(self, life: int) -> None:
        """End the connections that lead to any other life: nobody answers there any more."""
        for scope, led_to in self._led.items():
            if led_to != life:
                scope.cancel()

    async def _call(self, address: str) -> tuple[TcpStream, int]:
        lobbies = self._lobbies()
        while True:
            peer = lobbies.lobby
            if peer is not None:
                try:
                    with trio.fail_after(CALL_LIMIT):
                        stream = await call(peer.address, self._secret, address, self._tls)
                        return stream, peer.life
                except (*GONE, trio.TooSlowError, RemoteProtocolError) as error:
                    if _is_refused(error):
                        lobbies.refused(peer)
                    log.debug("node-does-not-answer", node=peer.name, why=error)
            await trio.sleep(_LOOK_EVERY)

    async def _lead(self, link: Link, stream: TcpStream, life: int) -> None:
        with trio.CancelScope() as scope:
            self._led[scope] = life
            try:
                async with trio.open_nursery() as nursery:
                    await splice(link, self._pump.link(stream, nursery))
            finally:
                del self._led[scope]


def _is_refused(error: Exception) -> bool:
    """Whether nobody listens at any of the addresses to which a connection was tried."""
    cause = error.__cause__
    return isinstance(cause, ExceptionGroup) and cause.split(ConnectionRefusedError)[1] is None


async def _refuse(link: Link, address: str) -> None:
    log.info("no-lobby", address=address)
    link.write(encode_int(Refusal.SERVER_FULL))
    link.end()
    with trio.move_on_after(LINGER):
        while await link.read():
            pass


async def call(
    where: str, secret: bytes, address: str, tls: ssl.SSLContext | None = None
) -> TcpStream:
    """A connection to another node, for a client with this address.

    Raises OSError, trio.BrokenResourceError, or RemoteProtocolError if it is not the lobby.
    """
    plain = await connect_to(place(where))
    try:
        greeting = Greeting.decode(await _exactly(plain, GREETING_BYTES))
        if not greeting.takes_clients:
            raise RemoteProtocolError("it is not the lobby yet, or not any more")
        stream = await _begin_tls(plain, tls, server_side=False)
        await stream.send_all(introduction(secret, greeting.challenge, address))
    except BaseException:
        await trio.aclose_forcefully(plain)
        raise
    return stream


async def _begin_tls(
    plain: trio.SocketStream, tls: ssl.SSLContext | None, *, server_side: bool
) -> TcpStream:
    """The same connection with TLS, if there is to be any."""
    if tls is None:
        return plain
    talk = TlsTalk(plain, tls, server_side=server_side)
    await talk.shake_hands()
    return talk


async def lobby_known_to(where: str) -> int:
    """The life that a node with a valid lease knows to be the lobby; 0 if it says nothing."""
    with trio.move_on_after(CALL_LIMIT):
        try:
            stream = await connect_to(place(where))
            async with stream:
                return Greeting.decode(await _exactly(stream, GREETING_BYTES)).lobby
        except (*GONE, RemoteProtocolError) as error:
            log.debug("node-does-not-answer", node=where, why=error)
    return 0


async def splice(client: Link, lobby: Link) -> None:
    """Own two connections, and carry bytes both ways until both have ended.

    Who says more than the other end reads is not read for a while. If one ends, the other one is
    ended in order.
    """
    client.allow(_ALLOWED)
    lobby.allow(_ALLOWED)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_carry, client, lobby, nursery)
        await _carry(lobby, client, nursery)


async def _carry(source: Link, target: Link, nursery: trio.Nursery) -> None:
    def pass_on(data: bytes) -> None:
        target.write(data)
        target.flush()
        # Some clients hold their next bytes back until these are confirmed.
        source.quick_ack()
        if target.backlog > _UNREAD and not resting:
            resting.append(True)
            source.rest()
            nursery.start_soon(read_on)

    async def read_on() -> None:
        await target.wait_sent(0)
        resting.clear()
        source.wake()

    resting: list[bool] = []
    try:
        await source.run(pass_on)
    finally:
        target.end()


class NodePort:
    """Greets other nodes and load balancers, and takes in the clients that nodes lead here."""

    def __init__(
        self, secret: bytes, lobby: Callable[[], int], tls: ssl.SSLContext | None = None
    ) -> None:
        """``lobby`` is the life to tell others of; 0 for none. With ``tls`` that follows a greeting
        in the clear, which load balancers read and which has nothing to hide."""
        self._secret = secret
        self._tls = tls
        self._lobby = lobby
        self._clients: tuple[Callable[[str], bool], ServeLed] | None = None
        self._awaited = 0

    def open(self, admits: Callable[[str], bool], serve: ServeLed) -> None:
        """Take clients in from now on; the arguments get the client's address."""
        self._clients = admits, serve

    def shut(self) -> None:
        """Take no clients in any more."""
        self._clients = None

    def admits(self, _node: str) -> bool:
        """Whether one more introduction can be waited for."""
        return self._awaited < AWAITED

    async def serve(self, plain: trio.SocketStream, node: str) -> None:
        """Own a connection to its end."""
        self._awaited += 1
        try:
            with trio.fail_after(CALL_LIMIT):
                stream, address = await self._introduced(plain)
        except ssl.SSLError as error:
            log.warning("not-a-node", address=node, why=error)
            return
        except (*GONE, trio.TooSlowError) as error:
            log.debug("node-lost", node=node, why=error)
            return
        except RemoteProtocolError as error:
            log.warning("not-a-node", address=node, why=error)
            return
        finally:
            self._awaited -= 1
        if address is None or self._clients is None:
            return
        admits, serve = self._clients
        if admits(address):
            await serve(stream, address)

    async def _introduced(self, plain: trio.SocketStream) -> tuple[TcpStream, str | None]:
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        greeting = Greeting(self._clients is not None, self._lobby(), challenge)
        await plain.send_all(greeting.encode())
        stream = await _begin_tls(plain, self._tls, server_side=True)
        first = await _exactly(stream, PROOF_BYTES + SIZE_BYTES)
        header = await _exactly(stream, header_size(first))
        return stream, client_address(self._secret, challenge, first + header)


async def _exactly(stream: TcpStream, size: int) -> bytes:
    """So many bytes. Raises ConnectionError at an end before."""
    data = b""
    while len(data) < size:
        more = await stream.receive_some(size - len(data))
        if not more:
            raise ConnectionResetError("it ended before it was introduced")
        data += more
    return data
