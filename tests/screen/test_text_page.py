"""Pages of text: scrolling, help, the rules in sentences, the score board."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace
from trio.testing import MockClock

from hearts.game.rules import PRESETS, ExactEnd, Moon, Passing, Rules
from hearts.session.messages import Scores
from hearts.session.picture import Scoreboard
from hearts_client.screen.input.drawn_page import TEXT_COLUMNS, TextPage
from hearts_client.screen.pages.texts import (
    CHAT_KEYS,
    PAGE_KEYS,
    help_lines,
    rules_lines,
    with_headings,
)
from hearts_client.screen.pictures.canvas import Ink, shown_key
from hearts_client.screen.table.keys import helped
from hearts_client.screen.table.table_session import board_lines

HELP = help_lines(helped(), helped(in_pass=True))
SIZE = (80, 23)
ROOM = 19


def rows(page: TextPage, size: tuple[int, int] = SIZE) -> list[str]:
    return [row.decode().rstrip() for row in page.widget.render(size).text]


def body(page: TextPage) -> list[str]:
    return [row.strip() for row in rows(page)[2:-2] if row]


def numbered(count: int = 50) -> TextPage:
    return TextPage("Numbers", [str(number) for number in range(count)], ascii=True)


async def is_done(page: TextPage) -> bool:
    with trio.move_on_after(1) as waiting:
        await page.wait()
    return not waiting.cancelled_caught


# Pages


def test_a_page_has_its_title_and_says_how_to_leave_it() -> None:
    page = rows(TextPage("Rules", ["one", ("two", Ink.STRONG)], ascii=True))
    assert page[0] == "- Rules " + "-" * 72
    assert page[2:5] == [" one", " two", ""]
    assert page[-1] == " Esc back"
    assert len(page) == 23


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        (["up"], 0),
        (["down", "down", "up"], 1),
        (["page down"], ROOM - 1),
        ([" ", "page up"], 0),
        (["end"], 50 - ROOM),
        (["end", "down", "up"], 49 - ROOM),
        (["end", "home"], 0),
    ],
)
def test_keys_scroll(keys: list[str], first: int) -> None:
    page = numbered()
    rows(page)
    for key in keys:
        assert page.widget.keypress(SIZE, key) is None
    assert body(page) == [str(number) for number in range(first, first + ROOM)]
    assert rows(page)[-1].endswith(f"{first + 1}-{first + ROOM} of 50")


def test_the_wheel_scrolls() -> None:
    page = numbered()
    rows(page)
    for button in (5, 5, 4):
        page.widget.mouse_event(SIZE, "mouse press", button, 0, 0, True)
    assert body(page)[0] == "3"


def test_a_larger_screen_shows_more() -> None:
    page = numbered()
    rows(page)
    page.widget.keypress(SIZE, "end")
    assert rows(page, (200, 60))[2].strip() == "0"
    assert rows(page, (200, 60))[-1].strip() == "Esc back"


def test_long_lines_are_broken_and_tables_stand() -> None:
    table = "  a      b"
    page = TextPage("Notices", [table, "  " + "word " * 40])
    lines = rows(page)[2:]
    assert lines[0] == " " + table
    assert lines[1].startswith("   word word")
    assert lines[2].startswith("     word")
    assert all(len(line) <= TEXT_COLUMNS + 1 for line in lines[:5])


@pytest.mark.parametrize("key", ["esc", "enter", "q"])
async def test_keys_that_leave_a_page(key: str, autojump_clock: MockClock) -> None:
    page = numbered()
    assert page.widget.keypress(SIZE, "down") is None
    assert not await is_done(page)
    page.widget.keypress(SIZE, key)
    assert await is_done(page)


async def test_a_click_leaves_a_page(autojump_clock: MockClock) -> None:
    page = numbered()
    rows(page)
    page.widget.mouse_event(SIZE, "mouse press", 1, 40, 10, True)
    assert not await is_done(page)
    page.widget.mouse_event(SIZE, "mouse press", 1, 2, 22, True)
    assert await is_done(page)


# Help


def test_all_keys_are_in_the_help() -> None:
    text = "\n".join(HELP)
    for section in (helped(), helped(in_pass=True), CHAT_KEYS, PAGE_KEYS):
        for key, meaning in section.items():
            assert f"  {shown_key(key)} " in text
            assert meaning in text


def test_help_fits_a_page() -> None:
    assert all(len(line) <= TEXT_COLUMNS and line.isascii() for line in HELP)
    assert rows(TextPage("Help", with_headings(HELP)))[2] == " At the table"


def test_no_letter_of_a_card_is_a_key_at_the_table() -> None:
    assert not set(helped()) & set("acdhjkqst0123456789")


@pytest.mark.parametrize(
    ("key", "shown"), [(" ", "Space"), ("page up", "PgUp"), ("esc", "Esc"), ("i", "i"), ("?", "?")]
)
def test_keys_are_called_as_on_a_keyboard(key: str, shown: str) -> None:
    assert shown_key(key) == shown


# Rules


def told(rules: Rules, end_score: int = 100, turn_limit: int = 60) -> str:
    return " ".join(" ".join(rules_lines(rules, end_score, turn_limit)).split())


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Rules(), "A game to 100 points, rules: standard."),
        (Rules(), "In the fourth all keep their cards"),
        (Rules(), "The player with the two of clubs leads"),
        (Rules(), "Nobody plays a heart or the queen of spades to the first trick"),
        (Rules(), "broken when a heart or the queen of spades has been played"),
        (Rules(), "Each of the others gets 26 points, and the shooter none."),
        (Rules(jack=True), "The player who takes the jack of diamonds"),
        (Rules(moon=Moon.MINUS), "takes 26 points off the score of the shooter"),
        (Rules(moon=Moon.CHOICE), "The shooter gets none and chooses"),
        (Rules(exact_end=ExactEnd.ZERO), "exactly 100 after a hand goes back to 0"),
        (Rules(exact_end=ExactEnd.WINS), "exactly 100 points after a hand wins"),
        (Rules(must_dump_queen=True), "must be played at the first chance: when you have none"),
        (Rules(points_on_first_trick=True), "may be played to the first trick already"),
        (Rules(rotating_lead=True), "The lead to the first trick goes round"),
        (Rules(passing=Passing.CYCLE3), "across in the third; then it begins again."),
        (Rules(passing=Passing.LEFT), "passes three cards to the left."),
        (Rules(passing=Passing.NEVER), "No cards are passed."),
        (Rules(no_trick_bonus=True), "A player who takes no trick in a hand gets 5 points off."),
        (Rules(queen_keeps_hearts=True), "broken when a heart has been played"),
        (Rules(spot=True), "to 14 for the ace; the queen of spades is 25."),
        (Rules(spot=True), "Each of the others gets 129 points, and the shooter none."),
    ],
)
def test_each_rule_is_told_where_it_holds_and_only_there(rules: Rules, sentence: str) -> None:
    assert sentence in told(rules)
    assert (sentence in told(Rules())) is (rules == Rules())


def values(default: object) -> list[Any]:
    return [*type(default)] if isinstance(default, Enum) else [False, True]


def test_each_variant_is_told_differently() -> None:
    changes: list[dict[str, Any]] = [
        {field.name: value} for field in fields(Rules) for value in values(field.default)
    ]
    variants = {replace(Rules(), **change) for change in changes}
    sentences = {told(rules).replace(f"rules: {rules}", "") for rules in variants}
    assert len(sentences) == len(variants) == 15


def test_the_end_and_the_clock_are_told() -> None:
    assert "somebody has 50 points or more" in told(Rules(), end_score=50)
    assert "somebody has 1 point or more" in told(Rules(), end_score=1)
    assert "You have 15 seconds for each choice." in told(Rules(), turn_limit=15)
    assert "There is no clock" in told(Rules(), turn_limit=0)


@given(
    st.builds(Rules, *(st.sampled_from(values(field.default)) for field in fields(Rules))),
    st.sampled_from([1, 100, 10_000]),
)
def test_rules_fit_a_page(rules: Rules, end_score: int) -> None:
    lines = rules_lines(rules, end_score, 3600)
    assert all(len(line) <= TEXT_COLUMNS and line.isascii() for line in lines)
    assert [text for text, ink in with_headings(lines) if text and ink is Ink.TITLE] == [
        "This table",
        "The aim",
        "Points",
        "The pass",
        "The tricks",
        "The moon",
        "The end of the game",
        "The clock",
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_changes_is_listed(preset: str) -> None:
    listed = [line for line in rules_lines(PRESETS[preset], 100, 0) if line.startswith("  - ")]
    assert len(listed) == (0 if preset == "standard" else len(str(PRESETS[preset]).split(",")))


# Scores

NAMES = ["You", "Bob", "日本", '"* Eve"']


def test_a_board_before_the_first_hand() -> None:
    assert board_lines(Scoreboard(), NAMES) == [("No hand is scored yet.", Ink.TEXT)]


def test_a_board_has_each_hand_and_the_totals() -> None:
    board = Scoreboard()
    board.add(Scores((0, 26, 0, 0)))
    board.add(Scores((5, 26, 8, 13)))
    assert body(TextPage("Scores", board_lines(board, NAMES))) == [
        'You    Bob   日本  "* Eve"',
        "hand 1      0     26      0        0",
        "hand 2      5      0      8       13",
        "total       5     26      8       13",
    ]
    assert [ink for _, ink in board_lines(board, NAMES)] == [
        Ink.TITLE,
        Ink.TEXT,
        Ink.TEXT,
        Ink.STRONG,
    ]


def test_who_has_won_is_marked() -> None:
    board = Scoreboard()
    board.add(Scores((13, 100, 13, 26), winners=(0, 2)))
    lines = [text for text, _ in board_lines(board, NAMES)]
    assert lines[0].split() == ["*", "You", "Bob", "*", "日本", '"*', 'Eve"']
    assert lines[-1] == "* has won the game"
