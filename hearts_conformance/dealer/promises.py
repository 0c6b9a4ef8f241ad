"""The promises that the client is told: the true ones, or in a few scenarios also another."""

from __future__ import annotations

from msgspec.structs import replace

from hearts.game.cuts import NO_HASHES, VALUE_BYTES, four_hashes
from hearts.table import DealDisclosed, DealPromised
from hearts_conformance.session.script import PromiseTwist

_ANOTHER_HASH = b"\x5a" * VALUE_BYTES


class ToldPromises:
    """The promises that the client is told, over all its connections."""

    def __init__(self, promises: PromiseTwist, player: int) -> None:
        self.is_double = False
        """The promise told last is the second one of its deal, and another."""
        self._promises = promises
        self._player = player
        self._deal = 0
        """The first deal with a hash of the client."""
        self._hashes = NO_HASHES
        """Those that were promised for it otherwise."""

    def told_as(self, promise: DealPromised) -> list[DealPromised]:
        """Give the promises to tell in place of one."""
        self.is_double = False
        if not promise.hashes[self._player] or self._deal not in (0, promise.deal):
            return [promise]
        was_told, self._deal = self._deal == promise.deal, promise.deal
        match self._promises:
            case PromiseTwist.TWICE:
                self.is_double = True
                digest = bytes(byte ^ 1 for byte in promise.digest)
                return [promise, replace(promise, digest=digest)]
            case PromiseTwist.OTHERWISE if was_told:
                self.is_double = True
                hashes = list(promise.hashes)
                hashes[self._player - 1] = _ANOTHER_HASH
                self._hashes = four_hashes(hashes)
                return [replace(promise, hashes=self._hashes)]
            case _:
                return [promise]

    def disclosed_as(self, disclosed: DealDisclosed) -> DealDisclosed:
        """Give the proof to tell in place of one: it has the hashes that were promised last."""
        if disclosed.deal != self._deal or self._hashes == NO_HASHES or disclosed.shown is None:
            return disclosed
        return replace(disclosed, shown=replace(disclosed.shown, hashes=self._hashes))
