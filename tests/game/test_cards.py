"""Cards in their three forms: index, wire number and text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.cards import (
    CARDS,
    FULL_DECK,
    HEARTS_MASK,
    POINTS_MASK,
    SPADES_MASK,
    WIRE,
    Card,
    Suit,
    by_wire,
    cards_of,
    mask_of,
)

WIRE_ORDER = [rank + suit for suit in "HCDS" for rank in "A23456789TJQK"]
"""The cards with the wire numbers 1-52 (SocketSpec.md section 8)."""

masks = st.integers(0, FULL_DECK)


def test_wire_numbers_are_those_of_the_table() -> None:
    assert [str(Card.from_wire(number)) for number in range(1, 53)] == WIRE_ORDER
    assert [Card.parse(text).wire for text in WIRE_ORDER] == list(range(1, 53))
    assert [WIRE[card] for card in CARDS] == [card.wire for card in CARDS]


@pytest.mark.parametrize("number", [-1, 0, 53, 2**31])
def test_no_card_has_another_wire_number(number: int) -> None:
    with pytest.raises(ValueError, match=f"from 1 to 52, not {number}"):
        Card.from_wire(number)


@pytest.mark.parametrize("index", [-1, 52])
def test_no_card_has_another_index(index: int) -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        Card(index)


def test_a_higher_index_is_a_higher_card_of_the_suit() -> None:
    for suit, letter in zip(Suit, "HCDS", strict=True):
        cards = sorted(card for card in CARDS if card.suit is suit)
        assert [str(card) for card in cards] == [rank + letter for rank in "23456789TJQKA"]
        assert [card.rank for card in cards] == list(range(13))
        assert suit.mask == mask_of(cards)


@given(st.sampled_from(CARDS))
def test_text_reads_back(card: Card) -> None:
    text = str(card)
    assert Card.parse(text) is card
    assert Card.parse(f" {text.lower()} ") is card
    assert Card.parse(text.replace("T", "10")) is card
    assert repr(card) == f"Card({text})"


@pytest.mark.parametrize(
    "text", ["", "Q", "SQ", "1S", "QX", "QSS", "Q S", "0H", "110H", "Ⅻ♠", "♠Q"]
)
def test_other_text_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(ValueError, match="is no card: give a rank"):
        Card.parse(text)


def test_symbols_are_for_people() -> None:
    assert [Card.parse(text).symbol for text in ("TH", "2C", "JD", "QS")] == [
        "10♥",
        "2♣",
        "J♦",
        "Q♠",
    ]


@given(masks)
def test_masks_and_cards_are_two_forms_of_a_set(mask: int) -> None:
    cards = list(cards_of(mask))
    assert mask_of(cards) == mask
    assert cards == sorted(set(cards))


@given(masks)
def test_a_hand_goes_over_the_wire_by_wire_number(mask: int) -> None:
    numbers = [card.wire for card in by_wire(mask)]
    assert numbers == sorted(numbers)
    assert mask_of(by_wire(mask)) == mask


def test_fixed_sets() -> None:
    assert mask_of(CARDS) == FULL_DECK
    assert {str(card) for card in cards_of(HEARTS_MASK)} == set(WIRE_ORDER[:13])
    assert {str(card) for card in cards_of(SPADES_MASK)} == set(WIRE_ORDER[39:])
    assert {str(card) for card in cards_of(POINTS_MASK)} == {*WIRE_ORDER[:13], "QS"}
