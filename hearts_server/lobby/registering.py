"""The people who are here and have not registered, by network, and how long each is in the way.

Somebody who holds a seat and says nothing costs others their company. So his seat is given to
others too after a while, and the first who registers has it (SocketSpec.md section 3.10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from hearts.hosting.client import HostedClient
from hearts.limits import networks_of

from .forming import Sitter

YIELDS_AFTER = 5.0
"""Seconds after which a seat that waits for a registration is given to others as well."""
SECOND_YIELDS_AFTER = 1.0
"""The same for another network, if the seat is not the first of its network to wait."""
FRIENDS = 4
"""People of one network who may be here unregistered; with more it holds nobody else up."""


def wide_network(client: HostedClient) -> str:
    """The network that counts as one crowd: the widest one that a client lies in."""
    return networks_of(client.who)[-1]


class Registering:
    """Those who hold a seat of a public table, or wait for one, and have not registered."""

    def __init__(self) -> None:
        # By network, in the order in which they sat down.
        self._seated: dict[str, dict[Sitter, None]] = {}
        self._waiting: Counter[str] = Counter()

    def sits(self, sitter: Sitter) -> None:
        """Somebody has got a seat."""
        self._seated.setdefault(wide_network(sitter.client), {})[sitter] = None

    def is_done(self, sitter: Sitter) -> None:
        """He has registered, or has his seat no more."""
        network = wide_network(sitter.client)
        seated = self._seated.get(network, {})
        seated.pop(sitter, None)
        if not seated:
            self._seated.pop(network, None)

    @contextmanager
    def waits(self, network: str) -> Iterator[None]:
        """Somebody of a network waits for a seat in this block."""
        self._waiting[network] += 1
        try:
            yield
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]

    def is_crowd(self, network: str) -> bool:
        """Whether more people of a network are here unregistered than friends would be."""
        return len(self._seated.get(network, ())) + self._waiting[network] > FRIENDS

    def in_the_way(self, holder: Sitter, network: str) -> float:
        """Until when somebody who holds a seat keeps it from others of a network."""
        own = wide_network(holder.client)
        if own == network:
            return holder.since + YIELDS_AFTER
        if self.is_crowd(own):
            return holder.since
        is_first = holder is next(iter(self._seated.get(own, ())), None)
        return holder.since + (YIELDS_AFTER if is_first else SECOND_YIELDS_AFTER)
