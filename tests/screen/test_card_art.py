"""The faces of cards: told apart without colour, on any terminal."""

from __future__ import annotations

from itertools import product

import pytest

from hearts.game.cards import CARDS, Card, Suit
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Ink, face_ink
from hearts_client.screen.pictures.card_art import Border, FaceSize, Look, empty_face, face
from hearts_client.screen.settings.settings import Design

LOOKS = [
    Look(design, ascii, border) for design, ascii, border in product(Design, (False, True), Border)
]
ON_TABLE = """\
╭─────╮
│10♥  │
│  ♥  │
│  10♥│
╰─────╯"""
SMALL = """\
╭╌╌╌╌╌╮
┆Q    ┆
┆♠    ┆
┆  ♠  ┆
┆    ♠┆
┆    Q┆
╰╌╌╌╌╌╯"""
LARGE = """\
┏━━━━•✓━┓
┃7 ♦ ♦  ┃
┃♦  ♦   ┃
┃  ♦ ♦  ┃
┃      ♦┃
┃  ♦ ♦ 7┃
┗━━wins━┛"""
COURT = """\
╭───────╮
│K      │
│♣ ╭─╮  │
│  │K│  │
│  ╰─╯ ♣│
│      K│
╰───────╯"""
LETTERS = """\
#===v=#
#QS   #
#     #
#     #
#     #
#     #
#=====#"""


@pytest.mark.parametrize(
    ("card", "size", "look", "expected"),
    [
        ("10h", FaceSize.TRICK, Look(), ON_TABLE),
        ("qs", FaceSize.SMALL, Look(border=Border.DOTTED), SMALL),
        ("7d", FaceSize.LARGE, Look(border=Border.HEAVY, marks="•✓", foot="wins"), LARGE),
        ("kc", FaceSize.LARGE, Look(Design.FOUR_COLORS), COURT),
        ("qs", FaceSize.SMALL, Look(Design.PLAIN, True, Border.HEAVY, marks="v"), LETTERS),
    ],
)
def test_a_face(card: str, size: FaceSize, look: Look, expected: str) -> None:
    assert "\n".join(face(Card.parse(card), size, look)) == expected


def test_all_faces_of_a_look_are_of_one_size_and_differ() -> None:
    for size, look in product(FaceSize, LOOKS):
        faces = [face(card, size, look) for card in CARDS]
        assert len(set(faces)) == 52
        for rows in [*faces, empty_face(size, look)]:
            assert len(rows) == size.height
            assert {text_width(row) for row in rows} == {size.width}
            assert not look.ascii or "".join(rows).isascii()


def test_a_face_says_its_card_at_its_left_edge() -> None:
    # This is what stays of a card that others cover.
    for size, look, card in product(FaceSize, LOOKS, CARDS):
        first, second = face(card, size, look)[1:3]
        name = str(card) if look.ascii else card.symbol
        text = first[1:4] if look.ascii or size is FaceSize.TRICK else first[1:3] + second[1]
        assert text.replace(" ", "") == name.replace("T", "10")


@pytest.mark.parametrize("ascii", [False, True])
def test_borders_are_told_apart_without_colour(ascii: bool) -> None:
    card = Card.parse("4c")
    faces = {face(card, FaceSize.SMALL, Look(ascii=ascii, border=border)) for border in Border}
    assert len(faces) == len(Border)


def test_a_large_card_has_as_many_pips_as_its_rank_says() -> None:
    for card in CARDS:
        text = "".join(face(card, FaceSize.LARGE, Look()))
        assert card.rank >= 9 or text.count(card.suit.symbol) == card.rank + 2 + 2


@pytest.mark.parametrize(
    ("design", "inks"),
    [
        (Design.CLASSIC, [Ink.CARD_RED, Ink.CARD, Ink.CARD_RED, Ink.CARD]),
        (Design.PLAIN, [Ink.CARD_RED, Ink.CARD, Ink.CARD_RED, Ink.CARD]),
        (Design.FOUR_COLORS, [Ink.CARD_RED, Ink.CARD_GREEN, Ink.CARD_BLUE, Ink.CARD]),
    ],
)
def test_the_inks_of_the_suits(design: Design, inks: list[Ink]) -> None:
    aces = [CARDS[13 * suit + 12] for suit in Suit]
    assert [face_ink(ace, design) for ace in aces] == inks


def test_the_cursor_is_stronger_than_what_cannot_be_played() -> None:
    card = Card.parse("jd")
    assert face_ink(card, Design.FOUR_COLORS, dim=True) is Ink.CARD_BLUE_DIM
    assert face_ink(card, Design.CLASSIC, dim=True, cursor=True) is Ink.CARD_RED_CURSOR
