"""What a client knows of deals beyond one connection: who comes back accuses nobody wrongly."""

from __future__ import annotations

import pytest

from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.cards import cards_of
from hearts.game.deal import commitment, deal_hands
from hearts.game.events import Play
from hearts.game.rules import Direction
from hearts.session.hand import SeenHand

SECRET = bytes(range(16))
CUT = b"our cut!"
ME = 2
CUTS = bytes(8 * ME) + CUT + bytes(8 * (3 - ME))


def tell(deals: DealVerifier, deal: int, *, is_past: bool, cuts: bytes = CUTS) -> SeenHand:
    """A deal is promised; all cards are dealt and played."""
    deals.promise(deal, commitment(SECRET), is_past=is_past)
    if not is_past:
        deals.cut(deal)
    hands = deal_hands(SECRET, cuts)
    seen = SeenHand(0, Direction.HOLD, ME, hands[ME])
    seen.plays = [Play(player, card) for player in range(4) for card in cards_of(hands[player])]
    assert deals.has_seen(deal, seen)
    return seen


def test_a_cut_is_remembered_behind_a_replay_that_goes_far_back() -> None:
    deals = DealVerifier(lambda *_: CUT)
    for deal in (1, 2):
        tell(deals, deal, is_past=False)
    deals.connection_began()
    assert deals.problem(tell(deals, 1, is_past=True), SECRET, CUTS) is None
    seen = tell(deals, 2, is_past=True)
    assert deals.problem(seen, SECRET, CUTS) is None
    another = CUTS.replace(CUT, b"not ours")
    assert deals.problem(seen, SECRET, another) == "our cut is not in it"


def test_a_cut_that_was_on_its_way_when_the_connection_was_lost_is_missing_and_why() -> None:
    deals = DealVerifier(lambda *_: CUT)
    deals.promise(1, commitment(SECRET))
    deals.cut(1)
    deals.connection_began()
    seen = tell(deals, 1, is_past=True, cuts=bytes(32))
    why = "our cut is not in it; the connection was lost after it was sent"
    assert deals.problem(seen, SECRET, bytes(32)) == why
    assert deals.problem(seen, SECRET, CUTS) == "it does not give the cards that we had"


def test_another_program_may_have_cut_what_is_past() -> None:
    deals = DealVerifier(lambda *_: CUT)
    deals.connection_began()
    for deal in (3, 4):
        seen = tell(deals, deal, is_past=True)
        assert deals.problem(seen, SECRET, CUTS) is None


@pytest.mark.parametrize("is_past", [False, True])
def test_nobody_else_cuts_for_us(is_past: bool) -> None:
    """Who was there before knows that he did not cut what was dealt while he was away."""
    deals = DealVerifier()
    seen = tell(deals, 1, is_past=False, cuts=bytes(32))
    deals.connection_began()
    seen = tell(deals, 2, is_past=is_past)
    assert deals.problem(seen, SECRET, CUTS) == "our cut is not in it"


def test_a_deal_that_we_have_chosen_has_the_cuts_that_it_had() -> None:
    deals = DealVerifier(first_cuts=CUTS)
    seen = tell(deals, 1, is_past=False)
    assert deals.problem(seen, SECRET, CUTS) is None
    seen = tell(deals, 2, is_past=False)
    assert deals.problem(seen, SECRET, CUTS) == "our cut is not in it"
    another = CUTS.replace(CUT, b"not ours")
    deals = DealVerifier(first_cuts=CUTS)
    seen = tell(deals, 1, is_past=False, cuts=another)
    assert deals.problem(seen, SECRET, another) == "our cut is not in it"


def test_another_promise_in_a_replay_is_seen() -> None:
    deals = DealVerifier(lambda *_: CUT)
    for deal in (1, 2):
        tell(deals, deal, is_past=False)
    deals.connection_began()
    tell(deals, 1, is_past=True)
    deals.promise(2, commitment(bytes(16)), is_past=True)
    seen = tell(deals, 2, is_past=True)
    assert deals.problem(seen, SECRET, CUTS) == "it was promised twice, and not the same"
