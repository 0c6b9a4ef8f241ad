"""Whether the deals are those that the server promised (SocketSpec.md sections 7.7 and 14.8)."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable

from msgspec import Struct

from hearts.game.deal import NO_CUT, NO_CUTS, commitment, deal_hands
from hearts.session.hand import SeenHand

DrawCut = Callable[[int, bytes], bytes]
"""Gives 8 bytes that nobody can foresee, for a deal and its commitment always the same."""
_INT = struct.Struct(">i")


def cut_of(key: bytes, deal: int, digest: bytes) -> bytes:
    """The cut of a deal with a commitment, as it follows from a key that nobody else knows.

    A server that was started again asks anew, and must not learn by that what another cut gives;
    so a promise that is made again is cut as before, and one for another deal otherwise.
    """
    mac = hmac.digest(key, _INT.pack(deal) + digest, "sha256")
    # Eight zeros would say that nobody has cut.
    return mac[: len(NO_CUT)] if any(mac[: len(NO_CUT)]) else b"\x01" * len(NO_CUT)


class _Promise(Struct):
    deal: int
    digest: bytes
    is_past: bool
    """Whether it was first heard in a replay, so that its cut may have been ours and forgotten."""
    is_double: bool = False
    cut: bytes = NO_CUT
    why_missing: str = ""
    """The reason why the server may not have our cut, as far as we know."""


class DealVerifier:
    """The deal under way, as one seat sees it; outlives the connections of its session."""

    def __init__(self, draw_cut: DrawCut | None = None, first_cuts: bytes = NO_CUTS) -> None:
        """``draw_cut`` is for who wants to cut each deal.

        ``first_cuts`` are those of a first deal that the player has chosen himself; all zero for
        none.
        """
        self._draw_cut = draw_cut
        self._first_cuts = first_cuts
        self._latest: _Promise | None = None
        """That of the latest deal that was heard of."""
        self._promise: _Promise | None = None
        """That of the deal heard of last; an earlier one in a replay that goes far back."""
        self._has_lived = False
        """Whether a deal was promised while we were there."""
        self._hand_before: SeenHand | None = None
        """The hand before that of the promise."""

    @property
    def are_cut(self) -> bool:
        """Whether each deal is to be cut."""
        return self._draw_cut is not None

    def connection_began(self) -> None:
        """Whether a cut has arrived over the connection before is not known."""
        if self._latest is not None:
            self._latest.why_missing = "the connection was lost after it was sent"

    def forget(self) -> None:
        """Forget a promise that is not told again, or is made anew under the same number."""
        self._latest = self._promise = self._hand_before = None
        self._has_lived = False

    def promise(
        self,
        deal: int,
        digest: bytes,
        latest_hand: SeenHand | None = None,
        *,
        is_past: bool = False,
    ) -> None:
        """The commitment of a deal; a player who comes back hears it once more, ``is_past``.

        ``latest_hand`` was dealt before it.
        """
        if self._promise is None or deal != self._promise.deal:
            self._hand_before = latest_hand
        latest = self._latest
        if latest is not None and deal == latest.deal:
            latest.is_double = latest.is_double or latest.digest != digest
            self._promise = latest
            return
        is_earlier = latest is not None and deal < latest.deal
        was_missed = is_past and self._has_lived and not is_earlier
        self._has_lived = self._has_lived or not is_past
        self._promise = _Promise(deal, digest, is_past and not was_missed)
        if not is_earlier:
            self._latest = self._promise

    def cut(self, deal: int) -> bytes | None:
        """What we add to the deal that was promised, always the same; None for nothing."""
        promise = self._promise
        if self._draw_cut is None or promise is None or deal != promise.deal:
            return None
        promise.cut = self._draw_cut(deal, promise.digest)
        promise.why_missing = ""
        return promise.cut

    def cut_was_late(self) -> None:
        """The server went on without our cut."""
        if self._promise is not None:
            self._promise.why_missing = "the server says that it came too late"

    def has_seen(self, deal: int, hand: SeenHand) -> bool:
        """Whether this is the hand of a deal, and we have seen it whole, so it can be checked."""
        return hand.is_over and self.has_begun(deal, hand)

    def has_begun(self, deal: int, hand: SeenHand) -> bool:
        """Whether this is the hand of a deal; if it is broken off its deal can be checked, too."""
        promise = self._promise
        is_it = promise is not None and deal == promise.deal and hand is not self._hand_before
        return is_it and bool(hand.dealt)

    def problem(self, hand: SeenHand, secret: bytes, cuts: bytes) -> str | None:
        """What is wrong with the deal of a hand that we have seen; None if nothing is."""
        promise = self._promise
        assert promise is not None
        hands = deal_hands(secret, cuts)
        own_cut = cuts[len(NO_CUT) * hand.player :][: len(NO_CUT)]
        if promise.is_double:
            return "it was promised twice, and not the same"
        if promise.digest != commitment(secret):
            return "it is not the one that was promised"
        is_chosen = promise.deal == 1 and NO_CUTS != self._first_cuts == cuts
        if own_cut != promise.cut and not is_chosen and not _may_be(promise):
            why = promise.why_missing if own_cut == NO_CUT else ""
            return f"our cut is not in it; {why}" if why else "our cut is not in it"
        if hands[hand.player] != hand.dealt:
            return "it does not give the cards that we had"
        if hand.is_over and hand.passes(hands) is None:
            return "it does not give the cards that were played"
        return None


def _may_be(promise: _Promise) -> bool:
    """Whether a cut that is not the one that we remember can be ours all the same."""
    return promise.is_past and promise.cut == NO_CUT
