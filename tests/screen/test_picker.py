"""A hand to pick cards from: the cursor, the marks, and names that are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.cards import RANK_TEXT, SUIT_TEXT, Card
from hearts_client.screen.input.picker import Picker
from hearts_client.words.style import Sort, Style

HAND = "2H 9H 2C QC 4D TD KD 5S QS AS"
DECK = tuple(Card(number) for number in range(52))


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def picker(text: str = HAND) -> Picker:
    made = Picker(Style())
    made.show(cards(text))
    return made


def typed(text: str) -> list[Card]:
    """The cards whose names are whole, one after the other."""
    made = picker()
    return [card for card in map(made.type, text) if card is not None]


def test_the_cursor_goes_round_the_ends() -> None:
    made = picker()
    assert made.cards == Style().sorted(made.cards)
    assert made.cursor == made.cards[0]
    made.move(-1)
    assert made.cursor == made.cards[-1]
    made.move(1)
    made.move(1)
    assert made.cursor == made.cards[1]


def test_the_cursor_stays_at_its_card_or_near_it() -> None:
    made = picker("2C 3C 4C 5C")
    made.go_to(Card.parse("4C"))
    made.show(cards("AS 4C KH 2C"))
    assert made.cursor == Card.parse("4C")
    made.show(cards("2C 3C"))
    assert made.cursor == Card.parse("3C")
    made.type("q")
    made.show(())
    assert not made.cards
    assert made.typed == ""


def test_another_order_of_the_suits() -> None:
    made = picker()
    made.go_to(Card.parse("QS"))
    made.toggle(Card.parse("2H"))
    made.use(Style(sort=Sort.SUIT))
    assert made.cards == Style(sort=Sort.SUIT).sorted(cards(HAND))
    assert (made.cursor, made.marked) == (Card.parse("QS"), cards("2H"))


def test_the_nearest_of_some_cards() -> None:
    made = picker("2C 3C 4C 5C 6C")
    made.go_to(Card.parse("4C"))
    made.go_among(cards("4C 2C"))
    assert made.cursor == Card.parse("4C")
    made.go_among(cards("2C 5C"))
    assert made.cursor == Card.parse("5C")
    made.go_among(())
    made.go_among(cards("AS"))
    assert made.cursor == Card.parse("5C")


def test_three_cards_at_most_are_marked() -> None:
    made = picker()
    for text in ("QS", "2H", "AS"):
        assert made.toggle(Card.parse(text))
    assert not made.toggle(Card.parse("KD"))
    assert made.marked == cards("QS 2H AS")
    assert made.toggle(Card.parse("2H"))
    assert made.toggle(Card.parse("KD"))
    assert made.marked == cards("QS AS KD")
    made.show([card for card in made.cards if card != Card.parse("AS")])
    assert made.marked == cards("QS KD")
    made.unmark()
    assert made.marked == []


@pytest.mark.parametrize("card", DECK, ids=str)
def test_every_card_has_its_name(card: Card) -> None:
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
    assert typed(text) == cards(whole)


def test_a_move_ends_a_name() -> None:
    made = picker()
    made.type("q")
    assert made.typed == "q"
    made.move(1)
    assert made.typed == ""
    assert made.type("s") is None


@given(st.text(max_size=30))
def test_any_text_gives_cards_or_nothing(text: str) -> None:
    made = picker()
    for character in text:
        card = made.type(character)
        assert card is None or (card in DECK and made.typed == "")
        assert made.typed in {"", "1", *RANK_TEXT.lower()}
