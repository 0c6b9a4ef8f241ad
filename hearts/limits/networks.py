"""What counts as one address, and the wider networks that it lies in."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

IPV4_PREFIXES = (32, 24)
"""The networks that an IPv4 address is counted in, the narrowest first."""
IPV6_PREFIXES = (64, 56, 48)
"""The same for IPv6: one host owns a /64, and providers give a customer a /56 or a /48."""
_KEPT = 4096


def network_of(address: str) -> str:
    """The narrowest network of an address: an IPv4 address itself, or an IPv6 /64.

    Any other text, such as the name of a local socket, stands for itself.
    """
    return networks_of(address)[0]


@lru_cache(_KEPT)
def networks_of(address: str) -> tuple[str, ...]:
    """The networks that an address lies in, the narrowest first.

    ``address`` may also be what :func:`network_of` gave.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("/")[0])
    except ValueError:
        return (address,)
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    prefixes = IPV4_PREFIXES if parsed.version == 4 else IPV6_PREFIXES
    return tuple(_network(parsed, prefix) for prefix in prefixes)


def _network(address: ipaddress.IPv4Address | ipaddress.IPv6Address, prefix: int) -> str:
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), prefix), strict=False))
    if prefix == address.max_prefixlen:
        return str(address)
    return str(ipaddress.IPv4Network((int(address), prefix), strict=False))
