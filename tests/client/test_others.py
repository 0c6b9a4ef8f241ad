"""Names and chat of others cannot be taken for lines of the game or for notices."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.session.messages import ListedTable
from hearts.wire.text import MARKS_LIMIT, has_no_width, is_printable
from hearts_client.words.others import chat_lines, columns, shown_name, shown_names
from hearts_client.words.tables import table_lines

ACUTE = "\u0301"
printable = st.text().filter(is_printable)


@pytest.mark.parametrize(
    "name", ["Ann", "Mary Ann", "Bot 1", "O'Hara", "J.R.", "x_-1", "日本", "Zoe\u0308", "server"]
)
def test_an_ordinary_name_stands_as_it_is(name: str) -> None:
    assert shown_name(name) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("You", '"You"'),
        ("you ", '"you "'),
        ("Yo\u200du", '"Yo\u200du"'),
        ("Ｙｏｕ", '"Ｙｏｕ"'),
        ("* Bob has left", '"* Bob has left"'),
        (" Bob", '" Bob"'),
        ("--- Hand 2", '"--- Hand 2"'),
        ("Bob: Q♠, Cleo", '"Bob: Q♠, Cleo"'),
        ("Bob (player 1)", '"Bob (player 1)"'),
        ('"Bob" says', "\"'Bob' says\""),
        (ACUTE + "x", f'"{ACUTE}x"'),
    ],
)
def test_a_name_that_could_be_taken_for_more(name: str, expected: str) -> None:
    assert shown_name(name) == expected


def test_marks_that_paint_over_other_lines_are_left_out() -> None:
    assert shown_name("A" + ACUTE * 14) == "A" + ACUTE * MARKS_LIMIT


@pytest.mark.parametrize("twin", ["Ann", "ann", "Ann ", "A\u200dnn", "Ａｎｎ"])
def test_names_that_look_alike_are_told_apart(twin: str) -> None:
    shown = shown_names(["Ann", "Bob", twin, "Cleo"])
    assert shown[0] == "Ann (player 0)"
    assert shown[1] == "Bob"
    assert shown[2].endswith(" (player 2)")


@given(st.lists(printable.filter(bool), min_size=4, max_size=4))
def test_four_names_are_four(names: list[str]) -> None:
    shown = shown_names(names)
    assert len(set(shown)) == 4
    assert not any(name.startswith(("*", "-", "/", " ")) for name in shown)


def test_a_short_line_of_chat_stays_one() -> None:
    assert chat_lines("Ann says: ", "well played", 80) == ["Ann says: well played"]


def test_a_long_one_is_broken_between_words_and_indented() -> None:
    assert chat_lines("Ann says: ", "that was not what I had in mind", 25) == [
        "Ann says: that was not",
        "    what I had in mind",
    ]


@pytest.mark.parametrize("filler", [" ", "\u3000", "x", "日", "é", "¡", "a" + ACUTE])
def test_no_filler_brings_a_forged_notice_to_the_left_edge(filler: str) -> None:
    for count in range(1, 90):
        text = filler * count + "* Bob has left; the computer plays for Bob now"
        first, *others = chat_lines("Ann says: ", text, 80)
        assert first.startswith("Ann says: ")
        assert all(line.startswith("    ") for line in others)
        assert all(columns(line) < 80 for line in (first, *others))


@given(printable, st.integers(-1, 200))
def test_every_line_fits_and_nothing_visible_is_lost(text: str, width: int) -> None:
    lines = chat_lines("Ann says: ", text, width)
    assert all(columns(line) < max(width, 20) for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])
    seen = "".join("".join(lines).removeprefix("Ann says:").split())
    wanted = "".join(text.split())
    if not any(has_no_width(character) for character in text):
        assert seen == wanted


def test_a_list_of_tables_cannot_be_forged() -> None:
    players = ("Bob, Cleo", "", "", "")
    listed = ListedTable("A: forming, 3 open seats", 0, 3, players)
    line = table_lines([listed], "here")[0]
    assert line.startswith('"A: forming, 3 open seats": forming')
    assert line.endswith('"Bob, Cleo"')


def test_what_has_no_width_is_counted_as_none() -> None:
    assert columns("Zoe\u0308 日本 ♥") == sum(
        2 if unicodedata.east_asian_width(c) in "WFA" else 1 for c in "Zoe 日本 ♥"
    )
