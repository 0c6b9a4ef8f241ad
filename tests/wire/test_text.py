"""Texts of others: what passes, what does not, and names in sentences."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.text import (
    MARKS_LIMIT,
    NOTICE_NAMES,
    is_legible,
    is_of_notices,
    is_printable,
    is_visible,
    quoted,
)

ACUTE = "\u0301"

ORDINARY = [
    "Ann",
    "Zoë ♥",
    "Zoe\u0308",
    "日本 みかん",
    "שָׁלוֹם",
    "مرحبا",
    "नमस्ते",
    "ที่นี่",
    "Việt",
    "می\u200cخواهم",
    "👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "1\ufe0f\u20e3",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_of_any_language_is_legible_and_visible(text: str) -> None:
    assert is_printable(text)
    assert is_legible(text)
    assert is_visible(text)


@pytest.mark.parametrize(
    "text",
    [
        "A" + ACUTE * (MARKS_LIMIT + 1),
        "Z" + "\u0489" * 14,
        "\u0e01" + "\u0e47" * 9,
        "a" + (ACUTE * 2 + "\u200d") * 2,
        "a" + "\u200c" * 5,
        "plain, and then " + "\u20dd" * 5,
        "\U00013080" + "\U00013437" * 5,
    ],
)
def test_a_flood_of_marks_is_printable_but_not_legible(text: str) -> None:
    assert is_printable(text)
    assert not is_legible(text)


def test_the_limit_counts_marks_that_follow_each_other() -> None:
    assert is_legible(("a" + ACUTE * MARKS_LIMIT) * 10)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\u00a0", "\u3000", "\u2800", "\u200d", "\u200c \u200d", ACUTE, "\ufe0f"),
        *("  \u0301", "\U00013430", "\U0001343f \U00013440", "\U00013441\U00013455"),
        *("\U00013442", "\U0001d159"),
    ],
)
def test_nothing_to_be_seen(text: str) -> None:
    assert not is_visible(text)


def test_no_character_that_only_steers_is_printable() -> None:
    kept = {
        chr(number)
        for number in range(0x110000)
        if unicodedata.category(chr(number)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and is_printable(chr(number))
    }
    # Joiners, and signs that are seen: of numbers, of verses, of hieroglyphs.
    seen = {"\u200c", "\u200d", *map(chr, range(0x600, 0x606)), "\u06dd", "\u070f", "\u08e2"}
    seen |= {"\u0890", "\u0891", "\U000110bd", "\U000110cd"}
    assert {
        character for character in kept - seen if not 0x13430 <= ord(character) <= 0x1345F
    } == set()


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Bob-2", "x_1", "日本"])
def test_a_plain_word_stands_as_it_is(name: str) -> None:
    assert quoted(name) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Mary Ann", '"Mary Ann"'),
        ("Bob is back. Ann", '"Bob is back. Ann"'),
        ("* Bob", '"* Bob"'),
        ('x" has left; "y', "\"x' has left; 'y\""),
        ("--", '"--"'),
        ("\U0001f0cf", '"\U0001f0cf"'),
    ],
)
def test_any_other_name_is_in_quotation_marks(name: str, expected: str) -> None:
    assert quoted(name) == expected


@given(st.text(min_size=1))
def test_a_name_never_ends_its_own_quotation(name: str) -> None:
    shown = quoted(name)
    assert shown == name or shown.strip('"').count('"') == 0
    assert " " not in shown or (shown[0], shown[-1]) == ('"', '"')


@pytest.mark.parametrize("name", [*NOTICE_NAMES, "TABLE", " table ", "Ta\u200dble", "＊"])
def test_the_names_of_notices_however_they_are_written(name: str) -> None:
    assert is_of_notices(name)


@pytest.mark.parametrize("name", ["Tables", "The Table", "Ta ble", "**", "You", "Tisch", "Server"])
def test_no_other_name_is_that_of_notices(name: str) -> None:
    assert not is_of_notices(name)
