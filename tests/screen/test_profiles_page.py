"""The page of the profiles: one to choose, or a new one."""

from __future__ import annotations

import pytest
import trio

from hearts_client.screen.pages.asking_pages import ProfilesPage

from .driving import click, go_to, press, result_of, shown, type_text

MANY = [f"Nr {number}" for number in range(12)]


def page_of(profile: str = "", known: list[str] | None = None) -> ProfilesPage:
    return ProfilesPage(profile, ["Ann", "Zoë"] if known is None else known, ascii=False)


@pytest.mark.parametrize(
    ("keys", "given"),
    [
        (["0"], ""),
        (["2"], "Zoë"),
        (["down", "enter"], "Ann"),
        (["esc"], None),
    ],
)
async def test_a_key_chooses(keys: list[str], given: str | None) -> None:
    page = page_of()
    press(page, *keys)
    with trio.fail_after(1):
        assert await page.wait() == given


async def test_which_is_in_use() -> None:
    page = page_of("Ann")
    text = "\n".join(shown(page))
    assert "[1] Ann (in use)" in text
    assert text.count("in use") == 1
    click(page, "the account you are logged in")
    assert await result_of(page) == ""


async def test_a_new_one_is_made() -> None:
    page = page_of("", [])
    go_to(page, "New profile")
    type_text(page, "../x")
    press(page, "tab", "enter")
    assert await result_of(page) is None
    assert "New profile: the name of a profile has 1 to 30 bytes" in "\n".join(shown(page))
    type_text(page, "Bob 2")
    press(page, "enter", "m")
    assert await result_of(page) == "Bob 2"


async def test_there_may_be_more_than_digits() -> None:
    page = page_of("", MANY)
    go_to(page, "Nr 11")
    press(page, "enter")
    assert await result_of(page) == "Nr 11"
