"""A client's own cuts of one session, each shown for one deal (DealerSpec.md section 14.8)."""

from __future__ import annotations

import hmac
import struct

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cuts import FourHashes, hash_of

KEY_BYTES = 32
_INT = struct.Struct(">i")


class HeldPromise(Struct, frozen=True, gc=False):
    """A promise that has our hash in it."""

    deal: int
    digest: bytes
    hashes: FourHashes


class OwnCuts(Struct, frozen=True, gc=False):
    """What a client's values follow from, and how far they are used up.

    It is stored with the session before a value is shown. So neither a server nor this client, if
    either is started again, can bring the client to show one value for two promises.
    """

    key: bytes
    """32 random bytes, drawn for this session alone. Value j is their HMAC-SHA-256 of int j."""
    next: int = 0
    """The value whose hash is for the next promise."""
    promise: HeldPromise | None = None
    """The latest promise with our hash, that of the value before; shown for no other one."""
    is_spoiled: bool = False
    """Whether another promise had the same hash, so that the value is shown for neither."""

    @property
    def next_hash(self) -> bytes:
        """The hash of the value for the next promise."""
        return hash_of(self._value(self.next))

    @property
    def value(self) -> bytes:
        """The value that the promise is answered with."""
        return self._value(self.next - 1)

    def _value(self, number: int) -> bytes:
        return hmac.digest(self.key, _INT.pack(number), "sha256")

    def after(self, promise: HeldPromise, player: int) -> OwnCuts:
        """Take in a promise that the server has told us, whose seat is ``player``."""
        own = promise.hashes[player]
        if promise == self.promise:
            return self
        if own == self.next_hash:
            return replace(self, next=self.next + 1, promise=promise, is_spoiled=False)
        if self.promise is not None and own == self.promise.hashes[player]:
            return replace(self, is_spoiled=True)
        return self
