"""How cards, hands and scores look."""

from __future__ import annotations

import re

import pytest

from hearts.game.cards import Card
from hearts_client.words.style import Sort, Style, by_suits, suit_word, table


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


HAND = cards("AH 2H KS 3D TD 2C QC")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (Style(), "2♣ Q♣   3♦ 10♦   K♠   2♥ A♥"),
        (Style(sort=Sort.SUIT), "2♣ Q♣   3♦ 10♦   2♥ A♥   K♠"),
        (Style(ascii=True), "2C QC   3D 10D   KS   2H AH"),
    ],
)
def test_hand(style: Style, expected: str) -> None:
    assert style.hand(HAND) == expected


def test_an_empty_hand() -> None:
    assert Style().hand([]) == "empty"


@pytest.mark.parametrize(
    ("hand", "suits"),
    [
        ("2C 2D 2S 2H", "CDSH"),
        ("2C 2S 2H", "CHS"),
        ("2D 2H 2S", "DSH"),
        ("2C 2S", "CS"),
        ("2D 2S", "SD"),
        ("2H", "H"),
    ],
)
def test_colours_alternate_as_far_as_the_suits_allow(hand: str, suits: str) -> None:
    groups = by_suits(cards(hand), Sort.ALTERNATING)
    assert "".join(str(group[0])[1] for group in groups) == suits


def test_colour_is_added_and_nothing_else_changes() -> None:
    colored = Style(color=True).hand(HAND)
    assert "\x1b[31mA♥\x1b[0m" in colored
    assert "\x1b[31mK♠" not in colored
    assert re.sub(r"\x1b\[\d*m", "", colored) == Style().hand(HAND)


def test_numbers_follow_the_order_in_which_the_hand_is_shown() -> None:
    style = Style()
    assert style.numbered(HAND) == [
        "  1 2♣   2 Q♣",
        "  3 3♦   4 10♦",
        "  5 K♠",
        "  6 2♥   7 A♥",
    ]
    assert [str(card) for card in style.sorted(HAND)] == ["2C", "QC", "3D", "TD", "KS", "2H", "AH"]


def test_suits_in_words() -> None:
    assert [suit_word(Card.parse(name).suit) for name in ("2H", "2C", "2D", "2S")] == [
        "hearts",
        "clubs",
        "diamonds",
        "spades",
    ]


def test_table_of_scores() -> None:
    names = ["You", "李雷", "e\u0301a", "A very long name"]
    assert table(names, [("hand 10", [1, -10, 26, 0])]) == [
        "           You   李雷     e\u0301a  A very long.",
        "hand 10      1    -10     26             0",
    ]


def test_marks_without_a_class_take_no_room_in_a_table() -> None:
    thai = "\u0e17\u0e35\u0e48"
    assert table([thai, "Moe"], [("", [1, 2])]) == [f"      {thai}    Moe", "      1      2"]
