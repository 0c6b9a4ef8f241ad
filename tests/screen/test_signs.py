"""Texts of others in the room that they have, on terminals that show less than they need."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.widths import first_columns, text_width
from hearts_client.screen.pictures.canvas import (
    Box,
    Ink,
    Pen,
    Theme,
    in_ascii,
    last_columns,
)
from hearts_client.screen.settings.settings import Settings

PEN = Pen((0, 0), Theme(Settings(), ascii=False))
ACUTE = "\u0301"
texts = st.text(st.sampled_from(["a", "b", " ", "日", ACUTE, "♥", "é"]), max_size=30)
widths = st.integers(0, 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Q♠ is no 10♥", "QS is no 10H"),
        ("Zoë… “hi”", 'Zoe... "hi"'),
        ("e" + ACUTE, "e"),
        ("日本", "??"),
        ("plain", "plain"),
    ],
)
def test_in_ascii(text: str, expected: str) -> None:
    assert in_ascii(text) == expected


@given(texts, widths)
def test_beginnings_and_ends_are_as_long_as_they_can_be(text: str, width: int) -> None:
    first, last = first_columns(text, width), last_columns(text, width)
    assert text.startswith(first)
    assert text.endswith(last)
    assert text_width(first) <= width
    assert text_width(last) <= width
    if text_width(text) > width:
        assert min(text_width(first), text_width(last)) >= width - 1
    else:
        assert first == text


def wrapped(text: str, width: int, rows: int) -> list[str]:
    return [line for line, _ in PEN.wrapped(Box(0, 0, width, rows), [(text, Ink.TEXT)])]


@given(texts, st.integers(1, 12), st.integers(1, 4))
def test_wrapped_lines_fit(text: str, width: int, rows: int) -> None:
    lines = wrapped(text, width, rows)
    assert 1 <= len(lines) <= rows
    assert all(text_width(line) <= width for line in lines)


def test_wrapped_keeps_a_line_that_fits_as_it_is() -> None:
    assert wrapped("You: 26   Moe: 0", 20, 3) == ["You: 26   Moe: 0"]
    assert wrapped("one two three four", 9, 2) == ["one two", "three fo…"]
