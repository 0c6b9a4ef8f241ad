"""The hosts under whose names the page is served.

A page of somebody else can have its own name lead to this machine once it is loaded (DNS
rebinding): then it is of the same origin as our page, and may ask and read whatever that may. That
cannot be done with an address, or with a name that nobody can buy.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection

import trio
from msgspec import Struct

from hearts.net import Certificate

OWN_NAME_LIMIT = 2.0
"""Seconds in which the system must say what this machine is called in full."""
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+?)\.?)(?::[0-9]*)?")
_NOBODY_BUYS = (".local", ".home.arpa", ".internal")


class Hosts(Struct, frozen=True):
    """The hosts that a browser may ask for."""

    names: Collection[str] = ()
    """In lower case; ``*`` for the first label stands for any one."""
    certificate: Certificate | None = None
    """The names that it is for count as well, also when it is renewed."""

    def __contains__(self, host: str) -> bool:
        """A header Host may have a port."""
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1] or found[2]
        if found[1] or "." not in name or name.endswith(_NOBODY_BUYS) or _is_address(name):
            return True
        wildcard = "*." + name.partition(".")[2]
        certified = () if self.certificate is None else self.certificate.names
        return any(each in self.names or each in certified for each in (name, wildcard))


def _is_address(name: str) -> bool:
    try:
        ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


async def own_names() -> set[str]:
    names = {socket.gethostname().lower()}
    with trio.move_on_after(OWN_NAME_LIMIT):
        full = await trio.to_thread.run_sync(socket.getfqdn, abandon_on_cancel=True)
        names.add(full.lower())
    return names
