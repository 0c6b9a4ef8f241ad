"""Text lies where it is put, however wide its characters are, and clicks hit what is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Box, Canvas, Ink

ACUTE = "\u0301"
texts = st.text(st.sampled_from(["a", "♥", "│", "日", "é", "🂡", ACUTE, "\u200d", " "]), max_size=12)
places = st.integers(-6, 12)


def test_rows_as_pieces_of_one_ink() -> None:
    canvas = Canvas(8, 2)
    canvas.put(2, 0, "ab", Ink.RED)
    canvas.put(4, 0, "c", Ink.KEY)
    assert canvas.runs() == [
        [(Ink.TEXT, "  "), (Ink.RED, "ab"), (Ink.KEY, "c"), (Ink.TEXT, "   ")],
        [(Ink.TEXT, " " * 8)],
    ]


@pytest.mark.parametrize(
    ("column", "text", "line"),
    [
        (-2, "abcdef", "cdef"),
        (2, "abcdef", "  ab"),
        (3, "日", ""),
        (-1, "日x", " x"),
        (-1, "e" + ACUTE + "x", "x"),
        (0, ACUTE + "x", "x"),
        (3, "e" + ACUTE, "   e" + ACUTE),
    ],
)
def test_what_does_not_fit_is_cut_off(column: int, text: str, line: str) -> None:
    canvas = Canvas(4, 1)
    canvas.put(column, 0, text)
    assert canvas.lines() == [line]


@pytest.mark.parametrize(("column", "line"), [(1, " x"), (0, "x")])
def test_half_a_wide_character_does_not_stay(column: int, line: str) -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "日")
    canvas.put(column, 0, "x")
    assert canvas.lines() == [line]


def test_a_mark_is_drawn_over_no_character_of_another_text() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "|")
    canvas.put(1, 0, ACUTE + "x")
    assert canvas.lines() == ["|x"]


def test_fill() -> None:
    canvas = Canvas(4, 3)
    canvas.fill(Box(1, 1, 9, 1), Ink.LINE, "─")
    assert canvas.lines() == ["", " ───", ""]
    assert canvas.runs()[1] == [(Ink.TEXT, " "), (Ink.LINE, "───")]


def test_what_is_drawn_later_is_hit_first() -> None:
    canvas = Canvas(10, 10)
    canvas.region(Box(0, 0, 5, 5), "below")
    canvas.region(Box(3, 3, 5, 5), "above")
    assert [canvas.hit(0, 0), canvas.hit(4, 4), canvas.hit(9, 9)] == ["below", "above", None]
    assert [target for _, target in canvas.regions] == ["below", "above"]


@given(st.lists(st.tuples(places, st.integers(-1, 3), texts), max_size=8))
def test_each_row_stays_as_wide_as_the_drawing(puts: list[tuple[int, int, str]]) -> None:
    canvas = Canvas(9, 3)
    for column, row, text in puts:
        assert canvas.put(column, row, text, Ink.CHAT) == column + text_width(text)
    for pieces in canvas.runs():
        assert sum(text_width(text) for _, text in pieces) == 9
