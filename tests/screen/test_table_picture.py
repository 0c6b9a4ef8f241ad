"""The picture of the table: everything is seen, nothing covers anything, at any size."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Box, Ink, OnButton, shown_key
from hearts_client.screen.pictures.layout import Layout, layout_of
from hearts_client.screen.pictures.sights import (
    ChatSight,
    Flash,
    OnCard,
    OnChat,
    OnTable,
    TableSight,
)
from hearts_client.screen.settings.settings import Design, Settings

from .drawn import SMALLEST, columns_of, cut_out, drawn, inks_of, seen, text_of
from .pictures import PICTURES, Drawing
from .sights import game_over, on_turn, passing, watched

SIGHTS = {
    "turn": on_turn(),
    "pass": passing(),
    "over": game_over(),
    "watched": watched(),
    "empty": TableSight(seats=on_turn().seats),
}
sizes = st.tuples(st.integers(80, 200), st.integers(23, 60))
sights = st.sampled_from(list(SIGHTS.values()))
hostile = st.text(st.sampled_from("a 日♥│א👩🚀\u0301\u200d"), max_size=90)


# The pictures that are kept


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_is_as_it_was(picture: Drawing) -> None:
    assert picture.drawn() == picture.path.read_text("utf-8")


# Where everything is


def boxes(where: Layout) -> dict[str, Box]:
    """The boxes that are drawn into while a trick is played."""
    named = {
        "notices": where.notices,
        "rule": where.rule,
        "heading": where.heading,
        "scores": where.scores,
        "chat": where.chat,
        "prompt": where.prompt,
        "hand": where.hand,
        "buttons": where.buttons,
        "title": where.title,
        "centre": where.centre,
    }
    for place in range(4):
        named[f"seat {place}"] = where.seats[place]
        named[f"card {place}"] = where.cards[place]
    return {name: box for name, box in named.items() if box.height}


def overlap(one: Box, other: Box) -> bool:
    return (
        one.column < other.column + other.width
        and other.column < one.column + one.width
        and one.row < other.row + other.height
        and other.row < one.row + one.height
    )


@given(sizes, st.booleans(), st.integers(0, 30))
@example(SMALLEST, True, 30)
@example((200, 60), False, 0)
def test_boxes_lie_side_by_side(size: tuple[int, int], has_hand: bool, rows: int) -> None:
    where = layout_of(size, has_hand=has_hand, score_rows=rows)
    named = boxes(where)
    for name, box in named.items():
        assert box.column >= 0, name
        assert box.row >= 0, name
        assert box.column + box.width <= size[0], name
        assert box.row + box.height <= size[1], name
    for (one, first), (other, second) in combinations(named.items(), 2):
        assert not overlap(first, second), (one, other)
    around = [*where.gathering, where.middle, where.notices, where.rule, where.prompt]
    for first, second in combinations([box for box in around if box.height], 2):
        assert not overlap(first, second)
    assert where.centre.height >= 3
    assert where.chat.height >= 5
    assert min(box.width for box in where.seats) >= 21


@given(sizes, st.integers(1, 13))
def test_every_card_of_the_hand_can_be_clicked(size: tuple[int, int], count: int) -> None:
    for sight in (on_turn(), passing()):
        hand = sight.hand[:count]
        canvas = drawn(replace(sight, hand=hand), size)
        bottom = range(size[1] - 9, size[1] - 1)
        hits = {canvas.hit(column, row) for row in bottom for column in range(size[0])}
        assert hits - {None} == {OnCard(held.card) for held in hand}


# What is drawn, for all that may come


@given(sizes, sights, hostile, hostile, st.integers(0, 90), st.booleans())
def test_texts_of_others_stay_in_their_boxes(
    size: tuple[int, int], sight: TableSight, name: str, said: str, cursor: int, ascii: bool
) -> None:
    seats = [replace(seat, name=name, comment=said) for seat in sight.seats]
    sight = replace(
        sight,
        seats=(seats[0], seats[1], seats[2], seats[3]),
        chat=ChatSight(((name, said, True), ("", said, False)), 2, typing=said, cursor=cursor),
        prompt=said,
        middle=(said,) if sight.middle else (),
        notices=((said, Ink.NOTICE),),
    )
    canvas = drawn(sight, size, ascii=ascii)
    where = layout_of(
        size,
        has_hand=not sight.is_watching and bool(sight.hand or sight.stage.is_play),
        score_rows=len(sight.rows),
    )
    for row, pieces in enumerate(canvas.runs()):
        assert sum(text_width(text) for _, text in pieces) == size[0]
        if row < where.rule.height:
            line = "".join(text for _, text in pieces)
            before = columns_of(line)[where.rule.column]
            assert before == ("|" if ascii else "│")
    if ascii:
        assert text_of(canvas).isascii()


def test_ascii_is_all_there_is() -> None:
    for shown, design, flash in product(SIGHTS.values(), Design, [None, *Flash]):
        sight = replace(shown, flash=flash)
        canvas = drawn(sight, (120, 40), Settings(design=design), ascii=True)
        assert text_of(canvas).isascii()


# Scores


def test_the_latest_hands_where_not_all_have_room() -> None:
    rows = tuple((f"hand {number}", (number, 0, 0, 0)) for number in range(1, 31))
    text = seen(replace(on_turn(), rows=rows), (80, 30))
    assert "hand 30" in text
    assert "hand 1 " not in text
    assert "total" in text


# The chat


def chat_of(chat: ChatSight, size: tuple[int, int] = SMALLEST) -> list[str]:
    where = layout_of(size, has_hand=True, score_rows=0)
    canvas = drawn(replace(on_turn(), rows=(), chat=chat), size)
    return ["".join(row).rstrip() for row in cut_out(canvas, where.chat)]


def test_the_latest_lines_of_the_chat_are_at_the_bottom() -> None:
    lines = tuple(("Moe", f"line {number}", False) for number in range(100))
    assert chat_of(ChatSight(lines)) == [
        "─ Chat ────────────────────",
        *(f"Moe: line {number}" for number in range(94, 100)),
        "/ to talk",
    ]


def test_new_lines_are_marked_without_colour_too() -> None:
    canvas = drawn(on_turn())
    assert "─ 1 new ─" in text_of(canvas)
    assert inks_of(canvas, "nobody wants") == {Ink.UNREAD}


@pytest.mark.parametrize(
    ("chat", "line"),
    [
        (ChatSight(typing=""), "› ▏"),
        (ChatSight(typing="good luck", cursor=4), "› good▏ luck"),
        (ChatSight(typing="x" * 60, cursor=60), "› " + "x" * 24 + "▏"),
        (ChatSight(typing="abc" + "x" * 60, cursor=1), "› a▏bc" + "x" * 21),
        (ChatSight(typing="日" * 60, cursor=60), "› " + "日" * 12 + "▏"),
        (ChatSight(is_there=False), "nobody hears you"),
    ],
)
def test_the_line_that_is_typed(chat: ChatSight, line: str) -> None:
    assert chat_of(chat)[-1] == line


def test_no_line_of_a_player_looks_like_another() -> None:
    lines = chat_of(
        ChatSight((("Moe", "hi" + " " * 9 + "Larry: I give up, you have won it", False),))
    )
    assert [line for line in lines if line.startswith(("Larry", "*"))] == []


# What can be clicked


def test_where_a_click_goes() -> None:
    canvas = drawn(on_turn())
    where = layout_of(SMALLEST, has_hand=True, score_rows=3)
    assert canvas.hit(where.centre.column, where.centre.row) == OnTable()
    assert canvas.hit(where.chat.column, where.chat.row + 2) == OnChat()
    assert canvas.hit(2, 22) == OnButton("enter")
    assert canvas.hit(where.rule.column, 0) is None
    assert canvas.hit(0, 15) == OnCard(Card.parse("2C"))


def test_buttons_that_do_not_fit_are_left_out() -> None:
    for size in (SMALLEST, (120, 30)):
        canvas = drawn(on_turn(), size)
        keys = [target.key for _, target in canvas.regions if isinstance(target, OnButton)]
        text = canvas.lines()[-1]
        assert [button.key for button in on_turn().buttons[: len(keys)]] == keys
        assert all(f"[{shown_key(key)}]" in text for key in keys)
        assert len(keys) >= 6


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_usual_names_are_whole(size: tuple[int, int]) -> None:
    """Beside the scores, in the narrowest terminal too."""
    table = on_turn()
    names = ("You", "Moe", "Larry", "Curly")
    seats = tuple(replace(seat, name=n) for seat, n in zip(table.seats, names, strict=True))
    totals = (100, -26, 99, 101)
    lines = drawn(replace(table, seats=seats, totals=totals), size).lines()
    side = [line.rpartition("│")[2].split() for line in lines]
    assert list(names) in side
    assert ["total", "100", "-26", "99", "101"] in side


def test_a_long_notice_has_the_rows_that_others_leave() -> None:
    long = "now " * 40 + "the end"
    sight = replace(on_turn(), notices=(("Before.", Ink.NOTICE), (long, Ink.TEXT)))
    assert "the end" in seen(sight, (100, 50))
    assert "Before." in seen(sight, (100, 50))
    # Each has its row before one of them has two.
    many = tuple((f"Number {number}. {long}", Ink.TEXT) for number in range(20))
    rows = seen(replace(sight, notices=many), (100, 50))
    assert "the end" not in rows
    assert [number for number in range(20) if f"Number {number}." in rows][-2:] == [18, 19]
