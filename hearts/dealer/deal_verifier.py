"""The check of deals against their promises (SocketSpec.md section 7.7, DealerSpec.md 14.8)."""

from __future__ import annotations

from hearts.game.cuts import NO_HASHES, FourHashes, hash_of
from hearts.game.deal import NO_CUTS, DealPromised, commitment, deal_hands
from hearts.session.client_events import DealChecked, Fairness
from hearts.session.hand import SeenHand
from hearts.session.own_cuts import OwnCuts
from hearts.table.effects import DealDisclosed

NOT_PROMISED = "it is not the one that was promised"
NOT_OURS = "it does not give the cards that we had"
NOT_PLAYED = "it does not give the cards that were played"
NOT_PROVED = "its proof did not come over the game"
NO_PROMISE = "nobody promised it over the game"


class DealVerifier:
    """The deal under way, as one seat sees it; outlives the connections of its session."""

    def __init__(self, own: OwnCuts | None = None, first_cuts: bytes = NO_CUTS) -> None:
        """``own`` is for a player who cuts each deal.

        ``first_cuts`` are the cuts of a first deal that the player has chosen; all zero if there is
        none.
        """
        self.own = own
        self._first_cuts = first_cuts
        self._promise = own.held[-1].promise if own is not None and own.held else None
        """The promise of the latest deal that was heard of."""
        self._is_double = False
        """True if there was another promise of that deal."""
        self._hand_before: SeenHand | None = None
        """The hand before that of the promise."""
        self._is_due = False
        """True if its hand is to come, with its proof."""
        self._checked: SeenHand | None = None
        """The hand that was checked last."""
        self._counted = 0
        """The latest deal whose values are counted."""
        self._counts = [(0, 0)] * 4

    def forget(self) -> None:
        """Drop a promise that will not be told again, or will be replaced under the same number."""
        self._promise = self._hand_before = None
        self._is_due = False

    def forget_player(self, player: int) -> None:
        """Count the values of a player from 0 again, because somebody else has the seat now."""
        self._counts[player] = (0, 0)

    def promise(self, promise: DealPromised, player: int, hand_before: SeenHand | None) -> None:
        """Take in the promise of a deal; a player who comes back receives it again."""
        before = self._promise
        if before is None or before.deal != promise.deal:
            self._hand_before = hand_before
            self._is_double = False
        else:
            self._is_double = self._is_double or promise != before
        self._promise = promise
        self._is_due = True
        if self.own is not None:
            self.own = self.own.after(promise, player)

    @property
    def is_in_promise(self) -> bool:
        return self.own is not None and self.own.find(self._promise) is not None

    def may_show(self, deal: int) -> bool:
        """Tell whether our value may be shown for a deal, once its promise is stored."""
        return bool(self.value) and self._is_of(deal)

    @property
    def value(self) -> bytes:
        """Our value for the latest promise; empty if none may be shown."""
        return b"" if self.own is None else self.own.value_for(self._promise)

    @property
    def own_shown(self) -> OwnCuts | None:
        if self.own is None or self._promise is None:
            return self.own
        return self.own.after_showing(self._promise)

    def _is_of(self, deal: int) -> bool:
        return self._promise is not None and self._promise.deal == deal

    def has_seen(self, deal: int, hand: SeenHand) -> bool:
        """Tell whether this is the hand of a deal and was seen whole, so that it can be checked."""
        return hand.is_over and self.has_begun(deal, hand)

    def has_begun(self, deal: int, hand: SeenHand) -> bool:
        """Tell whether this is the hand of a deal. If it is broken off, its deal can be checked."""
        return self._is_of(deal) and hand is not self._hand_before and bool(hand.dealt)

    def check(self, hand: SeenHand, told: DealDisclosed) -> DealChecked:
        promise = self._promise
        assert promise is not None
        self._checked, self._is_due = hand, False
        shown = told.shown
        values, missing = (NO_HASHES, ()) if shown is None else (shown.values, shown.missing)
        if told.deal > self._counted:
            self._counted = told.deal
            for player, digest in enumerate(promise.hashes):
                gone, of = self._counts[player]
                self._counts[player] = gone + (player in missing), of + bool(digest)
        fairness = self._fairness(hand.player, values, missing)
        if self.own is not None:
            self.own = self.own.after_report(promise.deal)
        problem = self._problem(promise, hand, told)
        return DealChecked(told.deal, problem, fairness, missing, tuple(self._counts))

    def unchecked(self, hand: SeenHand) -> DealChecked | None:
        """Report that the deal of a finished hand could not be checked, if that is so.

        It is no fault if deals are not promised and we do not cut.
        """
        promise, was_due = self._promise, self._is_due
        if hand is self._checked or not (was_due or self.own is not None):
            return None
        self._is_due = False
        deal = (0 if promise is None else promise.deal) + (not was_due)
        fairness = Fairness.NOT_CUT if self.own is None else Fairness.ANYBODY
        problem = NOT_PROVED if was_due else NO_PROMISE
        if self.own is not None and hand.is_over:
            self.own = self.own.after_report(deal)
        return DealChecked(deal, problem, fairness, (), tuple(self._counts))

    def _fairness(self, player: int, values: FourHashes, missing: tuple[int, ...]) -> Fairness:
        if self.own is None:
            return Fairness.NOT_CUT
        if not self.value or values[player] != self.value:
            return Fairness.ANYBODY
        own = self.own.find(self._promise)
        if own is not None and own.is_redrawn:
            return Fairness.REDRAWN
        return Fairness.WITHHOLDERS if missing else Fairness.NOBODY

    def _problem(self, promise: DealPromised, hand: SeenHand, told: DealDisclosed) -> str | None:
        is_chosen = promise.deal == 1 and NO_CUTS != self._first_cuts == told.cuts
        problem = problem_of(hand, told.secret, told.cuts, promise.digest)
        if self._is_double:
            return "it was promised twice, and the promises differ"
        if problem != NOT_PROMISED and not is_chosen and not _fits(promise.hashes, told):
            return "the numbers in it are not those that were promised"
        return problem


def problem_of(hand: SeenHand, secret: bytes, cuts: bytes, digest: bytes | None) -> str | None:
    """Say what is wrong with the deal of a hand; ``digest`` is its promise, if there was one."""
    if digest not in (None, commitment(secret)):
        return NOT_PROMISED
    hands = deal_hands(secret, cuts)
    if hands[hand.player] != hand.dealt:
        return NOT_OURS
    return NOT_PLAYED if hand.is_over and hand.passes(hands) is None else None


def _fits(hashes: FourHashes, told: DealDisclosed) -> bool:
    """Tell whether the cuts are the values of these hashes, or missing and named so."""
    shown = told.shown
    if shown is None:
        return hashes == NO_HASHES and told.cuts == NO_CUTS
    return (
        shown.hashes == hashes
        and shown.cuts == told.cuts
        and all(
            not value or hash_of(value) == digest
            for digest, value in zip(hashes, shown.values, strict=True)
        )
    )
