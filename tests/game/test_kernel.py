"""The rules kernel against counts kept as data, and against the rules told once more in words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import IllegalAction
from hearts.game.cards import CARDS, Card, cards_of, mask_of
from hearts.game.deal import deal_hands, parse_deal_code
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import STANDARD, Rules, parse_rules
from tests.game import perft, reference
from tests.game.games import ALL_RULES, SEEDS, deal_by, texts

POSITIONS = perft.positions()
QUICK = 12_000
"""The largest count that the reference repeats in a test; it agreed with the others once."""
SLOW = 20_000
"""The smallest count that the main run does not repeat."""


def _name(position: perft.PerftLine) -> str:
    return f"{position.rules}-{position.hand_number}-{len(position.moves)}+{position.depth}"


@pytest.mark.parametrize(
    "position",
    [pytest.param(p, marks=pytest.mark.heavy) if p.count >= SLOW else p for p in POSITIONS],
    ids=_name,
)
def test_counts_of_the_kernel(position: perft.PerftLine) -> None:
    assert perft.count(perft.play_from(position), position.depth) == position.count


@pytest.mark.parametrize("position", [p for p in POSITIONS if p.count <= QUICK], ids=_name)
def test_counts_of_the_reference(position: perft.PerftLine) -> None:
    hands = deal_hands(parse_deal_code(position.code))
    hand = reference.ReferenceHand(texts(hands), position.rules, position.hand_number)
    for card in position.moves:
        assert hand.refusal(card) == 0
        hand.play(card)
    assert reference.count(hand, position.depth) == position.count


def test_counts_reach_the_end_of_hands() -> None:
    late = [p for p in POSITIONS if len(p.moves) + p.depth == 52]
    assert len(late) >= 20
    assert len({p.rules for p in late}) == 8


def _status(play: HandPlay, card: Card) -> int:
    try:
        play.check(card)
    except IllegalAction as refused:
        return int(refused.reason)
    return 0


@given(ALL_RULES, SEEDS, st.integers(0, 7))
def test_play_by_chance_agrees_with_the_reference(rules: Rules, seed: int, number: int) -> None:
    source = random.Random(seed)
    hands = deal_by(source).hands
    leader = first_leader(hands, rules, number)
    play = HandPlay(list(hands), rules, leader)
    hand = reference.ReferenceHand(texts(hands), str(rules), number)
    while not play.over:
        assert play.turn == hand.turn
        assert play.broken == hand.hearts_are_broken()
        assert [str(CARDS[card]) for card in play.trick] == hand.trick
        statuses = {str(card): _status(play, card) for card in CARDS}
        assert statuses == {card: hand.refusal(card) for card in statuses}
        legal = {str(card) for card in cards_of(play.legal())}
        assert legal == {card for card, status in statuses.items() if status == 0}
        card = source.choice(sorted(legal))
        play.play(Card.parse(card))
        hand.play(card)
        assert texts(_four(play.taken)) == [sorted(t, key=Card.parse) for t in hand.taken()]
        assert play.seen == mask_of(Card.parse(text) for text in hand.played())
    assert play.legal() == 0
    assert play.hands == [0, 0, 0, 0]


def _four(masks: list[int]) -> tuple[int, int, int, int]:
    a, b, c, d = masks
    return (a, b, c, d)


@given(ALL_RULES, SEEDS, st.integers(0, 51))
def test_a_copy_goes_its_own_way(rules: Rules, seed: int, moves: int) -> None:
    source = random.Random(seed)
    hands = deal_by(source).hands
    play = HandPlay(list(hands), rules, first_leader(hands, rules, 0))
    for _ in range(moves):
        play.play(source.choice(list(cards_of(play.legal()))))
    before = [getattr(play, name) for name in vars(play)]
    frozen = repr(before)
    copy = play.copy()
    assert [getattr(copy, name) for name in vars(play)] == before
    while not copy.over:
        copy.play(source.choice(list(cards_of(copy.legal()))))
    assert repr([getattr(play, name) for name in vars(play)]) == frozen


def _masks(*hands: str) -> list[int]:
    return [mask_of(Card.parse(text) for text in hand.split()) for hand in hands]


def _after(rules: str, hands: list[int], leader: int, moves: str, hand_is_late: bool) -> HandPlay:
    """The kernel after some moves; a late hand has its first trick behind it."""
    play = HandPlay(hands, parse_rules(rules), leader)
    if hand_is_late:
        for player, text in enumerate(("2C", "3C", "4C", "5C")):
            play.hands[(leader + player) % 4] |= 1 << Card.parse(text)
        for text in ("2C", "3C", "4C", "5C"):
            play.play(Card.parse(text))
        play.leader = play.turn = leader
    for text in moves.split():
        play.play(Card.parse(text))
    return play


# What a refusal is told, where more than one reason could be given: rules, whether the first trick
# is over, the cards played in the trick, the hand on turn, the card, the status.
REFUSALS = [
    ("standard", False, "", "2C 3C QS AH", "KC", -1),
    ("standard", False, "", "2C 3C QS AH", "3C", -6),
    ("standard", False, "", "2C 3C QS AH", "QS", -6),
    ("standard", False, "2C", "3C 4D QS AH", "4D", -2),
    ("standard", False, "2C", "3C 4D QS AH", "QS", -2),
    ("standard", False, "2C", "3D QS AH", "QS", -5),
    ("standard", False, "2C", "3D QS AH", "AH", -5),
    ("standard", False, "2C", "QS AH", "AH", 0),
    ("standard", False, "2C", "QS AH", "QS", 0),
    ("bleed", False, "2C", "3D QS AH", "AH", 0),
    ("rotate", False, "", "3D QS AH", "QS", -5),
    ("rotate", False, "", "3D QS AH", "AH", -5),
    ("rotate", False, "", "QS AH", "QS", 0),
    ("rotate", False, "", "QS AH", "AH", -7),
    ("rotate", False, "", "2H AH", "AH", 0),
    ("rotate,bleed", False, "", "3D QS AH", "AH", -7),
    ("rotate,bleed", False, "", "3D QS AH", "QS", 0),
    ("standard", True, "", "3D AH", "AH", -7),
    ("standard", True, "", "2H AH", "AH", 0),
    ("standard", True, "QS", "3S AH", "AH", -2),
    ("dump", True, "KC", "QS AH 3D", "AH", -4),
    ("dump", True, "KC", "QS AH 3D", "QS", 0),
    ("dump", True, "KC", "QS 9C", "QS", -2),
    ("dump", True, "KS", "QS 3S", "3S", -4),
    ("dump", True, "AS", "QS 3S", "3S", -4),
    ("dump", True, "JS", "QS 3S", "3S", 0),
    ("dump", True, "2S AS", "QS 3S", "3S", -4),
    ("dump", True, "AC KS", "QS 3S", "3S", -4),
    ("dump", True, "", "QS 3S", "3S", 0),
    ("dump", False, "2C", "QS 3D", "3D", 0),
    ("dump", False, "2C", "QS 3D", "QS", -5),
    ("dump", False, "2C", "QS 3H", "3H", -4),
    ("dump,bleed", False, "2C", "QS 3D", "3D", -4),
    ("dump,bleed,rotate", False, "KS", "QS 3S 3D", "3D", -2),
    ("dump,bleed,rotate", False, "KS", "QS 3S 3D", "3S", -4),
]


@pytest.mark.parametrize(("rules", "late", "trick", "hand", "card", "status"), REFUSALS)
def test_why_not(rules: str, late: bool, trick: str, hand: str, card: str, status: int) -> None:
    cards = trick.split()
    hands = [*_masks(*cards), *_masks(hand), 0, 0, 0, 0][:4]
    play = _after(rules, hands, 0, trick, late)
    assert _status(play, Card.parse(card)) == status


@pytest.mark.parametrize(
    ("rules", "broken"), [("standard", True), ("queen-keeps", False)], ids=["breaks", "keeps"]
)
def test_the_queen_breaks_hearts_unless_she_keeps_them(rules: str, broken: bool) -> None:
    play = _after(rules, _masks("KC", "QS", "3C", "4C"), 0, "KC QS", True)
    assert play.broken is broken


def test_a_number_that_is_no_card_is_not_held() -> None:
    play = HandPlay(_masks("2C", "", "", ""), STANDARD, 0)
    for number in (-1, 52, 2**40):
        with pytest.raises(IllegalAction, match="you do not hold that card"):
            play.check(number)


def test_the_refusal_names_no_card() -> None:
    play = HandPlay(_masks("2C 3C", "", "", ""), STANDARD, 0)
    with pytest.raises(IllegalAction) as refused:
        play.check(Card.parse("3C"))
    assert str(refused.value) == "the first lead must be the two of clubs"


def test_who_leads_first() -> None:
    hands = _masks("3C", "4C", "2C", "5C")
    assert [first_leader(hands, STANDARD, number) for number in range(3)] == [2, 2, 2]
    rotating = parse_rules("rotate")
    assert [first_leader(hands, rotating, number) for number in range(6)] == [0, 1, 2, 3, 0, 1]


def test_a_player_who_knows_his_own_hand_alone_can_follow_the_play() -> None:
    play = HandPlay(_masks("", "3C AH", "", ""), STANDARD, 0)
    for text in ("2C", "3C", "9C", "KD"):
        play.play(Card.parse(text))
    assert play.turn == 2
    assert list(cards_of(play.taken[2])) == [Card.parse(t) for t in ("2C", "3C", "9C", "KD")]
    assert play.hands[1] == 1 << Card.parse("AH")
