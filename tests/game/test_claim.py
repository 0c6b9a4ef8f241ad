"""Claiming the rest: what is proven comes true, and what is not proven could have failed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.bots import RandomBot, SimpleBot
from hearts.bots.reading import read
from hearts.game.cards import FULL_DECK, HEARTS_MASK, Card, cards_of, mask_of
from hearts.game.game import Game
from hearts.game.kernel import HandPlay
from hearts.game.rules import STANDARD, Rules
from hearts.game.scoring import hand_points
from hearts.game.view import View, card_of_rest, proves_rest

from .games import ALL_RULES, BLANK, SEEDS, deal_by, views_in

CLAIMER = 0


def cards(text: str) -> int:
    return mask_of(map(Card.parse, text.split()))


def view(own: int, out: int) -> View:
    """Player 0 leads, with ``out`` in the hands of the others; all else is played."""
    gone = FULL_DECK & ~own & ~out
    history, taken = tuple(cards_of(gone)), (gone, 0, 0, 0)
    return replace(BLANK, hand=own, legal=own, history=history, taken=taken, broken=True)


@pytest.mark.parametrize(
    ("hand", "out", "is_proven"),
    [
        ("AS KS", "QS JS TS 9S 8S 7S", True),
        ("AS QS", "KS JS TS 9S 8S 7S", False),
        ("AS 2H", "KS QS JS TS 9S 8S", True),
        ("AS 2H", "KS QS JS TS 9S 3H", False),
        ("AS 2S", "KS QS 3H 4H 5H 6H", False),
        ("AS 2S", "KS 2H 3H 4H 5H 6H", True),
        ("AS KS 2S", "QS JS 3H 4H 5H 6H 7H 8H 9H", True),
        ("AS KS 2S", "QS JS TS 4H 5H 6H 7H 8H 9H", False),
        ("AS AH", "KS KH 2C 3D 4D 5D", True),
        ("2C 3C", "2H 3H 4H 5H 6H 7H", True),
    ],
)
def test_what_is_proven(hand: str, out: str, is_proven: bool) -> None:
    assert proves_rest(view(cards(hand), cards(out))) is is_proven


def test_only_who_leads_can_claim() -> None:
    sure = view(cards("AS KS"), cards("QS JS TS 9S 8S 7S"))
    assert proves_rest(sure)
    assert not proves_rest(replace(sure, legal=0)), "it is not their turn"
    assert not proves_rest(replace(sure, trick=(Card.parse("2C"),))), "they do not lead"
    assert not proves_rest(replace(sure, history=())), "nothing was played yet"
    assert not proves_rest(view(cards("AS"), cards("KS QS JS"))), (
        "the last trick is played as it is"
    )


# Exhaustive: two tricks are left, and there is nothing that one could know beside one's own cards


def partitions(count: int, most: int, parts: int) -> Iterator[tuple[int, ...]]:
    if not count or not parts:
        if not count:
            yield (0,) * parts
        return
    for first in range(min(count, most), 0, -1):
        for rest in partitions(count - first, first, parts - 1):
            yield (first, *rest)


def two_tricks() -> Iterator[tuple[int, int]]:
    """The claimer's cards and those of the others: all cases but for names of suits and ranks."""
    for lengths in partitions(8, 8, 4):
        left = [13 * suit + rank for suit, length in enumerate(lengths) for rank in range(length)]
        for own in combinations(left, 2):
            yield mask_of(own), mask_of(left) & ~mask_of(own)


def holdings(out: int) -> Iterator[tuple[int, int, int]]:
    """All ways in which three players can hold so many cards, each the same number of them."""
    held = tuple(cards_of(out))
    size = len(held) // 3
    for first in combinations(held, size):
        rest = [card for card in held if card not in first]
        for second in combinations(rest, size):
            one, two = mask_of(first), mask_of(second)
            yield one, two, out & ~one & ~two


def rest_of(hands: list[int], rules: Rules, *, broken: bool) -> HandPlay:
    """The tricks that are left, with a lead of the claimer."""
    play = HandPlay(hands, rules, CLAIMER)
    play.played = 52 - sum(hand.bit_count() for hand in hands)
    play.broken = broken
    play.simple = not rules.must_dump_queen
    return play


def can_fail(play: HandPlay) -> bool:
    """Whether the others can take a trick from the claimer, whatever it takes."""
    if play.over:
        return False
    if not play.trick and play.turn != CLAIMER:
        return True
    legal = play.legal()
    if play.turn == CLAIMER:
        legal = 1 << card_of_rest(legal, is_claimed=True)
    for card in cards_of(legal):
        after = play.copy()
        after.play(card)
        if after.taken[1:] != play.taken[1:] or can_fail(after):
            return True
    return False


@pytest.mark.parametrize(
    ("apart", "known"), [(3, 27), pytest.param(1, 87, marks=pytest.mark.heavy)]
)
@pytest.mark.parametrize(
    ("rules", "broken"), [(STANDARD, False), (Rules(must_dump_queen=True), True)]
)
def test_two_tricks_are_proven_where_nobody_can_take_one(
    rules: Rules, broken: bool, apart: int, known: int
) -> None:
    proven = 0
    for own, out in islice(two_tricks(), 0, None, apart):
        is_proven = proves_rest(replace(view(own, out), rules=rules))
        proven += is_proven
        assert is_proven != any(
            can_fail(rest_of([own, *held], rules, broken=broken)) for held in holdings(out)
        )
    assert proven == known


# Whole hands, under all rules


def dealt_anew(seen: View, hands: list[int], source: random.Random) -> list[int] | None:
    """Other hands of the others that the player's view allows, found by chance."""
    held = read(seen).may_hold
    sizes = [hand.bit_count() for hand in hands]
    new = [seen.hand if player == seen.player else 0 for player in range(4)]
    order = list(cards_of(seen.unseen))
    source.shuffle(order)
    # Those first that fewest may have.
    for card in sorted(order, key=lambda card: sum(cards >> card & 1 for cards in held)):
        room = [p for p in range(4) if held[p] >> card & 1 and new[p].bit_count() < sizes[p]]
        if not room:
            return None
        new[source.choice(room)] |= 1 << card
    return new


def play_out(play: HandPlay, claimer: int, source: random.Random) -> None:
    """The others play what they like; every trick is to be the claimer's."""
    while not play.over:
        if not play.trick:
            assert play.turn == claimer, "a trick was lost"
        legal = play.legal()
        if play.turn == claimer:
            play.play(card_of_rest(legal, is_claimed=True))
        else:
            play.play(source.choice(list(cards_of(legal))))
    assert play.leader == claimer


def claims_in(rules: Rules, seed: int, number: int) -> list[int]:
    """Play a hand and try each claim that is offered; how many cards each had."""
    source = random.Random(seed)
    game = Game(rules)
    game.hand_number = number - 1
    game.apply(deal_by(source))
    bots = [source.choice((RandomBot(source.random), SimpleBot())) for _ in range(4)]
    claims = []
    for seen in views_in(game, bots):
        if game.play is not None and proves_rest(seen):
            claims.append(seen.hand.bit_count())
            try_claim(game.play, seen, rules, source)
    return claims


def try_claim(play: HandPlay, seen: View, rules: Rules, source: random.Random) -> None:
    taken = play.taken.copy()
    taken[seen.player] |= FULL_DECK & ~sum(taken)
    for _ in range(4):
        copy = play.copy()
        play_out(copy, seen.player, source)
        for on_others in (True, False):
            assert hand_points(copy.taken, rules, on_others) == hand_points(taken, rules, on_others)
        other_hands = dealt_anew(seen, play.hands, source)
        if other_hands is not None:
            other = play.copy()
            other.hands = other_hands
            play_out(other, seen.player, source)


@given(ALL_RULES, SEEDS, st.integers(0, 3))
def test_a_claim_comes_true_whatever_the_others_hold_and_play(
    rules: Rules, seed: int, number: int
) -> None:
    claims_in(rules, seed, number)


def test_claims_come_up() -> None:
    sizes = [size for seed in range(60) for size in claims_in(STANDARD, seed, seed % 4)]
    assert len(sizes) > 60
    assert max(sizes) >= 5


def test_others_play_what_they_may() -> None:
    hand = cards("2H AS")
    assert card_of_rest(hand, is_claimed=True) == Card.parse("AS")
    assert card_of_rest(hand, is_claimed=False) == Card.parse("2H")
    assert card_of_rest(hand & ~HEARTS_MASK, is_claimed=False) == Card.parse("AS")
