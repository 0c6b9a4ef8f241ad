"""Deals as one seat checks them: promises, values, proofs, and who can have chosen a deal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.cards import cards_of, four
from hearts.game.cuts import NO_HASHES, FourHashes, ShownCuts, hash_of
from hearts.game.deal import NO_CUTS, DealPromised, commitment, deal_hands
from hearts.game.events import Play
from hearts.game.rules import Direction
from hearts.session.client_events import DealChecked, Fairness
from hearts.session.hand import SeenHand
from hearts.session.own_cuts import OwnCuts
from hearts.session.table_words import PlayerChange
from hearts.table.effects import Change, DealDisclosed

from .client_desk import BEGUN, INFOS, REQUEST, begun, listen

SECRET = bytes(range(16))
ME, OTHER = 2, 3
OWN = OwnCuts(bytes(32))
THEIRS = bytes([7]) * 32


def played(cuts: bytes, *, hands: Sequence[int] = ()) -> SeenHand:
    """A hold hand in which all cards are dealt and played."""
    hands = hands or deal_hands(SECRET, cuts)
    seen = SeenHand(0, Direction.HOLD, ME, hands[ME])
    seen.plays = [Play(player, card) for player in range(4) for card in cards_of(hands[player])]
    return seen


def two_of_four(mine: bytes, theirs: bytes = b"") -> FourHashes:
    return four((b"", b"", mine, theirs))


class Verifier(DealVerifier):
    """Hears of whole deals."""

    def receive_promise(
        self, deal: int, *, theirs: bytes = b"", digest: bytes = commitment(SECRET)
    ) -> DealPromised:
        """A promise with the hash that we have said, and another player's."""
        mine = b"" if self.own is None else self.own.next_hash
        promise = DealPromised(deal, digest, two_of_four(mine, theirs))
        self.promise(promise, ME, None)
        return promise

    def show(self) -> None:
        """Our value is asked for, and shown."""
        self.own = self.own_shown

    def start_again(self) -> Verifier:
        """That of a program that is started again, whose count of hands is refused."""
        again = Verifier(self.own)
        again.forget()
        return again

    def proof(self, promise: DealPromised, mine: bytes, theirs: bytes = b"") -> DealChecked:
        """What is found of a deal whose values these are."""
        shown = ShownCuts(promise.hashes, two_of_four(mine, theirs))
        told = DealDisclosed(promise.deal, SECRET, shown.cuts, shown)
        return self.check(played(shown.cuts), told)


def test_with_all_values_nobody_chose_it() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    assert deals.may_show(1)
    checked = deals.proof(promise, deals.value, THEIRS)
    assert (checked.problem, checked.fairness) == (None, Fairness.NOBODY)
    assert checked.counts == ((0, 0), (0, 0), (0, 1), (0, 1))


def test_a_value_is_shown_for_the_deal_of_its_promise() -> None:
    deals = Verifier(OWN)
    deals.receive_promise(2)
    assert [deals.may_show(deal) for deal in (1, 2, 3)] == [False, True, False]


@pytest.mark.parametrize(
    ("power_cut", "problem"),
    [(False, "it was promised twice, and the promises differ"), (True, None)],
)
def test_a_deal_is_promised_otherwise_to_a_program_that_is_started_again(
    power_cut: bool, problem: str | None
) -> None:
    before = DealPromised(1, commitment(bytes(16)), two_of_four(OWN.next_hash))
    deals = Verifier(OWN.after(before, ME))
    if power_cut:
        deals.forget()
    promise = deals.receive_promise(1)
    assert deals.proof(promise, deals.value).problem == problem


def test_what_comes_again_is_counted_once() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    for _ in range(2):
        deals.promise(promise, ME, None)
        assert deals.proof(promise, deals.value).counts == ((0, 0), (0, 0), (0, 1), (1, 1))


def test_a_value_that_is_withheld_is_named_and_counted() -> None:
    deals = Verifier(OWN)
    for deal in (1, 2):
        promise = deals.receive_promise(deal, theirs=hash_of(THEIRS))
        checked = deals.proof(promise, deals.value)
        assert (checked.problem, checked.fairness) == (None, Fairness.WITHHOLDERS)
        assert checked.missing == (OTHER,)
        assert checked.counts[OTHER] == (deal, deal)


def test_without_our_value_anybody_may_have_chosen_it() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    assert deals.proof(promise, b"", THEIRS).fairness is Fairness.ANYBODY
    left_out = DealPromised(2, commitment(SECRET), two_of_four(b"", hash_of(THEIRS)))
    deals.promise(left_out, ME, None)
    assert not deals.may_show(2)
    assert deals.proof(left_out, b"", THEIRS).fairness is Fairness.ANYBODY


def test_who_does_not_cut_is_told_so() -> None:
    deals = Verifier()
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    assert not deals.may_show(1)
    assert deals.proof(promise, b"", THEIRS).fairness is Fairness.NOT_CUT
    assert deals.proof(promise, b"", THEIRS).problem is None


def test_another_promise_with_the_same_hash_is_not_answered() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    assert deals.may_show(1)
    deals.promise(promise, ME, None)
    assert deals.may_show(1), "the same one may be told again"
    value, own = deals.value, deals.own
    assert own is not None
    for other in (
        replace(promise, digest=commitment(bytes(16))),
        replace(promise, hashes=two_of_four(promise.hashes[ME], hash_of(b"chosen later"))),
        replace(promise, deal=2),
    ):
        again = DealVerifier(own)
        again.promise(promise, ME, None)
        again.promise(other, ME, None)
        assert not again.may_show(other.deal)
        again.promise(promise, ME, None)
        assert not again.may_show(1), "nor is the first one from then on"
        assert again.own is not None
        assert again.own.next_hash == own.next_hash, "it goes on with the next one"
    deals.promise(replace(promise, digest=commitment(bytes(16))), ME, None)
    checked = deals.proof(promise, value, THEIRS)
    assert checked.problem == "it was promised twice, and the promises differ"
    assert checked.fairness is Fairness.ANYBODY


def found(deals: Verifier, promise: DealPromised) -> Fairness:
    return deals.proof(promise, deals.value).fairness


@pytest.mark.parametrize("deal", [1, 2])
def test_a_promise_that_is_taken_back_when_its_value_was_shown(deal: int) -> None:
    """The server can have promised anew for it did not like the deal."""
    deals = Verifier(OWN)
    deals.receive_promise(1)
    deals.show()
    for _ in range(3):
        deals = deals.start_again()
        deals.receive_promise(deal)
        assert deals.may_show(deal)
        deals.show()
    promise = deals.receive_promise(deal)
    assert found(deals, promise) is Fairness.REDRAWN
    promise = deals.receive_promise(deal + 1)
    assert found(deals, promise) is Fairness.NOBODY, "it was told of"


def test_it_is_told_also_if_another_promise_comes_in_between() -> None:
    deals = Verifier(OWN)
    first = deals.receive_promise(1)
    assert found(deals, first) is Fairness.NOBODY
    deals.receive_promise(2)
    deals.show()
    deals.receive_promise(3)
    deals = deals.start_again()
    deals.promise(first, ME, None)
    found(deals, first)
    assert found(deals, deals.receive_promise(4)) is Fairness.REDRAWN
    assert found(deals, deals.receive_promise(5)) is Fairness.NOBODY


def test_a_promise_that_is_taken_back_before_a_value_is_shown_is_no_choice() -> None:
    deals = Verifier(OWN)
    assert found(deals, deals.receive_promise(1)) is Fairness.NOBODY
    deals.receive_promise(2)
    for deal in (2, 4):
        deals = deals.start_again()
        assert found(deals, deals.receive_promise(deal)) is Fairness.NOBODY


def test_a_hand_that_is_over_and_taken_back() -> None:
    deals = Verifier(OWN)
    deals.receive_promise(1)
    found(deals, deals.receive_promise(2))
    deals.receive_promise(3)
    deals = deals.start_again()
    assert found(deals, deals.receive_promise(2)) is Fairness.REDRAWN
    assert found(deals, deals.receive_promise(3)) is Fairness.NOBODY


@pytest.mark.parametrize("is_shown", [False, True])
def test_the_hand_before_comes_again_after_a_power_cut(is_shown: bool) -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1)
    deals.show()
    assert found(deals, promise) is Fairness.NOBODY
    for _ in range(4):
        deals.receive_promise(2)
        if is_shown:
            deals.show()
        deals = deals.start_again()
        deals.promise(promise, ME, None)
        assert found(deals, promise) is Fairness.NOBODY
    redrawn = deals.receive_promise(2)
    assert found(deals, redrawn) is (Fairness.REDRAWN if is_shown else Fairness.NOBODY)


def test_a_value_is_in_a_deal_only_if_it_was_promised_so() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1)
    value = deals.value
    deals.promise(replace(promise, deal=2), ME, None)
    deals.promise(promise, ME, None)
    checked = deals.proof(promise, value)
    assert (checked.problem, checked.fairness) == (None, Fairness.ANYBODY), "it is spoiled"
    foreign = replace(promise, deal=3, hashes=two_of_four(b"", hash_of(THEIRS)))
    deals.promise(foreign, ME, None)
    assert deals.proof(foreign, value).fairness is Fairness.ANYBODY


def test_a_program_that_is_started_again_holds_to_its_promise() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1)
    later = DealVerifier(deals.own)
    later.promise(promise, ME, None)
    assert later.may_show(1)
    assert later.own == deals.own
    other = DealVerifier(deals.own)
    other.promise(replace(promise, digest=commitment(bytes(16))), ME, None)
    assert not other.may_show(1)


def test_each_value_is_another_one() -> None:
    deals = Verifier(OWN)
    values = []
    for deal in range(1, 5):
        deals.receive_promise(deal)
        values.append(deals.value)
    assert len(set(values)) == 4
    other = Verifier(OwnCuts(bytes(31) + b"1"))
    other.receive_promise(1)
    assert values[0] != other.value


@pytest.mark.parametrize("own", [None, OWN])
def test_numbers_that_were_not_promised(own: OwnCuts | None) -> None:
    deals = Verifier(own)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    mine = deals.value
    why = "the numbers in it are not those that were promised"
    assert deals.proof(promise, mine, bytes([8]) * 32).problem == why
    shown = ShownCuts(promise.hashes, two_of_four(mine, THEIRS))
    other_cuts = bytes(24) + b"another!"
    told = DealDisclosed(1, SECRET, other_cuts, shown)
    assert deals.check(played(other_cuts), told).problem == why
    told = DealDisclosed(1, SECRET, NO_CUTS, None)
    assert deals.check(played(NO_CUTS), told).problem == why


def test_cuts_of_nobody() -> None:
    deals = DealVerifier()
    deals.promise(DealPromised(1, commitment(SECRET), NO_HASHES), ME, None)
    right = DealDisclosed(1, SECRET, NO_CUTS)
    assert deals.check(played(NO_CUTS), right).problem is None
    cuts = bytes(range(32))
    wrong = DealDisclosed(1, SECRET, cuts)
    assert deals.check(played(cuts), wrong).problem is not None
    chosen = DealVerifier(first_cuts=cuts)
    chosen.promise(DealPromised(1, commitment(SECRET), NO_HASHES), ME, None)
    assert chosen.check(played(cuts), wrong).problem is None


@pytest.mark.parametrize(("swap", "why"), [(ME, "that we had"), (1, "that were played")])
def test_hands_that_the_secret_does_not_give(swap: int, why: str) -> None:
    deals = DealVerifier()
    deals.promise(DealPromised(1, commitment(SECRET), NO_HASHES), ME, None)
    hands = list(deal_hands(SECRET))
    hands[swap], hands[0] = hands[0], hands[swap]
    problem = deals.check(played(NO_CUTS, hands=hands), DealDisclosed(1, SECRET, NO_CUTS)).problem
    assert problem is not None
    assert problem.endswith(why)


def test_another_secret_than_the_promised_one() -> None:
    deals = DealVerifier()
    deals.promise(DealPromised(1, commitment(bytes(16)), NO_HASHES), ME, None)
    told = DealDisclosed(1, SECRET, NO_CUTS)
    assert deals.check(played(NO_CUTS), told).problem == "it is not the one that was promised"


def test_a_hand_is_checked_when_it_is_whole() -> None:
    deals = DealVerifier()
    seen = played(NO_CUTS)
    plays, seen.plays = seen.plays, []
    deals.promise(DealPromised(1, commitment(SECRET), NO_HASHES), ME, None)
    for play in plays:
        assert not deals.has_seen(1, seen)
        seen.plays.append(play)
    assert deals.has_seen(1, seen)
    assert not deals.has_seen(2, seen)
    deals.promise(DealPromised(2, commitment(SECRET), NO_HASHES), ME, seen)
    assert not deals.has_seen(2, seen), "that was the hand before"


def test_whoever_takes_a_seat_begins_with_no_missing_value() -> None:
    deals = Verifier(OWN)
    promise = deals.receive_promise(1, theirs=hash_of(THEIRS))
    assert deals.proof(promise, deals.value).counts[OTHER] == (1, 1)
    info = replace(INFOS[OTHER], name="Dan")
    change = PlayerChange(Change.TAKEN, info)
    listen(DealerSession(REQUEST, deals=deals), begun(*BEGUN, change))
    promise = deals.receive_promise(2, theirs=hash_of(THEIRS))
    assert deals.proof(promise, deals.value, THEIRS).counts[OTHER] == (0, 1)
