"""Networks that count as one address, wider ones around them, and counts by these. No clock."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

IPV6_PREFIXES = (64, 56, 48)
"""The networks that an IPv6 address is counted in, the narrowest first: one host owns a /64, and
providers give a customer a /56 or a /48. An IPv4 address is counted by itself and in its /24."""
WIDENING = {1: (1,), 2: (1, 4), 3: (1, 2, 4)}
"""The addresses that each network counts for, the narrowest first, by their number."""
_KEPT = 4096
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = re.compile(rf"(((?:{_OCTET}\.){{3}}){_OCTET})(?:/|\Z)")


def network_of(address: str) -> str:
    """Return the narrowest network of an address: an IPv4 address itself, or an IPv6 /64.

    Any other text, such as the name of a local socket, stands for itself.
    """
    return networks_of(address)[0]


@lru_cache(_KEPT)
def networks_of(address: str) -> tuple[str, ...]:
    """Return the networks that an address lies in, the narrowest first.

    ``address`` may also be what :func:`network_of` gave.
    """
    # At ten thousand tables most are asked for that are not kept, and `ipaddress` takes 20 us.
    if match := _IPV4.match(address):
        return match[1], f"{match[2]}0/24"
    try:
        parsed = ipaddress.IPv6Address(address.partition("/")[0])
    except ValueError:
        return (address,)
    if parsed.ipv4_mapped is not None:
        return networks_of(str(parsed.ipv4_mapped))
    wide = (ipaddress.IPv6Network((int(parsed), prefix), strict=False) for prefix in IPV6_PREFIXES)
    return tuple(map(str, wide))


_NEAR = tuple(
    ipaddress.ip_network(each)
    for each in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::/64", "fc00::/7", "fe80::/10"),
    )
)
HERE = _NEAR[0], _NEAR[5]
"""The addresses of this machine."""


def is_near(network: str, near: Sequence[IPNetwork] = _NEAR) -> bool:
    """Return True for a network of :func:`network_of` that is this machine, private or link-local;
    a text that is no address is a socket of this machine.
    """
    try:
        address = ipaddress.ip_address(network.partition("/")[0])
    except ValueError:
        return True
    return any(address in each for each in near)


class PerNetwork(Struct, frozen=True, gc=False):
    """A limit for each width of network, the narrowest first; 0 means no limit."""

    ipv4: tuple[int, int]
    """For an address and for its /24."""
    ipv6: tuple[int, int, int]
    """For a /64, its /56 and its /48."""

    @classmethod
    def widening(cls, narrowest: int) -> PerNetwork:
        """Allow ``narrowest`` for the narrowest networks, 2 or 4 times as much for wider ones."""
        return cls((narrowest, 4 * narrowest), (narrowest, 2 * narrowest, 4 * narrowest))

    @classmethod
    def of_settings(cls, narrowest: int, wider: tuple[int, int, int] | None) -> PerNetwork:
        """Read a host's settings: ``wider`` is for an IPv4 /24, an IPv6 /56 and an IPv6 /48."""
        if wider is None:
            return cls.widening(narrowest)
        ipv4_24, ipv6_56, ipv6_48 = wider
        return cls((narrowest, ipv4_24), (narrowest, ipv6_56, ipv6_48))

    def of(self, networks: tuple[str, ...]) -> tuple[int, ...]:
        """Return the limits for what :func:`networks_of` gave; a name counts as one IPv4
        address.
        """
        return self.ipv6 if len(networks) == len(self.ipv6) else self.ipv4[: len(networks)]


class NetworkCounts:
    """Counts things by the networks of their addresses, and knows when a network has enough."""

    def __init__(self, limits: PerNetwork) -> None:
        self._limits = limits
        self._counts: Counter[str] = Counter()
        self.total = 0

    def has_room(self, address: str) -> bool:
        """Return True if there may be one more from this address."""
        networks = networks_of(address)
        return all(
            not limit or self._counts[network] < limit
            for network, limit in zip(networks, self._limits.of(networks), strict=True)
        )

    def add(self, address: str) -> None:
        self.total += 1
        for network in networks_of(address):
            self._counts[network] += 1

    def remove(self, address: str) -> None:
        self.total -= 1
        for network in networks_of(address):
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    def of(self, network: str) -> int:
        """Count those of a network."""
        return self._counts[network]
