"""The page that asks for a password."""

from __future__ import annotations

import pytest

from hearts_client.screen.pages.asking_pages import PasswordPage

from .driving import click, press, result_of, shown, type_text


def page_of(*, is_wrong: bool = False) -> PasswordPage:
    return PasswordPage("hearts.example", is_wrong=is_wrong, ascii=False)


@pytest.mark.parametrize("keys", [["enter"], ["tab", "enter"]])
async def test_what_is_typed_is_given_and_not_shown(keys: list[str]) -> None:
    page = page_of()
    type_text(page, "quiet qs")
    assert "quiet" not in "\n".join(shown(page))
    assert "********" in "\n".join(shown(page))
    press(page, *keys)
    assert await result_of(page) == "quiet qs"


async def test_nothing_is_none() -> None:
    page = page_of()
    press(page, "enter")
    assert await result_of(page) is None
    assert "a password has 1 to 1023 bytes" in "\n".join(shown(page))
    press(page, "esc")
    assert await result_of(page) == ""


async def test_one_that_was_wrong() -> None:
    assert "not the password" not in "\n".join(shown(page_of()))
    page = page_of(is_wrong=True)
    assert "That is not the password" in "\n".join(shown(page))
    click(page, "Back")
    assert await result_of(page) == ""
