"""Names that were chosen to be taken for the table, for the player at the page or for others."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from .acting import open_table, sit_down
from .looks import faults_of
from .page_house import PageGuest, Web

pytestmark = pytest.mark.heavy


def test_nobody_is_taken_for_you_or_for_the_table_or_for_somebody_else(
    browser: Browser, house: Web
) -> None:
    ann = PageGuest(browser, house, "Ann")
    you = PageGuest(browser, house, "You")
    twin = PageGuest(browser, house, "ann", language="de-DE")
    open_table(ann, "names")
    seats = ann.page.get_by_role("list", name="Seats").get_by_role("listitem")
    for player, (guest, sit) in enumerate(((you, "Sit down"), (twin, "Platz nehmen")), start=1):
        guest.go("#table=names")
        guest.page.get_by_role("button", name=sit).click()
        expect(seats.nth(player)).not_to_have_class("free")
    assert [seats.nth(player).locator(".seat-name").inner_text() for player in range(3)] == [
        "Ann (seat 1) (you)",
        "“You” (seat 2)",
        "ann (seat 3)",
    ]

    table = PageGuest(browser, house, "Table")
    sit_down(table, "names")
    expect(table.page.get_by_text("notices are shown under the name")).to_be_visible()
    tisch = PageGuest(browser, house, "Tisch")
    sit_down(tisch, "names")

    german = twin.page.locator("#seat-1 .name, #seat-2 .name, #seat-3 .name")
    expect(german).to_have_text(["Ann (Platz 1)", "„Tisch“ (Platz 4)", "You"], use_inner_text=True)
    english = ann.page.locator(".seat .name")
    names = ["“You” (seat 2)", "ann (seat 3)", "Tisch", "You"]
    assert sorted(english.all_inner_texts()) == sorted(names)
    said = ann.page.get_by_role("log").locator("p", has_text="the game is over").locator("b")
    for page, sender in ((ann.page, "You"), (you.page, "“You” (seat 2)")):
        page.get_by_label("Say something").fill("the game is over")
        page.get_by_role("button", name="Send").click()
        expect(said.last).to_have_text(sender)
    assert faults_of(ann.page) == []
    for guest in (ann, you, twin, tisch):
        guest.is_content()
