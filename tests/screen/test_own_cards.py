"""Cards that a person has designed: the file of CARDS.md, and what can be wrong in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import hearts_client
from hearts.game.cards import CARDS, Card
from hearts.wire.widths import text_width
from hearts_client.screen.pictures.canvas import Ink, Theme, face_ink
from hearts_client.screen.pictures.card_art import FaceSize, Look, OwnCards, face
from hearts_client.screen.pictures.own_cards import WrongCards, read_cards, read_folder
from hearts_client.screen.pictures.table_picture import draw_table
from hearts_client.screen.settings.settings import Settings

from .sights import on_turn

CARDS_MD = (Path(hearts_client.__file__).parent / "CARDS.md").read_text(encoding="utf-8")
EXAMPLE, DRAWN = re.findall(r"^```(?:toml)?\n(.*?)^```$", CARDS_MD, flags=re.M | re.S)
BARE = '[face]\nsmall = ["{suit} {rank} ", "  .  ", " ... ", "  .  ", " {rank>} {suit}"]\n'


def cards_of(folder: Path, text: str, name: str = "mine") -> OwnCards:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return read_cards(path)


def rows(
    cards: OwnCards, card: str, size: FaceSize = FaceSize.SMALL, *, ascii: bool = False
) -> str:
    return "\n".join(face(Card.parse(card), size, Look(cards, ascii)))


def test_the_example_is_drawn_as_its_page_says(tmp_path: Path) -> None:
    cards = cards_of(tmp_path, EXAMPLE)
    faces = [rows(cards, card).splitlines() for card in ("QS", "AD", "10H")]
    assert "".join(" ".join(row) + "\n" for row in zip(*faces, strict=True)) == DRAWN
    for size in FaceSize:
        for card in CARDS:
            assert {text_width(row) for row in face(card, size, Look(cards))} == {size.width}
    inks = [face_ink(Card.parse(card), cards) for card in ("2H", "2C", "2D", "2S")]
    assert inks == [Ink.CARD_RED, Ink.CARD_GREEN, Ink.CARD_BLUE, Ink.CARD]
    assert face_ink(Card.parse("2D"), cards, dim=True) is Ink.CARD_BLUE_DIM


def test_a_small_face_is_enough(tmp_path: Path) -> None:
    cards = cards_of(tmp_path, BARE)
    assert rows(cards, "10S", FaceSize.TRICK) == "╭─────╮\n│♠ 10 │\n│ ... │\n│ 10 ♠│\n╰─────╯"
    assert "│  ... │" not in rows(cards, "QS", FaceSize.LARGE)
    assert "│  ...  │" in rows(cards, "QS", FaceSize.LARGE)
    assert "|S 10 |" in rows(cards, "10S", ascii=True)


def test_the_table_is_drawn_with_them(tmp_path: Path) -> None:
    own = {
        "bare": cards_of(tmp_path, BARE),
        "example": cards_of(tmp_path, EXAMPLE),
    }

    def drawn(name: str, *, ascii: bool = False) -> str:
        theme = Theme(Settings(own_cards=name), ascii=ascii, own_cards=own)
        return "\n".join(draw_table(on_turn(), theme, (120, 40)).lines())

    assert "..." in drawn("bare")
    assert "▌▌" in drawn("bare")
    assert "░░" in drawn("example")
    assert "▌▌" not in drawn("example")
    ours = drawn("")
    assert drawn("gone") == ours
    # What the terminal cannot show is drawn with ours.
    assert drawn("bare", ascii=True).isascii()
    assert drawn("bare", ascii=True) != drawn("", ascii=True)
    assert drawn("example", ascii=True) == drawn("", ascii=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[face", "this is no TOML: "),
        ("", "object missing required field face"),
        ("[face]", "face: there is no small, which has 5 rows of 5 columns"),
        ("[face]\nsmal = []", "face: there is no key 'smal'"),
        (BARE + "[colours]", "there is no key 'colours'; did you mean colors?"),
        ("[face]\nsmall = [1]", "face.small[0]: expected str, got int"),
        (BARE.replace('"  .  ", ', "", 1), "face.small: there are 4 rows, and 5 are needed"),
        (
            BARE.replace(" ... ", " .... "),
            "face.small, row 3: it has 6 columns, and 5 are needed",
        ),
        (BARE.replace(" ... ", " 日本"), None),
        (BARE.replace(" ... ", "日本日"), "row 3: it has 6 columns, and 5 are needed"),
        (BARE.replace(" ... ", "    \\u202e"), "row 3: this row is not legible"),
        (BARE.replace(" ... ", "\\t    "), "row 3: this row is not legible"),
        (
            BARE.replace(" ... ", "{Rank}"),
            "row 3: there is no {Rank}; there are {rank}, {rank>}, {suit}",
        ),
        (BARE.replace("{suit}", "x"), "small: 2H and 2C look the same"),
        (
            BARE + 'trick = ["{suit}    ", "     ", "     "]',
            "trick: 2H and 3H look the same; a face needs {rank} and {suit}",
        ),
        (BARE + "[special.XS]", "special.XS: give a rank, such as Q, or a card, such as QS"),
        (BARE + "[special.10]\n[special.T]", "special.T: this card has a face already"),
        (BARE + '[special.qs]\nlarge = ["a"]', "special.qs.large: there are 1 rows"),
        (BARE + '[colors]\nclubs = "pink"', "colors.clubs: invalid value 'pink'"),
        (BARE + '[suits]\nclubs = "CC"', "suits.clubs: give one sign of one column"),
        ('back = ""\n' + BARE, "back: give one sign of one column"),
        (BARE + "#" * 70000, "it is too long"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, why: str | None, tmp_path: Path) -> None:
    if why is None:
        assert cards_of(tmp_path, text).name == "mine"
        return
    with pytest.raises(WrongCards) as caught:
        cards_of(tmp_path, text)
    assert why in str(caught.value)


def test_a_folder_of_them(tmp_path: Path) -> None:
    assert read_folder(None) == ({}, [])
    assert read_folder(tmp_path / "gone") == ({}, [])
    cards_of(tmp_path, BARE, "b")
    cards_of(tmp_path, BARE, "a")
    (tmp_path / "c.toml").write_bytes(b"\xff")
    (tmp_path / "d.toml").mkdir()
    (tmp_path / ("e" * 21 + ".toml")).write_text(BARE)
    (tmp_path / "notes.txt").write_text("?")
    found, problems = read_folder(tmp_path)
    assert list(found) == ["a", "b"]
    assert problems == [
        "The cards c.toml cannot be used: it is no text in UTF-8.",
        "The cards d.toml cannot be used: Is a directory.",
        f"The cards {'e' * 21}.toml cannot be used: its name is not legible in 20 columns.",
    ]


def test_two_of_the_same_text_are_not_taken_for_each_other(tmp_path: Path) -> None:
    first, second = cards_of(tmp_path, BARE), cards_of(tmp_path, EXAMPLE)
    assert Look(first) != Look(second)
    assert replace(Look(first), marks="") == Look(first)
