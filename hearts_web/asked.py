"""The request of a browser: its host, its address, and the page that it comes from."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

import h11
import trio
from msgspec import Struct

from hearts.net import Certificate

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

FORWARDED = "forwarded"
"""The header of RFC 7239. Any other one that is read is a list of addresses."""
OWN_NAME_LIMIT = 2.0
"""Seconds in which the system must say what this machine is called in full."""
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+?)\.?)(?::[0-9]*)?")
_NOBODY_BUYS = (".local", ".home.arpa", ".internal")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class HttpRequest(Struct, frozen=True):
    """A request without a body."""

    method: str
    path: str
    """Without what follows a question mark."""
    headers: Sequence[tuple[bytes, bytes]]
    """Names are in lower case."""
    has_body: bool = False

    @classmethod
    def of(cls, request: h11.Request) -> HttpRequest:
        headers = [(bytes(name), bytes(value)) for name, value in request.headers]
        has_body = any(
            name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
            for name, value in headers
        )
        # h11 lets only visible ASCII pass.
        path = request.target.decode("ascii").partition("?")[0]
        return cls(request.method.decode("ascii"), path, headers, has_body)

    def all(self, name: str) -> str:
        """Return the values of a header, with commas between them; "" if there is none."""
        wanted = name.encode()
        return ",".join(value.decode("latin-1") for key, value in self.headers if key == wanted)

    def lists(self, name: str) -> list[str]:
        """Return the parts of a header that is a list, in lower case."""
        return [part.strip().lower() for part in self.all(name).split(",") if part.strip()]


def is_own_page(asked: HttpRequest, origins: Collection[str]) -> bool:
    """Return True if a WebSocket is asked for by a page of this host, or of one of ``origins``.

    A browser names the origin of the page that asks. Without this check a page of somebody else
    could play in the name of the person who looks at it.
    """
    origin = asked.all("origin").lower()
    if origin in origins:
        return True
    host = asked.all("host").lower()
    try:
        parts = urlsplit(origin)
        default = _DEFAULT_PORTS.get(parts.scheme)
        # Anything behind the port would be no origin.
        if default is None or origin != f"{parts.scheme}://{parts.netloc}":
            return False
        own = urlsplit(f"{parts.scheme}://{host}")
        asks, is_asked = (
            (parts.hostname, parts.port or default),
            (own.hostname, own.port or default),
        )
    except ValueError:
        return False
    return bool(parts.hostname) and "@" not in origin + host and asks == is_asked


class Proxies(Struct, frozen=True):
    """The reverse proxies that are believed when they name the address of a client."""

    networks: Collection[Network] = ()
    header: str = "x-forwarded-for"
    """The one header, in lower case, in which they name the client's address."""

    def __contains__(self, address: str) -> bool:
        parsed = _parsed(address) if self.networks else None
        return parsed is not None and any(parsed in network for network in self.networks)

    def address_of(self, asked: HttpRequest, peer: str) -> str:
        """Find the address of the client: that of the peer, or the one that a proxy names.

        It is the last address that is not a proxy. Addresses before it can be made up.
        """
        if peer not in self:
            return peer
        said = asked.all(self.header)
        address = peer
        for part in reversed(_forwarded(said) if self.header == FORWARDED else said.split(",")):
            found = _address(part.strip())
            if found is None:
                break
            address = found
            if found not in self:
                break
        return address


def _forwarded(text: str) -> list[str]:
    """Return the values of ``for`` in a header Forwarded (RFC 7239)."""
    found = []
    for hop in text.split(","):
        for pair in hop.split(";"):
            name, _, value = pair.strip().partition("=")
            if name.lower() == "for":
                found.append(value.strip().strip('"'))
    return found


def _address(text: str) -> str | None:
    """Return the address in ``192.0.2.1``, ``192.0.2.1:80``, ``2001:db8::1`` or
    ``[2001:db8::1]:80``.
    """
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    parsed = _parsed(text)
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.scope_id is not None:
            return None
        parsed = parsed.ipv4_mapped or parsed
    return None if parsed is None else str(parsed)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


class Hosts(Struct, frozen=True):
    """The hosts that a browser may ask for: the names under which the page is served.

    The owner of another page can let its name lead to this machine once the page is loaded (DNS
    rebinding). Then it has the same origin as our page, and may ask and read the same. That cannot
    be done with an address, or with a name that nobody can buy.
    """

    names: Collection[str] = ()
    """In lower case; ``*`` for the first label stands for any one."""
    certificate: Certificate | None = None
    """Its names may be asked for too, and those of later certificates that replace it."""

    def __contains__(self, host: str) -> bool:
        """Tell if this host is allowed; a header Host may have a port."""
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1] or found[2]
        if found[1] or "." not in name or name.endswith(_NOBODY_BUYS) or _parsed(name):
            return True
        wildcard = "*." + name.partition(".")[2]
        certified = () if self.certificate is None else self.certificate.names
        return any(each in self.names or each in certified for each in (name, wildcard))


async def own_names() -> set[str]:
    names = {socket.gethostname().lower()}
    with trio.move_on_after(OWN_NAME_LIMIT):
        full = await trio.to_thread.run_sync(socket.getfqdn, abandon_on_cancel=True)
        names.add(full.lower())
    return names
