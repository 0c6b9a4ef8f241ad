"""Cards by their names, and which of them are odd."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.cards import RANK_TEXT, SUIT_TEXT, Card
from hearts_client.screen.table.choosing import is_doubtful, name_on

DECK = tuple(Card(number) for number in range(52))


def typed(text: str) -> list[Card]:
    """The cards whose names are whole, one after the other."""
    begun, cards = "", []
    for character in text:
        begun, card = name_on(begun, character)
        assert begun in {"", "1", *RANK_TEXT.lower()}
        if card is not None:
            assert begun == ""
            cards.append(card)
    return cards


def test_every_card_has_its_name() -> None:
    for card in DECK:
        rank, suit = RANK_TEXT[card.rank], SUIT_TEXT[card.suit]
        for name in (rank + suit, (rank + suit).lower(), rank + card.suit.symbol):
            assert typed(name) == [card]
        if rank == "T":
            assert typed("10" + suit) == typed("10" + suit.lower()) == [card]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("q s", ""),
        ("qx s", ""),
        ("q5s", "5S"),
        ("1s", ""),
        ("0s", ""),
        ("12h", "2H"),
        ("110d", "TD"),
        ("100d", ""),
        ("qsd", "QS"),
        ("ss", ""),
        ("ahah", "AH AH"),
        ("tdkc", "TD KC"),
        ("\u00e9\u0661qs\n", "QS"),
    ],
)
def test_what_is_no_name_begins_anew(text: str, whole: str) -> None:
    assert " ".join(map(str, typed(text))) == whole


@given(st.text(max_size=30))
def test_any_text_gives_cards_or_nothing(text: str) -> None:
    assert set(typed(text)) <= set(DECK)


@pytest.mark.parametrize(
    ("card", "legal", "trick", "odd"),
    [
        ("QS", "6S 9S QS", "TS", True),
        ("QS", "6S 9S QS", "KS", False),
        ("QS", "QS AS", "TS", False),
        ("QS", "6S QS 3H", "TD", False),
        ("AD", "2D AD", "", True),
        ("KD", "2D KD", "AD", False),
        ("KD", "2D KD", "3D AH", True),
        ("JD", "2D JD", "", False),
        ("QH", "2H QH", "", False),
    ],
)
def test_which_cards_are_odd(card: str, legal: str, trick: str, odd: bool) -> None:
    cards = [Card.parse(text) for text in legal.split()]
    lies = [Card.parse(text) for text in trick.split()]
    assert is_doubtful(Card.parse(card), cards, lies) is odd
