"""A client's own cuts of one session, each shown for one deal (DealerSpec.md section 14.8)."""

from __future__ import annotations

import hmac
import struct

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cuts import hash_of
from hearts.game.deal import DealPromised

KEY_BYTES = 32
PROMISES_KEPT = 2
"""A power cut may take the latest promise, and then the deal before it is told once more."""
_INT = struct.Struct(">i")


class OwnPromise(Struct, frozen=True, gc=False):
    """A promise that has our hash in it, and the one value that is shown for it."""

    promise: DealPromised
    value: int
    """The number of the value."""
    is_spoiled: bool = False
    """True if another promise had the same hash, so that the value is shown for neither."""
    is_redrawn: bool = False
    """True if a deal before it was taken back, or never proved."""


class OwnCuts(Struct, frozen=True, gc=False):
    """The key of a client's values, and the number of values that are used up.

    It is stored with the session before a value is shown. So neither a server nor this client, if
    either is started again, can bring the client to show one value for two promises; nor can a
    server draw a deal anew, when it has seen a value, without the client's knowing.
    """

    key: bytes
    """32 random bytes, drawn for this session alone. Value j is their HMAC-SHA-256 of int j."""
    next: int = 0
    """The value whose hash is for the next promise."""
    held: tuple[OwnPromise, ...] = ()
    """The latest promises with our hash, of PROMISES_KEPT deals at most."""
    latest: int = 0
    """The latest deal for which a value was shown, or whose hand is over; 0 for none."""
    is_open: bool = False
    """True if a value was shown for a deal, and the player does not know yet if it was right."""

    @property
    def next_hash(self) -> bytes:
        return hash_of(self._value(self.next))

    def find(self, promise: DealPromised | None) -> OwnPromise | None:
        return next((own for own in self.held if own.promise == promise), None)

    def value_for(self, promise: DealPromised | None) -> bytes:
        """Return the value that may be shown for a promise; empty for none."""
        own = self.find(promise)
        return b"" if own is None or own.is_spoiled else self._value(own.value)

    def _value(self, number: int) -> bytes:
        return hmac.digest(self.key, _INT.pack(number), "sha256")

    def after(self, promise: DealPromised, player: int) -> OwnCuts:
        """Take in a promise that the server has told us, whose seat is ``player``."""
        mine = promise.hashes[player]
        if self.find(promise) is not None:
            return self
        if mine == self.next_hash:
            is_redrawn = self.is_open or promise.deal <= self.latest
            own = OwnPromise(promise, self.next, is_redrawn=is_redrawn)
            others = (held for held in self.held if held.promise.deal != promise.deal)
            held = (*others, own)[-PROMISES_KEPT:]
            return replace(self, next=self.next + 1, held=held, is_open=is_redrawn)
        held = tuple(
            replace(own, is_spoiled=True) if own.promise.hashes[player] == mine else own
            for own in self.held
        )
        return replace(self, held=held)

    def after_showing(self, promise: DealPromised) -> OwnCuts:
        """Take in that our value is shown for a promise."""
        return replace(self, latest=max(self.latest, promise.deal), is_open=True)

    def after_report(self, deal: int) -> OwnCuts:
        """Take in that a hand is over, and its player told what was found of its deal."""
        is_past = bool(self.held) and deal < self.held[-1].promise.deal
        return replace(self, latest=max(self.latest, deal), is_open=self.is_open and is_past)
