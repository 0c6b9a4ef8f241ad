"""Connections that a proxy makes for others: who the client is stands in a header before them."""

from __future__ import annotations

import socket
from collections.abc import Callable

import trio

from hearts.errors import RemoteProtocolError
from hearts.wire.proxy_header import HEADER_LIMIT, read_proxy_header

from .listen import Serve, close_with_reset
from .logline import EventLog

HEADER_SECONDS = 3.0
"""Time for the whole header to arrive."""
HEADERS_AWAITED = 256
"""Connections whose headers are waited for at once; further ones are just closed."""

log = EventLog(__name__)


class Proxied:
    """Serves the connections of a listener where every connection begins with a PROXY header.

    It stands between :func:`accept_connections` and what serves a connection: that gets the address
    of the client as if he had connected himself, and the first byte behind the header as the
    first.
    """

    def __init__(self, admits: Callable[[str], bool], serve: Serve) -> None:
        """What they are for :func:`accept_connections`; both get the client's address."""
        self._admits = admits
        self._serve = serve
        self._awaited = 0

    def admits(self, _proxy: str) -> bool:
        """Whether one more header can be waited for."""
        return self._awaited < HEADERS_AWAITED

    async def serve(self, stream: trio.SocketStream, proxy: str) -> None:
        """Read the header of a connection, and have it served if it is a client's.

        One that the proxy has made for itself, to see whether we are there, is closed at once.
        """
        self._awaited += 1
        try:
            with trio.fail_after(HEADER_SECONDS):
                address = await _read_address(stream)
        except trio.TooSlowError:
            log.warning("no-proxy-header", proxy=proxy, why=f"none within {HEADER_SECONDS:g} s")
            return
        except RemoteProtocolError as error:
            log.warning("no-proxy-header", proxy=proxy, why=error)
            return
        except (OSError, trio.BrokenResourceError) as error:
            log.debug("proxy-lost", proxy=proxy, why=error)
            return
        finally:
            self._awaited -= 1
        if address is None:
            log.debug("proxy-check", proxy=proxy)
        elif self._admits(address):
            await self._serve(stream, address)
        else:
            close_with_reset(stream)


async def _read_address(stream: trio.SocketStream) -> str | None:
    """Take the header from a connection, and nothing else; the client's address, if it has one.

    Raises RemoteProtocolError, or what a broken connection raises.
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
