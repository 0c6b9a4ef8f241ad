"""Deals as a client of the dealer dialect checks them: promises, cuts, proofs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier, cut_of
from hearts.dealer.frames import encode_frame
from hearts.dealer.numbers import DealerState
from hearts.game.cards import Card
from hearts.game.deal import NO_CUTS, commitment, deal_hands
from hearts.game.events import (
    Play,
)
from hearts.game.rules import Direction
from hearts.session.hand import SeenHand
from hearts.table import DealPromised
from hearts.wire.codec import encode_ints
from tests.plain.script import NEW, back

from .client_desk import (
    ASK,
    BEGUN,
    REQUEST,
    SEATED,
    SENT_REGISTRATION,
    UNSAID,
    begun,
    converse,
    frames,
    listen,
)

SECRET = bytes(range(16))
OWN_CUT = bytes(range(8))
CUT_QUERY = said.CutMessage(5000, DealerState.SHUFFLING, 1)


CARD_LIST = tuple(Card.from_wire(number) for number in range(1, 53))


def cards_of(hand: int) -> list[Card]:
    return [each for each in CARD_LIST if hand >> each & 1]


def play_out(deals: DealVerifier, hands: Sequence[int]) -> SeenHand:
    """A hold hand of player 0 in which these hands are dealt and played."""
    seen = SeenHand(0, Direction.HOLD, 0, hands[0])
    for player, hand in enumerate(hands):
        for each in cards_of(hand):
            assert not deals.has_seen(1, seen)
            seen.plays.append(Play(player, each))
    assert deals.has_seen(1, seen)
    return seen


def problem_of(cuts: bytes, *, told: bytes = SECRET, own: bytes | None = None) -> str | None:
    """What is wrong with a deal that was promised, cut, played and told."""
    deals = DealVerifier(None if own is None else lambda *_: own)
    deals.promise(1, commitment(SECRET))
    assert deals.cut(1) == own
    return deals.problem(play_out(deals, deal_hands(SECRET, cuts)), told, cuts)


WITH_CUT = OWN_CUT + bytes(24)


def test_a_deal_that_is_right() -> None:
    assert problem_of(NO_CUTS) is None
    assert problem_of(WITH_CUT, own=OWN_CUT) is None


def test_deals_that_are_wrong() -> None:
    assert problem_of(NO_CUTS, told=bytes(16)) == "it is not the one that was promised"
    assert problem_of(NO_CUTS, own=OWN_CUT) == "our cut is not in it"
    assert problem_of(WITH_CUT) == "our cut is not in it"


def test_a_cut_that_came_too_late_is_missing_and_why() -> None:
    deals = DealVerifier(lambda *_: OWN_CUT)
    deals.promise(1, commitment(SECRET))
    deals.cut(1)
    deals.cut_was_late()
    problem = deals.problem(play_out(deals, deal_hands(SECRET)), SECRET, NO_CUTS)
    assert problem == "our cut is not in it; the server says that it came too late"


@pytest.mark.parametrize(("swap", "why"), [(0, "that we had"), (1, "that were played")])
def test_hands_that_the_secret_does_not_give(swap: int, why: str) -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(SECRET))
    hands = list(deal_hands(SECRET))
    hands[swap], hands[2] = hands[2], hands[swap]
    problem = deals.problem(play_out(deals, hands), SECRET, NO_CUTS)
    assert problem is not None
    assert problem.endswith(why)


def test_a_promise_that_changes() -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(bytes(16)))
    deals.promise(1, commitment(SECRET))
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) == "it was promised twice, and not the same"


def test_a_deal_is_cut_alike_by_a_program_that_was_started_again() -> None:
    key = b"kept with the session"
    deals = DealVerifier(partial(cut_of, key))
    own_cut = cut_of(key, 1, commitment(SECRET))
    assert own_cut != cut_of(key, 2, commitment(SECRET)) != cut_of(b"", 2, commitment(SECRET))
    first = DealerSession(REQUEST, deals=deals)
    promise = said.DealCommitment(1, commitment(SECRET))
    _, sent = listen(first, begun(*BEGUN, promise, CUT_QUERY))
    assert sent.endswith(encode_frame(202, 6, own_cut))
    assert first.progress is not None
    second = DealerSession(back(first.progress), deals=DealVerifier(partial(cut_of, key)))
    messages = [ASK, *SEATED, said.Replay(True), BEGUN[-1], promise, said.Replay(False), CUT_QUERY]
    _, sent = listen(second, encode_ints(2, 1, 1, 1) + frames(*messages))
    assert sent.endswith(encode_frame(202, 8, own_cut))


def test_without_a_count_older_promises_are_forgotten() -> None:
    deals = DealVerifier()
    deals.promise(1, commitment(bytes(16)))
    DealerSession(back(NEW), deals=deals)
    deals.promise(1, commitment(SECRET))
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) == "it was promised twice, and not the same"
    DealerSession(back(NEW.without_count()), deals=deals)
    deals.promise(1, commitment(SECRET), is_past=True)
    seen = play_out(deals, deal_hands(SECRET))
    assert deals.problem(seen, SECRET, NO_CUTS) is None


def test_who_does_not_want_to_cut_does_not() -> None:
    promise = said.DealCommitment(1, commitment(SECRET))
    events, sent = converse(*BEGUN, promise, CUT_QUERY)
    assert events[-1] == DealPromised(1, commitment(SECRET))
    assert sent == SENT_REGISTRATION + UNSAID
