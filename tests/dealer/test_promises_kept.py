"""A program that is started again, and a deal that is promised again (DealerSpec.md 14.8)."""

from __future__ import annotations

import pytest

from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.cuts import ShownCuts
from hearts.game.deal import commitment, deal_hands
from hearts.session.hand import SeenHand
from hearts.session.own_cuts import HeldPromise, OwnCuts
from hearts.table.effects import DealDisclosed

SECRET = bytes(16)


def promise(own: OwnCuts, secret: bytes) -> HeldPromise:
    """That of deal 1, with the hash that we have said."""
    return HeldPromise(1, commitment(secret), (own.next_hash, b"", b"", b""))


@pytest.mark.parametrize(
    ("power_cut", "problem"), [(False, "it was promised twice, and not the same"), (True, None)]
)
def test_a_deal_is_promised_otherwise(power_cut: bool, problem: str | None) -> None:
    kept = OwnCuts(bytes(32))
    kept = kept.after(promise(kept, bytes(range(16))), 0)
    verifier = DealVerifier(kept)
    if power_cut:
        verifier.forget()
    other = promise(kept, SECRET)
    verifier.promise(other, 0, None)
    shown = ShownCuts(other.hashes, (verifier.value, b"", b"", b""))
    hand = SeenHand(player=0, dealt=deal_hands(SECRET, shown.cuts)[0])
    checked = verifier.check(hand, DealDisclosed(1, SECRET, shown.cuts, shown))
    assert checked.problem == problem
