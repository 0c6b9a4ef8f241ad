"""The picture of the table: everything is seen, nothing covers anything, at any size."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.dealer.numbers import PlayerKind, Presence
from hearts.game.cards import Card
from hearts.game.rules import Direction
from hearts.wire.widths import text_width
from hearts_client.screen.canvas import Box, Canvas, Ink
from hearts_client.screen.help_texts import shown_key
from hearts_client.screen.layout import Layout, layout_of
from hearts_client.screen.settings import Design, Highlight, Settings
from hearts_client.screen.table_picture import draw_table
from hearts_client.screen.view_model import (
    ChatSight,
    Flash,
    HandCard,
    OnButton,
    OnCard,
    OnChat,
    OnTable,
    Stage,
    TableSight,
)

from .pictures import PICTURES, Drawing
from .sights import cards, game_over, on_turn, passing, watched

SMALLEST = (80, 23)
SETTINGS = Settings()
QUEEN = Card.parse("QH")
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


def drawn(
    sight: TableSight,
    size: tuple[int, int] = SMALLEST,
    settings: Settings = SETTINGS,
    *,
    ascii: bool = False,
) -> Canvas:
    return draw_table(sight, settings, size, ascii=ascii)


def text_of(canvas: Canvas) -> str:
    return "\n".join(canvas.lines())


def seen(sight: TableSight, size: tuple[int, int] = SMALLEST, *, ascii: bool = False) -> str:
    return text_of(drawn(sight, size, ascii=ascii))


def inks_of(canvas: Canvas, text: str) -> set[Ink]:
    """The inks of the pieces that hold a text."""
    return {ink for row in canvas.runs() for ink, piece in row if text in piece}


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


def test_large_cards_lie_side_by_side_on_a_wide_terminal() -> None:
    where = layout_of((120, 40), has_hand=True, score_rows=0)
    assert where.hand_face.width == 9
    columns = where.hand_columns(13)
    assert {after - before for before, after in pairwise(columns)} == {9}
    assert where.hand_columns(0) == []


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
            before = _columns_of(line)[where.rule.column]
            assert before == ("|" if ascii else "│")
    if ascii:
        assert text_of(canvas).isascii()


def _columns_of(line: str) -> list[str]:
    """The character in each column; none behind a wide one."""
    columns: list[str] = []
    for character in line:
        columns += [character, ""][: text_width(character)]
    return columns


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=SIGHTS)
@pytest.mark.parametrize("design", Design)
@pytest.mark.parametrize("flash", [None, *Flash])
def test_ascii_is_all_there_is(sight: TableSight, design: Design, flash: Flash | None) -> None:
    sight = replace(sight, flash=flash)
    canvas = drawn(sight, (120, 40), Settings(design=design), ascii=True)
    assert text_of(canvas).isascii()


# What is seen


def test_the_first_glance() -> None:
    canvas = drawn(on_turn())
    assert inks_of(canvas, "▸ You") == {Ink.TURN}
    text = text_of(canvas)
    for fact in (
        "Your turn: diamonds were led.",
        "leads, stand-in plays",
        "Moe · computer",
        "13 points, 2 tricks",
        "1 point, 1 trick",
        "♥ broken",
        "Hand 4 · trick 9",
        "to 100 · jack,moon=choice",
        "12 s left",
    ):
        assert fact in text
    assert text.count("wins") == 1
    assert text.count("...") == 1


def test_more_is_seen_where_there_is_more_room() -> None:
    seats = on_turn().seats
    sight = replace(
        on_turn(),
        seats=(*seats[:2], replace(seats[2], comment="hi"), replace(seats[3], comment='"So?"')),
    )
    text = seen(sight, (120, 40))
    assert "▌▌▌▌ 4" in text
    assert ' "hi" ' in text
    assert ' "So?" ' in text
    assert "█" * 12 + " 12 s left" in text
    assert "hand 1 0 26 0 0" in " ".join(text.split())
    assert "▌" not in seen(sight)


def test_what_is_playable_is_seen_without_colour() -> None:
    above = drawn(on_turn()).lines()[15]
    assert above.count("╭╌╌╌") == 10
    assert above.count("╭──") == 1


def card_row(settings: Settings, held: HandCard) -> tuple[list[str], set[Ink]]:
    """The picture of a hand of one card, and the inks in it."""
    canvas = drawn(replace(on_turn(), hand=(held,)), SMALLEST, settings)
    rows = [line.strip() for line in canvas.lines()[14:22]]
    return rows, inks_of(canvas, "Q    ")


@pytest.mark.parametrize(
    ("highlight", "top", "border", "ink"),
    [
        (Highlight.RAISED, 0, "┏━━━━━┓", Ink.CARD_RED),
        (Highlight.OUTLINE, 1, "┏━━━━━┓", Ink.CARD_RED),
        (Highlight.INVERTED, 1, "╭─────╮", Ink.CARD_RED_CURSOR),
    ],
)
def test_the_cursor(highlight: Highlight, top: int, border: str, ink: Ink) -> None:
    rows, inks = card_row(Settings(highlight=highlight), HandCard(QUEEN, cursor=True))
    assert rows[top] == border
    assert inks == {ink}


@pytest.mark.parametrize("highlight", Highlight)
def test_no_two_states_of_a_card_look_alike(highlight: Highlight) -> None:
    looks = set()
    for number in range(16):
        flags = (bool(number >> bit & 1) for bit in range(4))
        rows, inks = card_row(Settings(highlight=highlight), HandCard(QUEEN, *flags))
        looks.add((*rows, *sorted(inks & {Ink.CARD_RED_CURSOR})))
    assert len(looks) == 16


def test_the_cards_have_the_inks_of_their_suits() -> None:
    canvas = drawn(
        replace(on_turn(), hand=cards("5C 5D")), settings=Settings(design=Design.FOUR_COLORS)
    )
    inks = {ink for row in canvas.runs() for ink, _ in row}
    assert {Ink.CARD_GREEN, Ink.CARD_BLUE, Ink.CARD_RED} <= inks
    assert Ink.CARD_DIM not in inks


@pytest.mark.parametrize(
    ("left", "text", "ink"), [(6, "6 s left", Ink.CLOCK), (5, "5 s left!", Ink.HURRY)]
)
def test_the_clock(left: int, text: str, ink: Ink) -> None:
    canvas = drawn(replace(on_turn(), left=left))
    assert inks_of(canvas, text) == {ink}
    assert "s left" not in seen(replace(on_turn(), left=None))


def test_how_long_somebody_has_been_waited_for() -> None:
    assert "waited 7 s" in seen(replace(on_turn(), left=None, waited=7))


@pytest.mark.parametrize("flash", Flash)
@pytest.mark.parametrize("size", [SMALLEST, (120, 40)])
def test_a_flash_hides_nothing(flash: Flash, size: tuple[int, int]) -> None:
    plain, flashing = drawn(on_turn(), size), drawn(replace(on_turn(), flash=flash), size)
    where = layout_of(size, has_hand=True, score_rows=3)
    for box in (*where.cards, *where.seats):
        assert cut_out(plain, box) == cut_out(flashing, box)
    assert any(ink is Ink.FLASH and text.strip() for row in flashing.runs() for ink, text in row)


def cut_out(canvas: Canvas, box: Box) -> list[list[str]]:
    lines = [line.ljust(canvas.width) for line in canvas.lines()]
    return [
        _columns_of(line)[box.column : box.column + box.width]
        for line in lines[box.row : box.row + box.height]
    ]


@pytest.mark.parametrize("size", [SMALLEST, (120, 40)])
def test_the_latest_notice_is_seen(size: tuple[int, int]) -> None:
    notices = (("older news", Ink.NOTICE), ("That is not possible.", Ink.ALARM))
    canvas = drawn(replace(on_turn(), notices=notices), size)
    assert inks_of(canvas, "That is not possible.") == {Ink.ALARM}
    assert ("older news" in text_of(canvas)) == (size != SMALLEST)


@pytest.mark.parametrize(
    ("direction", "ascii", "words"),
    [
        (Direction.LEFT, False, "← pass left"),
        (Direction.RIGHT, False, "pass right →"),
        (Direction.ACROSS, False, "↑ pass across"),
        (Direction.HOLD, False, "no pass"),
        (Direction.LEFT, True, "<-- pass left"),
    ],
)
def test_the_direction_of_the_pass(direction: Direction, ascii: bool, words: str) -> None:
    assert words in seen(replace(passing(), direction=direction), ascii=ascii)


@pytest.mark.parametrize(
    ("presence", "word"),
    [(Presence.AWAY, "away"), (Presence.STAND_IN, "stand-in plays")],
)
def test_who_is_away(presence: Presence, word: str) -> None:
    seats = passing().seats
    sight = replace(passing(), seats=(*seats[:3], replace(seats[3], presence=presence)))
    assert word in seen(sight)
    assert word not in seen(passing())


def test_a_hand_that_a_computer_plays() -> None:
    assert "computer plays" in seen(replace(on_turn(), auto=True))


def test_a_free_seat() -> None:
    seats = passing().seats
    free = replace(seats[3], name="", kind=PlayerKind.FREE)
    sight = TableSight(seats=(*seats[:3], free), middle=("One seat is free.",))
    text = seen(sight)
    assert "free seat" in text
    assert "One seat is free." in text
    assert "points" not in text


def test_the_middle_covers_no_card() -> None:
    # The deuce of hearts is the card with the index 0.
    seats = passing().seats
    lies = replace(seats[2], played=Card.parse("2H"))
    sight = replace(watched(), seats=(*seats[:2], lies, seats[3]), middle=("nothing",), notices=())
    assert "│2    │" in seen(sight)
    assert "nothing" not in seen(sight)


def test_the_last_trick_has_a_title() -> None:
    assert "The last trick" in seen(replace(on_turn(), stage=Stage.LAST_TRICK))
    assert "The last trick" not in seen(on_turn())


def test_the_table_does_not_jump_after_the_last_card() -> None:
    before = layout_of(SMALLEST, has_hand=True, score_rows=0)
    canvas = drawn(replace(on_turn(), hand=(), rows=()))
    box = before.cards[1]
    assert "".join(cut_out(canvas, box)[0]) == "┏━━━━━┓"


def test_the_winner_is_marked() -> None:
    assert "31★ 26      5   40" in seen(game_over())


def test_a_watcher_has_no_hand() -> None:
    canvas = drawn(watched())
    assert "Watching" in text_of(canvas)
    assert not [target for _, target in canvas.targets() if isinstance(target, OnCard)]


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
        keys = [target.key for _, target in canvas.targets() if isinstance(target, OnButton)]
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
    lines = draw_table(
        replace(table, seats=seats, totals=totals), Settings(), size, ascii=False
    ).lines()
    side = [line.rpartition("│")[2].split() for line in lines]
    assert list(names) in side
    assert ["total", "100", "-26", "99", "101"] in side
