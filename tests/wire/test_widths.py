"""Columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.text import has_no_width, is_printable
from hearts.wire.widths import cut, first_columns, text_width

printable = st.text(st.characters().filter(is_printable), max_size=30)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("Zoe", 3, 3),
        ("Zoe\u0308", 3, 3),
        ("\u0e17\u0e35\u0e48", 1, 1),  # a Thai syllable, whose vowel combines with no class
        ("日本", 4, 4),
        ("\U0001fac6", 2, 2),  # younger than some versions of Python
        ("♥", 1, 2),
        ("\u0915\u093e", 2, 3),  # a vowel of Hindi with a place of its own
        ("", 0, 0),
    ],
)
def test_widths(text: str, least: int, most: int) -> None:
    assert text_width(text) == least
    assert text_width(text, ambiguous=2) == most


@given(printable)
def test_only_marks_take_no_room(text: str) -> None:
    # Marks of others are bounded; anything else that counted as nothing could paint over a line.
    seen = sum(not has_no_width(character) for character in text)
    assert seen <= text_width(text) <= text_width(text, ambiguous=2) <= 2 * seen


@given(printable, st.integers(0, 12))
def test_what_is_cut_fits(text: str, width: int) -> None:
    shown = cut(text, width, "..", ambiguous=2)
    assert text_width(shown, ambiguous=2) <= width
    assert shown in (text, "") or text.startswith(shown.removesuffix(".."))
    assert text_width(first_columns(text, width)) <= width
