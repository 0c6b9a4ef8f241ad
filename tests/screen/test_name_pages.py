"""The pages of a name of one's own, and the way through them at a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts.names.words import words_of
from hearts_client.names.kept import KeptNames
from hearts_client.screen.pages.name_pages import (
    CheckPage,
    NameAct,
    NamePage,
    TypedWords,
    WordsPage,
)
from hearts_client.session.visit import Guest

from .driving import go_to, press, result_of, shown, type_text

ANN = Guest("hearts.example", 7626, "Ann")
WORDS = words_of(bytes.fromhex("9e885d952ad362caeb4efe34a8e91bd2"))


def page_of(kept: KeptNames, guest: Guest = ANN) -> NamePage:
    return NamePage(guest, kept, ascii=False)


def seen(page: NamePage | WordsPage | CheckPage) -> str:
    return " ".join(" ".join(line.split()) for line in shown(page))


async def test_a_name_that_is_not_claimed(tmp_path: Path) -> None:
    page = page_of(KeptNames(tmp_path))
    assert "Nobody else can be called Ann there then." in seen(page)
    assert "The line has no TLS" in seen(page)
    assert "Write the twelve words down" not in seen(page)
    press(page, "m")
    assert await result_of(page) is NameAct.CLAIM


async def test_a_name_that_is_ones_own(tmp_path: Path) -> None:
    kept = KeptNames(tmp_path)
    await kept.made_secret()
    await kept.know("hearts.example:7626", bytes(32), "Ann")
    page = page_of(kept)
    assert "Ann is your name there." in seen(page)
    assert "Make Ann your own" not in seen(page)
    press(page, "w")
    assert await result_of(page) is NameAct.WRITE_DOWN
    await kept.wrote_down()
    assert "Write the twelve words down" not in seen(page_of(kept))


async def test_words_that_are_typed(tmp_path: Path) -> None:
    page = page_of(KeptNames(tmp_path))
    go_to(page, "Words")
    type_text(page, "Ozon dril")
    press(page, "enter")
    assert await result_of(page) == TypedWords("Ozon dril")


async def test_the_words_are_shown_with_their_numbers() -> None:
    page = WordsPage(WORDS, ascii=False)
    for number, word in enumerate(WORDS, 1):
        assert f"{number} {word}" in seen(page)
    press(page, "esc")
    assert await result_of(page) is False


@pytest.mark.parametrize(
    ("typed", "is_right"),
    [
        (("grab", "cruise"), True),
        (("GRAB", "crui"), True),
        (("grab", "zoo"), False),
        (("", ""), False),
    ],
)
async def test_two_words_show_that_all_are_written_down(
    typed: tuple[str, str], *, is_right: bool
) -> None:
    page = CheckPage(WORDS, ascii=False)
    for number, word in zip((3, 9), typed, strict=True):
        go_to(page, f"Word {number}")
        type_text(page, word)
    go_to(page, "Done")
    press(page, "enter")
    assert await result_of(page) is (True if is_right else None)
    assert ("These are not the words." in seen(page)) is not is_right
