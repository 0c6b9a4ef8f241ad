"""Calling other nodes: each begins with a greeting, a proof of the club's secret, and an errand."""

from __future__ import annotations

import ssl

import trio

from hearts.errors import RemoteProtocolError
from hearts.net import TcpStream, TlsTalk
from hearts.net.link import GONE
from hearts.net.logline import EventLog
from hearts.net.places import connect_to
from hearts.settings.readers import place

from .handshake import (
    GREETING_BYTES,
    LIFE_BYTES,
    Errand,
    Greeting,
    decode_lives,
    introduction,
)

log = EventLog(__name__)

CALL_LIMIT = 1.0
"""Seconds in which a node has to answer; one that is stopped does not."""
NOT_REACHED = (*GONE, trio.TooSlowError, RemoteProtocolError)
"""Errors of a node that does not answer, or not as it should."""


class Caller:
    """Calls other nodes for one that knows the secret."""

    def __init__(self, secret: bytes, tls: ssl.SSLContext | None = None) -> None:
        """Connections begin with ``tls`` if it is given."""
        self._secret = secret
        self._tls = tls

    async def call(self, where: str, errand: Errand, address: str = "", door: int = 0) -> TcpStream:
        """A connection to another node, perhaps for a client with this address; ``door`` is the
        own life, if the client is a newcomer.

        Raises one of NOT_REACHED, as for a newcomer who is led to a node that is not the lobby.
        """
        with trio.fail_after(CALL_LIMIT):
            plain = await connect_to(place(where))
            try:
                greeting = Greeting.decode(await exactly(plain, GREETING_BYTES))
                await exactly(plain, greeting.lives * LIFE_BYTES)
                if errand is Errand.NEWCOMER and not greeting.is_lobby:
                    raise RemoteProtocolError("it is not the lobby yet, or not any more")
                stream = await begin_tls(plain, self._tls, server_side=False)
                said = introduction(self._secret, greeting.challenge, errand, address, door)
                await stream.send_all(said)
            except BaseException:
                await trio.aclose_forcefully(plain)
                raise
        return stream


def is_refused(error: Exception) -> bool:
    """Whether nobody listens at any of the addresses to which a connection was tried."""
    cause = error.__cause__
    return isinstance(cause, ExceptionGroup) and cause.split(ConnectionRefusedError)[1] is None


async def begin_tls(
    plain: trio.SocketStream, tls: ssl.SSLContext | None, *, server_side: bool
) -> TcpStream:
    """The same connection with TLS, if there is to be any."""
    if tls is None:
        return plain
    talk = TlsTalk(plain, tls, server_side=server_side)
    await talk.shake_hands()
    return talk


async def lives_known_to(where: str) -> list[int]:
    """The lives that a node with a valid lease knows to be live; none if it says nothing."""
    with trio.move_on_after(CALL_LIMIT):
        try:
            stream = await connect_to(place(where))
            async with stream:
                greeting = Greeting.decode(await exactly(stream, GREETING_BYTES))
                return decode_lives(await exactly(stream, greeting.lives * LIFE_BYTES))
        except NOT_REACHED as error:
            log.debug("node-does-not-answer", node=where, why=error)
    return []


async def exactly(stream: TcpStream, size: int) -> bytes:
    """So many bytes. Raises ConnectionError at an end before."""
    data = bytearray()
    while len(data) < size:
        more = await stream.receive_some(min(size - len(data), 1 << 16))
        if not more:
            raise ConnectionResetError("it ended too early")
        data += more
    return bytes(data)


def socket_stream(stream: TcpStream) -> trio.SocketStream:
    """The connection itself, which can be closed at once whether TLS has begun or not."""
    return stream.stream if isinstance(stream, TlsTalk) else stream
