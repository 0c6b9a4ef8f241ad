"""The values with which a player cuts deals, each for one promise alone (DealerSpec.md 14.8)."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from .dealer_frames import expect

NO_VALUE = bytes(32)
"""No value, and no hash."""


class Promise(NamedTuple):
    """P_DEAL_COMMITMENT."""

    deal: int
    commitment: bytes
    hashes: tuple[bytes, ...]


class Values:
    """The values of one session, over all its connections."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._promises: list[Promise] = []
        """Number j has the hash of value j in it."""

    def value(self, number: int) -> bytes:
        return hmac.digest(self._key, number.to_bytes(4, "big"), "sha256")

    def hash(self, number: int) -> bytes:
        return hashlib.sha256(self.value(number)).digest()

    @property
    def next_hash(self) -> bytes:
        """The hash for the next promise."""
        return self.hash(len(self._promises))

    def take(self, promise: Promise, seat: int) -> bool:
        """Keep a promise; whether our hash in it is one of ours. Raises Nonsense for a second."""
        mine = promise.hashes[seat]
        for number, before in enumerate(self._promises):
            if mine == self.hash(number):
                expect(promise == before, "{} has the hash that was in {}", promise, before)
                return True
        if mine == self.next_hash:
            self._promises.append(promise)
            return True
        return False

    def of(self, promise: Promise | None) -> bytes | None:
        """The value to show for a promise; None if it has no hash of ours."""
        for number, taken in enumerate(self._promises):
            if taken == promise:
                return self.value(number)
        return None
