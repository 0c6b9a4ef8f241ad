"""A limited number of places; if all are taken, one holder is chosen to give way. No clock."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Generic, TypeVar

from .networks import network_of, networks_of

OneT = TypeVar("OneT")


class SharedPlaces(Generic[OneT]):
    """The holders of a limited number of places, by their networks.

    If all places are taken, somebody of the widest network (an IPv4 /24, an IPv6 /48) that has most
    gives way: the holder who has been idle for longest. So a newcomer always gets a place, and a
    crowd pays for it. A network that has a seat at a table keeps one place, as long as half of all
    are left to others: the holder of that place gives way to nobody.
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._moves = 0
        self._places: dict[OneT, str] = {}
        """The narrowest network of each."""
        self._moving: dict[str, dict[OneT, int]] = {}
        """The holders who may have to give way, by their widest network, the longest idle first,
        each with the number of their last move."""
        self._kept: dict[str, OneT] = {}
        """The one in the place that a network keeps."""
        self.seats: Collection[str] = frozenset()
        """The narrowest networks that have a seat."""

    def __iter__(self) -> Iterator[OneT]:
        return iter(self._places)

    @property
    def total(self) -> int:
        return len(self._places)

    @property
    def is_half_taken(self) -> bool:
        return 2 * self.total > self._most

    def keeps_one(self, address: str) -> bool:
        """Return True if the next one from this address has a place that gives way to nobody."""
        network = network_of(address)
        return (
            network in self.seats
            and network not in self._kept
            and 2 * (len(self._kept) + 1) <= self._most
        )

    def enter(self, one: OneT, address: str) -> OneT | None:
        """Give somebody a place; return the one who gives way for that, or None."""
        left = self.longest_idle() if self.total >= self._most else None
        if left is not None:
            self.leave(left)
        self._places[one] = network = network_of(address)
        if self.keeps_one(address):
            self._kept[network] = one
        else:
            self.move(one)
        return left

    def move(self, one: OneT) -> None:
        """Note that somebody with a place has done something, and is idle from now on."""
        network = self._places.get(one)
        if network is None or self._kept.get(network) == one:
            return
        self._moves += 1
        others = self._moving.setdefault(networks_of(network)[-1], {})
        others.pop(one, None)
        others[one] = self._moves

    def leave(self, one: OneT) -> None:
        """Free somebody's place; do nothing if they have none."""
        network = self._places.pop(one, None)
        if network is None:
            return
        if self._kept.get(network) == one:
            del self._kept[network]
            return
        widest = networks_of(network)[-1]
        others = self._moving[widest]
        del others[one]
        if not others:
            del self._moving[widest]

    def longest_idle(self) -> OneT | None:
        """Find the one who would have to give way now; None if nobody would."""
        most = max(
            self._moving.values(),
            key=lambda others: (len(others), -next(iter(others.values()))),
            default=None,
        )
        return None if most is None else next(iter(most))
