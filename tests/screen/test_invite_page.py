"""The page of those who wait to be invited."""

from __future__ import annotations

from hearts.session.table_words import InvitableCount, InvitableMessage, PlayerInfo, PlayerKind
from hearts_client.screen.pages.asking_pages import InvitePage

from .driving import click, press, result_of, shown


def waits(number: int, name: str, comment: str = "") -> InvitableMessage:
    info = PlayerInfo(0, PlayerKind.PERSON, name=name, comment=comment)
    return InvitableMessage(number, info)


def told(page: InvitePage, *waiting: InvitableMessage) -> None:
    for each in waiting:
        page.hear(each)
    page.hear(InvitableCount(len(waiting)))


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
