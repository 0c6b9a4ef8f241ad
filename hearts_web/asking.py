"""The connections that have no WebSocket: pages that load, and clients that do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import trio
from msgspec import Struct, field

from hearts.limits.networks import NetworkCounts, PerNetwork
from hearts.limits.shared_places import SharedPlaces

MOST_ASKING = 512
"""Connections that ask at the same time."""
ASKING_PER_ADDRESS = 32
REQUEST_LIMIT = 15.0
"""Seconds from the last answer, or from the beginning, until a request must be complete."""
CROWDED_LIMIT = 2.0
"""The same while more than half of MOST_ASKING are there."""


class Asker(Struct, eq=False):
    """One connection that asks; it may have to give way to another one."""

    asking: Askers
    begun: float = 0.0
    asked: trio.CancelScope = field(default_factory=trio.CancelScope)
    """The time of its request."""
    gone: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Cancelled when it gives way."""

    @contextmanager
    def request(self) -> Iterator[trio.CancelScope]:
        """Limit the time of a request in the block, from now until its last byte."""
        self.begun = trio.current_time()
        self.asking.crowd.move(self)
        with trio.CancelScope() as self.asked:
            self.hurry()
            yield self.asked

    def hurry(self) -> None:
        """Set the deadline of the request under way, by the number of connections."""
        limit = CROWDED_LIMIT if self.asking.crowd.is_half_taken else REQUEST_LIMIT
        self.asked.deadline = self.begun + limit


class Askers:
    """All connections that ask."""

    def __init__(self) -> None:
        self.crowd = SharedPlaces[Asker](MOST_ASKING)
        self._counts = NetworkCounts(PerNetwork.widening(ASKING_PER_ADDRESS))
        self._was_crowded = False

    def has_room(self, address: str) -> bool:
        """Return True if there may be one more from this address; another one may give way for
        that.
        """
        return self._counts.has_room(address) or self.crowd.keeps_one(address)

    @contextmanager
    def place(self, address: str) -> Iterator[Asker]:
        """Give a connection its place, until the block ends, or is cancelled as it gives way."""
        asker = Asker(self)
        self._counts.add(address)
        left = self.crowd.enter(asker, address)
        if left is not None:
            left.gone.cancel()
        self._look()
        try:
            with asker.gone:
                yield asker
        finally:
            self._counts.remove(address)
            self.crowd.leave(asker)
            self._look()

    def _look(self) -> None:
        """Give all requests another limit if it has become crowded, or is so no longer."""
        if self.crowd.is_half_taken is not self._was_crowded:
            self._was_crowded = self.crowd.is_half_taken
            for asker in self.crowd:
                asker.hurry()
