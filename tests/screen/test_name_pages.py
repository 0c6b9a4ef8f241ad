"""The pages of a name of one's own, and the way through them at a real server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
import urwid

from hearts.names.words import words_of
from hearts_client.names.kept import KeptNames
from hearts_client.names.own_name import claim
from hearts_client.screen.input.form import FormPage
from hearts_client.screen.input.ui import Ui, _Frame
from hearts_client.screen.pages.name_pages import (
    CheckPage,
    NameAct,
    NamePage,
    TypedCode,
    TypedWords,
    WordsPage,
    manage_name,
)
from hearts_client.session.visit import Guest
from tests.integration.house import listening

from .driving import go_to, press, result_of, shown, type_text

ANN = Guest("hearts.example", 7626, "Ann")
WORDS = words_of(bytes.fromhex("9e885d952ad362caeb4efe34a8e91bd2"))


def page_of(kept: KeptNames, guest: Guest = ANN) -> NamePage:
    return NamePage(guest, kept, ascii=False)


def seen(page: FormPage[Any]) -> str:
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
    page = page_of(kept)
    go_to(page, "Code")
    type_text(page, "4t9k-2mxq")
    press(page, "enter")
    assert await result_of(page) == TypedCode("4t9k-2mxq")
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


class Device:
    """The screen of somebody who manages their name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ui = Ui(urwid.display.raw.Screen(), _Frame())

    @property
    def page(self) -> FormPage[Any]:
        page = self.ui._pages[-1]
        assert isinstance(page, FormPage)
        return page

    async def sees(self, words: str) -> str:
        """Wait until the page shows some words; all that it shows."""
        with trio.fail_after(5):
            while not self._shows(words):  # noqa: ASYNC110 - nobody tells of it
                await trio.sleep(0.02)
        return seen(self.page)

    def _shows(self, words: str) -> bool:
        is_there = bool(self.ui._pages) and isinstance(self.ui._pages[-1], FormPage)
        return is_there and words in seen(self.page)

    async def does(self, words: str, *keys: str) -> None:
        await self.sees(words)
        go_to(self.page, words)
        press(self.page, *keys, "enter")

    async def manage(self, guest: Guest) -> None:
        await manage_name(self.ui, guest, KeptNames(self.folder), ascii=False)


async def leave(devices: Sequence[Device]) -> None:
    for device in devices:
        await device.sees("A name of your own")
        press(device.page, "esc")


async def test_another_device_is_let_in_and_its_key_revoked(tmp_path: Path) -> None:
    first, second = Device(tmp_path / "first"), Device(tmp_path / "second")
    async with listening(tmp_path / "server", "--names") as server, trio.open_nursery() as nursery:
        ann = Guest("localhost", server.port, "Ann")
        await claim(KeptNames(first.folder), ann)
        for device in (first, second):
            nursery.start_soon(device.manage, ann)
        await second.does("I am Ann on another device")
        shown = await second.sees("Type this code at a device")
        code = shown.partition("This device too")[2].split()[1]
        await second.does("I have typed it there")
        await second.sees("It is not let in yet.")
        await first.does("Code", *code)
        await first.sees("from your own network")
        await first.does("Let it in")
        await first.sees("Ann is the name of that device too.")
        await second.does("I have typed it there")
        await second.sees("Ann is your name here too.")
        await second.sees("Ann is your name there.")

        await first.does("Devices")
        await first.sees("this device, since")
        await first.does("a device of a person")
        await first.does("Revoke it")
        await first.sees("Its key is revoked.")
        await leave([first, second])
