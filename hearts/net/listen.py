"""Listening sockets, accepting, and addresses as people write them."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path

import trio

from hearts.errors import RemoteProtocolError
from hearts.limits.arrivals import ArrivalLimiter
from hearts.limits.buckets import Bucket
from hearts.net.system import unix_socket
from hearts.wire.proxy_header import HEADER_LIMIT, read_proxy_header

from .logline import EventLog

_ACCEPTED_AT_ONCE = 8
"""Connections after which the tables get their turn."""
_EXHAUSTED = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS))
_UNUSABLE = frozenset((errno.EBADF, errno.ENOTSOCK, errno.EINVAL))
_BACKLOG = 0xFFFF
"""Connections that wait to be accepted; the system may have fewer."""
_REST = 0.1
"""Seconds to wait if the system has no room for another connection."""
_COMPLAIN_EVERY = 60.0
"""Seconds between two log lines about a system without room, at least."""
# Closed so, a connection leaves nothing behind, not even its last state in the system's tables.
_RESET = struct.pack("ii", 1, 0)
_PEER = struct.Struct("iII")
"""Process, user and group of a peer, as Linux tells them."""

HEADER_SECONDS = 3.0
"""Time for a whole PROXY header to arrive."""
HEADERS_AWAITED = 256
"""Connections whose headers are waited for at once; further ones are just closed."""

log = EventLog(__name__)

Serve = Callable[[trio.SocketStream, str], Awaitable[object]]
"""Owns a connection to its end; the text is the address of its peer, "" at a Unix socket."""


async def bound_sockets(host: str | None, port: int) -> list[socket.socket]:
    """Sockets bound to a host (``None`` or "" for every interface) and a port (0 for a free one).

    They refuse all connections until they listen. With port 0 and several addresses (IPv4 and
    IPv6) all get the same port. Raises OSError.
    """
    found = await trio.socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    bound: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in found:
            try:
                made = socket.socket(family, kind, protocol)
            except OSError as error:
                if error.errno == errno.EAFNOSUPPORT:
                    continue
                raise
            bound.append(made)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind((address[0], port, *address[2:]))
            port = made.getsockname()[1]
    except BaseException:
        close_sockets(bound)
        raise
    if not bound:
        raise OSError(errno.EAFNOSUPPORT, "no address of this machine is of a known kind")
    return bound


def listen_at(bound: Sequence[socket.socket]) -> list[trio.SocketListener]:
    """Listen at sockets that are bound, or close them if somebody else listens there by now.

    Raises OSError then.
    """
    try:
        for each in bound:
            each.listen(_BACKLOG)
    except BaseException:
        close_sockets(bound)
        raise
    return [trio.SocketListener(trio.socket.from_stdlib_socket(each)) for each in bound]


def close_sockets(sockets: Iterable[socket.socket | trio.socket.SocketType]) -> None:
    for each in sockets:
        each.close()


async def open_listeners(host: str | None, port: int) -> list[trio.SocketListener]:
    """Listen at once where :func:`bound_sockets` binds. Raises OSError."""
    return listen_at(await bound_sockets(host, port))


def bound_private_socket(path: Path) -> socket.socket:
    """Bind a socket to a path that only programs of this user can reach.

    What a program left behind that was killed is taken over. Raises OSError, also for a socket
    that is in use, for any other file, and for a path that is too long for a socket.
    """
    made = unix_socket()
    try:
        if path.is_socket() and not _is_in_use(path):
            path.unlink()
        # The mode counts from the beginning: nobody can connect before it is right.
        before = os.umask(0o177)
        try:
            made.bind(str(path))
        finally:
            os.umask(before)
    except BaseException:
        made.close()
        raise
    return made


def _is_in_use(path: Path) -> bool:
    with unix_socket() as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) != errno.ECONNREFUSED


def admits_arrival(limiter: ArrivalLimiter, address: str) -> bool:
    """Tell whether one more connection from this address may be served, and does not come too fast.

    The log tells now and then how many did.
    """
    now = trio.current_time()
    if limiter.admits(address, now):
        return True
    count = limiter.to_report(now)
    if count:
        log.warning("connections-too-fast", address=address, closed=count)
    return False


async def accept_connections(
    listeners: Sequence[trio.SocketListener],
    admits: Callable[[str], bool],
    serve: Serve,
    nursery: trio.Nursery,
) -> None:
    """Serve the connections of these listeners, each in a task of ``nursery``, until cancelled.

    What ``admits`` refuses by its address is reset before it costs a task, or anything else.
    """
    async with trio.open_nursery() as accepting:
        for listener in listeners:
            accepting.start_soon(_accept, listener, admits, serve, nursery)


async def _accept(
    listener: trio.SocketListener,
    admits: Callable[[str], bool],
    serve: Serve,
    nursery: trio.Nursery,
) -> None:
    own = listener.socket
    # trio's own accepting has a wait and a stream for each; most of a flood is worth neither.
    with socket.fromfd(own.fileno(), own.family, own.type) as sock:
        sock.setblocking(False)
        complaints = Bucket(1 / _COMPLAIN_EVERY, 1, trio.current_time())
        while True:
            await trio.lowlevel.wait_readable(sock)
            try:
                for found, address in _waiting(sock):
                    if admits(address):
                        stream = trio.SocketStream(trio.socket.from_stdlib_socket(found))
                        nursery.start_soon(_serve, serve, stream, address)
                    else:
                        _close_with_reset(found)
            except OSError as error:
                if error.errno in _UNUSABLE:
                    raise
                if complaints.take(trio.current_time()):
                    log.error("cannot-accept", why=error.strerror)
                await trio.sleep(_REST)


def _waiting(sock: socket.socket) -> Iterator[tuple[socket.socket, str]]:
    """Return the connections that wait to be accepted, and their addresses; not too many at
    once.
    """
    for _ in range(_ACCEPTED_AT_ONCE):
        try:
            found, name = sock.accept()
        except BlockingIOError:
            return
        except OSError as error:
            # Any other error is that of a connection which is gone already.
            if error.errno in _EXHAUSTED | _UNUSABLE:
                raise
            continue
        yield found, _host(name)


def _host(name: object) -> str:
    """Return the address in the name of a socket, without its port."""
    return str(name[0]).removeprefix("::ffff:") if isinstance(name, tuple) else ""


def _close_with_reset(refused: socket.socket | trio.socket.SocketType) -> None:
    with contextlib.suppress(OSError):
        refused.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    refused.close()


async def _serve(serve: Serve, stream: trio.SocketStream, address: str) -> None:
    try:
        await serve(stream, address)
    finally:
        await trio.aclose_forcefully(stream)


def address_text(listener: trio.SocketListener) -> str:
    """``HOST:PORT`` of a listener, with an IPv6 address in brackets."""
    host, port = listener.socket.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def peer_user(stream: trio.SocketStream) -> int | None:
    """Return the user id of the peer of a Unix socket; None if the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    told = stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    _, user, _ = _PEER.unpack(told)
    return int(user)


class Proxied:
    """Serves the connections of a listener where every connection begins with a PROXY header.

    It stands between :func:`accept_connections` and the function that serves a connection. That
    function gets the address of the client, and the first byte after the header as its first byte.
    """

    _log = EventLog("hearts.net.proxied")

    def __init__(
        self,
        admits: Callable[[str], bool],
        serve: Serve,
        attend: Callable[[trio.SocketStream], Awaitable[object]] | None = None,
    ) -> None:
        """``admits`` and ``serve``, as in :func:`accept_connections`, get the client's address.
        ``attend`` gets a connection that the proxy has made for itself.
        """
        self._admits = admits
        self._serve = serve
        self._attend = attend
        self._awaited = 0

    def admits(self, _proxy: str) -> bool:
        """Tell whether one more header can be waited for."""
        return self._awaited < HEADERS_AWAITED

    async def serve(self, stream: trio.SocketStream, proxy: str) -> None:
        """Read the header of a connection, and have it served if it is a client's.

        One that the proxy has made for itself, to see whether we are there, is closed at once,
        unless somebody attends to it.
        """
        self._awaited += 1
        try:
            with trio.fail_after(HEADER_SECONDS):
                address = await _read_address(stream)
        except trio.TooSlowError:
            why = f"none within {HEADER_SECONDS:g} s"
            self._log.warning("no-proxy-header", proxy=proxy, why=why)
            return
        except RemoteProtocolError as error:
            self._log.warning("no-proxy-header", proxy=proxy, why=error)
            return
        except (OSError, trio.BrokenResourceError) as error:
            self._log.debug("proxy-lost", proxy=proxy, why=error)
            return
        finally:
            self._awaited -= 1
        if address is None and self._attend is not None:
            await self._attend(stream)
        elif address is None:
            self._log.debug("proxy-check", proxy=proxy)
        elif self._admits(address):
            await self._serve(stream, address)
        else:
            _close_with_reset(stream.socket)


async def _read_address(stream: trio.SocketStream) -> str | None:
    """Take the header from a connection, and nothing else; the client's address, if it has one.

    Raises RemoteProtocolError, or the errors of a broken connection.
    """
    header = b""
    while True:
        # What follows belongs to others, perhaps to TLS: it is looked at, and left there.
        seen = await stream.socket.recv(HEADER_LIMIT - len(header), socket.MSG_PEEK)
        if not seen:
            # As a balancer ends a check that only connects.
            return None
        found = read_proxy_header(header + seen)
        size = len(header) + len(seen) if found is None else found.size
        header += await stream.socket.recv(size - len(header))
        if found is not None:
            return found.address
