"""The pages that ask for a password, a profile, or a player to invite."""

from __future__ import annotations

import pytest
import trio

from hearts.session.table_words import InvitableCount, InvitableMessage, PlayerInfo, PlayerKind
from hearts_client.days.told import ToldDay
from hearts_client.days.visitor import TodaysDeal
from hearts_client.screen.pages.asking_pages import DayPage, InvitePage, PasswordPage, ProfilesPage

from .driving import click, go_to, press, result_of, shown, type_text


def password_page(*, is_wrong: bool = False) -> PasswordPage:
    return PasswordPage("hearts.example", is_wrong=is_wrong, ascii=False)


@pytest.mark.parametrize("keys", [["enter"], ["tab", "enter"]])
async def test_what_is_typed_is_given_and_not_shown(keys: list[str]) -> None:
    page = password_page()
    type_text(page, "quiet qs")
    assert "quiet" not in "\n".join(shown(page))
    assert "********" in "\n".join(shown(page))
    press(page, *keys)
    assert await result_of(page) == "quiet qs"


async def test_nothing_is_none() -> None:
    page = password_page()
    press(page, "enter")
    assert await result_of(page) is None
    assert "a password has 1 to 1023 bytes" in "\n".join(shown(page))
    press(page, "esc")
    assert await result_of(page) == ""


async def test_one_that_was_wrong() -> None:
    assert "not the password" not in "\n".join(shown(password_page()))
    page = password_page(is_wrong=True)
    assert "That is not the password" in "\n".join(shown(page))
    click(page, "Back")
    assert await result_of(page) == ""


@pytest.mark.parametrize(("keys", "given"), [("b", True), ("n", False), ("esc", False)])
async def test_a_try_at_the_deal_of_the_day_is_begun_by_its_key(keys: str, given: bool) -> None:
    told = ToldDay("2026-11-28", "open", "00", "2026-11-26", "00", (), ("AAAA",), (), ())
    today = TodaysDeal(told, ["You have one try."], ["Your hand 1: #hand=AAAA"], "day x")
    page = DayPage(today, goes_on=False, ascii=True)
    seen = "\n".join(shown(page))
    assert "You have one try." in seen
    assert "#hand=AAAA" in seen
    assert "Begin your try" in seen
    assert "Go on with your try" in "\n".join(shown(DayPage(today, goes_on=True, ascii=True)))
    press(page, keys)
    assert await result_of(page) is given


MANY = [f"Nr {number}" for number in range(12)]


def profiles_page(profile: str = "", known: list[str] | None = None) -> ProfilesPage:
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
    page = profiles_page()
    press(page, *keys)
    with trio.fail_after(1):
        assert await page.wait() == given


async def test_which_is_in_use() -> None:
    page = profiles_page("Ann")
    text = "\n".join(shown(page))
    assert "[1] Ann (in use)" in text
    assert text.count("in use") == 1
    click(page, "the account you are logged in")
    assert await result_of(page) == ""


async def test_a_new_one_is_made() -> None:
    page = profiles_page("", [])
    go_to(page, "New profile")
    type_text(page, "../x")
    press(page, "tab", "enter")
    assert await result_of(page) is None
    assert "New profile: the name of a profile has 1 to 30 bytes" in "\n".join(shown(page))
    type_text(page, "Bob 2")
    press(page, "enter", "m")
    assert await result_of(page) == "Bob 2"


async def test_there_may_be_more_than_digits() -> None:
    page = profiles_page("", MANY)
    go_to(page, "Nr 11")
    press(page, "enter")
    assert await result_of(page) == "Nr 11"


def waits(number: int, name: str, comment: str = "") -> InvitableMessage:
    info = PlayerInfo(0, PlayerKind.PERSON, name=name, comment=comment)
    return InvitableMessage(number, info)


def told(page: InvitePage, *waiting: InvitableMessage) -> None:
    for each in waiting:
        page.receive(each)
    page.receive(InvitableCount(len(waiting)))


EVE, FAY = waits(3, "Eve", "any game"), waits(7, "Fay")


async def test_one_of_them_is_invited() -> None:
    page = InvitePage(ascii=True)
    assert "Asking the server who is waiting..." in "\n".join(shown(page))
    press(page, "enter")
    told(page)
    assert "Nobody is waiting to be invited" in "\n".join(shown(page))
    told(page, EVE, FAY)
    assert "Eve, a person: any game" in "\n".join(shown(page))
    click(page, "Fay")
    assert await result_of(page) == 7


async def test_somebody_else_in_the_list_does_not_move_the_keys() -> None:
    page = InvitePage(ascii=True)
    told(page, EVE, FAY)
    press(page, "down")
    told(page, waits(9, "Gil"), EVE, FAY)
    press(page, "enter")
    assert await result_of(page) == 7


async def test_nobody_is_invited() -> None:
    page = InvitePage(ascii=True)
    told(page, EVE)
    told(page)
    press(page, "enter", "esc")
    assert await result_of(page) is None
    assert "Eve" not in "\n".join(shown(page))
