"""Reaching a server: a connection, with TLS or without, and in words why there is none."""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import partial
from math import inf
from pathlib import Path

import trio
from msgspec import Struct

from hearts.errors import HeartsError, leaves
from hearts.net import TlsError, client_tls

DEFAULT_TAUNT_PORT = 7627
PASSWORD_VARIABLE = "HEARTS_PASSWORD"
"""The variable of the environment that holds a password."""
CONNECT_LIMIT = 20.0
"""Seconds for reaching a server, the TLS handshake included."""
_SILENT_FOR = 1.0
"""Seconds without a word from the server after which we check whether it speaks TLS."""
_LOOK_LIMIT = 3.0
"""Seconds for that."""
_ALERT, _HANDSHAKE = b"\x15\x03", b"\x16\x03"
# A server that vanishes without a word is noticed within a minute, so that we can come back.
_KEEPALIVE = (
    ("TCP_KEEPIDLE", 20),
    ("TCP_KEEPINTVL", 10),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", 50_000),
)


class CannotConnect(HeartsError):
    """No server was reached; the text says where and why."""


class Tls(Struct, frozen=True, gc=False):
    """The settings of TLS with a server."""

    ca: Path | None = None
    """A PEM file of the certificates to trust; ``None`` for those that the system trusts."""
    insecure: bool = False
    """True to trust any server, which protects from nobody who can change what is sent."""


async def open_stream(host: str, port: int, tls: Tls | None = None) -> trio.abc.Stream:
    """Open a connection with keep-alive; clear text if ``tls`` is ``None``.

    Raises CannotConnect, saying where and why. Without TLS, a read of the stream raises it too
    if the server turns out to speak TLS only.
    """
    try:
        with trio.fail_after(CONNECT_LIMIT):
            stream = await open_tcp(host, port)
            if tls is None:
                tls_only = CannotConnect(f"{where(host, port)} speaks TLS only; use --tls")
                return ClearText(stream, partial(open_tcp, host, port), tls_only)
            return await _shake_hands(stream, host, port, tls)
    except trio.TooSlowError:
        raise CannotConnect(f"{where(host, port)} does not answer") from None


Dial = Callable[[str, int], Awaitable[trio.SocketStream]]
"""Makes a connection to a host and a port. Raises OSError."""


_dial: Dial = trio.open_tcp_stream


def connect_by(dial: Dial) -> None:
    """Let every connection of this process be made so, from now on."""
    global _dial
    _dial = dial


def is_by_door() -> bool:
    """Tell if this process is the client of a visitor by ssh, whose door makes the connections."""
    return _dial is not trio.open_tcp_stream


def server_words(host: str, port: int) -> str:
    """Return a server as its player knows it: a visitor has typed no address of it."""
    return "this server" if is_by_door() else where(host, port)


async def open_tcp(host: str, port: int) -> trio.SocketStream:
    """Open a connection with keep-alive, on which nothing is said. Raises CannotConnect."""
    try:
        stream = await _dial(host, port)
    except OSError as error:
        raise CannotConnect(f"cannot connect to {where(host, port)}: {_why(error)}") from None
    except UnicodeError:
        raise CannotConnect(f"{host!r} cannot be the name of a host") from None
    with contextlib.suppress(OSError):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE:
            if hasattr(socket, option):
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return stream


async def _shake_hands(
    transport: trio.SocketStream, host: str, port: int, tls: Tls
) -> trio.abc.Stream:
    try:
        # The system's certificates are many, and in files.
        context = await trio.to_thread.run_sync(client_tls, tls.ca, tls.insecure)
        # The protocols inside say themselves when they are over, and a server that is killed ends
        # no session: so the end of a connection needs no word of TLS.
        stream = trio.SSLStream(transport, context, server_hostname=host, https_compatible=True)
        await stream.do_handshake()
    except TlsError as error:
        await trio.aclose_forcefully(transport)
        raise CannotConnect(f"--tls-ca: {error}") from None
    except trio.BrokenResourceError as error:
        await trio.aclose_forcefully(transport)
        raise CannotConnect(_why_no_tls(error.__cause__, where(host, port))) from None
    except BaseException:
        await trio.aclose_forcefully(transport)
        raise
    return stream


def _why_no_tls(cause: BaseException | None, server: str) -> str:
    match cause:
        case ssl.SSLCertVerificationError():
            return _why_not_trusted(cause, server)
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER"):
            return f"{server} does not speak TLS; leave out --tls and the options that go with it"
        case ssl.SSLEOFError():
            return (
                f"{server} ended the connection instead of speaking TLS; "
                "perhaps it does so without --tls"
            )
        case ssl.SSLError(reason=str(reason)):
            return f"no TLS with {server}: {reason.replace('_', ' ').lower()}"
        case _:
            return f"lost the connection to {server} before TLS was set up"


def _why_not_trusted(error: ssl.SSLCertVerificationError, server: str) -> str:
    why = error.verify_message.rstrip(".")
    if "mismatch" in why:
        advice = "call the host by the name that its certificate has"
    elif "expired" in why or "not yet valid" in why:
        advice = "its host has to renew it, or this machine's clock is wrong"
    else:
        advice = "get the certificate's file from the host and give it with --tls-ca FILE"
    return f"the certificate of {server} is not trusted: {why}; {advice}"


def where(host: str, port: int) -> str:
    """Return an address as people write it, with an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _why(error: OSError) -> str:
    cause = next(leaves(error.__cause__ or error))
    told = cause if isinstance(cause, OSError) else error
    # A refusal's own text repeats the address that was tried.
    if isinstance(told, ConnectionError) and told.errno is not None:
        return os.strerror(told.errno)
    return told.strerror or str(told)


class ClearText(trio.abc.Stream):
    """A connection whose first read raises an error where the server speaks TLS."""

    def __init__(
        self,
        stream: trio.SocketStream,
        call: Callable[[], Awaitable[trio.SocketStream]],
        why: HeartsError,
    ) -> None:
        """``call`` makes another connection to the same server, and may raise a HeartsError.

        ``why`` is the error.
        """
        self._stream = stream
        self._call = call
        self._why = why
        self._is_fresh = True
        self._has_spoken = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._has_spoken = True
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        if not self._is_fresh:
            return await self._stream.receive_some(max_bytes)
        with trio.move_on_after(inf if self._has_spoken else _SILENT_FOR) as scope:
            data = await self._stream.receive_some(max_bytes)
        if scope.cancelled_caught:
            if await self._is_tls():
                raise self._why
            data = await self._stream.receive_some(max_bytes)
        if data.startswith(_ALERT):
            raise self._why
        self._is_fresh = False
        return data

    async def _is_tls(self) -> bool:
        """Look if TLS is spoken there, as far as that is to be found out."""
        with trio.move_on_after(_LOOK_LIMIT):
            with contextlib.suppress(HeartsError, trio.BrokenResourceError):
                async with await self._call() as stream:
                    await stream.send_all(_hello())
                    return (await stream.receive_some(2))[:2] in (_ALERT, _HANDSHAKE)
        return False

    async def aclose(self) -> None:
        await self._stream.aclose()


def _hello() -> bytes:
    """Return the first bytes of a client that speaks TLS and trusts anybody."""
    said = ssl.MemoryBIO()
    tls = client_tls(None, insecure=True).wrap_bio(ssl.MemoryBIO(), said)
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return said.read()
