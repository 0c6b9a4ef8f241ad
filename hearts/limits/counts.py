"""How many of something each network may have at once. No clock."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from .networks import networks_of

_IPV4 = (1, 4)
_IPV6 = (1, 2, 4)


class PerNetwork(Struct, frozen=True, gc=False):
    """So many for each network, the narrowest first; 0 means no limit."""

    ipv4: tuple[int, int]
    """For an address and for its /24."""
    ipv6: tuple[int, int, int]
    """For a /64, its /56 and its /48."""

    @classmethod
    def widening(cls, narrowest: int) -> PerNetwork:
        """So many for the narrowest networks, and 2 or 4 times as many for the wider ones."""
        a, b = (narrowest * factor for factor in _IPV4)
        c, d, e = (narrowest * factor for factor in _IPV6)
        return cls((a, b), (c, d, e))

    @classmethod
    def of_settings(cls, narrowest: int, wider: tuple[int, int, int] | None) -> PerNetwork:
        """As a host sets it: ``wider`` is for an IPv4 /24, an IPv6 /56 and an IPv6 /48."""
        if wider is None:
            return cls.widening(narrowest)
        ipv4_24, ipv6_56, ipv6_48 = wider
        return cls((narrowest, ipv4_24), (narrowest, ipv6_56, ipv6_48))

    def of(self, networks: tuple[str, ...]) -> tuple[int, ...]:
        """The limits for what :func:`~hearts.limits.networks_of` gave.

        A name that is no address counts as one IPv4 address.
        """
        if len(networks) == len(self.ipv6):
            return self.ipv6
        return self.ipv4[: len(networks)]


class NetworkCounts:
    """Counts things by the networks of their addresses, and knows when a network has enough."""

    __slots__ = ("_counts", "_limits", "total")

    def __init__(self, limits: PerNetwork) -> None:
        self._limits = limits
        self._counts: Counter[str] = Counter()
        self.total = 0
        """How many there are in all."""

    def has_room(self, address: str) -> bool:
        """Whether there may be one more from this address."""
        networks = networks_of(address)
        return all(
            not limit or self._counts[network] < limit
            for network, limit in zip(networks, self._limits.of(networks), strict=True)
        )

    def add(self, address: str) -> None:
        """There is one more from this address."""
        self.total += 1
        for network in networks_of(address):
            self._counts[network] += 1

    def remove(self, address: str) -> None:
        """There is one less."""
        self.total -= 1
        for network in networks_of(address):
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]

    def of(self, network: str) -> int:
        """How many a network has."""
        return self._counts[network]
