"""What is seen in the picture of the table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.game.cards import Card
from hearts.game.rules import Direction
from hearts.session.table_words import PlayerKind, Presence
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.layout import layout_of
from hearts_client.screen.pictures.sights import (
    Flash,
    HandCard,
    Stage,
    TableSight,
)
from hearts_client.screen.settings.settings import Design, Highlight, Settings

from .drawn import SMALLEST, cut_out, drawn, inks_of, seen, text_of
from .sights import cards, game_over, on_turn, passing, watched

QUEEN = Card.parse("QH")


# What is seen


def test_whose_turn_it_is_stands_out() -> None:
    assert inks_of(drawn(on_turn()), "▸ You") == {Ink.TURN}


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


@pytest.mark.parametrize("flash", Flash)
@pytest.mark.parametrize("size", [SMALLEST, (120, 40)])
def test_a_flash_hides_nothing(flash: Flash, size: tuple[int, int]) -> None:
    plain, flashing = drawn(on_turn(), size), drawn(replace(on_turn(), flash=flash), size)
    where = layout_of(size, has_hand=True, score_rows=3)
    for box in (*where.cards, *where.seats):
        assert cut_out(plain, box) == cut_out(flashing, box)
    assert any(ink is Ink.FLASH and text.strip() for row in flashing.runs() for ink, text in row)


@pytest.mark.parametrize("size", [SMALLEST, (120, 40)])
def test_the_latest_notice_is_seen(size: tuple[int, int]) -> None:
    notices = (("older news", Ink.NOTICE), ("That is not possible.", Ink.ALARM))
    canvas = drawn(replace(on_turn(), notices=notices), size)
    assert inks_of(canvas, "That is not possible.") == {Ink.ALARM}
    assert ("older news" in text_of(canvas)) == (size != SMALLEST)


def with_last(presence: Presence) -> TableSight:
    first, second, third, last = passing().seats
    return replace(passing(), seats=(first, second, third, replace(last, presence=presence)))


@pytest.mark.parametrize(
    ("sight", "ascii", "words"),
    [
        (replace(on_turn(), left=6, bank=40), False, "6 s left, 40 s in the bank"),
        (replace(on_turn(), left=None, waited=7), False, "waited 7 s"),
        (replace(on_turn(), auto=True), False, "computer plays"),
        (replace(on_turn(), stage=Stage.LAST_TRICK), False, "The last trick"),
        (game_over(), False, "31★ 26      5   40"),
        (with_last(Presence.AWAY), False, "away"),
        (with_last(Presence.STAND_IN), False, "stand-in plays"),
        (replace(passing(), direction=Direction.RIGHT), False, "pass right →"),
        (replace(passing(), direction=Direction.ACROSS), False, "↑ pass across"),
        (replace(passing(), direction=Direction.HOLD), False, "no pass"),
        (passing(), True, "<-- pass left"),
    ],
)
def test_what_holds_is_said_and_only_then(sight: TableSight, ascii: bool, words: str) -> None:
    assert words in seen(sight, ascii=ascii)
    assert words not in seen(passing())


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


def test_the_table_does_not_jump_after_the_last_card() -> None:
    before = layout_of(SMALLEST, has_hand=True, score_rows=0)
    canvas = drawn(replace(on_turn(), hand=(), rows=()))
    box = before.cards[1]
    assert "".join(cut_out(canvas, box)[0]) == "┏━━━━━┓"
